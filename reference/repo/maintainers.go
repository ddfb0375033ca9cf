package repo

import "slices"

// MaintainersMax bounds a maintainer set, and the list of one announcement (G01-MNT-10).
const MaintainersMax = 256

// A Model says when a listed key is a maintainer.
type Model uint8

// The maintainer models.
const (
	Legacy     Model = iota + 1 // every key that is listed counts, whether it has an announcement or not (G01-MNT-02)
	Reciprocal                  // a listed key counts if its own announcement lists the key that listed it (G01-MNT-06)
	DirectOnly                  // the keys that the owner lists, and nobody beyond: a variant that G01-MNT-01 excludes
	OwnerOnly                   // nobody but the owner: a variant that G01-MNT-01 excludes
)

// MaintainerSet returns the keys with authority over the repository of an owner: the owner, the keys that its
// announcement lists, the keys that their announcements of the same identifier list, and so on (G01-MNT-01). The keys
// come in the order of discovery, level by level, and are at most MaintainersMax. The set is empty if the owner has no
// announcement. The caller says which announcement of a key counts, and passes only ones of the given identifier.
func MaintainerSet(model Model, owner PubKey, identifier string,
	announcement func(PubKey) (Announcement, bool),
) []PubKey {
	depth := MaintainersMax
	switch model {
	case Legacy, Reciprocal:
	case DirectOnly:
		depth = 1
	case OwnerOnly:
		depth = 0
	default:
		panic("repo: invariant: maintainer model is not set")
	}
	lists := map[PubKey][]PubKey{}
	listOf := func(key PubKey) []PubKey {
		list, known := lists[key]
		if !known {
			if a, ok := announcement(key); ok && a.ID == (ID{Owner: key, Identifier: identifier}) {
				list = a.Maintainers
			}
			lists[key] = list
		}
		return list
	}
	if a, ok := announcement(owner); !ok || a.ID != (ID{Owner: owner, Identifier: identifier}) {
		return nil
	}
	set := []PubKey{owner}
	member := map[PubKey]bool{owner: true}
	for i := 0; i < min(depth, len(set)); i++ {
		for _, key := range listOf(set[i]) {
			if member[key] || model == Reciprocal && !slices.Contains(listOf(key), set[i]) {
				continue
			}
			if len(set) == MaintainersMax {
				return set
			}
			member[key] = true
			set = append(set, key)
		}
	}
	return set
}
