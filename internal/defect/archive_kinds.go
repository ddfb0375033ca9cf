package defect

import (
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/internal/archived"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// archiveKindsDefects are mistakes of archives with some events.
func archiveKindsDefects() []Defect {
	of := func(kinds ...int) func(*nostr.Event) bool {
		return func(ev *nostr.Event) bool { return slices.Contains(kinds, ev.Kind) }
	}
	return []Defect{
		{Name: "archives-leave-patches", Archive: true, Filter: left(func(kind int) bool { return kind == 1617 })},
		{Name: "archives-leave-comments", Archive: true, Filter: left(func(kind int) bool { return kind == 1111 })},
		{Name: "archived-patches-refused", Archive: true, Filter: rejects(of(1617))},
		{Name: "archived-comments-refused", Archive: true, Filter: rejects(of(1111))},
		{Name: "archived-heads-left", Archive: true, Filter: heads(func(core.UpdateRefs) bool { return true })},
		{Name: "archived-at-any-port-kept", Archive: true, Filter: ok(func(i core.Input, m relay.OK) relay.OK {
			_, ev := published(i)
			if ev != nil && ev.Kind == policy.KindAnnouncement && listing(atAnotherPort)(ev) {
				m.Accepted = true
			}
			return m
		})},
		{Name: "newer-archived-announcements-refused", Archive: true, Filter: newerRefused},
	}
}

// atAnotherPort tells URLs of the archived service at another port.
func atAnotherPort(url string) bool { return strings.HasPrefix(url, archived.Service+":") }

// newerRefused refuses every announcement of a repository but the first one.
func newerRefused() Filter {
	first := map[slotted]string{}
	return rejecting(func(ev *nostr.Event) bool {
		return ev.Kind == policy.KindAnnouncement && first[slotOf(ev)] != "" && first[slotOf(ev)] != ev.ID
	}, func(_ core.Input, effects []core.Effect) {
		for _, e := range effects {
			if r, _ := e.(core.Record); r.Op == core.OpStore && r.Event.Kind == policy.KindAnnouncement {
				first[slotOf(r.Event)] = r.ID
			}
		}
	})
}
