package defect

import (
	"slices"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// huntDefects are mistakes of the hunt for git data. Those that break a row of GRASP-02 list it, so that its rows apply.
func huntDefects() []Defect {
	return []Defect{
		{Name: "waits-for-pushes", Web: lists02, Config: func(c *core.Config) { c.Hunt.On = false }},
		{Name: "tried-once", Web: lists02, Filter: triedOnce},
		{Name: "first-host-only", Web: lists02, Filter: firstHostOnly},
		{Name: "events-hunted-singly", Filter: huntedSingly},
		{Name: "hunt-at-once", Config: func(c *core.Config) { c.Hunt.UserDelay = 20 * time.Second }},
		inSource("later-events-delay"),
		inSource("backoff-goes-on"),
		{Name: "known-events-asked", Filter: knownAsked},
		{Name: "failures-punished", Filter: failuresPunished},
		{Name: "wake-up-lost", Filter: wakeUpLost},
		{Name: "announcements-hunted", Filter: announcementsHunted},
		{Name: "expired-asked", Filter: expiredAsked},
		{Name: "pull-clones-ignored", Web: lists02, Filter: pullClonesIgnored},
		{Name: "whole-states-asked", Filter: wholeStatesAsked},
		{Name: "released-together", Filter: releasedTogether},
		{Name: "former-maintainers-heard", Filter: formerHeard},
		{Name: "first-owner-fetched-into", Filter: firstOwner},
		{Name: "refs-of-hosts-made", Web: lists02, Filter: hostRefsMade},
		{Name: "hunt-outlives-pushes", Filter: huntOutlives},
		{Name: "restored-hunted-late", Filter: restoredLate},
	}
}

func lists02(c *web.Config) { lists("GRASP-02")(c) }

// triedOnce asks each URL for each repository once.
func triedOnce() Filter {
	h := newHunted()
	tried := map[string]bool{}
	return h.fetching(func(f core.StartFetch) []core.StartFetch {
		at := f.URL + " " + f.Repo.Identifier
		if tried[at] {
			return h.lose(f)
		}
		tried[at] = true
		return []core.StartFetch{f}
	}, nil)
}

// firstHostOnly asks the URL alone that was asked first for a repository.
func firstHostOnly() Filter {
	h := newHunted()
	only := map[repo.ID]string{}
	return h.fetching(func(f core.StartFetch) []core.StartFetch {
		if only[f.Repo] == "" {
			only[f.Repo] = f.URL
		}
		if only[f.Repo] != f.URL {
			return h.lose(f)
		}
		return []core.StartFetch{f}
	}, nil)
}

// huntedSingly asks once more for each state that waits beside the first.
func huntedSingly() Filter {
	h := newHunted()
	return h.fetching(func(f core.StartFetch) []core.StartFetch {
		all := []core.StartFetch{f}
		for range max(0, len(h.waiting(f.Repo.Identifier))-1) {
			all = append(all, h.another(f))
		}
		return all
	}, nil)
}

// knownAsked asks at once for a held state that is sent again.
func knownAsked() Filter {
	h := newHunted()
	f := h.fetching(nil, nil)
	out := f.Out
	f.Out = func(i core.Input, effects []core.Effect) []core.Effect {
		_, ev := published(i)
		known := ev != nil && ev.Kind == policy.KindState && h.held[ev.ID] != nil
		effects = out(i, effects)
		if known {
			effects = append(effects, h.asks(ev)...)
		}
		return effects
	}
	return f
}

// failuresPunished takes every failure for a limit of the rate.
func failuresPunished() Filter {
	return Filter{In: func(i core.Input) (core.Input, bool) {
		if done, is := i.(core.FetchDone); is && !done.Got {
			done.Failure, done.Missing, done.RetryAfter = core.FetchRateLimited, nil, 5*time.Minute
			return done, true
		}
		return i, true
	}}
}

// wakeUpLost never asks for what a state needs that came while a fetch for its identifier was under way.
func wakeUpLost() Filter {
	h := newHunted()
	lost := map[repo.OID]bool{}
	return h.fetching(func(f core.StartFetch) []core.StartFetch {
		f.OIDs = slices.DeleteFunc(slices.Clone(f.OIDs), func(oid repo.OID) bool { return lost[oid] })
		if len(f.OIDs) == 0 {
			f.OIDs = h.open[f.Fetch].OIDs
			return h.lose(f)
		}
		return []core.StartFetch{f}
	}, func(_ core.Input, e core.Effect) []core.Effect {
		r, is := e.(core.Record)
		if !is || r.Op != core.OpHold || r.Event.Kind != policy.KindState || h.held[r.ID] != nil {
			return nil
		}
		for _, f := range h.open {
			if f.Repo.Identifier == r.Event.Tags.GetD() {
				for _, oid := range declared(r.Event) {
					lost[oid] = true
				}
			}
		}
		return nil
	})
}

// announcementsHunted asks the hosts of an announcement as soon as it is held, for an object that nobody has.
func announcementsHunted() Filter {
	h := newHunted()
	return h.fetching(nil, func(_ core.Input, e core.Effect) []core.Effect {
		r, is := e.(core.Record)
		if !is || r.Op != core.OpHold || r.Event.Kind != policy.KindAnnouncement || h.held[r.ID] != nil {
			return nil
		}
		id := repo.ID{Owner: repo.PubKey(r.Event.PubKey), Identifier: r.Event.Tags.GetD()}
		var all []core.Effect
		for _, url := range otherClones(r.Event) {
			all = append(all, h.another(core.StartFetch{Repo: id, URL: url, OIDs: []repo.OID{"1111111111111111111111111111111111111111"}}))
		}
		return all
	})
}

// expiredAsked asks once more for a state that has run out.
func expiredAsked() Filter {
	h := newHunted()
	held := map[string]*nostr.Event{}
	return h.fetching(nil, func(_ core.Input, e core.Effect) []core.Effect {
		switch e := e.(type) {
		case core.Record:
			if e.Op == core.OpHold && e.Event.Kind == policy.KindState {
				held[e.ID] = e.Event
			}
		case core.Note:
			if e.Fact == core.EventExpired && held[e.Event] != nil {
				return h.asks(held[e.Event])
			}
		}
		return nil
	})
}

// asks makes a fetch of the filter's own for all objects of a state at each host that its author's announcement names.
func (h *hunted) asks(state *nostr.Event) []core.Effect {
	id := repo.ID{Owner: repo.PubKey(state.PubKey), Identifier: state.Tags.GetD()}
	var all []core.Effect
	if was := h.version[id]; was != nil {
		for _, url := range otherClones(was) {
			all = append(all, h.another(core.StartFetch{Repo: id, URL: url, OIDs: declared(state)}))
		}
	}
	return all
}

// otherClones are the clone URLs of an announcement but for the first, which checks make the own service.
func otherClones(ev *nostr.Event) []string {
	if urls := valuesOf(ev, "clone"); len(urls) > 1 {
		return urls[1:]
	}
	return nil
}

// pullClonesIgnored asks the clone URLs of announcements alone.
func pullClonesIgnored() Filter {
	h := newHunted()
	return h.fetching(func(f core.StartFetch) []core.StartFetch {
		if !slices.Contains(h.clones[f.Repo.Identifier], f.URL) {
			return h.lose(f)
		}
		return []core.StartFetch{f}
	}, nil)
}

// wholeStatesAsked asks for all objects of the states that wait.
func wholeStatesAsked() Filter {
	h := newHunted()
	return h.fetching(func(f core.StartFetch) []core.StartFetch {
		f.OIDs = slices.Clone(f.OIDs)
		for _, ev := range h.waiting(f.Repo.Identifier) {
			f.OIDs = append(f.OIDs, declared(ev)...)
		}
		slices.Sort(f.OIDs)
		f.OIDs = slices.Compact(f.OIDs)
		return []core.StartFetch{f}
	}, nil)
}

// releasedTogether does not look at what a fetch has brought while several states wait.
func releasedTogether() Filter {
	h := newHunted()
	f := h.fetching(nil, nil)
	f.In = func(i core.Input) (core.Input, bool) {
		if done, is := i.(core.FetchDone); is && done.Got && len(h.waiting(h.open[done.Fetch].Repo.Identifier)) > 1 {
			done.Got, done.Missing, done.Failure = false, nil, core.FetchNotFound
			return h.in(done)
		}
		return h.in(i)
	}
	return f
}

// formerHeard has a new announcement name whom the one before has named, while a state waits.
func formerHeard() Filter {
	h := newHunted()
	f := h.fetching(nil, nil)
	f.In = func(i core.Input) (core.Input, bool) {
		_, ev := published(i)
		if ev == nil || ev.Kind != policy.KindAnnouncement || len(h.waiting(ev.Tags.GetD())) == 0 {
			return h.in(i)
		}
		was := h.version[repo.ID{Owner: repo.PubKey(ev.PubKey), Identifier: ev.Tags.GetD()}]
		if was == nil || was.Tags.Find("maintainers") == nil {
			return h.in(i)
		}
		changed := *ev
		changed.Tags = append(slices.Clone(ev.Tags), was.Tags.Find("maintainers"))
		m, _ := i.(core.Message)
		m.Msg = relay.Event{Event: &changed, IDOK: true}
		return m, true
	}
	return f
}

// firstOwner fetches into the repository that was announced first.
func firstOwner() Filter {
	h := newHunted()
	return h.fetching(func(f core.StartFetch) []core.StartFetch {
		if id, known := h.first[f.Repo.Identifier]; known {
			f.Repo = id
		}
		return []core.StartFetch{f}
	}, nil)
}

// hostRefsMade makes a branch of the first object that a fetch was for, with the next refs that move.
func hostRefsMade() Filter {
	h := newHunted()
	fetched := map[repo.ID]repo.OID{}
	return h.fetching(func(f core.StartFetch) []core.StartFetch {
		fetched[f.Repo] = f.OIDs[0]
		return []core.StartFetch{f}
	}, nil).changing(func(e core.Effect) core.Effect {
		u, is := e.(core.UpdateRefs)
		if oid := fetched[u.Repo]; is && oid != "" {
			u.Commands = append(slices.Clone(u.Commands), gitproto.Command{Old: repo.ZeroOID, New: oid, Ref: "refs/heads/fetched"})
			delete(fetched, u.Repo)
			return u
		}
		return e
	})
}

// huntOutlives asks for what a state has waited for, once it is released without a fetch.
func huntOutlives() Filter {
	h := newHunted()
	return h.fetching(nil, func(_ core.Input, e core.Effect) []core.Effect {
		r, is := e.(core.Record)
		if !is || r.Op != core.OpStore || r.Event == nil || r.Event.Kind != policy.KindState || h.held[r.ID] == nil {
			return nil
		}
		return h.asks(r.Event)
	})
}

// restoredLate sends nowhere what is asked before the first client comes.
func restoredLate() Filter {
	h := newHunted()
	open := false
	f := h.fetching(func(f core.StartFetch) []core.StartFetch {
		if !open {
			return h.lose(f)
		}
		return []core.StartFetch{f}
	}, nil)
	in := f.In
	f.In = func(i core.Input) (core.Input, bool) {
		switch i.(type) {
		case core.ConnOpened, core.PushOffered:
			open = true
		}
		return in(i)
	}
	return f
}
