package defect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// openings are how many subscriptions a connection may have opened in its life, with the mistake that counts those.
const openings = 20

// againDefects are mistakes of a relay that show when the same thing comes twice: to two filters, to two subscriptions, in two
// answers.
func againDefects() []Defect {
	return []Defect{
		{Name: "events-of-two-values-sent-twice", Filter: twiceValued},
		{Name: "new-events-to-one-subscription-of-a-connection", Filter: oneOfConnection},
		{Name: "new-events-to-one-connection", Filter: oneConnection},
		{Name: "new-events-not-to-their-publisher", Filter: notToPublisher},
		{Name: "tags-known-by-their-first-letter", Filter: foundToo(initials, func(f relay.Filter) relay.Filter { return f })},
		{Name: "tag-names-in-any-case", Filter: foundToo(cased, func(f relay.Filter) relay.Filter { return f })},
		{Name: "since-exclusive", Filter: queried(sinceExclusive)},
		{Name: "live-bounds-exclusive", Filter: liveEach(func(f relay.Filter) relay.Filter {
			if f = sinceExclusive(f); f.Until != nil {
				until := *f.Until - 1
				f.Until = &until
			}
			return f
		})},
		{Name: "limit-before-tags", Filter: limitBefore(func(f relay.Filter) relay.Filter { f.Tags = nil; return f })},
		{Name: "limit-before-kinds", Filter: limitBefore(func(f relay.Filter) relay.Filter { f.Kinds = nil; return f })},
		{Name: "older-versions-sent-live", Filter: olderLive},
		{Name: "counts-of-filters-added", Filter: countsAdded},
		{Name: "twenty-subscriptions-in-a-life", Filter: lifeOf},
		{Name: "one-reconciliation-a-connection", Filter: oneReconciliation},
		{Name: "reconciliations-of-what-was-there-first", Filter: firstSet},
		{Name: "counts-of-what-was-there-first", Filter: firstCount},
	}
}

func sinceExclusive(f relay.Filter) relay.Filter {
	if f.Since != nil {
		since := *f.Since + 1
		f.Since = &since
	}
	return f
}

// alone reports how many of some filters match an event, each by itself.
func alone(filters []relay.Filter, ev *nostr.Event) (n int) {
	for _, f := range filters {
		if f.Compile().Matches(ev) {
			n++
		}
	}
	return n
}

// twiceValued sends a stored event once for every value of a filter that its tags have.
func twiceValued() Filter {
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		m, _ := i.(core.Message)
		q, asks := m.Msg.(relay.Req)
		var all []core.Effect
		for _, e := range effects {
			all = append(all, e)
			ev := stored(e, q.Sub)
			if !asks || ev == nil {
				continue
			}
			for _, f := range q.Filters {
				for _, t := range f.Tags {
					n := 0
					for tag := range ev.Tags.FindAll(string(t.Letter)) {
						if slices.Contains(t.Values, tag[1]) {
							if n++; n > 1 {
								all = append(all, e)
							}
						}
					}
				}
			}
		}
		return all
	}}
}

// oneOfConnection sends a new event to the first subscription of a connection that wants it.
func oneOfConnection() Filter {
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		type told struct {
			conn core.ConnID
			id   string
		}
		first := map[told]string{}
		return muteEvents(i, effects, func(conn core.ConnID, m relay.EventFor) bool {
			at := told{conn: conn, id: m.Event.ID}
			if first[at] == "" {
				first[at] = m.Sub
			}
			return first[at] != m.Sub
		})
	}}
}

// oneConnection sends a new event on the first connection that wants it.
func oneConnection() Filter {
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		first := map[string]core.ConnID{}
		return muteEvents(i, effects, func(conn core.ConnID, m relay.EventFor) bool {
			if first[m.Event.ID] == 0 {
				first[m.Event.ID] = conn
			}
			return first[m.Event.ID] != conn
		})
	}}
}

// notToPublisher sends a new event to everybody but the connection that it came on.
func notToPublisher() Filter {
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		from, ev := published(i)
		return muteEvents(i, effects, func(conn core.ConnID, m relay.EventFor) bool {
			return ev != nil && conn == from && m.Event.ID == ev.ID
		})
	}}
}

// muteEvents leaves out some new events.
func muteEvents(i core.Input, effects []core.Effect, lost func(core.ConnID, relay.EventFor) bool) []core.Effect {
	if _, is := asks(i); is {
		return effects
	}
	return slices.DeleteFunc(slices.Clone(effects), func(e core.Effect) bool {
		send, _ := e.(core.Send)
		m, is := send.Msg.(relay.EventFor)
		return is && lost(send.Conn, m)
	})
}

// initials is an event with a tag of one letter for each tag of several that begins with it.
func initials(ev *nostr.Event) *nostr.Event {
	other := *ev
	other.Tags = slices.Clone(ev.Tags)
	for _, t := range ev.Tags {
		if len(t) > 1 && len(t[0]) > 1 {
			other.Tags = append(other.Tags, nostr.Tag{t[0][:1], t[1]})
		}
	}
	return &other
}

// cased is an event with each tag of one letter in both cases.
func cased(ev *nostr.Event) *nostr.Event {
	other := *ev
	other.Tags = slices.Clone(ev.Tags)
	for _, t := range ev.Tags {
		if len(t) > 1 && len(t[0]) == 1 {
			other.Tags = append(other.Tags, nostr.Tag{strings.ToLower(t[0]), t[1]}, nostr.Tag{strings.ToUpper(t[0]), t[1]})
		}
	}
	return &other
}

// limitBefore takes as many of the newest events as the limit says, and looks only then at a part of the filter.
func limitBefore(part func(relay.Filter) relay.Filter) func() Filter {
	return func() Filter {
		s := &shelf{map[string]filed{}}
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			s.note(effects)
			m, _ := i.(core.Message)
			q, asks := m.Msg.(relay.Req)
			if !asks || len(q.Filters) != 1 || q.Filters[0].Limit == nil {
				return effects
			}
			f := q.Filters[0]
			wide := part(f)
			var all []*nostr.Event
			for _, e := range s.all() {
				if !e.held && wants([]relay.Filter{wide}, e.event) {
					all = append(all, e.event)
				}
			}
			slices.SortFunc(all, repo.CompareEvents)
			all = all[:min(len(all), *f.Limit)]
			return slices.DeleteFunc(slices.Clone(effects), func(e core.Effect) bool {
				ev := stored(e, q.Sub)
				return ev != nil && !slices.ContainsFunc(all, func(o *nostr.Event) bool { return o.ID == ev.ID })
			})
		}}
	}
}

// olderLive sends a version that is older than what is served to the subscriptions that are open, and keeps it not.
func olderLive() Filter {
	var open listeners
	s := &shelf{map[string]filed{}}
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		open.hear(i)
		_, ev := published(i)
		if ev != nil && (nostr.IsAddressableKind(ev.Kind) || nostr.IsReplaceableKind(ev.Kind)) {
			for _, e := range s.all() {
				if !e.held && e.event.ID != ev.ID && slotOf(e.event) == slotOf(ev) && repo.Newer(e.event, ev) {
					effects = open.tell(ev, effects)
					break
				}
			}
		}
		s.note(effects)
		return effects
	}}
}

// countsAdded adds up what the filters of a count find, each by itself.
func countsAdded() Filter {
	s := &shelf{map[string]filed{}}
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		s.note(effects)
		m, _ := i.(core.Message)
		q, counts := m.Msg.(relay.Count)
		if !counts || len(q.Filters) < 2 {
			return effects
		}
		n := 0
		for _, e := range s.all() {
			if !e.held {
				n += alone(q.Filters, e.event)
			}
		}
		return recounted(effects, func(int) int { return n })
	}}
}

// recounted changes the answers to counts.
func recounted(effects []core.Effect, change func(int) int) []core.Effect {
	effects = slices.Clone(effects)
	for n, e := range effects {
		send, _ := e.(core.Send)
		if c, is := send.Msg.(relay.Counted); is {
			c.Count = change(c.Count)
			send.Msg = c
			effects[n] = send
		}
	}
	return effects
}

// lifeOf opens so many subscriptions on a connection, closed or not, and no more.
func lifeOf() Filter {
	begun := map[core.ConnID]int{}
	over := false
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			at, is := asks(i)
			if over = false; is {
				begun[at.conn]++
				over = begun[at.conn] > openings
			}
			return i, !over
		},
		Out: func(i core.Input, effects []core.Effect) []core.Effect {
			if at, is := asks(i); is && over {
				effects = append(effects, core.Send{Conn: at.conn, Msg: relay.Closed{Sub: at.sub, Text: "error: too many subscriptions"}})
			}
			return effects
		},
	}
}

// oneReconciliation ends the reconciliation of a connection when another one begins there.
func oneReconciliation() Filter {
	last := map[core.ConnID]string{}
	dead := false
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			m, _ := i.(core.Message)
			dead = false
			switch q := m.Msg.(type) {
			case relay.NegOpen:
				last[m.Conn] = q.Sub
			case relay.NegMessage:
				dead = last[m.Conn] != q.Sub
			}
			return i, !dead
		},
		Out: func(i core.Input, effects []core.Effect) []core.Effect {
			m, _ := i.(core.Message)
			if q, is := m.Msg.(relay.NegMessage); is && dead {
				effects = append(effects, core.Send{Conn: m.Conn, Msg: relay.NegError{Sub: q.Sub, Text: "closed: unknown subscription"}})
			}
			return effects
		},
	}
}

// firstSet reconciles what was there when a filter was first asked for.
func firstSet() Filter {
	s, sets := &shelf{map[string]filed{}}, map[string][]string{}
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			m, _ := i.(core.Message)
			q, opens := m.Msg.(relay.NegOpen)
			if !opens || q.Filter.IDs != nil {
				return i, true
			}
			key := filterKey(q.Filter)
			if _, known := sets[key]; !known {
				sets[key] = []string{}
				for id, e := range s.all() {
					if !e.held && wants([]relay.Filter{q.Filter}, e.event) {
						sets[key] = append(sets[key], id)
					}
				}
				return i, true
			}
			q.Filter.IDs = sets[key]
			m.Msg = q
			return m, true
		},
		Out: func(_ core.Input, effects []core.Effect) []core.Effect { s.note(effects); return effects },
	}
}

// firstCount answers a count as it was when it was first asked for.
func firstCount() Filter {
	first := map[string]int{}
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		m, _ := i.(core.Message)
		q, counts := m.Msg.(relay.Count)
		if !counts {
			return effects
		}
		key := filterKey(q.Filters...)
		return recounted(effects, func(n int) int {
			if _, known := first[key]; !known {
				first[key] = n
			}
			return first[key]
		})
	}}
}

// filterKey tells filters from others.
func filterKey(filters ...relay.Filter) string {
	number := func(n *int64) string {
		if n == nil {
			return "-"
		}
		return strconv.FormatInt(*n, 10)
	}
	var key strings.Builder
	for _, f := range filters {
		limit := f.Limit != nil
		fmt.Fprintln(&key, f.IDs, f.Authors, f.Kinds, f.Tags, number(f.Since), number(f.Until), limit)
	}
	return key.String()
}
