package defect

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// metHeldDefects are mistakes with what waits while something else of its kind, its author or its commit comes or goes.
func metHeldDefects() []Defect {
	return []Defect{
		{Name: "one-pull-request-a-commit-waits", Filter: onePull(func(ev *nostr.Event) string {
			commit := ev.Tags.Find("c")
			if len(commit) < 2 {
				return ""
			}
			return commit[1]
		})},
		{Name: "one-pull-request-an-author-waits", Filter: onePull(func(ev *nostr.Event) string { return ev.PubKey })},
		{Name: "deletions-of-served-states-take-held", Filter: servedTakesHeld},
		{Name: "addresses-of-states-cover-announcements", Filter: requests(func(ev *nostr.Event, _ *shelf) {
			for _, t := range slices.Clone(ev.Tags) {
				if len(t) > 1 && t[0] == "a" && strings.HasPrefix(t[1], "30618:") {
					ev.Tags = append(ev.Tags, nostr.Tag{"a", "30617:" + strings.TrimPrefix(t[1], "30618:")})
				}
			}
		})},
		{Name: "pull-requests-outlast-vanishing", Filter: func() Filter { return pullsOutlast(isPull) }},
		{Name: "duplicates-sent-live", Filter: duplicatesLive},
		announcementsDropPulls("announcements-drop-refs-of-pull-requests"),
		{Name: "pull-requests-go-with-replaced-announcements", Filter: replacedTakesPulls},
		{Name: "states-that-change-nothing-wait", Filter: idleStatesWait},
		versionsMixed("advertisements-in-the-version-before"),
	}
}

// onePull lets of the pull requests that have something in common only the last one wait.
func onePull(common func(*nostr.Event) string) func() Filter {
	return func() Filter {
		held, from := map[string]*nostr.Event{}, map[string]core.ConnID{}
		return erasing(func(i core.Input, effects []core.Effect) []core.Message {
			if conn, ev := published(i); ev != nil {
				from[ev.ID] = conn
			}
			var more []core.Message
			for _, e := range effects {
				r, is := e.(core.Record)
				if !is || r.Op != core.OpHold || r.Event.Kind != policy.KindPullRequest {
					continue
				}
				key := common(r.Event)
				if old := held[key]; old != nil && old.ID != r.ID {
					more = append(more, removal(from[r.ID], old.PubKey, old.CreatedAt, old.ID))
				}
				held[key] = r.Event
			}
			return more
		})
	}
}

// servedTakesHeld takes a request to delete a served state by its address for one to delete what waits there, whatever its time.
func servedTakesHeld() Filter {
	return requests(func(ev *nostr.Event, s *shelf) {
		for _, a := range policy.ParseDeletion(ev).Addresses {
			served := slices.ContainsFunc(s.named(nostr.Tag{"a", "30618:" + ev.PubKey + ":" + a.Identifier}), func(e filed) bool { return !e.held })
			for id, e := range s.all() {
				if served && e.held && a.Kind == policy.KindState && slotOf(e.event) == (slotted{a.Kind, ev.PubKey, a.Identifier}) {
					ev.Tags = append(ev.Tags, nostr.Tag{"e", id})
				}
			}
		}
	})()
}

// pullsOutlast shows some pull requests whose author has vanished once their commits have come.
func pullsOutlast(which func(*nostr.Event) bool) Filter {
	var held, kept []*nostr.Event
	shown := map[string]bool{}
	offers := map[core.PushID]core.PushOffered{}
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		if _, ev := published(i); ev != nil && ev.Kind == policy.KindVanish {
			for _, old := range held {
				if old.PubKey == ev.PubKey && which(old) {
					kept = append(kept, old)
				}
			}
		}
		held = heldOf(held, effects)
		switch in := i.(type) {
		case core.PushOffered:
			offers[in.Push] = in
		case core.PushDone:
			for _, c := range offers[in.Push].Commands {
				event, _ := repo.PullRequestOf(c.Ref)
				shown[event] = true
			}
		}
		m, _ := i.(core.Message)
		q, asks := m.Msg.(relay.Req)
		var all []core.Effect
		for _, ev := range kept {
			if asks && shown[ev.ID] && wants(q.Filters, ev) {
				all = append(all, core.Send{Conn: m.Conn, Msg: relay.EventFor{Sub: q.Sub, Event: ev}})
			}
		}
		return append(all, effects...)
	}}
}

// duplicatesLive sends what is known already to the subscriptions that are open.
func duplicatesLive() Filter {
	var open listeners
	s := &shelf{map[string]filed{}}
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		open.hear(i)
		if _, ev := published(i); ev != nil {
			if known, is := s.byID[ev.ID]; is && !known.held {
				effects = open.tell(ev, effects)
			}
		}
		s.note(effects)
		return effects
	}}
}

// versionsMixed answers who asks for an advertisement in the version that the one before has asked for, as a cache does that
// looks at the path alone.
func versionsMixed(name string) Defect {
	var (
		mu   sync.Mutex
		last = map[string][]byte{}
	)
	return Defect{Name: name, Sent: func(r *http.Request, a *Answer) error {
		mu.Lock()
		defer mu.Unlock()
		switch at := r.URL.RequestURI(); {
		case strings.HasSuffix(pathOf(r), "/git-receive-pack"):
			clear(last)
		case a.Status == http.StatusOK && strings.HasSuffix(pathOf(r), "/info/refs"):
			kept, is := last[at]
			if last[at] = a.Body; is {
				a.Body = kept
			}
		}
		return nil
	}}
}

// announcementsDropPulls removes the refs of pull requests with every newer announcement.
func announcementsDropPulls(name string) Defect {
	var p pointer
	return Defect{Name: name, Backend: p.lend, Filter: func() Filter {
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			_, ev := published(i)
			if ev == nil || ev.Kind != policy.KindAnnouncement {
				return effects
			}
			p.mu.Lock()
			defer p.mu.Unlock()
			id := repo.ID{Owner: repo.PubKey(ev.PubKey), Identifier: ev.Tags.GetD()}
			refs, err := p.in.Refs(id)
			if err != nil { // it is the first one
				return effects
			}
			var gone []gitproto.Command
			for _, ref := range refs.Refs {
				if _, is := repo.PullRequestOf(ref.Name); is {
					gone = append(gone, gitproto.Command{Old: ref.OID, New: repo.ZeroOID, Ref: ref.Name})
				}
			}
			_ = p.in.Update(id, gone, "") // what could not be removed stays
			return effects
		}}
	}}
}

// replacedTakesPulls erases the pull requests that wait for a repository when its served announcement is replaced.
func replacedTakesPulls() Filter {
	s, versions := &shelf{map[string]filed{}}, succession{}
	return erasing(func(i core.Input, effects []core.Effect) []core.Message {
		in, _ := i.(core.Message)
		s.note(effects)
		var more []core.Message
		for _, e := range effects {
			r, _ := e.(core.Record)
			former, is := versions.next(r)
			if !is || former.held || r.Event.Kind != policy.KindAnnouncement {
				continue
			}
			address := "30617:" + r.Event.PubKey + ":" + r.Event.Tags.GetD()
			for id, pull := range s.all() {
				if pull.held && isPull(pull.event) && slices.Contains(valuesOf(pull.event, "a"), address) {
					more = append(more, removal(in.Conn, pull.event.PubKey, pull.event.CreatedAt, id))
				}
			}
		}
		return more
	})
}

// idleStatesWait takes a state that says what the one before it said for one that waits.
func idleStatesWait() Filter {
	said, hidden := map[slotted]*nostr.Event{}, map[string]bool{}
	same := func(a, b *nostr.Event) bool {
		refs := func(ev *nostr.Event) (list []string) {
			for _, t := range ev.Tags {
				if strings.HasPrefix(t[0], "refs/") {
					list = append(list, strings.Join(t, " "))
				}
			}
			slices.Sort(list)
			return list
		}
		return a != nil && slices.Equal(refs(a), refs(b))
	}
	return Filter{Out: func(_ core.Input, effects []core.Effect) []core.Effect {
		for n, e := range effects {
			switch e := e.(type) {
			case core.Record:
				if e.Op == core.OpStore && e.Event.Kind == policy.KindState {
					at := slotOf(e.Event)
					old := said[at]
					hidden[e.ID] = hidden[e.ID] || same(old, e.Event) && old.ID != e.ID
					said[at] = e.Event
				}
			case core.Send:
				if m, is := e.Msg.(relay.OK); is && hidden[m.ID] && m.Accepted {
					m.Text = "purgatory: won't be served until git data arrives"
					e.Msg = m
					effects[n] = e
				}
			}
		}
		return hiding(hidden, effects)
	}}
}
