package eventstore

import (
	"slices"
	"sort"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

// chunkMax is how many events one chunk of a list holds: few enough to copy one at each change.
const chunkMax = 512

// A list holds events oldest first, the reverse of repo.Newer, in chunks that are never empty. A chunk is not changed where
// it can be seen: a new event that is the newest is put behind what is seen of its chunk, and for every other change the
// chunk is copied. So a copy of the list of chunks (frozen) stays as it is, whatever becomes of the list, and no change
// costs by how many events there are.
type list struct {
	last   []*nostr.Event   // the newest chunk, empty if there is no event
	before [][]*nostr.Event // the others
	n      int              // events
}

// frozen returns the list as it is now, for whoever reads it later.
func (l list) frozen() list { return list{last: l.last, before: slices.Clone(l.before), n: l.n} }

// chunk returns a chunk by its place, of which the last one is len(l.before).
func (l list) chunk(at int) []*nostr.Event {
	if at == len(l.before) {
		return l.last
	}
	return l.before[at]
}

// search returns where an event is or belongs: the chunk and the place in it.
func (l list) search(ev *nostr.Event) (chunk, at int, found bool) {
	chunk = sort.Search(len(l.before), func(i int) bool {
		b := l.before[i]
		return repo.CompareEvents(b[len(b)-1], ev) <= 0 // its newest is not older
	})
	at, found = slices.BinarySearchFunc(l.chunk(chunk), ev, func(a, b *nostr.Event) int { return repo.CompareEvents(b, a) })
	return chunk, at, found
}

// insert adds an event unless it is there: an event may carry one tag twice.
func (l *list) insert(ev *nostr.Event) {
	chunk, at, found := l.search(ev)
	if found {
		return
	}
	l.n++
	switch old := l.chunk(chunk); {
	case chunk == len(l.before) && at == len(old):
		if at < chunkMax {
			l.last = append(l.last, ev)
		} else {
			l.before, l.last = append(l.before, old), []*nostr.Event{ev}
		}
	case len(old) < chunkMax:
		l.replace(chunk, slices.Concat(old[:at], []*nostr.Event{ev}, old[at:]))
	default:
		const half = chunkMax / 2
		low, high := slices.Clone(old[:half]), slices.Clone(old[half:])
		if at <= half {
			low = slices.Insert(low, at, ev)
		} else {
			high = slices.Insert(high, at-half, ev)
		}
		l.replace(chunk, high)
		l.before = slices.Insert(l.before, chunk, low)
	}
}

func (l *list) remove(ev *nostr.Event) {
	chunk, at, found := l.search(ev)
	if !found {
		return
	}
	l.n--
	old := l.chunk(chunk)
	if len(old) > 1 {
		rest := make([]*nostr.Event, 0, len(old)) // with room for what takes its place
		l.replace(chunk, append(append(rest, old[:at]...), old[at+1:]...))
		return
	}
	if chunk < len(l.before) {
		l.before = slices.Delete(l.before, chunk, chunk+1)
		return
	}
	l.last = nil
	if end := len(l.before) - 1; end >= 0 {
		l.last, l.before = l.before[end], l.before[:end]
	}
}

func (l *list) replace(chunk int, with []*nostr.Event) {
	if chunk == len(l.before) {
		l.last = with
	} else {
		l.before[chunk] = with
	}
}

// A position is a place in a list, from which one walks to older events.
type position struct {
	in        list
	chunk, at int // at is behind the event
}

// from returns the place behind the newest event that is not later than until.
func (l list) from(until *int64) position {
	p := position{in: l, chunk: len(l.before), at: len(l.last)}
	if until == nil {
		return p
	}
	later := func(ev *nostr.Event) bool { return int64(ev.CreatedAt) > *until }
	p.chunk = sort.Search(len(l.before), func(i int) bool {
		b := l.before[i]
		return later(b[len(b)-1])
	})
	c := l.chunk(p.chunk)
	p.at = sort.Search(len(c), func(i int) bool { return later(c[i]) })
	return p
}

// next returns the next older event, nil behind the last one.
func (p *position) next() *nostr.Event {
	if p.at == 0 {
		if p.chunk == 0 {
			return nil
		}
		p.chunk--
		p.at = len(p.in.chunk(p.chunk))
	}
	p.at--
	return p.in.chunk(p.chunk)[p.at]
}
