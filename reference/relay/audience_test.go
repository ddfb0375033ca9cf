package relay_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/nbd-wtf/go-nostr"
	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/relay"
)

// TestAudienceAsksAsEachSessionWould holds the lists of an audience against sessions that stand alone and are asked one
// after the other: who is told, and in which order.
func TestAudienceAsksAsEachSessionWould(t *testing.T) {
	genSub := rapid.SampledFrom([]string{"a", "b", "c"})
	rapid.Check(t, func(t *rapid.T) {
		type client struct {
			conn          uint64
			joined, alone *relay.Session
		}
		a := relay.NewAudience()
		var clients []client
		for step := range rapid.IntRange(1, 40).Draw(t, "steps") {
			do := rapid.IntRange(0, 9).Draw(t, "do")
			if len(clients) == 0 || do == 0 {
				conn := uint64(100 - step) // the order is not that of the names
				clients = append(clients, client{conn, a.Join(conn, ""), &relay.Session{}})
				continue
			}
			at := rapid.IntRange(0, len(clients)-1).Draw(t, "client")
			c, sub := clients[at], genSub.Draw(t, "sub")
			switch do {
			case 1:
				a.Leave(c.joined)
				clients = slices.Delete(clients, at, at+1)
			case 2:
				c.joined.Close(sub)
				c.alone.Close(sub)
			case 3, 4, 5, 6:
				filters := relay.Compile(rapid.SliceOfN(genFilter, 1, 3).Draw(t, "filters")...)
				c.joined.Open(sub, filters)
				c.alone.Open(sub, filters)
			default:
				ev := genEvent.Draw(t, "event")
				var want []relay.Wanted
				for _, c := range clients {
					for _, sub := range c.alone.Matching(ev) {
						want = append(want, relay.Wanted{Conn: c.conn, Sub: sub})
					}
				}
				if diff := cmp.Diff(want, a.Wanting(ev), cmpopts.EquateEmpty()); diff != "" {
					t.Fatal(diff)
				}
			}
		}
	})
}

// BenchmarkWanting asks who wants one event: among connections of 10 ordinary subscriptions each, one of which wants it,
// among wide ones of one connection, of 1,000 values each, and among those with as many small filters as it may have;
// none of these does, though the event has 2,400 tags and some of the values. "Each" asks every session, as it would be without an audience.
func BenchmarkWanting(b *testing.B) {
	note := &nostr.Event{ID: "id", PubKey: "author0", Kind: 1, Tags: nostr.Tags{{"e", "x"}, {"p", "y"}}}
	for _, conns := range []int{1, 16, 256, 4096} {
		a := relay.NewAudience()
		sessions := make([]*relay.Session, conns)
		for i := range sessions {
			sessions[i] = a.Join(uint64(i), "")
			for k := range 10 {
				sessions[i].Open(fmt.Sprint(k), relay.Compile(relay.Filter{
					Kinds: []int{1, 7, 30617, 30618}, Authors: []string{fmt.Sprint("author", i*10+k), fmt.Sprint("friend", k)},
				}))
			}
		}
		ask(b, fmt.Sprintf("ordinary-%d", conns*10), a, sessions, note)
	}
	large := &nostr.Event{Kind: 1}
	for _, value := range append(values("value", 100), values("listed", 2300)...) {
		large.Tags = append(large.Tags, nostr.Tag{"a", value})
	}
	for _, subs := range []int{1, 10, 100} {
		a := relay.NewAudience()
		s := a.Join(1, "")
		for i := range subs {
			s.Open(fmt.Sprint(i), relay.Compile(relay.Filter{Tags: []relay.TagFilter{
				{Letter: 'a', Values: values("value", 1000)}, {Letter: 'b', Values: values("value", 1000)},
			}}))
		}
		ask(b, fmt.Sprintf("wide-%d", subs), a, []*relay.Session{s}, large)
	}
	a := relay.NewAudience()
	s := a.Join(1, "")
	for i := range relay.SubscriptionsMax {
		small := relay.Filter{Tags: []relay.TagFilter{{Letter: 'a', Values: values("value", 1)}, {Letter: 'b', Values: values("value", 1)}}}
		s.Open(fmt.Sprint(i), relay.Compile(slices.Repeat([]relay.Filter{small}, relay.FiltersMax)...))
	}
	ask(b, "small-filters-2000", a, []*relay.Session{s}, large)
}

func ask(b *testing.B, name string, a *relay.Audience, sessions []*relay.Session, ev *nostr.Event) {
	b.Helper()
	b.Run(name+"/each", func(b *testing.B) {
		for b.Loop() {
			for _, s := range sessions {
				s.Matching(ev)
			}
		}
	})
	b.Run(name+"/audience", func(b *testing.B) {
		for b.Loop() {
			a.Wanting(ev)
		}
	})
}
