package defect

import (
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/web"
)

// privateDefects are mistakes of a relay that is for members alone.
func privateDefects() []Defect {
	return []Defect{
		{Name: "members-overheard", Private: true, Filter: overheard},
		{Name: "challenge-on-refusal", Private: true, Filter: challengedLate},
		{Name: "strangers-events-taken", Private: true, Filter: unbarred(func(m core.Message, msg relay.ServerMessage) relay.ServerMessage {
			if answer, is := msg.(relay.OK); is {
				if _, event := m.Msg.(relay.Event); event && !answer.Accepted {
					return relay.OK{ID: answer.ID, Accepted: true}
				}
			}
			return msg
		})},
		{Name: "strangers-queries-answered", Private: true, Filter: unbarred(func(m core.Message, msg relay.ServerMessage) relay.ServerMessage {
			if q, is := m.Msg.(relay.Req); is {
				return relay.EOSE{Sub: q.Sub}
			}
			return msg
		})},
		{Name: "strangers-counts-answered", Private: true, Filter: unbarred(func(m core.Message, msg relay.ServerMessage) relay.ServerMessage {
			if q, is := m.Msg.(relay.Count); is {
				return relay.Counted{Sub: q.Sub, Count: 1}
			}
			return msg
		})},
		{Name: "strangers-sets-answered", Private: true, Filter: unbarred(func(m core.Message, msg relay.ServerMessage) relay.ServerMessage {
			if q, is := m.Msg.(relay.NegOpen); is {
				return relay.NegAnswer{Sub: q.Sub, Message: []byte{0x61}}
			}
			return msg
		})},
		{Name: "strangers-let-in", Private: true, Filter: unbarred(func(m core.Message, msg relay.ServerMessage) relay.ServerMessage {
			if answer, is := msg.(relay.OK); is && isAuth(m) && strings.HasPrefix(answer.Text, "restricted:") {
				return relay.OK{ID: answer.ID, Accepted: true}
			}
			return msg
		})},
		{Name: "stale-authentications-open", Private: true, Core: func(m core.Machine) core.Machine { return &undated{m} }},
		{Name: "removed-members-stay", Private: true, Filter: func() Filter {
			var ever policy.Members
			return Filter{In: func(i core.Input) (core.Input, bool) {
				read, is := i.(core.MembersRead)
				if !is {
					return i, true
				}
				ever = append(ever, read.Members...)
				slices.Sort(ever)
				ever = slices.Compact(ever)
				return core.MembersRead{Members: slices.Clone(ever)}, true
			}}
		}},
		{Name: "removed-members-untold", Private: true, Filter: out(func(i core.Input, e core.Effect) (core.Effect, bool) {
			_, read := i.(core.MembersRead)
			send, _ := e.(core.Send)
			_, closed := send.Msg.(relay.Closed)
			return e, !read || !closed
		})},
		{Name: "tokens-served", Private: true, Filter: leak(func(i core.Input, _ []core.Effect) *nostr.Event {
			if _, ev := published(i); ev != nil && (ev.Kind == policy.KindHTTPAuthentication || ev.Kind == policy.KindAuthentication) {
				return ev
			}
			return nil
		})},
		{Name: "members-push-anything", Private: true, Filter: admits("G01-PUSH-03")},
		{Name: "private-without-nip42", Private: true, Web: func(c *web.Config) {
			c.NIPs = slices.DeleteFunc(slices.Clone(c.NIPs), func(n int) bool { return n == 42 })
		}},
		{Name: "preflights-need-tokens", Private: true, Answer: func(q web.Request, r web.Route) web.Route {
			if q.Method == "OPTIONS" {
				r.Kind, r.Response.Status = web.KindRespond, 401
			}
			return r
		}},
	}
}

func isAuth(m core.Message) bool {
	_, is := m.Msg.(relay.Auth)
	return is
}

// unbarred changes the answers that turn a message of a client away.
func unbarred(change func(core.Message, relay.ServerMessage) relay.ServerMessage) func() Filter {
	return out(func(i core.Input, e core.Effect) (core.Effect, bool) {
		m, asked := i.(core.Message)
		send, is := e.(core.Send)
		if !asked || !is || !turnsAway(send.Msg) {
			return e, true
		}
		send.Msg = change(m, send.Msg)
		return send, true
	})
}

// turnsAway reports whether a message is the refusal of who is no member.
func turnsAway(msg relay.ServerMessage) bool {
	text := ""
	switch m := msg.(type) {
	case relay.OK:
		text = m.Text
	case relay.Closed:
		text = m.Text
	case relay.NegError:
		text = m.Text
	}
	return strings.HasPrefix(text, "auth-required:") || strings.HasPrefix(text, "restricted:")
}

// overheard sends what a member hears to every connection that has asked for anything.
func overheard() Filter {
	asked := map[core.ConnID]string{}
	var order []core.ConnID
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		m, _ := i.(core.Message)
		if q, is := m.Msg.(relay.Req); is && asked[m.Conn] == "" && slices.ContainsFunc(effects, func(e core.Effect) bool {
			send, _ := e.(core.Send)
			return turnsAway(send.Msg)
		}) {
			asked[m.Conn], order = q.Sub, append(order, m.Conn)
		}
		all := effects
		for _, e := range effects {
			send, _ := e.(core.Send)
			if heard, is := send.Msg.(relay.EventFor); is {
				for _, conn := range order {
					all = append(all[:len(all):len(all)], core.Send{Conn: conn, Msg: relay.EventFor{Sub: asked[conn], Event: heard.Event}})
				}
			}
		}
		return all
	}}
}

// challengedLate tells the challenge of a connection once something was refused there, and not before.
func challengedLate() Filter {
	kept := map[core.ConnID]core.Send{}
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		var all []core.Effect
		for _, e := range effects {
			send, _ := e.(core.Send)
			if _, opens := i.(core.ConnOpened); opens {
				if _, is := send.Msg.(relay.Challenge); is {
					kept[send.Conn] = send
					continue
				}
			}
			if late, waits := kept[send.Conn]; waits && turnsAway(send.Msg) {
				all = append(all, late)
				delete(kept, send.Conn)
			}
			all = append(all, e)
		}
		return all
	}}
}

// undated takes authentications of any time for ones of now.
type undated struct{ core.Machine }

// Step dates what would authenticate.
func (u *undated) Step(now instant.Instant, in core.Input, out *core.Effects) {
	if m, is := in.(core.Message); is {
		if auth, also := m.Msg.(relay.Auth); also {
			dated := *auth.Event
			dated.CreatedAt = nostr.Timestamp(now.Unix())
			auth.Event = &dated
			m.Msg = auth
			in = m
		}
	}
	u.Machine.Step(now, in, out)
}
