package defect

import (
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// crossedDefects are mistakes of servers that look first and write a little later: of what two connections send at the same moment each
// is treated as if the other one were not there.
func crossedDefects() []Defect {
	return []Defect{
		crossedBy("copies-from-two-connections-refused", func(before, ev *nostr.Event) bool { return before.ID == ev.ID }, relay.OK{Text: "error: UNIQUE constraint failed: event.id"}),
		crossedBy("copies-of-announcements-from-two-connections-refused", func(before, ev *nostr.Event) bool {
			return before.ID == ev.ID && ev.Kind == policy.KindAnnouncement
		}, relay.OK{Text: "invalid: a newer version is here"}),
		crossedBy("versions-from-two-connections-lost", func(before, ev *nostr.Event) bool {
			return versions(before, ev) && ev.Kind != policy.KindState && ev.Kind != policy.KindAnnouncement
		}, relay.OK{Accepted: true}),
		crossedBy("states-from-two-connections-lost", func(before, ev *nostr.Event) bool {
			return versions(before, ev) && ev.Kind == policy.KindState
		}, relay.OK{Accepted: true}),
		crossedBy("announcements-from-two-connections-lost", func(before, ev *nostr.Event) bool {
			return versions(before, ev) && ev.Kind == policy.KindAnnouncement
		}, relay.OK{Accepted: true}),
		crossedBy("deletions-from-two-connections-lost", func(before, ev *nostr.Event) bool {
			return ev.Kind == policy.KindDeletion && names(ev, before.ID)
		}, relay.OK{Accepted: true}),
		{Name: "events-between-query-and-listening-lost", Core: func(m core.Machine) core.Machine { return &gap{Machine: m} }},
	}
}

// moment is for how long something is under way.
const moment = 4 * time.Millisecond

// A crossing core has an event under way for a moment.
type crossing struct {
	core.Machine
	lost   func(before, ev *nostr.Event) bool
	answer relay.OK
	at     instant.Instant
	conn   core.ConnID
	before *nostr.Event
}

// crossedBy gives an answer to what comes a moment behind something on another connection, and does nothing else.
func crossedBy(name string, lost func(before, ev *nostr.Event) bool, answer relay.OK) Defect {
	return Defect{Name: name, Core: func(m core.Machine) core.Machine { return &crossing{Machine: m, lost: lost, answer: answer} }}
}

// Step implements core.Machine.
func (c *crossing) Step(now instant.Instant, i core.Input, out *core.Effects) {
	conn, ev := published(i)
	if ev == nil {
		c.Machine.Step(now, i, out)
		return
	}
	if c.before != nil && c.conn != conn && now < c.at.Add(moment) && c.lost(c.before, ev) {
		answer := c.answer
		answer.ID = ev.ID
		out.List = append(out.List, core.Send{Conn: conn, Msg: answer})
		return
	}
	c.at, c.conn, c.before = now, conn, ev
	c.Machine.Step(now, i, out)
}

// A gap core has looked up what is stored a moment before it listens for what is new.
type gap struct {
	core.Machine
	at    instant.Instant
	conn  core.ConnID
	event string // by its id
}

// Step implements core.Machine.
func (g *gap) Step(now instant.Instant, i core.Input, out *core.Effects) {
	if conn, ev := published(i); ev != nil {
		g.at, g.conn, g.event = now, conn, ev.ID
	}
	from := len(out.List)
	g.Machine.Step(now, i, out)
	if m, is := i.(core.Message); !is || m.Conn == g.conn || now >= g.at.Add(moment) {
		return
	}
	kept := out.List[:from]
	for _, effect := range out.List[from:] {
		if s, is := effect.(core.Send); is {
			if e, is := s.Msg.(relay.EventFor); is && e.Event.ID == g.event {
				continue
			}
		}
		kept = append(kept, effect)
	}
	out.List = kept
}
