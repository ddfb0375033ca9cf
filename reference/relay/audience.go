package relay

import (
	"cmp"
	"slices"

	"github.com/nbd-wtf/go-nostr"
)

// An Audience is the open subscriptions of many sessions, by what they select: an event asks those that may want it and
// no other ones.
type Audience struct {
	lists  map[selector]*listed
	bytes  int             // of the filters of all subscriptions
	opened uint64          // sessions and subscriptions that were ever opened; their order
	asked  uint64          // events that were ever asked about
	found  []*subscription // memory of Wanting
	wanted []Wanted
}

// listed are the subscriptions that select by one thing, each once and in no order.
type listed struct {
	subs  []listing
	asked uint64 // the last event that asked here
}

// A listing is one place of one subscription: subs[place.at] of a list is {sub, i} where sub.places[i] is the place.
type listing struct {
	sub   *subscription
	place int
}

type place struct {
	in selector
	at int
}

// Wanted says that a subscription of a connection wants an event.
type Wanted struct {
	Conn uint64
	Sub  string
}

// NewAudience returns an audience without sessions.
func NewAudience() *Audience { return &Audience{lists: map[selector]*listed{}} }

// Join begins a session of a connection. Its subscriptions come behind those of the sessions that joined before.
func (a *Audience) Join(conn uint64, challenge string) *Session {
	a.opened++
	return &Session{Challenge: challenge, conn: conn, joined: a.opened, audience: a}
}

// Leave ends a session and all that it has open.
func (a *Audience) Leave(s *Session) {
	for _, sub := range s.subs {
		a.remove(sub)
	}
	s.subs, s.sets, s.bytes = nil, nil, 0
}

// Wanting returns which subscriptions want an event: sessions in the order in which they joined, and the subscriptions
// of each in the order in which they were opened. The list is good until the next call.
func (a *Audience) Wanting(ev *nostr.Event) []Wanted {
	a.asked++
	found := a.found[:0]
	subject := &subject{ev: ev}
	eachSelectorOf(ev, func(by selector) {
		l := a.lists[by]
		if l == nil || l.asked == a.asked {
			return
		}
		l.asked = a.asked
		for _, listing := range l.subs {
			if sub := listing.sub; sub.asked != a.asked {
				sub.asked = a.asked
				if wantAny(sub.filters, subject) {
					found = append(found, sub)
				}
			}
		}
	})
	slices.SortFunc(found, func(x, y *subscription) int {
		return cmp.Or(cmp.Compare(x.session.joined, y.session.joined), cmp.Compare(x.opened, y.opened))
	})
	a.wanted = a.wanted[:0]
	for _, sub := range found {
		a.wanted = append(a.wanted, Wanted{Conn: sub.session.conn, Sub: sub.id})
	}
	clear(found)
	a.found = found
	return a.wanted
}

func (a *Audience) add(sub *subscription) {
	a.opened++
	sub.opened = a.opened
	a.bytes += sub.bytes
	for _, m := range sub.filters {
		m.Filter.eachSelector(func(by selector) {
			l := a.lists[by]
			if l == nil {
				l = &listed{}
				a.lists[by] = l
			}
			if n := len(l.subs); n > 0 && l.subs[n-1].sub == sub {
				return // it names this twice
			}
			l.subs = append(l.subs, listing{sub, len(sub.places)})
			sub.places = append(sub.places, place{by, len(l.subs) - 1})
		})
	}
}

// remove takes a subscription out of its lists, at the same cost however long they are: the last one takes its place.
func (a *Audience) remove(sub *subscription) {
	a.bytes -= sub.bytes
	for _, p := range sub.places {
		l := a.lists[p.in]
		last := len(l.subs) - 1
		moved := l.subs[last]
		l.subs[p.at] = moved
		moved.sub.places[moved.place].at = p.at
		l.subs[last] = listing{}
		l.subs = l.subs[:last]
		if last == 0 {
			delete(a.lists, p.in)
		}
	}
	sub.places = nil
}
