package eventstore

import (
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

// A merge walks several lists at once, from newer to older events. What is in two of them comes twice, one after the other.
type merge struct{ heads []head } // a heap: none is newer than its parent

// A head is the next event of a list.
type head struct {
	ev *nostr.Event
	at position
}

// newMerge begins at the newest events that are not later than until.
func newMerge(lists []list, until *int64) *merge {
	m := &merge{heads: make([]head, 0, len(lists))}
	for _, l := range lists {
		h := head{at: l.from(until)}
		if h.ev = h.at.next(); h.ev != nil {
			m.heads = append(m.heads, h)
		}
	}
	for i := len(m.heads)/2 - 1; i >= 0; i-- {
		m.down(i)
	}
	return m
}

// next returns the next older event, nil behind the last one.
func (m *merge) next() *nostr.Event {
	if len(m.heads) == 0 {
		return nil
	}
	h := &m.heads[0]
	ev := h.ev
	if h.ev = h.at.next(); h.ev == nil {
		end := len(m.heads) - 1
		m.heads[0] = m.heads[end]
		m.heads = m.heads[:end]
	}
	m.down(0)
	return ev
}

// down puts the head at a place below those that are newer.
func (m *merge) down(i int) {
	for {
		first := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(m.heads); child++ {
			if repo.CompareEvents(m.heads[child].ev, m.heads[first].ev) < 0 {
				first = child
			}
		}
		if first == i {
			return
		}
		m.heads[i], m.heads[first] = m.heads[first], m.heads[i]
		i = first
	}
}
