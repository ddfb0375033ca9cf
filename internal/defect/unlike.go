package defect

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// unlikeDefects treat events of one kind, or that came in one way, unlike others for which the same holds.
func unlikeDefects() []Defect {
	return []Defect{
		{Name: "released-repositories-found-by-no-tag", Filter: taglessReleases(func(ev *nostr.Event) bool { return !isPull(ev) })},
		{Name: "released-states-found-by-no-tag", Filter: taglessReleases(func(ev *nostr.Event) bool { return ev.Kind == policy.KindState })},
		{Name: "released-pull-requests-found-by-no-tag", Filter: taglessReleases(isPull)},
		{Name: "pull-requests-behind-their-commits-root-nothing", Filter: unrooted},
		{Name: "announcements-with-text-refused", Filter: rejects(func(ev *nostr.Event) bool { return ev.Kind == policy.KindAnnouncement && ev.Content != "" })},
		{Name: "pull-requests-with-unknown-tags-refused", Filter: rejects(func(ev *nostr.Event) bool {
			known := []string{"a", "c", "p", "P", "e", "E", "q", "r", "t", "k", "subject", "clone", "branch-name", "merge-base", "-", "expiration", "nonce"}
			return isPull(ev) && slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool { return !slices.Contains(known, t[0]) })
		})},
		{Name: "discarded-states-refused", Filter: discardedRefused(policy.KindState)},
		{Name: "served-pull-requests-undeletable", Filter: sparing(func(e filed, _ bool) bool { return !e.held && isPull(e.event) })},
		{Name: "served-pull-requests-outlast-vanishing", Filter: servedOutlast},
		{Name: "updates-go-with-their-pull-requests", Filter: updatesGo},
		{Name: "updates-beside-branches-unserved", Filter: besideBranches(isUpdate)},
		{Name: "updates-to-several-repositories-refused", Filter: rejects(func(ev *nostr.Event) bool {
			return isUpdate(ev) && len(slices.Collect(ev.Tags.FindAll("a"))) > 1
		})},
		{Name: "held-updates-outlast-vanishing", Filter: func() Filter { return pullsOutlast(isUpdate) }},
		{Name: "updates-lost-at-stop", Filter: survivors(func(in core.Started) core.Started {
			in.Stored = slices.DeleteFunc(slices.Clone(in.Stored), isUpdate)
			return in
		})},
		{Name: "updates-of-unknown-pull-requests-refused", Filter: rootedAlone(isUpdate, "E")},
		{Name: "answers-to-unknown-issues-refused", Filter: rootedAlone(func(ev *nostr.Event) bool {
			return ev.Kind == 1617 || ev.Kind == 1622 || ev.Kind >= 1630 && ev.Kind <= 1633 || ev.Kind == 1985
		}, "e")},
	}
}

func isUpdate(ev *nostr.Event) bool { return ev.Kind == policy.KindPullRequestUpdate }

// rootedAlone refuses what names by a tag an event that is not here, whatever else it names.
func rootedAlone(which func(*nostr.Event) bool, tag string) func() Filter {
	return func() Filter {
		s := &shelf{map[string]filed{}}
		return rejecting(func(ev *nostr.Event) bool {
			_, here := s.byID[valueOf(ev, tag)]
			return which(ev) && !here && ev.Tags.Find(tag) != nil
		}, func(_ core.Input, effects []core.Effect) { s.note(effects) })
	}
}

// taglessReleases finds some events that have waited by no filter with a tag.
func taglessReleases(which func(*nostr.Event) bool) func() Filter {
	return func() Filter {
		held := map[string]bool{}
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			for _, e := range effects {
				if r, _ := e.(core.Record); r.Op == core.OpHold && which(r.Event) {
					held[r.ID] = true
				}
			}
			m, _ := i.(core.Message)
			q, asks := m.Msg.(relay.Req)
			return slices.DeleteFunc(slices.Clone(effects), func(e core.Effect) bool {
				ev := stored(e, q.Sub)
				return asks && ev != nil && held[ev.ID] && !slices.ContainsFunc(q.Filters, func(f relay.Filter) bool {
					return len(f.Tags) == 0 && wants([]relay.Filter{f}, ev)
				})
			})
		}}
	}
}

// unrooted refuses what refers to pull requests that never waited, because their commits were here before.
func unrooted() Filter {
	held, early := map[string]bool{}, map[string]bool{}
	return rejecting(func(ev *nostr.Event) bool {
		return !isPull(ev) && ev.Kind != policy.KindDeletion && slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool { return len(t) > 1 && early[t[1]] })
	}, func(_ core.Input, effects []core.Effect) {
		for _, e := range effects {
			r, _ := e.(core.Record)
			held[r.ID] = held[r.ID] || r.Op == core.OpHold
			if r.Op == core.OpStore && isPull(r.Event) && !held[r.ID] {
				early[r.ID] = true
			}
		}
	})
}

// discardedRefused refuses what has run out while it waited, if it is of some kind.
func discardedRefused(kind int) func() Filter {
	return func() Filter {
		expired := map[string]bool{}
		return rejecting(func(ev *nostr.Event) bool { return expired[ev.ID] }, func(_ core.Input, effects []core.Effect) {
			for _, e := range effects {
				if n, is := e.(core.Note); is && n.Fact == core.EventExpired && n.Kind == kind {
					expired[n.Event] = true
				}
			}
		})
	}
}

// servedOutlast goes on to show the pull requests of those who have vanished.
func servedOutlast() Filter {
	s := &shelf{map[string]filed{}}
	var back []*nostr.Event
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		_, ev := published(i)
		for _, e := range effects {
			r, _ := e.(core.Record)
			if was := s.byID[r.ID]; r.Op == core.OpUnstore && ev != nil && ev.Kind == policy.KindVanish && isPull(was.event) {
				back = append(back, was.event)
			}
		}
		s.note(effects)
		return showing(i, effects, back)
	}}
}

// updatesGo deletes, with a pull request that its author deletes, all updates that name it.
func updatesGo() Filter {
	s := &shelf{map[string]filed{}}
	return erasing(func(i core.Input, effects []core.Effect) []core.Message {
		conn, ev := published(i)
		var more []core.Message
		for _, e := range effects {
			r, _ := e.(core.Record)
			if r.Op != core.OpUnstore || ev == nil || ev.Kind != policy.KindDeletion {
				continue
			}
			for id, o := range s.all() {
				if !o.held && isUpdate(o.event) && slices.Contains(valuesOf(o.event, "E"), r.ID) {
					more = append(more, removal(conn, o.event.PubKey, o.event.CreatedAt, id))
				}
			}
		}
		s.note(effects)
		return more
	})
}
