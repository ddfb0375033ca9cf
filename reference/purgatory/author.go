package purgatory

import (
	"maps"
	"slices"

	"github.com/graspkit/graspkit/reference/repo"
)

// By returns the entries of one author, sorted by event id. It looks at every entry, so it is for rare requests.
func (p *Purgatory) By(key string) []*Entry {
	if p.perAuthor[key] == 0 {
		return nil
	}
	var list []*Entry
	for _, id := range slices.Sorted(maps.Keys(p.byID)) {
		if e := p.byID[id]; e.Event.PubKey == key {
			list = append(list, e)
		}
	}
	return list
}

// weigh adds what an entry takes to the sums, or takes it off with the sign -1.
func (p *Purgatory) weigh(e *Entry, sign int) {
	key, size := e.Event.PubKey, sign*repo.Size(e.Event)
	p.bytes += size
	if p.bytesOf[key] += size; p.bytesOf[key] == 0 {
		delete(p.bytesOf, key)
	}
}

// Bytes is what all entries take, by repo.Size.
func (p *Purgatory) Bytes() int { return p.bytes }

// BytesBy is what the entries of one author take, by repo.Size.
func (p *Purgatory) BytesBy(key string) int { return p.bytesOf[key] }
