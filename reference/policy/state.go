package policy

import (
	"github.com/graspkit/graspkit/reference/repo"
)

// State judges a repository state event: somebody's maintainer set must hold its author now. Whether its objects are
// here is not asked.
func State(v View, s repo.State) Ruling {
	owners := v.Owners(s.Identifier)
	if len(owners) == 0 {
		return wants("G01-REL-10", "invalid", "no announcement exists for this repository")
	}
	if len(Authorizing(v, s.Author, s.Identifier)) == 0 {
		return wants("G01-MNT-03", "restricted", "author not authorized for this repository")
	}
	return Ruling{Decision: Accept, Requirement: "G01-PURG-02"}
}

// Authorizing returns the owners whose maintainer set of the identifier holds the key, sorted.
func Authorizing(v View, key repo.PubKey, identifier string) []repo.PubKey {
	return v.Holding(key, identifier)
}
