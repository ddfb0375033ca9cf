package defect

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
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
		{Name: "pull-requests-outlast-vanishing", Filter: pullsOutlast},
		{Name: "duplicates-sent-live", Filter: duplicatesLive},
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
			for id, e := range s.byID {
				if served && e.held && a.Kind == policy.KindState && slotOf(e.event) == (slotted{a.Kind, ev.PubKey, a.Identifier}) {
					ev.Tags = append(ev.Tags, nostr.Tag{"e", id})
				}
			}
		}
	})()
}

// pullsOutlast shows pull requests whose author has vanished once their commits have come.
func pullsOutlast() Filter {
	var held, kept []*nostr.Event
	shown := map[string]bool{}
	offers := map[core.PushID]core.PushOffered{}
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		if _, ev := published(i); ev != nil && ev.Kind == policy.KindVanish {
			for _, old := range held {
				if old.PubKey == ev.PubKey && isPull(old) {
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
