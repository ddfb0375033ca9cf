package purgatory

import (
	"maps"
	"slices"
)

// By returns the entries of one author, sorted by event id. It looks at every entry, so it is for rare requests.
func (p *Purgatory) By(key string) []*Entry {
	var list []*Entry
	for _, id := range slices.Sorted(maps.Keys(p.byID)) {
		if e := p.byID[id]; e.Event.PubKey == key {
			list = append(list, e)
		}
	}
	return list
}
