package policy

import (
	"fmt"
	"slices"

	"github.com/graspkit/graspkit/reference/repo"
)

// Announcement judges a repository announcement. Hosted says that it lists this service, so that a repository belongs
// to it; an accepted one that does not is vouched for by another owner's maintainer set (G01-ANN-14), or takes the place of
// one that its author has here: if that one listed the service, this one withdraws it (G01-ANN-18).
func Announcement(v View, service repo.Service, a repo.Announcement) (ruling Ruling, hosted bool) {
	clone, relays := service.ListedIn(a)
	if clone && relays {
		return Ruling{Decision: Accept, Requirement: "G01-ANN-01"}, true
	}
	if _, known := v.Announcement(a.ID); known {
		return Ruling{Decision: Accept, Requirement: "G01-ANN-18"}, false
	}
	if vouched(v, a) {
		return Ruling{Decision: Accept, Requirement: "G01-ANN-14"}, false
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
