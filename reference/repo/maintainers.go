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
	return NewLists(model, identifier, announcement).MaintainerSet(owner)
}

// Lists are the lists of maintainers of one identifier, each read once, for whoever asks for several maintainer sets while
// none of them changes.
type Lists struct {
	depth        int
	mutual       bool // under the reciprocal model
	identifier   string
	announcement func(PubKey) (Announcement, bool)

	places map[PubKey]int // of keys, in order of their discovery
	keys   []listing
	sets   int // that were asked for
}

// A listing is a key that was met.
type listing struct {
	key       PubKey
	read      bool
	announced bool
	list      []int // places of what it lists
	in        int   // the last set that it was found in
}

// NewLists returns the lists of an identifier. What it is told of announcements is as for [MaintainerSet].
func NewLists(model Model, identifier string, announcement func(PubKey) (Announcement, bool)) *Lists {
	l := &Lists{
		depth: MaintainersMax, mutual: model == Reciprocal, identifier: identifier, announcement: announcement,
		places: map[PubKey]int{},
	}
	switch model {
	case Legacy, Reciprocal:
	case DirectOnly:
		l.depth = 1
	case OwnerOnly:
		l.depth = 0
	default:
		panic("repo: invariant: maintainer model is not set")
	}
	return l
}

func (l *Lists) place(key PubKey) int {
	at, known := l.places[key]
	if !known {
		at = len(l.keys)
		l.places[key] = at
		l.keys = append(l.keys, listing{key: key})
	}
	return at
}

// listing reads the announcement of a key.
func (l *Lists) listing(at int) *listing {
	x := &l.keys[at]
	if x.read {
		return x
	}
	var list []int
	a, ok := l.announcement(x.key)
	if ok = ok && a.ID == (ID{Owner: x.key, Identifier: l.identifier}); ok {
		for _, key := range a.Maintainers {
			list = append(list, l.place(key))
		}
	}
	x = &l.keys[at] // they have moved
	x.read, x.announced, x.list = true, ok, list
	return x
}

// MaintainerSet is the set of one owner.
func (l *Lists) MaintainerSet(owner PubKey) []PubKey {
	first := l.place(owner)
	if !l.listing(first).announced {
		return nil
	}
	l.sets++
	l.keys[first].in = l.sets
	found := []int{first}
	for i := 0; i < min(l.depth, len(found)); i++ {
		for _, at := range l.listing(found[i]).list {
			if l.keys[at].in == l.sets || l.mutual && !slices.Contains(l.listing(at).list, found[i]) {
				continue
			}
			if len(found) == MaintainersMax {
				return l.keysOf(found)
			}
			l.keys[at].in = l.sets
			found = append(found, at)
		}
	}
	return l.keysOf(found)
}

func (l *Lists) keysOf(places []int) []PubKey {
	set := make([]PubKey, len(places))
	for i, at := range places {
		set[i] = l.keys[at].key
	}
	return set
}
