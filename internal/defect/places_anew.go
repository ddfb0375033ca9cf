package defect

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// A placesAnew core keeps newer announcements waiting that name more than one place.
type placesAnew struct {
	core.Machine
	known map[string]bool // addresses that were announced
}

// Step implements core.Machine.
func (p *placesAnew) Step(now instant.Instant, i core.Input, out *core.Effects) {
	if conn, ev := published(i); ev != nil && ev.Kind == policy.KindAnnouncement {
		address := addressOf(ev)
		several := slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool {
			return len(t) > 2 && (t[0] == "relays" || t[0] == "clone")
		})
		if several && p.known[address] {
			out.List = append(out.List, core.Send{Conn: conn, Msg: relay.OK{ID: ev.ID, Accepted: true, Text: "purgatory: won't be served until git data arrives"}})
			return
		}
		p.known[address] = true
	}
	p.Machine.Step(now, i, out)
}
