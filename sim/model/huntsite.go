package model

import (
	"slices"

	"github.com/graspkit/graspkit/reference/instant"
)

// A site is a host with its budget of requests and the identifiers that wait there.
type site struct {
	name   string
	flying int               // requests that have not ended
	starts []instant.Instant // of requests that may have come there within the window
	felt   []instant.Instant // and as the server counts them, who after a crash takes each for the last one
	ended  instant.Instant   // the latest start of a request that has ended: it did leave
	paused instant.Instant   // it limits the rate: nothing before
	broken instant.Instant   // it is listed as broken: nothing before
	items  []*item
	roomy  bool // it could be asked when the last step ended
}

// roundMost is the length up to which it is judged of a queue that nobody waits for longer than a round.
const roundMost = 64

// An item is an identifier that waits at a site, with the URLs that it has tried there.
type item struct {
	prey   *prey
	at     *site
	tried  map[string]bool
	maybe  map[string]bool // and those that it may count as tried
	vague  bool            // it may be that it does not wait
	flight *flight
	passed int // picks of others since it could be served
	most   int // of the queue's length since then
}

func (h *hunt) site(name string) *site {
	x := h.sites[name]
	if x == nil {
		x = &site{name: name}
		h.sites[name] = x
		at, _ := slices.BinarySearch(h.names, name)
		h.names = slices.Insert(h.names, at, name)
	}
	return x
}

// frees is the instant from which a site may be asked as far as time alone decides, as the server counts.
func (h *hunt) frees(x *site) instant.Instant {
	at := max(x.paused, x.broken)
	if n := len(x.felt); n >= h.Rate {
		at = max(at, after(x.felt[n-h.Rate], rateWindow))
	}
	return at
}

// asked counts the requests that have begun at a host within a minute, as the server counts.
func (h *hunt) asked(name string, now instant.Instant) int {
	n := 0
	if x := h.sites[name]; x != nil {
		for _, at := range x.felt {
			if after(at, rateWindow) > now {
				n++
			}
		}
	}
	return n
}

// capacity reports whether a site may be asked now.
func (m *Model) capacity(x *site) bool {
	return x.flying < m.hunt.Concurrent && m.hunt.frees(x) <= m.now
}

// withinBudget judges a request by the budget of its host (REF-HUNT-08, REF-HUNT-09, REF-HUNT-12, REF-HUNT-25).
func (m *Model) withinBudget(f *flight) {
	x, h := f.at, &m.hunt
	x.starts = slices.DeleteFunc(x.starts, func(at instant.Instant) bool { return after(at, rateWindow) <= m.now })
	if n := len(x.felt); n > h.Rate {
		x.felt = slices.Delete(x.felt, 0, n-h.Rate)
	}
	switch {
	case x.flying >= h.Concurrent:
		m.differ("REF-HUNT-08", "too-many-at-once", "%s is asked while %d requests run there", x.name, x.flying)
	case len(x.starts) >= h.Rate:
		m.differ("REF-HUNT-09", "too-many-in-a-minute", "%s is asked, and %d requests have begun within a minute", x.name, len(x.starts))
	case x.paused > m.now:
		m.differ("REF-HUNT-09", "asked-while-limited", "%s is asked %d ns before it wants to be", x.name, x.paused-m.now)
	case x.broken > m.now:
		m.differ("REF-HUNT-25", "asked-while-broken", "%s is asked and listed as broken until %d", x.name, x.broken)
	case slices.ContainsFunc(h.flights, func(o *flight) bool { return o.url == f.url && o.into.Identifier == f.into.Identifier }):
		m.differ("REF-HUNT-12", "asked-twice-at-once", "%s is asked twice at once for %s", f.url, f.into.Identifier)
	}
}

// abandon ends the queue of a site that is broken. A request that runs goes on.
func (x *site) abandon() {
	for _, i := range x.items {
		i.prey.items = slices.DeleteFunc(i.prey.items, func(o *item) bool { return o == i })
		if i.flight != nil {
			i.flight.item = nil
		}
	}
	x.items = nil
}

// remove takes an item out of the queue of its site.
func (i *item) remove() {
	is := func(o *item) bool { return o == i }
	i.at.items, i.prey.items = slices.DeleteFunc(i.at.items, is), slices.DeleteFunc(i.prey.items, is)
	if i.flight != nil {
		i.flight.item = nil
	}
}

// eligible reports whether an item can be served: it is not, and has a URL there that must be asked and was not.
func (m *Model) eligible(i *item) bool {
	r := m.room(i.prey.identifier)
	return i.flight == nil && r.plain() && !r.busy() && m.untried(r, i, true)
}

// untried reports whether a URL of an item was not asked, that must be if it has to be a sure one.
func (m *Model) untried(r *room, i *item, sure bool) bool {
	lacking := m.lacking(r)
	return slices.ContainsFunc(m.places(r), func(s source) bool {
		must := s.sure && !i.vague && !i.maybe[s.url] && !m.asking(r, s.url)
		return s.host == i.at.name && (must || !sure) && !i.tried[s.url] && len(i.prey.lacks(lacking, s.url)) > 0
	})
}

// doubts notes, before something may be asked anew, that an item may have left the queue for want of that.
func (m *Model) doubts(r *room, i *item) {
	i.vague = i.vague || i.flight == nil && !m.untried(r, i, true)
}

func (m *Model) asking(r *room, url string) bool {
	return slices.ContainsFunc(m.hunt.flights, func(f *flight) bool { return f.url == url && f.into.Identifier == r.identifier })
}

// turn is a turn of an item: nobody waits for longer than a round (REF-HUNT-11).
func (m *Model) turn(i *item, f *flight) {
	i.flight, f.item, i.passed, i.most = f, i, 0, 0
	if len(i.at.items) > roundMost {
		return
	}
	for _, o := range i.at.items {
		if o == i {
			continue
		}
		if !m.eligible(o) {
			o.passed = 0
			continue
		}
		o.passed, o.most = o.passed+1, max(o.most, len(i.at.items))
		if o.passed > o.most {
			m.differ("REF-HUNT-11", "starved", "%s has waited at %s for %d turns of others", o.prey.identifier, i.at.name, o.passed)
			return
		}
	}
}

// launched judges that all capacity of a site is used, and lets go who has not asked (REF-HUNT-10).
func (m *Model) launched(x *site) {
	if len(x.items) == 0 || !m.capacity(x) {
		return
	}
	for _, i := range slices.Clone(x.items) {
		switch {
		case i.flight != nil:
		case m.eligible(i):
			m.differ("REF-HUNT-10", "capacity-unused", "%s waits at %s, which could be asked", i.prey.identifier, x.name)
			return
		default:
			i.remove()
		}
	}
}
