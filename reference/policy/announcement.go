package policy

import (
	"fmt"
	"slices"

	"github.com/graspkit/graspkit/reference/repo"
)

// Terms are what an announcement has to meet to be hosted.
type Terms struct {
	Service  repo.Service // it lists this one in clone and relays,
	Archive  *Scope       // or is archived whatever it lists
	ReadOnly bool         // what only lists the service is not hosted anew
}

// Announcement judges a repository announcement. Hosted says that it lists this service or is in the scope of its archive, so that a
// repository belongs to it; an accepted one that is neither is vouched for by another owner's maintainer set (G01-ANN-14), or takes
// the place of one that its author has here: if that one was hosted, this one withdraws it (G01-ANN-18). The reason that is given
// is the first of: it lists the service, a maintainer set, the scope, its predecessor (G05-07). Whoever is in the scope is hosted
// by whatever reason, so that no order of events counts.
func Announcement(v View, t Terms, a repo.Announcement) (ruling Ruling, hosted bool) {
	clone, relays := t.Service.ListedIn(a)
	scoped := t.Archive.Has(a)
	if clone && relays && (!t.ReadOnly || scoped || v.Hosted(a.ID)) {
		return Ruling{Decision: Accept, Requirement: "G01-ANN-01"}, true
	}
	if _, known := v.Announcement(a.ID); known && !scoped {
		return Ruling{Decision: Accept, Requirement: "G01-ANN-18"}, false
	}
	if vouched(v, a) {
		return Ruling{Decision: Accept, Requirement: "G01-ANN-14"}, scoped
	}
	if scoped {
		return Ruling{Decision: Accept, Requirement: "G05-01"}, true
	}
	if t.ReadOnly {
		return wants("G05-03", "restricted", "Archive read-only mode: announcement must match archive whitelist. Repository "+
			a.ID.Owner.Npub()+"/"+a.ID.Identifier+" not in whitelist"), false
	}
	if !t.Archive.Empty() {
		return wants("G05-03", "invalid", fmt.Sprintf(
			"announcement must list this service in both 'clone' and 'relays' tags, or match the archive whitelist: clone %s, relays %s",
			listed(clone), listed(relays))), false
	}
	requirement := "G01-ANN-02"
	switch {
	case len(a.Clone) == 0 || len(a.Relays) == 0:
		requirement = "G01-ANN-04"
	case clone:
		requirement = "G01-ANN-03"
	}
	return wants(requirement, "invalid", fmt.Sprintf(
		"announcement must list this service in both 'clone' and 'relays' tags: clone %s, relays %s",
		listed(clone), listed(relays))), false
}

func listed(is bool) string {
	if is {
		return "lists it"
	}
	return "does not"
}

// vouched reports whether another owner's maintainer set of the same identifier holds the author.
func vouched(v View, a repo.Announcement) bool {
	return slices.ContainsFunc(v.Owners(a.ID.Identifier), func(owner repo.PubKey) bool {
		return owner != a.ID.Owner && v.Vouches(repo.ID{Owner: owner, Identifier: a.ID.Identifier}, a)
	})
}
