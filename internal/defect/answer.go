package defect

import (
	"bytes"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// answerDefects are mistakes in what a client is answered, or whether.
func answerDefects() []Defect {
	member := func(*nostr.Event) bool { return true }
	announces := func(ev *nostr.Event) bool { return ev.Kind == policy.KindAnnouncement }
	return []Defect{
		{Name: "members-only-unsaid", Filter: saying(member, "restricted: only members publish here")},
		{Name: "authentication-demanded-unsaid", Filter: saying(member, "auth-required: only who is known publishes here")},
		{Name: "members-repositories-only-unsaid", Filter: saying(announces, "restricted: only members have repositories here")},
		{Name: "refusals-silent", Filter: said(func(m relay.ServerMessage) bool { o, is := m.(relay.OK); return !is || o.Accepted })},
		{Name: "acknowledgements-lost", Filter: said(func(m relay.ServerMessage) bool { _, is := m.(relay.OK); return !is })},
		{Name: "ends-of-stored-events-lost", Filter: said(func(m relay.ServerMessage) bool { _, is := m.(relay.EOSE); return !is })},
		{Name: "counts-lost", Filter: said(func(m relay.ServerMessage) bool { _, is := m.(relay.Counted); return !is })},
		{Name: "duplicates-silent", Filter: said(func(m relay.ServerMessage) bool {
			o, is := m.(relay.OK)
			return !is || !strings.HasPrefix(o.Text, "duplicate:")
		})},
		{Name: "closes-after-each-acknowledgement", Filter: closing(func(relay.OK) bool { return true })},
		{Name: "closes-after-each-refusal", Filter: closing(func(m relay.OK) bool { return !m.Accepted })},
		{Name: "closes-instead-of-refusals", Filter: hangingUp},
		{Name: "policy-refusals-in-prose", Filter: ok(func(_ core.Input, m relay.OK) relay.OK {
			if !m.Accepted && !strings.HasPrefix(m.Text, "invalid: the ") {
				_, m.Text, _ = strings.Cut(m.Text, ": ")
			}
			return m
		})},
		{Name: "orphans-refused-in-prose", Filter: prose("G01-REL-05", "G01-REL-10")},
		{Name: "deleted-refused-in-prose", Filter: prose("N09-05")},
		{Name: "prefixes-unknown", Filter: ok(func(_ core.Input, m relay.OK) relay.OK {
			if _, reason, found := strings.Cut(m.Text, ": "); found && !m.Accepted && !strings.HasPrefix(m.Text, "invalid: the ") {
				m.Text = "Not allowed here: " + reason
			}
			return m
		})},
		{Name: "reconciliation-errors-misnamed", Frame: misnamed("NEG-ERR", "NEG-ERROR")},
		{Name: "closed-in-prose", Filter: out(func(_ core.Input, e core.Effect) (core.Effect, bool) {
			send, _ := e.(core.Send)
			m, is := send.Msg.(relay.Closed)
			if !is {
				return e, true
			}
			if _, reason, found := strings.Cut(m.Text, ": "); found {
				m.Text = reason
			}
			send.Msg = m
			return send, true
		})},
		{Name: "counts-end-subscriptions", Filter: func() Filter {
			return Filter{Also: func(i core.Input, _ []core.Effect) []core.Input {
				m, _ := i.(core.Message)
				asked, is := m.Msg.(relay.Count)
				if !is {
					return nil
				}
				m.Msg = relay.Close{Sub: asked.Sub}
				return []core.Input{m}
			}}
		}},
		{Name: "control-characters-unescaped", Frame: func(frame []byte) []byte {
			return bytes.ReplaceAll(bytes.ReplaceAll(frame, []byte(`\u0001`), []byte("\x01")), []byte(`\u001f`), []byte("\x1f"))
		}},
		{Name: "closed-misnamed", Frame: misnamed("CLOSED", "CLOSE")},
		{Name: "reconciliation-errors-as-notices", Filter: out(func(_ core.Input, e core.Effect) (core.Effect, bool) {
			send, _ := e.(core.Send)
			if m, is := send.Msg.(relay.NegError); is {
				send.Msg = relay.Notice{Text: m.Text}
				return send, true
			}
			return e, true
		})},
		{Name: "odd-reconciliations-kill", Filter: func() Filter { return struck(true) }},
		{Name: "odd-reconciliations-deafen", Filter: func() Filter { return struck(false) }},
	}
}

// saying refuses some events with a text.
func saying(bad func(*nostr.Event) bool, text string) func() Filter {
	return func() Filter {
		filter := rejecting(bad, nil)
		worded := ok(func(_ core.Input, m relay.OK) relay.OK {
			if m.Text == "invalid: not taken here" {
				m.Text = text
			}
			return m
		})()
		return Filter{In: filter.In, Out: func(i core.Input, effects []core.Effect) []core.Effect {
			return worded.Out(i, filter.Out(i, effects))
		}}
	}
}

// said leaves out messages.
func said(keep func(relay.ServerMessage) bool) func() Filter {
	return out(func(_ core.Input, e core.Effect) (core.Effect, bool) {
		send, is := e.(core.Send)
		return e, !is || keep(send.Msg)
	})
}

// closing ends the connection after some answers to events.
func closing(after func(relay.OK) bool) func() Filter {
	return func() Filter {
		return Filter{Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			var all []core.Effect
			for _, e := range effects {
				all = append(all, e)
				send, _ := e.(core.Send)
				if m, is := send.Msg.(relay.OK); is && after(m) {
					all = append(all, core.CloseConn{Conn: send.Conn})
				}
			}
			return all
		}}
	}
}

// hangingUp ends the connection in place of a refusal.
func hangingUp() Filter {
	return Filter{Out: func(_ core.Input, effects []core.Effect) []core.Effect {
		for n, e := range effects {
			send, _ := e.(core.Send)
			if m, is := send.Msg.(relay.OK); is && !m.Accepted {
				effects[n] = core.CloseConn{Conn: send.Conn}
			}
		}
		return effects
	}}
}

// prose refuses by some rules without a prefix.
func prose(requirements ...string) func() Filter {
	return func() Filter {
		return Filter{Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			ruled := map[string]bool{}
			for n, e := range effects {
				switch e := e.(type) {
				case core.Note:
					ruled[e.Event] = e.Fact == core.EventRefused && slices.Contains(requirements, e.Requirement)
				case core.Send:
					if m, is := e.Msg.(relay.OK); is && ruled[m.ID] {
						_, m.Text, _ = strings.Cut(m.Text, ": ")
						e.Msg = m
						effects[n] = e
					}
				}
			}
			return effects
		}}
	}
}

// struck hears nothing any more, at all or on that connection, once a short message of a reconciliation was no proper one.
func struck(everywhere bool) Filter {
	const short = 50
	dead, deaf := false, map[core.ConnID]bool{}
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			m, _ := i.(core.Message)
			return i, !dead && !deaf[m.Conn]
		},
		Out: func(i core.Input, effects []core.Effect) []core.Effect {
			m, _ := i.(core.Message)
			open, is := m.Msg.(relay.NegOpen)
			if !is || len(open.Message) > short || len(open.Message) == 0 || open.Message[0] != 0x61 {
				return effects
			}
			for _, e := range effects {
				send, _ := e.(core.Send)
				if _, odd := send.Msg.(relay.NegError); odd {
					dead, deaf[m.Conn] = everywhere, true
					return nil
				}
			}
			return effects
		},
	}
}
