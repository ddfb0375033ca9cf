package defect

import (
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
)

// versionDefects are mistakes with the second version of something: of what waits, of what is served, and of what was refused.
func versionDefects() []Defect {
	return []Defect{
		{Name: "next-versions-of-held-announcements-served", Filter: nextServed(policy.KindAnnouncement)},
		{Name: "next-versions-of-held-states-served", Filter: nextServed(policy.KindState)},
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
