package defect

import (
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// What some mistakes have room for.
const (
	column  = 255 // bytes of a tag value
	few     = 10  // values of a list
	hundred = 100 // events of an answer
)

// refers are the tags that refer to something.
var refers = map[string]bool{"a": true, "A": true, "e": true, "E": true, "q": true}

// valuesDefects are mistakes of how values are compared, and of how many.
func valuesDefects() []Defect {
	return []Defect{
		{Name: "long-tag-values-not-found", Filter: queried(eachTagFilter(func(f relay.TagFilter) relay.TagFilter {
			f.Values = slices.DeleteFunc(slices.Clone(f.Values), func(v string) bool { return len(v) > column })
			return f
		}))},
		{Name: "tag-values-in-any-case", Filter: foundToo(lowered, eachTagFilter(func(f relay.TagFilter) relay.TagFilter {
			f.Values = slices.Clone(f.Values)
			for i, v := range f.Values {
				f.Values[i] = strings.ToLower(v)
			}
			return f
		}))},
		{Name: "later-values-of-tags-found", Filter: foundToo(widened, func(f relay.Filter) relay.Filter { return f })},
		{Name: "ten-ids-at-most", Filter: queried(func(f relay.Filter) relay.Filter { f.IDs = atMost(f.IDs); return f })},
		{Name: "last-id-of-several-counts", Filter: queried(func(f relay.Filter) relay.Filter {
			f.IDs = f.IDs[max(len(f.IDs)-1, 0):]
			return f
		})},
		{Name: "ten-authors-at-most", Filter: queried(func(f relay.Filter) relay.Filter { f.Authors = atMost(f.Authors); return f })},
		{Name: "ten-kinds-at-most", Filter: queried(func(f relay.Filter) relay.Filter { f.Kinds = atMost(f.Kinds); return f })},
		{Name: "ten-tag-values-at-most", Filter: queried(eachTagFilter(func(f relay.TagFilter) relay.TagFilter { f.Values = atMost(f.Values); return f }))},
		{Name: "ten-filters-at-most", Filter: in(func(m core.Message) core.Message {
			if r, asks := m.Msg.(relay.Req); asks {
				r.Filters = atMost(r.Filters)
				m.Msg = r
			}
			return m
		})},
		{Name: "until-zero-unread", Filter: queried(func(f relay.Filter) relay.Filter {
			if f.Until != nil && *f.Until == 0 {
				f.Until = nil
			}
			return f
		})},
		{Name: "large-limits-bring-nothing", Filter: queried(func(f relay.Filter) relay.Filter {
			const large = 1000
			if f.Limit != nil && *f.Limit > large {
				f.Limit = new(int)
			}
			return f
		})},
		{Name: "first-limit-for-all-filters", Filter: in(func(m core.Message) core.Message {
			r, asks := m.Msg.(relay.Req)
			if !asks || len(r.Filters) == 0 {
				return m
			}
			r.Filters = slices.Clone(r.Filters)
			for i := range r.Filters {
				r.Filters[i].Limit = r.Filters[0].Limit
			}
			m.Msg = r
			return m
		})},
		{Name: "counts-end-at-a-hundred", Filter: out(func(_ core.Input, e core.Effect) (core.Effect, bool) {
			send, _ := e.(core.Send)
			if m, is := send.Msg.(relay.Counted); is {
				m.Count = min(m.Count, hundred)
				send.Msg = m
				return send, true
			}
			return e, true
		})},
		{Name: "reconciliations-of-a-hundred", Filter: reconciledNewest},
		{Name: "references-with-hints-unread", Filter: hintsUnread(func(string) bool { return true })},
		{Name: "replies-with-hints-unread", Filter: hintsUnread(nostr.IsValid32ByteHex)},
		{Name: "deletions-with-hints-unread", Filter: requests(func(ev *nostr.Event, _ *shelf) {
			ev.Tags = slices.DeleteFunc(ev.Tags, func(t nostr.Tag) bool { return len(t) > 2 })
		})},
		{Name: "protected-by-the-first-tag-only", Filter: edited(func(ev *nostr.Event, _ *shelf) bool {
			if len(ev.Tags) == 0 || ev.Tags[0][0] == "-" {
				return false
			}
			ev.Tags = slices.DeleteFunc(ev.Tags, func(t nostr.Tag) bool { return t[0] == "-" })
			return true
		})},
		{Name: "ties-of-replaceable-by-arrival", Filter: firstReplaceable},
		{Name: "articles-by-arrival", Filter: byArrival(nostr.KindArticle)},
		{Name: "vanished-keys-blocked", Filter: worded(vanishedRefused, "blocked: this key has asked to vanish")},
	}
}

// hintsUnread drops references that have more than what they refer to, where that is of some sort.
func hintsUnread(of func(value string) bool) func() Filter {
	return edited(func(ev *nostr.Event, _ *shelf) bool {
		if ev.Kind == policy.KindDeletion || isPull(ev) {
			return false
		}
		ev.Tags = slices.DeleteFunc(ev.Tags, func(t nostr.Tag) bool { return len(t) > 2 && refers[t[0]] && of(t[1]) })
		return true
	})
}

// atMost leaves the first few of a list.
func atMost[S ~[]E, E any](list S) S { return list[:min(few, len(list))] }

// queried changes the filters of queries and of counts.
func queried(change func(relay.Filter) relay.Filter) func() Filter {
	each := func(filters []relay.Filter) []relay.Filter {
		var changed []relay.Filter
		for _, f := range filters {
			changed = append(changed, change(f))
		}
		return changed
	}
	return in(func(m core.Message) core.Message {
		switch q := m.Msg.(type) {
		case relay.Req:
			q.Filters = each(q.Filters)
			m.Msg = q
		case relay.Count:
			q.Filters = each(q.Filters)
			m.Msg = q
		}
		return m
	})
}

// eachTagFilter changes the tags of a filter one by one.
func eachTagFilter(change func(relay.TagFilter) relay.TagFilter) func(relay.Filter) relay.Filter {
	return func(f relay.Filter) relay.Filter {
		f.Tags = slices.Clone(f.Tags)
		for i := range f.Tags {
			f.Tags[i] = change(f.Tags[i])
		}
		return f
	}
}

// foundToo also brings what a query would hold if events and filters were others.
func foundToo(other func(*nostr.Event) *nostr.Event, change func(relay.Filter) relay.Filter) func() Filter {
	return func() Filter {
		s := &shelf{map[string]filed{}}
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			s.note(effects)
			m, _ := i.(core.Message)
			q, asks := m.Msg.(relay.Req)
			if !asks {
				return effects
			}
			var changed []relay.Filter
			for _, f := range q.Filters {
				changed = append(changed, change(f))
			}
			var more []core.Effect
			for _, e := range s.all() {
				if !e.held && !wants(q.Filters, e.event) && wants(changed, other(e.event)) {
					more = append(more, core.Send{Conn: m.Conn, Msg: relay.EventFor{Sub: q.Sub, Event: e.event}})
				}
			}
			return append(more, effects...)
		}}
	}
}

// lowered is an event with its tag values in lower case.
func lowered(ev *nostr.Event) *nostr.Event {
	other := *ev
	other.Tags = nil
	for _, t := range ev.Tags {
		t = slices.Clone(t)
		for i := 1; i < len(t); i++ {
			t[i] = strings.ToLower(t[i])
		}
		other.Tags = append(other.Tags, t)
	}
	return &other
}

// widened is an event with a tag for each value that it has.
func widened(ev *nostr.Event) *nostr.Event {
	other := *ev
	other.Tags = slices.Clone(ev.Tags)
	for _, t := range ev.Tags {
		for i := 2; i < len(t); i++ {
			other.Tags = append(other.Tags, nostr.Tag{t[0], t[i]})
		}
	}
	return &other
}

// reconciledNewest reconciles the newest hundred of a set.
func reconciledNewest() Filter {
	s := &shelf{map[string]filed{}}
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			m, _ := i.(core.Message)
			q, opens := m.Msg.(relay.NegOpen)
			if !opens {
				return i, true
			}
			var all []*nostr.Event
			for _, e := range s.all() {
				if !e.held && wants([]relay.Filter{q.Filter}, e.event) {
					all = append(all, e.event)
				}
			}
			if len(all) <= hundred {
				return i, true
			}
			slices.SortFunc(all, repo.CompareEvents)
			since := int64(all[hundred-1].CreatedAt)
			q.Filter.Since = &since
			m.Msg = q
			return m, true
		},
		Out: func(_ core.Input, effects []core.Effect) []core.Effect { s.note(effects); return effects },
	}
}

// firstReplaceable refuses a version of a replaceable event that is of the second of the one before.
func firstReplaceable() Filter {
	s := &shelf{map[string]filed{}}
	return rejecting(func(ev *nostr.Event) bool {
		if !nostr.IsReplaceableKind(ev.Kind) && ev.Kind != nostr.KindArticle {
			return false
		}
		for _, e := range s.all() {
			if slotOf(e.event) == slotOf(ev) && e.event.CreatedAt == ev.CreatedAt && e.event.ID > ev.ID {
				return true
			}
		}
		return false
	}, func(_ core.Input, effects []core.Effect) { s.note(effects) })
}

// worded says another text where a filter refuses.
func worded(filter func() Filter, text string) func() Filter {
	return func() Filter {
		inner := filter()
		words := ok(func(_ core.Input, m relay.OK) relay.OK {
			if m.Text == "invalid: not taken here" {
				m.Text = text
			}
			return m
		})()
		return Filter{In: inner.In, Out: func(i core.Input, effects []core.Effect) []core.Effect {
			return words.Out(i, inner.Out(i, effects))
		}}
	}
}
