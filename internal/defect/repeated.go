package defect

import (
	"slices"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// repeatedDefects are mistakes with what is released: the next time, to who came later, of another kind.
func repeatedDefects() []Defect {
	return []Defect{
		{Name: "releases-repeated-by-every-push", Filter: releasesRepeated},
		{Name: "releases-to-who-saw-the-hold-only", Filter: releasesToEarly},
		{Name: "released-pull-requests-unannounced", Filter: releasedMute(func(ev *nostr.Event) bool { return ev.Kind == policy.KindPullRequest })},
		{Name: "released-updates-unannounced", Filter: releasedMute(func(ev *nostr.Event) bool { return ev.Kind == policy.KindPullRequestUpdate })},
		{Name: "second-states-unannounced", Filter: secondMute},
		{Name: "present-states-unannounced", Filter: presentMute},
		{Name: "siblings-released-unannounced", Filter: siblingsMute},
		timersOfStates("timers-of-replaced-states-run-on"),
		sweptByDate("what-waits-goes-by-its-date"),
		{Name: "deletions-by-address-end-at-what-is-served", Filter: servedOnly},
		{Name: "first-pull-request-of-a-push-released", Filter: firstReleased},
		{Name: "updates-release-their-pull-requests", Filter: updatesRelease},
		{Name: "states-said-before-refused", Filter: saidBefore},
		{Name: "states-that-only-delete-wait", Filter: deletingWait},
		{Name: "second-restart-loses-what-is-served", Filter: secondLoss()},
		{Name: "older-versions-taken-after-start", Filter: olderAfterStart},
		headMovesOnce("head-moves-twice"),
		headLost("head-lost-at-start"),
		{Name: "head-stays-where-refs-move", Backend: func(b gitstore.Backend) gitstore.Backend { return headless{backend{b}} }},
	}
}

// releasesRepeated sends what a repository serves of announcement and state to the subscriptions again with each push.
func releasesRepeated() Filter {
	var open listeners
	s, offers := &shelf{map[string]filed{}}, map[core.PushID]repo.ID{}
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		open.hear(i)
		switch in := i.(type) {
		case core.PushOffered:
			offers[in.Push] = in.Repo
		case core.PushDone:
			id := offers[in.Push]
			if known := s.announcement(string(id.Owner), id.Identifier); in.Report.Whole() && known.event != nil && !known.held {
				effects = open.tell(known.event, effects)
			}
		}
		s.note(effects)
		return effects
	}}
}

// releasesToEarly sends what is released to the subscriptions that were open when it was held.
func releasesToEarly() Filter {
	n := 0
	since, held := map[openedAt]int{}, map[string]int{}
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		n++
		if at, is := asks(i); is {
			since[at] = n
		}
		for _, e := range effects {
			if r, _ := e.(core.Record); r.Op == core.OpHold && held[r.ID] == 0 {
				held[r.ID] = n
			}
		}
		return muteEvents(i, effects, func(conn core.ConnID, m relay.EventFor) bool {
			return held[m.Event.ID] > 0 && since[openedAt{conn, m.Sub}] > held[m.Event.ID]
		})
	}}
}

// releasedMute sends some events to no subscription when they are released.
func releasedMute(which func(*nostr.Event) bool) func() Filter {
	return func() Filter {
		held := map[string]bool{}
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			for _, e := range effects {
				if r, _ := e.(core.Record); r.Op == core.OpHold {
					held[r.ID] = true
				}
			}
			return muteEvents(i, effects, func(_ core.ConnID, m relay.EventFor) bool { return held[m.Event.ID] && which(m.Event) })
		}}
	}
}

// secondMute sends the states that are released behind the first of an author to no subscription.
func secondMute() Filter {
	held, first := map[string]bool{}, map[slotted]string{}
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		for _, e := range effects {
			r, _ := e.(core.Record)
			held[r.ID] = held[r.ID] || r.Op == core.OpHold
			if r.Op == core.OpStore && r.Event.Kind == policy.KindState && first[slotOf(r.Event)] == "" {
				first[slotOf(r.Event)] = r.ID
			}
		}
		return muteEvents(i, effects, func(_ core.ConnID, m relay.EventFor) bool {
			return held[m.Event.ID] && m.Event.Kind == policy.KindState && first[slotOf(m.Event)] != m.Event.ID
		})
	}}
}

// presentMute sends states that were served without a push to no subscription.
func presentMute() Filter {
	held := map[string]bool{}
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		for _, e := range effects {
			if r, _ := e.(core.Record); r.Op == core.OpHold {
				held[r.ID] = true
			}
		}
		return muteEvents(i, effects, func(_ core.ConnID, m relay.EventFor) bool {
			return m.Event.Kind == policy.KindState && !held[m.Event.ID]
		})
	}}
}

// siblingsMute sends an announcement that a push to another repository has released to no subscription.
func siblingsMute() Filter {
	offers := map[core.PushID]repo.ID{}
	pushed := map[repo.ID]bool{}
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		switch in := i.(type) {
		case core.PushOffered:
			offers[in.Push] = in.Repo
		case core.PushDone:
			pushed[offers[in.Push]] = true
		}
		_, own := published(i)
		return muteEvents(i, effects, func(_ core.ConnID, m relay.EventFor) bool {
			id := repo.ID{Owner: repo.PubKey(m.Event.PubKey), Identifier: m.Event.Tags.GetD()}
			return m.Event.Kind == policy.KindAnnouncement && !pushed[id] && own == nil
		})
	}}
}

// servedOnly has a deletion by address reach a state that is served, and not the newer one that waits.
func servedOnly() Filter {
	return requests(func(ev *nostr.Event, s *shelf) {
		var tags nostr.Tags
		for _, t := range ev.Tags {
			named := s.named(t)
			held := slices.ContainsFunc(named, func(e filed) bool { return e.held })
			served := slices.ContainsFunc(named, func(e filed) bool { return !e.held })
			if t[0] != "a" || !held || !served {
				tags = append(tags, t)
				continue
			}
			for _, e := range named {
				if !e.held {
					tags = append(tags, nostr.Tag{"e", e.event.ID})
				}
			}
		}
		ev.Tags = tags
	})()
}

// firstReleased hides the pull requests whose refs a push has brought behind the first one.
func firstReleased() Filter {
	offers, hidden := map[core.PushID]core.PushOffered{}, map[string]bool{}
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		switch in := i.(type) {
		case core.PushOffered:
			offers[in.Push] = in
		case core.PushDone:
			n := 0
			for _, c := range offers[in.Push].Commands {
				if event, is := repo.PullRequestOf(c.Ref); is {
					if n++; n > 1 {
						hidden[event] = true
					}
				}
			}
		}
		return hiding(hidden, effects)
	}}
}

// updatesRelease shows a held pull request to queries once an update of it is served.
func updatesRelease() Filter {
	var held, shown []*nostr.Event
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		held = heldOf(held, effects)
		for _, e := range effects {
			r, _ := e.(core.Record)
			if r.Op != core.OpStore || r.Event.Kind != policy.KindPullRequestUpdate {
				continue
			}
			for _, ev := range held {
				if slices.Contains(valuesOf(r.Event, "E"), ev.ID) {
					shown = append(shown, ev)
				}
			}
		}
		return showing(i, effects, shown)
	}}
}

// stateRefs are the refs of a state with their objects, sorted.
func stateRefs(ev *nostr.Event) (list []string) {
	for _, t := range ev.Tags {
		if len(t) > 1 && (strings.HasPrefix(t[0], "refs/") || t[0] == "HEAD") {
			list = append(list, t[0]+" "+t[1])
		}
	}
	slices.Sort(list)
	return list
}

// saidBefore refuses a state that says what one before the last has said.
func saidBefore() Filter {
	said, refused := map[slotted][]*nostr.Event{}, map[string]bool{}
	return rejecting(func(ev *nostr.Event) bool {
		if ev.Kind != policy.KindState {
			return false
		}
		list := said[slotOf(ev)]
		if slices.ContainsFunc(list, func(o *nostr.Event) bool { return o.ID == ev.ID }) {
			return refused[ev.ID]
		}
		said[slotOf(ev)] = append(list, ev)
		same := func(o *nostr.Event) bool { return slices.Equal(stateRefs(o), stateRefs(ev)) }
		refused[ev.ID] = len(list) > 1 && !same(list[len(list)-1]) && slices.ContainsFunc(list, same)
		return refused[ev.ID]
	}, nil)
}

// deletingWait takes a state that names less than the one before it, and nothing else, for one that waits.
func deletingWait() Filter {
	said, hidden := map[slotted]*nostr.Event{}, map[string]bool{}
	return Filter{Out: func(_ core.Input, effects []core.Effect) []core.Effect {
		for n, e := range effects {
			switch e := e.(type) {
			case core.Record:
				if e.Op != core.OpStore || e.Event.Kind != policy.KindState {
					continue
				}
				old := said[slotOf(e.Event)]
				said[slotOf(e.Event)] = e.Event
				if old == nil || old.ID == e.ID {
					continue
				}
				refs, before := stateRefs(e.Event), stateRefs(old)
				hidden[e.ID] = len(refs) < len(before) && !slices.ContainsFunc(refs, func(r string) bool { return !slices.Contains(before, r) })
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

// secondLoss forgets with each restart what the one before has found.
func secondLoss() func() Filter {
	starts, found := 0, map[string]bool{}
	return survivors(func(in core.Started) core.Started {
		starts++
		in.Stored = slices.DeleteFunc(slices.Clone(in.Stored), func(ev *nostr.Event) bool { return found[ev.ID] && !near(ev) })
		for _, ev := range in.Stored {
			found[ev.ID] = starts > 1
		}
		return in
	})
}

// olderAfterStart lets an older version take the place of one that it has started with.
func olderAfterStart() Filter {
	newest, hidden := map[slotted]*nostr.Event{}, map[string]bool{}
	var shown []*nostr.Event
	start := survivors(func(in core.Started) core.Started {
		for _, ev := range in.Stored {
			if nostr.IsAddressableKind(ev.Kind) || nostr.IsReplaceableKind(ev.Kind) {
				newest[slotOf(ev)] = ev
			}
		}
		return in
	})()
	return Filter{In: start.In, Out: func(i core.Input, effects []core.Effect) []core.Effect {
		if _, ev := published(i); ev != nil {
			old := newest[slotOf(ev)]
			if old != nil && old.ID != ev.ID && repo.Newer(old, ev) {
				hidden[old.ID] = true
				shown = append(shown, ev)
			}
			delete(newest, slotOf(ev))
		}
		return showing(i, hiding(hidden, effects), shown)
	}}
}

// headMovesOnce moves HEAD of a repository two times, and no more.
func headMovesOnce(name string) Defect {
	return Defect{Name: name, Backend: func(b gitstore.Backend) gitstore.Backend {
		return &turning{backend: backend{b}, moves: map[repo.ID]int{}}
	}}
}

// headLost points HEAD of all repositories to the branch of a new one when the server starts.
func headLost(name string) Defect {
	var p pointer
	return Defect{Name: name, Backend: p.lend, Filter: survivors(func(in core.Started) core.Started {
		p.point(repo.HeadNew, func(repo.ID) bool { return true })
		return in
	})}
}

// timersOfStates takes no push of a state once the time of one is over that has waited in its place.
func timersOfStates(name string) Defect {
	const life = 30 * time.Minute
	return Defect{Name: name, Core: func(m core.Machine) core.Machine {
		t, versions, came, due := &timed{}, succession{}, map[string]instant.Instant{}, map[slotted]instant.Instant{}
		filter := refusingPushes(func(s *shelf, _ map[string]int, o core.PushOffered) bool {
			state := s.latestOf(o.Repo.Identifier, string(o.Repo.Owner))
			if state == nil {
				return false
			}
			at, runs := due[slotOf(state)]
			return runs && t.now >= at
		})
		refusing := filter.Out
		filter.Out = func(i core.Input, effects []core.Effect) []core.Effect {
			for _, e := range effects {
				r, _ := e.(core.Record)
				if _, known := came[r.ID]; !known {
					came[r.ID] = t.now
				}
				if former, is := versions.next(r); is && former.held && former.event.Kind == policy.KindState {
					due[slotOf(former.event)] = came[former.event.ID].Add(life)
				}
			}
			return refusing(i, effects)
		}
		t.Machine = &filtered{Machine: m, filter: filter, silent: map[string]int{}}
		return t
	}}
}

// sweptByDate takes no push of a state that is dated half an hour ago, a minute after it has come: a sweep reads the date of an event for
// that of its arrival.
func sweptByDate(name string) Defect {
	const life, swept = 30 * time.Minute, time.Minute
	return Defect{Name: name, Core: func(m core.Machine) core.Machine {
		t, came := &timed{}, map[string]instant.Instant{}
		filter := refusingPushes(func(s *shelf, _ map[string]int, o core.PushOffered) bool {
			state := s.latestOf(o.Repo.Identifier, string(o.Repo.Owner))
			if state == nil {
				return false
			}
			at, is := came[state.ID]
			return is && t.now >= at.Add(swept) && t.now >= instant.FromUnix(int64(state.CreatedAt)).Add(life)
		})
		refusing := filter.Out
		filter.Out = func(i core.Input, effects []core.Effect) []core.Effect {
			for _, e := range effects {
				if r, _ := e.(core.Record); r.Op == core.OpHold {
					if _, known := came[r.ID]; !known {
						came[r.ID] = t.now
					}
				}
			}
			return refusing(i, effects)
		}
		t.Machine = &filtered{Machine: m, filter: filter, silent: map[string]int{}}
		return t
	}}
}
