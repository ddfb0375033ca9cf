package eventstore_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"
	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/eventstore"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// Few values each, so that events collide in every index.
var (
	genKey  = rapid.SampledFrom([]string{"a", "b", "c"})
	genKind = rapid.SampledFrom([]int{0, 1, 7, 10317, 20001, 30617, 30618})
	genTime = rapid.Int64Range(0, 6)
	genID   = rapid.Custom(func(t *rapid.T) string { return fmt.Sprintf("%02d", rapid.IntRange(0, 60).Draw(t, "id")) })
	genTag  = rapid.Custom(func(t *rapid.T) nostr.Tag {
		if rapid.IntRange(0, 4).Draw(t, "expires") == 0 {
			return nostr.Tag{"expiration", rapid.SampledFrom([]string{"0", "3", "4", "7", "-1", "x", "99999999999"}).Draw(t, "at")}
		}
		return nostr.Tag{genName.Draw(t, "name"), genKey.Draw(t, "value")}
	})
	genName  = rapid.SampledFrom([]string{"d", "e", "E", "word"})
	genEvent = rapid.Custom(func(t *rapid.T) *nostr.Event {
		return &nostr.Event{
			ID: genID.Draw(t, "id"), PubKey: genKey.Draw(t, "author"), Kind: genKind.Draw(t, "kind"),
			CreatedAt: nostr.Timestamp(genTime.Draw(t, "time")), Tags: rapid.SliceOfN(genTag, 0, 4).Draw(t, "tags"),
		}
	})
	genFilter = rapid.Custom(func(t *rapid.T) relay.Filter {
		f := relay.Filter{
			IDs: maybe(t, genID), Authors: maybe(t, genKey), Kinds: maybe(t, genKind),
			Since: rapid.Ptr(genTime, true).Draw(t, "since"), Until: rapid.Ptr(genTime, true).Draw(t, "until"),
			Limit: rapid.Ptr(rapid.IntRange(0, 10), true).Draw(t, "limit"),
		}
		for _, letter := range []byte("Ede") {
			if rapid.IntRange(0, 3).Draw(t, "asked") == 0 {
				f.Tags = append(f.Tags, relay.TagFilter{Letter: letter, Values: rapid.SliceOfN(genKey, 0, 3).Draw(t, "values")})
			}
		}
		return f
	})
)

// maybe returns nil, or a list that may be empty.
func maybe[T any](t *rapid.T, gen *rapid.Generator[T]) []T {
	if rapid.IntRange(0, 2).Draw(t, "absent") != 0 {
		return nil
	}
	return append([]T{}, rapid.SliceOfN(gen, 0, 3).Draw(t, "list")...)
}

// TestQueryIsAFilterOverASortedList holds the indexes against a plain list of what was saved and not removed.
func TestQueryIsAFilterOverASortedList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const bound = 40
		s := eventstore.New(bound)
		var model []*nostr.Event
		remove := func(id string) bool {
			at := slices.IndexFunc(model, func(x *nostr.Event) bool { return x.ID == id })
			if at >= 0 {
				model = slices.Delete(model, at, at+1)
			}
			return at >= 0
		}
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			if rapid.IntRange(0, 4).Draw(t, "remove") == 0 {
				id := genID.Draw(t, "id")
				if got, want := s.Remove(id), remove(id); got != want {
					t.Fatalf("remove %s: got %v, want %v", id, got, want)
				}
				continue
			}
			ev := genEvent.Draw(t, "event")
			outcome, replaced := s.Save(ev, eventstore.Room{})
			for _, old := range replaced {
				if !repo.Newer(ev, old) || !remove(old.ID) {
					t.Fatalf("%v replaced %v", ev, old)
				}
			}
			if outcome == eventstore.Stored && !eventstore.IsEphemeral(ev.Kind) {
				model = append(model, ev)
			}
		}
		slices.SortFunc(model, repo.CompareEvents)
		if diff := cmp.Diff(model, s.Sorted(), equateEmpty); diff != "" || s.Len() > bound {
			t.Fatal(diff)
		}
		holdsExpiries(t, s, model)
		filters := rapid.SliceOfN(genFilter, 0, 3).Draw(t, "filters")
		holdsSelections(t, s, model, filters)
		if diff := cmp.Diff(expect(model, filters), query(s, filters...), equateEmpty); diff != "" {
			t.Fatal(diff)
		}
	})
}

// holdsSelections compares what is counted and selected with the plain list.
func holdsSelections(t *rapid.T, s *eventstore.Store, model []*nostr.Event, filters []relay.Filter) {
	matching := func(filters ...relay.Filter) []*nostr.Event {
		return slices.DeleteFunc(slices.Clone(model), func(ev *nostr.Event) bool {
			return !slices.ContainsFunc(filters, func(f relay.Filter) bool { return f.Compile().Matches(ev) })
		})
	}
	if got, want := count(s, filters...), len(matching(filters...)); got != want {
		t.Fatalf("count: got %d, want %d", got, want)
	}
	most := rapid.IntRange(0, 50).Draw(t, "most")
	for _, f := range filters {
		want := matching(f)
		if diff := cmp.Diff(want[:min(most, len(want))], selected(s, f, most), equateEmpty); diff != "" {
			t.Fatal(diff)
		}
	}
}

// holdsExpiries drops what expires, second by second, from a copy of the store.
func holdsExpiries(t *rapid.T, s *eventstore.Store, model []*nostr.Event) {
	left := eventstore.New(100)
	for _, ev := range s.Sorted() {
		left.Save(ev, eventstore.Room{})
	}
	for second := range int64(8) {
		for ev := left.Expired(second); ev != nil; ev = left.Expired(second) {
			left.Remove(ev.ID)
		}
		next, some := left.NextExpiry()
		for _, ev := range model {
			at, expires := eventstore.Expiration(ev)
			if want := !expires || at > second; (left.Get(ev.ID) != nil) != want {
				t.Fatalf("second %d: event that expires at %d, %v: got it %v", second, at, expires, !want)
			}
			if expires && at > second && (!some || next > at) {
				t.Fatalf("second %d: next expiry: got %d, %v, want at most %d", second, next, some, at)
			}
		}
	}
}

// TestSaveOrderDoesNotMatter saves the versions of addresses in two orders: the same ones are kept (G01-LAT-01).
func TestSaveOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := rapid.SliceOfNDistinct(genEvent, 0, 30, func(ev *nostr.Event) string { return ev.ID }).Draw(t, "events")
		one, other := eventstore.New(100), eventstore.New(100)
		for _, ev := range events {
			one.Save(ev, eventstore.Room{})
		}
		for _, ev := range rapid.Permutation(events).Draw(t, "order") {
			other.Save(ev, eventstore.Room{})
		}
		if diff := cmp.Diff(one.Sorted(), other.Sorted()); diff != "" {
			t.Fatal(diff)
		}
	})
}

var equateEmpty = cmp.Transformer("len", func(events []*nostr.Event) []nostr.Event {
	out := []nostr.Event{}
	for _, ev := range events {
		out = append(out, *ev)
	}
	return out
})

func expect(model []*nostr.Event, filters []relay.Filter) []*nostr.Event {
	wanted := map[string]bool{}
	for _, f := range filters {
		left := eventstore.QueryMax
		if f.Limit != nil {
			left = *f.Limit
		}
		for _, ev := range model {
			if left > 0 && f.Compile().Matches(ev) {
				wanted[ev.ID] = true
				left--
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(model), func(ev *nostr.Event) bool { return !wanted[ev.ID] })
}
