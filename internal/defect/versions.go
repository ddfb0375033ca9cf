package defect

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
)

// versionDefects are mistakes with the second version of something: of what waits, of what is served, and of what was refused.
func versionDefects() []Defect {
	return []Defect{
		{Name: "next-versions-of-held-announcements-served", Filter: nextServed(policy.KindAnnouncement)},
		{Name: "next-versions-of-held-states-served", Filter: nextServed(policy.KindState)},
		{Name: "refused-pull-requests-remembered", Filter: refusedOf(policy.KindPullRequest, policy.KindPullRequestUpdate)},
		{Name: "refused-announcements-remembered", Filter: refusedOf(policy.KindAnnouncement)},
	}
}

// nextServed serves what waits in place of another version that waited.
func nextServed(kind int) func() Filter {
	return func() Filter {
		waited := map[string]bool{} // by address
		return leak(func(_ core.Input, effects []core.Effect) *nostr.Event {
			for _, e := range effects {
				r, _ := e.(core.Record)
				if r.Op != core.OpHold || r.Event.Kind != kind {
					continue
				}
				at := addressOf(r.Event)
				if waited[at] {
					return r.Event
				}
				waited[at] = true
			}
			return nil
		})()
	}
}

// refusedOf refuses events of some kinds for ever that were refused once.
func refusedOf(kinds ...int) func() Filter {
	return func() Filter {
		refused := map[string]bool{}
		return rejecting(func(ev *nostr.Event) bool { return refused[ev.ID] }, func(i core.Input, effects []core.Effect) {
			_, ev := published(i)
			for _, e := range effects {
				if n, ok := e.(core.Note); ok && ev != nil && n.Fact == core.EventRefused && slices.Contains(kinds, n.Kind) {
					refused[n.Event] = true
				}
			}
		})
	}
}
