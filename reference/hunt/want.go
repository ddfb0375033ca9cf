package hunt

import (
	"slices"
	"time"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// A Want is all that an identifier needs.
type Want struct {
	Identifier string
	Needs      []Need // each target once
}

// A Need is what one repository lacks, and the URLs of those who may have it, in order of preference. Oids that are not
// full ones and URLs that the Policy refuses count for nothing.
type Need struct {
	Target repo.ID
	OIDs   []repo.OID
	URLs   []string
}

// A need is a Need in the queue.
type need struct {
	target  repo.ID
	oids    []repo.OID // sorted
	known   []repo.OID // what was needed since the attempt began, sorted
	sources []*source
	gone    []string // URLs that the running attempt has tried and nobody lists now, AttemptMax at most
}

// A source is one URL for one need.
type source struct {
	need       *need
	spot       *spot
	url, host  string
	tried      bool       // by the running attempt
	triedThere bool       // while the identifier is in the queue of the host
	refused    []repo.OID // by name, since the host was last asked for everything; sorted
	failures   int        // in a row
	open       *fetch
}

func (s *source) question() question { return question{s.spot.entry.identifier, s.url} }

// wanted reports whether there is something to ask the source for.
func (s *source) wanted() bool {
	return !within(s.need.oids, s.refused)
}

// wants lists what the source is asked for: what is missing, less what it has refused.
func (s *source) wants() []repo.OID { return without(s.need.oids, s.refused) }

// Add queues an identifier for which something new has come, or makes a fresh start with it: it is due after delay if not
// sooner, and no attempt counts (REF-HUNT-03, REF-HUNT-04). It returns false if the queue is full.
func (h *Hunt) Add(now instant.Instant, w Want, delay time.Duration) bool {
	e, ok := h.enter(now, w, delay)
	if e == nil {
		return ok
	}
	e.attempts = 0
	at := now.Add(delay)
	if e.busy {
		if !e.rearmed || at < e.again {
			e.rearmed, e.again = true, at
		}
		return true
	}
	if at < e.due {
		h.waiting.remove(e)
		e.due = at
	}
	h.arm(e)
	return true
}

// Update says what an identifier needs now, although nothing new has come for it: its due time and its attempts stay. One
// that was not in the queue is due after delay. Without needs it leaves the queue. It returns false if the queue is full.
func (h *Hunt) Update(now instant.Instant, w Want, delay time.Duration) bool {
	e, ok := h.enter(now, w, delay)
	if e == nil {
		return ok
	}
	h.arm(e)
	return true
}

// Remove takes an identifier out of the queue and cancels what is open for it.
func (h *Hunt) Remove(now instant.Instant, identifier string) {
	if e := h.entries[identifier]; e != nil {
		h.drop(now, e)
	}
}

// enter brings the entry of an identifier up to date. It returns nil if there is none afterwards, and false if that is
// for lack of room.
func (h *Hunt) enter(now instant.Instant, w Want, delay time.Duration) (*entry, bool) {
	needs := slices.Clone(w.Needs)
	for i := range needs {
		needs[i].OIDs = full(needs[i].OIDs)
	}
	needs = slices.DeleteFunc(needs, func(n Need) bool { return len(n.OIDs) == 0 })
	e := h.entries[w.Identifier]
	if len(needs) == 0 {
		h.Remove(now, w.Identifier)
		return nil, true
	}
	if e == nil {
		if len(h.entries) >= IdentifiersMax {
			return nil, false
		}
		h.entered++
		e = &entry{identifier: w.Identifier, number: h.entered, due: now.Add(delay)}
		h.entries[w.Identifier] = e
	}
	h.replace(now, e, needs)
	return e, true
}

// arm has an entry wait for its next attempt. One without a source waits for nothing.
func (h *Hunt) arm(e *entry) {
	switch {
	case e.busy:
	case len(e.spots) == 0:
		h.waiting.remove(e)
	case e.at == 0:
		h.waiting.push(e)
	}
}

// full returns the full object ids among those given, sorted, each once (REF-HUNT-22).
func full(oids []repo.OID) []repo.OID {
	list := slices.DeleteFunc(slices.Clone(oids), func(oid repo.OID) bool { return !repo.IsOID(string(oid)) || oid.IsZero() })
	slices.Sort(list)
	list = slices.Compact(list)
	return list[:min(len(list), OIDsMax):min(len(list), OIDsMax)]
}

// replace gives an entry new needs. What stays keeps its history and its turns; what is open for what goes is canceled.
func (h *Hunt) replace(now instant.Instant, e *entry, needs []Need) {
	old, spots := e.needs, e.spots
	e.needs, e.spots = nil, nil
	kept := map[*source]bool{}
	places := map[string]*spot{}
	for _, p := range spots {
		p.sources = nil
		places[p.host] = p
	}
	for _, wanted := range needs {
		n := &need{target: wanted.Target}
		if i := slices.IndexFunc(old, func(n *need) bool { return n.target == wanted.Target }); i >= 0 {
			n = old[i]
		}
		h.update(e, n, wanted, kept, places)
		e.needs = append(e.needs, n)
	}
	for _, p := range spots {
		if len(p.sources) == 0 {
			h.dequeue(p)
		}
	}
	for _, n := range old {
		for _, s := range n.sources {
			if s.open != nil && (!kept[s] || len(without(s.open.OIDs, n.oids)) == len(s.open.OIDs)) {
				h.abandon(now, s.open)
			}
		}
		n.sources = slices.DeleteFunc(n.sources, func(s *source) bool {
			if !kept[s] && s.tried && e.busy && !slices.Contains(n.gone, s.url) {
				n.gone = append(n.gone, s.url)
			}
			return !kept[s]
		})
	}
}

// update gives a need its objects and sources. New objects may be where others were not: every source counts as not tried.
// One that is listed again counts as tried if the attempt has asked it before it went (REF-HUNT-13).
func (h *Hunt) update(e *entry, n *need, wanted Need, kept map[*source]bool, places map[string]*spot) {
	fresh := !within(wanted.OIDs, n.known)
	n.oids = wanted.OIDs
	if fresh {
		n.known = append(slices.Clone(n.known), wanted.OIDs...)
		slices.Sort(n.known)
		n.known = slices.Compact(n.known)
		n.gone = nil
	}
	byURL := make(map[string]*source, len(n.sources))
	for _, s := range n.sources {
		byURL[s.url] = s
	}
	count := 0
	for _, text := range wanted.URLs {
		if count == SourcesMax {
			break
		}
		at, why := h.cfg.Policy.Source(text)
		if why != "" {
			continue
		}
		s := byURL[at.URL]
		if s == nil {
			s = &source{need: n, url: at.URL, host: at.Host, tried: slices.Contains(n.gone, at.URL)}
			byURL[at.URL] = s
			n.sources = append(n.sources, s)
		}
		if kept[s] {
			continue
		}
		kept[s] = true
		count++
		if fresh {
			s.tried, s.triedThere = false, false
		}
		p := places[s.host]
		if p == nil {
			p = &spot{entry: e, host: s.host}
			places[s.host] = p
		}
		if len(p.sources) == 0 {
			e.spots = append(e.spots, p)
		}
		s.spot = p
		p.sources = append(p.sources, s)
	}
}

// drop takes an entry out of the queue and out of the queues of hosts.
func (h *Hunt) drop(now instant.Instant, e *entry) {
	h.waiting.remove(e)
	delete(h.entries, e.identifier)
	for _, p := range e.spots {
		h.dequeue(p)
	}
	for _, n := range e.needs {
		n.oids = nil
		for _, s := range n.sources {
			h.abandon(now, s.open)
		}
	}
}
