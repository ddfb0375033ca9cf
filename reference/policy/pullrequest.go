package policy

import (
	"slices"

	"github.com/graspkit/graspkit/reference/repo"
)

// PullRequest judges a pull request or an update of one: it must name a repository whose announcement is served here.
// One that only a held announcement stands for is refused like all that refers to it (G01-PR-12, G01-REL-06). Whether
// its commit is here is not asked.
func PullRequest(v View, pr repo.PullRequest) Ruling {
	if len(Concerned(v, pr)) == 0 {
		return wants("G01-PR-12", "invalid", "PR event must reference an accepted repository or accepted event")
	}
	return Ruling{Decision: Accept, Requirement: "G01-PURG-03"}
}

// Concerned returns the repositories here that a pull request is for, each once, in the order of its a tags.
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
}

// Concerns reports whether a pull request is for the repository at id: its announcement is served and lists this
// service, and an a tag names the identifier with a key of its maintainer set (G01-PR-14).
func Concerns(v View, pr repo.PullRequest, id repo.ID) bool {
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
