package defect

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/push"
	"github.com/graspkit/graspkit/reference/repo"
)

// nowhere is the URL of fetches that are to come to nothing.
const nowhere = "http://nowhere.invalid/x.git"

// A hunted is what a filter knows of the hunt, and the fetches that it has changed.
type hunted struct {
	held    map[string]*nostr.Event          // by id
	open    map[core.FetchID]core.StartFetch // as the core has ordered them
	astray  map[core.FetchID]bool            // sent nowhere
	own     map[core.FetchID]bool            // the core knows nothing of them
	clones  map[string][]string              // URLs in announcements, by identifier
	first   map[string]repo.ID               // the repository that was announced first, by identifier
	version map[repo.ID]*nostr.Event         // the announcement that came last
	next    core.FetchID
}

func newHunted() *hunted {
	return &hunted{
		held: map[string]*nostr.Event{}, open: map[core.FetchID]core.StartFetch{}, astray: map[core.FetchID]bool{},
		own: map[core.FetchID]bool{}, clones: map[string][]string{}, first: map[string]repo.ID{},
		version: map[repo.ID]*nostr.Event{}, next: 1 << 40,
	}
}

// fetching makes a filter of what becomes of each fetch, and of what else a step leads to. Both may be nil.
func (h *hunted) fetching(fetch func(core.StartFetch) []core.StartFetch, also func(core.Input, core.Effect) []core.Effect) Filter {
	return Filter{In: h.in, Out: func(i core.Input, effects []core.Effect) []core.Effect {
		var all []core.Effect
		for _, e := range effects {
			var more []core.Effect
			if also != nil {
				more = also(i, e)
			}
			h.see(e)
			order, is := e.(core.StartFetch)
			if !is || fetch == nil {
				all = append(append(all, e), more...)
				continue
			}
			for _, changed := range fetch(order) {
				all = append(all, changed)
			}
			all = append(all, more...)
		}
		return all
	}}
}

// in hides from the core what it has not ordered, and that fetches went nowhere.
func (h *hunted) in(i core.Input) (core.Input, bool) {
	done, is := i.(core.FetchDone)
	if !is {
		return i, true
	}
	delete(h.open, done.Fetch)
	if h.own[done.Fetch] {
		return i, false
	}
	if h.astray[done.Fetch] && done.Failure == core.FetchNoName {
		done.Failure = core.FetchNotFound
	}
	return done, true
}

// see follows what is held, announced and fetched.
func (h *hunted) see(e core.Effect) {
	switch e := e.(type) {
	case core.StartFetch:
		h.open[e.Fetch] = e
	case core.Record:
		if e.Op == core.OpStore || e.Op == core.OpDrop {
			delete(h.held, e.ID)
		}
		if e.Op == core.OpHold {
			h.held[e.ID] = e.Event
		}
		if e.Event != nil && e.Event.Kind == policy.KindAnnouncement {
			id := repo.ID{Owner: repo.PubKey(e.Event.PubKey), Identifier: e.Event.Tags.GetD()}
			h.version[id] = e.Event
			h.clones[id.Identifier] = append(h.clones[id.Identifier], valuesOf(e.Event, "clone")...)
			if _, known := h.first[id.Identifier]; !known {
				h.first[id.Identifier] = id
			}
		}
	}
}

func valuesOf(ev *nostr.Event, name string) []string {
	if tag := ev.Tags.Find(name); tag != nil {
		return tag[1:]
	}
	return nil
}

// lose sends a fetch nowhere.
func (h *hunted) lose(f core.StartFetch) []core.StartFetch {
	h.astray[f.Fetch] = true
	f.URL = nowhere
	return []core.StartFetch{f}
}

// another is a fetch of the filter's own.
func (h *hunted) another(f core.StartFetch) core.StartFetch {
	h.next++
	f.Fetch = h.next
	h.own[f.Fetch] = true
	return f
}

// waiting lists the states that wait for a repository of an identifier.
func (h *hunted) waiting(identifier string) []*nostr.Event {
	var all []*nostr.Event
	for _, ev := range h.held {
		if ev.Kind == policy.KindState && ev.Tags.GetD() == identifier {
			all = append(all, ev)
		}
	}
	return all
}

// declared are the objects of a state.
func declared(ev *nostr.Event) []repo.OID {
	var oids []repo.OID
	for _, tag := range ev.Tags {
		if len(tag) > 1 && push.Declarable(tag[0]) {
			oids = append(oids, repo.OID(tag[1]))
		}
	}
	return oids
}

// changing adds a change of each effect.
func (f Filter) changing(change func(core.Effect) core.Effect) Filter {
	out := f.Out
	f.Out = func(i core.Input, effects []core.Effect) []core.Effect {
		effects = slices.Clone(out(i, effects))
		for k := range effects {
			effects[k] = change(effects[k])
		}
		return effects
	}
	return f
}
