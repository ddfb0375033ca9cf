package defect

import (
	"net/http"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// broadAnswers are those of what is said to clients.
func broadAnswers() []Defect {
	status := func(name string, change func(status int) int) Defect {
		return Defect{Name: name, Sent: func(_ *http.Request, a *Answer) error { a.Status = change(a.Status); return nil }}
	}
	return []Defect{
		{Name: "every-event-acknowledged", Filter: ok(func(_ core.Input, m relay.OK) relay.OK {
			if !m.Accepted {
				m.Accepted, m.Text = true, ""
			}
			return m
		})},
		{Name: "refused-events-served", Filter: refusedServed},
		{Name: "every-acknowledgement-refused", Filter: disowning},
		{Name: "held-events-served", Filter: leaks(func(r core.Record) bool { return r.Op == core.OpHold })},
		{Name: "removed-events-served", Filter: leaks(func(r core.Record) bool { return r.Op == core.OpStore })},
		{Name: "nothing-found", Filter: out(func(i core.Input, e core.Effect) (core.Effect, bool) {
			send, _ := e.(core.Send)
			m, event := send.Msg.(relay.EventFor)
			return e, !event || near(m.Event)
		})},
		{Name: "filters-match-everything", Filter: req(func(f relay.Filter) relay.Filter {
			if len(f.IDs) == 0 {
				f = relay.Filter{Authors: f.Authors}
			}
			return f
		})},
		{Name: "deletions-without-effect", Filter: func() Filter {
			return Filter{
				In: func(i core.Input) (core.Input, bool) {
					_, ev := published(i)
					return i, ev == nil || !erases(ev)
				},
				Out: func(i core.Input, effects []core.Effect) []core.Effect {
					if conn, ev := published(i); ev != nil && erases(ev) {
						return append(effects, core.Send{Conn: conn, Msg: relay.OK{ID: ev.ID, Accepted: true}})
					}
					return effects
				},
			}
		}},
		{Name: "counts-off-by-one", Filter: out(func(_ core.Input, e core.Effect) (core.Effect, bool) {
			send, _ := e.(core.Send)
			if m, is := send.Msg.(relay.Counted); is {
				m.Count++
				send.Msg = m
				return send, true
			}
			return e, true
		})},
		{Name: "reconciliations-empty", Filter: out(func(_ core.Input, e core.Effect) (core.Effect, bool) {
			send, _ := e.(core.Send)
			if m, is := send.Msg.(relay.NegAnswer); is {
				m.Message = []byte{0x61}
				send.Msg = m
				return send, true
			}
			return e, true
		})},
		{Name: "closes-on-oddities", Filter: func() Filter {
			return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
				m, _ := i.(core.Message)
				if _, odd := m.Msg.(relay.Malformed); odd {
					return []core.Effect{core.CloseConn{Conn: m.Conn}}
				}
				return effects
			}}
		}},
		status("failures-as-success", func(s int) int {
			if s >= 400 {
				return 200
			}
			return s
		}),
		status("failures-as-server-errors", func(s int) int {
			if s >= 400 {
				return 500
			}
			return s
		}),
		{Name: "cors-on-the-document-alone", Sent: func(_ *http.Request, a *Answer) error {
			if !strings.Contains(a.Header.Get("Content-Type"), "nostr+json") {
				withoutCORS(a.Header)
			}
			return nil
		}},
	}
}

// beyond reports whether a repository is the one that the mistakes leave alone.
func beyond(id repo.ID) bool { return strings.Contains(id.Identifier, "lighthouse") }

// near reports whether an event announces that repository, tells its state or refers to it.
func near(ev *nostr.Event) bool {
	return slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool { return len(t) > 1 && strings.Contains(t[1], "lighthouse") })
}

// erases reports whether an event deletes others.
func erases(ev *nostr.Event) bool { return ev.Kind == policy.KindDeletion || ev.Kind == 62 }

// eventOf is the event of a message, proper or not.
func eventOf(i core.Input) *nostr.Event {
	m, _ := i.(core.Message)
	e, _ := m.Msg.(relay.Event)
	return e.Event
}

// disowning keeps what it is sent and says that it has not.
func disowning() Filter {
	spared := map[string]bool{}
	filter := ok(func(_ core.Input, m relay.OK) relay.OK {
		if m.Accepted && !spared[m.ID] {
			m.Accepted, m.Text = false, "error: internal server error"
		}
		return m
	})()
	return Filter{Out: filter.Out, In: func(i core.Input) (core.Input, bool) {
		if ev := eventOf(i); ev != nil && near(ev) {
			spared[ev.ID] = true
		}
		return i, true
	}}
}

// refusedServed shows queries what was refused.
func refusedServed() Filter {
	return leak(func(i core.Input, effects []core.Effect) *nostr.Event {
		ev := eventOf(i)
		for _, e := range effects {
			send, _ := e.(core.Send)
			if m, is := send.Msg.(relay.OK); is && !m.Accepted && ev != nil && m.ID == ev.ID {
				return ev
			}
		}
		return nil
	})()
}

// leaks shows queries what the journal has kept, however long.
func leaks(which func(core.Record) bool) func() Filter {
	return leak(func(_ core.Input, effects []core.Effect) *nostr.Event {
		for _, e := range effects {
			if r, is := e.(core.Record); is && r.Event != nil && which(r) {
				return r.Event
			}
		}
		return nil
	})
}
