package defect

import (
	"fmt"
	"slices"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/push"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

func referenceDefects() []Defect {
	return []Defect{
		{Name: "one-phase-only", Config: func(c *core.Config) { c.SoftLife = time.Nanosecond }},
		{Name: "soft-phase-long", Config: func(c *core.Config) { c.SoftLife = core.SoftLife + time.Hour }},
		{Name: "expiry-by-sweep", Config: func(c *core.Config) { c.PurgatoryLife = core.PurgatoryLife + time.Minute }},
		{Name: "unmatched-refs-late", Config: func(c *core.Config) { c.PlaceholderLife = core.PlaceholderLife + 2*time.Minute }},
		inSource("revival-for-the-day"),
		inSource("extensions-forgotten"),
		inSource("duplicates-extend"),
		inSource("nothing-pinned"),
		{Name: "expired-events-refused", Filter: expiredRefused},
		{Name: "newest-state-only", Filter: newestOnly},
		{Name: "pushed-refs-win", Filter: pushedRefsWin},
		{Name: "any-push-promotes", Filter: promotes(func(pushed, held repo.ID) bool { return pushed == held })},
		{Name: "first-of-a-tie-wins", Filter: firstOfTie},
		{Name: "states-go-with-strangers", Filter: statesGo},
		{Name: "unseen-deletions-forgotten", Filter: unseenForgotten},
	}
}

// expiredRefused is expiryRemembered for what has one phase.
func expiredRefused() Filter {
	expired := map[string]bool{}
	return rejecting(func(ev *nostr.Event) bool { return expired[ev.ID] }, func(_ core.Input, effects []core.Effect) {
		for _, e := range effects {
			if n, ok := e.(core.Note); ok && n.Fact == core.EventExpired && n.Kind != policy.KindAnnouncement {
				expired[n.Event] = true
			}
		}
	})
}

// newestOnly takes the objects of all states that wait for missing, but for the newest of an identifier.
func newestOnly() Filter {
	held := map[string]*nostr.Event{} // states, by id
	asked := map[core.RequestID]string{}
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			facts, ok := i.(core.ObjectFacts)
			if !ok {
				return i, true
			}
			var newest *nostr.Event
			var states []*nostr.Event
			for _, ev := range held {
				if ev.Tags.GetD() == asked[facts.Request] {
					states = append(states, ev)
					if newest == nil || repo.Newer(ev, newest) {
						newest = ev
					}
				}
			}
			for _, ev := range states {
				for _, tag := range ev.Tags {
					if len(tag) > 1 && push.Declarable(tag[0]) && !slices.ContainsFunc(newest.Tags, func(t nostr.Tag) bool { return len(t) > 1 && t[1] == tag[1] }) {
						facts.Missing = append(facts.Missing, repo.OID(tag[1]))
					}
				}
			}
			return facts, true
		},
		Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			for _, e := range effects {
				switch e := e.(type) {
				case core.AskObjects:
					asked[e.Request] = e.Repo.Identifier
				case core.Record:
					delete(held, e.ID)
					if e.Op == core.OpHold && e.Event.Kind == policy.KindState {
						held[e.ID] = e.Event
					}
				}
			}
			return effects
		},
	}
}

// pushedRefsWin refuses pull requests whose commit is not the one that was pushed for them.
func pushedRefsWin() Filter {
	pushed := map[string]repo.OID{} // by event id
	return rejecting(func(ev *nostr.Event) bool {
		commit, is := pushed[ev.ID]
		c := ev.Tags.Find("c")
		return is && len(c) > 1 && c[1] != string(commit)
	}, func(i core.Input, _ []core.Effect) {
		o, _ := i.(core.PushOffered)
		for _, c := range o.Commands {
			if event, ok := repo.PullRequestOf(c.Ref); ok {
				pushed[event] = c.New
			}
		}
	})
}

// promotes shows queries the announcements that were held when a push came, of the repositories that which says.
func promotes(which func(pushed, held repo.ID) bool) func() Filter {
	return func() Filter { return promoting(which) }
}

// promoting is the filter of promotes.
func promoting(which func(pushed, held repo.ID) bool) Filter {
	offered := map[core.PushID]repo.ID{}
	held := map[repo.ID]*nostr.Event{}
	var order []repo.ID
	var found []*nostr.Event
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		switch i := i.(type) {
		case core.PushOffered:
			offered[i.Push] = i.Repo
		case core.PushDone:
			for _, id := range order {
				if which(offered[i.Push], id) {
					found = append(found, held[id])
				}
			}
		}
		for _, e := range effects {
			if r, ok := e.(core.Record); ok && r.Op == core.OpHold && r.Event.Kind == policy.KindAnnouncement {
				id := repo.ID{Owner: repo.PubKey(r.Event.PubKey), Identifier: r.Event.Tags.GetD()}
				if held[id] == nil {
					order = append(order, id)
				}
				held[id] = r.Event
			}
		}
		m, _ := i.(core.Message)
		req, ok := m.Msg.(relay.Req)
		if !ok {
			return effects
		}
		var all []core.Effect
		for _, ev := range found {
			if wants(req.Filters, ev) {
				all = append(all, core.Send{Conn: m.Conn, Msg: relay.EventFor{Sub: req.Sub, Event: ev}})
			}
		}
		return append(all, effects...)
	}}
}

// firstOfTie refuses a state if one of its author, identifier and time has come before.
func firstOfTie() Filter {
	first := map[string]string{}
	return rejecting(func(ev *nostr.Event) bool {
		if ev.Kind != policy.KindState {
			return false
		}
		at := fmt.Sprint(ev.PubKey, ev.Tags.GetD(), ev.CreatedAt)
		if first[at] == "" {
			first[at] = ev.ID
		}
		return first[at] != ev.ID
	}, nil)
}

// statesGo refuses pushes to all repositories of an identifier after an announcement of it was deleted or replaced, until a
// new state comes.
func statesGo() Filter {
	identifiers := map[string]string{} // by id of an announcement
	gone := map[string]bool{}
	f := refuses(func(o core.PushOffered) bool {
		return gone[o.Repo.Identifier] && slices.ContainsFunc(o.Commands, func(c gitproto.Command) bool { return !c.New.IsZero() })
	})()
	in := f.In
	f.In = func(i core.Input) (core.Input, bool) {
		_, ev := published(i)
		switch {
		case ev == nil:
		case ev.Kind == policy.KindAnnouncement:
			identifiers[ev.ID] = ev.Tags.GetD()
		case ev.Kind == policy.KindState:
			delete(gone, ev.Tags.GetD())
		case ev.Kind == policy.KindDeletion:
			for _, tag := range ev.Tags {
				if len(tag) > 1 && identifiers[tag[1]] != "" {
					gone[identifiers[tag[1]]] = true
				}
			}
		}
		return in(i)
	}
	return f
}

// unseenForgotten hides from deletion requests what they say of events that nobody has sent.
func unseenForgotten() Filter {
	seen := map[string]bool{}
	return in(func(m core.Message) core.Message {
		_, ev := published(m)
		if ev == nil {
			return m
		}
		seen[ev.ID] = true
		if ev.Kind == policy.KindDeletion {
			known := *ev
			known.Tags = slices.DeleteFunc(slices.Clone(ev.Tags), func(t nostr.Tag) bool {
				return len(t) > 1 && t[0] == "e" && !seen[t[1]]
			})
			m.Msg = relay.Event{Event: &known, IDOK: true}
		}
		return m
	})()
}
