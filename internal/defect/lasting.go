package defect

import (
	"slices"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
)

// lastingDefects are mistakes by which subscriptions get no more new events, and nobody says so.
func lastingDefects() []Defect {
	return []Defect{
		{Name: "subscription-ids-shared-by-all", Filter: idsShared},
		{Name: "closes-end-subscriptions-of-others", Filter: endsOfOthers(false)},
		{Name: "leaving-ends-subscriptions-of-others", Filter: endsOfOthers(true)},
		{Name: "closed-ids-stay-dead", Filter: hushed(func(i core.Input, _ []core.Effect) (core.ConnID, string, bool) {
			m, _ := i.(core.Message)
			q, closes := m.Msg.(relay.Close)
			return m.Conn, q.Sub, closes
		})},
		{Name: "nonsense-ends-subscriptions", Filter: hushed(func(i core.Input, _ []core.Effect) (core.ConnID, string, bool) {
			m, _ := i.(core.Message)
			_, is := m.Msg.(relay.Malformed)
			return m.Conn, "", is
		})},
		{Name: "refusals-end-subscriptions", Filter: hushed(func(_ core.Input, effects []core.Effect) (core.ConnID, string, bool) {
			for _, e := range effects {
				send, _ := e.(core.Send)
				if m, is := send.Msg.(relay.OK); is && !m.Accepted {
					return send.Conn, "", true
				}
			}
			return 0, "", false
		})},
		{Name: "closes-of-nothing-hang-up", Filter: closesOfNothing},
		{Name: "subscriptions-of-twenty-events", Filter: subscriptionsOf(20)},
		{Name: "subscriptions-of-a-hundred-events", Filter: subscriptionsOf(100)},
		{Name: "subscriptions-of-two-minutes", Core: subscriptionsLast(2 * time.Minute)},
		{Name: "subscriptions-of-ten-minutes", Core: subscriptionsLast(10 * time.Minute)},
	}
}

// An openedAt is where a subscription is open.
type openedAt struct {
	conn core.ConnID
	sub  string
}

// asks returns the query that an input is.
func asks(i core.Input) (at openedAt, is bool) {
	m, _ := i.(core.Message)
	q, is := m.Msg.(relay.Req)
	return openedAt{m.Conn, q.Sub}, is
}

// muted leaves out new events for some subscriptions. What is stored is sent all the same.
func muted(i core.Input, effects []core.Effect, dead func(openedAt) bool) []core.Effect {
	if _, is := asks(i); is {
		return effects
	}
	return slices.DeleteFunc(slices.Clone(effects), func(e core.Effect) bool {
		send, _ := e.(core.Send)
		m, is := send.Msg.(relay.EventFor)
		return is && dead(openedAt{send.Conn, m.Sub})
	})
}

// idsShared keeps one subscription of each id, whoever has opened it: the last one.
func idsShared() Filter {
	last := map[string]core.ConnID{}
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		if at, is := asks(i); is {
			last[at.sub] = at.conn
		}
		return muted(i, effects, func(at openedAt) bool { return last[at.sub] != at.conn })
	}}
}

// endsOfOthers ends the subscriptions of an id on every connection when one of them is closed, or when its client leaves.
func endsOfOthers(leaving bool) func() Filter {
	return func() Filter {
		var open []opened
		dead := map[openedAt]bool{}
		end := func(conn core.ConnID, sub string) {
			for _, o := range open {
				if o.sub == sub && o.conn != conn {
					dead[openedAt{o.conn, o.sub}] = true
				}
			}
		}
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			if at, is := asks(i); is {
				delete(dead, at)
			}
			if gone, is := i.(core.ConnClosed); is && leaving {
				for _, o := range open {
					if o.conn == gone.Conn {
						end(gone.Conn, o.sub)
					}
				}
			}
			m, _ := i.(core.Message)
			if q, is := m.Msg.(relay.Close); is && !leaving {
				end(m.Conn, q.Sub)
			}
			open = follow(open, i)
			return muted(i, effects, func(at openedAt) bool { return dead[at] })
		}}
	}
}

// hushed sends no new events any more for an id of a connection, or for all of them, once something has happened.
func hushed(happens func(i core.Input, effects []core.Effect) (conn core.ConnID, sub string, is bool)) func() Filter {
	return func() Filter {
		dead := map[openedAt]bool{}
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			if conn, sub, is := happens(i, effects); is {
				dead[openedAt{conn, sub}] = true
			}
			return muted(i, effects, func(at openedAt) bool { return dead[at] || dead[openedAt{at.conn, ""}] })
		}}
	}
}

// closesOfNothing ends the connection of who closes a subscription that is not open.
func closesOfNothing() Filter {
	var open []opened
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		m, _ := i.(core.Message)
		q, closes := m.Msg.(relay.Close)
		if closes && !slices.ContainsFunc(open, func(o opened) bool { return o.conn == m.Conn && o.sub == q.Sub }) {
			effects = append(effects, core.CloseConn{Conn: m.Conn})
		}
		open = follow(open, i)
		return effects
	}}
}

// subscriptionsOf sends so many new events to a subscription, and no more.
func subscriptionsOf(most int) func() Filter {
	return func() Filter {
		sent := map[openedAt]int{}
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			if at, is := asks(i); is {
				delete(sent, at)
			}
			return muted(i, effects, func(at openedAt) bool { sent[at]++; return sent[at] > most })
		}}
	}
}

// An aging core has subscriptions that live so long.
type aging struct {
	core.Machine
	life   time.Duration
	opened map[openedAt]instant.Instant
}

func subscriptionsLast(life time.Duration) func(core.Machine) core.Machine {
	return func(m core.Machine) core.Machine { return &aging{m, life, map[openedAt]instant.Instant{}} }
}

// Step implements core.Machine.
func (a *aging) Step(now instant.Instant, i core.Input, out *core.Effects) {
	from := len(out.List)
	a.Machine.Step(now, i, out)
	if at, is := asks(i); is {
		a.opened[at] = now
	}
	kept := muted(i, out.List[from:], func(at openedAt) bool { return now >= a.opened[at].Add(a.life) })
	out.List = append(out.List[:from], kept...)
}
