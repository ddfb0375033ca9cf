package policy

import (
	"slices"

	"github.com/graspkit/graspkit/reference/repo"
)

// PullRequest judges a pull request or an update of one: it must name a repository whose announcement is served here, or, where
// contributions are taken, its own place for one (G06-EV-01). One that only a held announcement stands for is refused like all
// that refers to it (G01-PR-12, G01-REL-06). Whether its commit is here is not asked.
func PullRequest(v View, pr repo.PullRequest, contributions bool) Ruling {
	elsewhere := func(id repo.ID) bool { return !id.IsContribution() }
	if !slices.ContainsFunc(Concerned(v, pr), elsewhere) {
		if contributions && len(pr.Places) > 0 {
			return Ruling{Decision: Accept, Requirement: "G06-EV-01"}
		}
		return wants("G01-PR-12", "invalid", "PR event must reference an accepted repository or accepted event")
	}
	return Ruling{Decision: Accept, Requirement: "G01-PURG-03"}
}

// Concerned returns the repositories here that a pull request is for, each once, in the order of its a tags, and then the places
// for contributions that it names and that are there.
func Concerned(v View, pr repo.PullRequest) []repo.ID {
	var list []repo.ID
	EachConcerned(v, pr, func(id repo.ID) {
		if !slices.Contains(list, id) {
			list = append(list, id)
		}
	})
	return list
}

// EachConcerned calls a function with what Concerned lists, with some of it perhaps more than once.
func EachConcerned(v View, pr repo.PullRequest, each func(repo.ID)) {
	for _, named := range pr.Repos {
		for _, owner := range v.Holding(named.Owner, named.Identifier) {
			id := repo.ID{Owner: owner, Identifier: named.Identifier}
			if Concerns(v, pr, id) {
				each(id)
			}
		}
	}
	for _, id := range pr.Places {
		if Concerns(v, pr, id) {
			each(id)
		}
	}
}

// Concerns reports whether a pull request is for the repository at id: its announcement is served and lists this
// service, and an a tag names the identifier with a key of its maintainer set (G01-PR-14). It is for a place for contributions
// that is there if it names it.
func Concerns(v View, pr repo.PullRequest, id repo.ID) bool {
	if id.IsContribution() {
		return v.Hosted(id) && slices.Contains(pr.Places, id)
	}
	if !v.Hosted(id) || v.StoredAt(KindAnnouncement, string(id.Owner), id.Identifier) == nil {
		return false
	}
	var set []repo.PubKey
	for _, named := range pr.Repos {
		if named.Identifier != id.Identifier {
			continue
		}
		if named.Owner == id.Owner {
			return true
		}
		if set == nil {
			set = v.MaintainerSet(id)
		}
		if slices.Contains(set, named.Owner) {
			return true
		}
	}
	return false
}
