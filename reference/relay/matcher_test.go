package relay_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/nbd-wtf/go-nostr"
	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/relay"
)

// plainly is what it means that an event matches a filter: each condition by itself, as NIP-01 words it.
func plainly(f relay.Filter, ev *nostr.Event) bool {
	created := int64(ev.CreatedAt)
	if f.Since != nil && created < *f.Since || f.Until != nil && created > *f.Until {
		return false
	}
	if f.Kinds != nil && !slices.Contains(f.Kinds, ev.Kind) ||
		f.Authors != nil && !slices.Contains(f.Authors, ev.PubKey) ||
		f.IDs != nil && !slices.Contains(f.IDs, ev.ID) {
		return false
	}
	for _, wanted := range f.Tags {
		if !slices.ContainsFunc(ev.Tags, func(tag nostr.Tag) bool {
			return len(tag) > 1 && tag[0] == string(rune(wanted.Letter)) && slices.Contains(wanted.Values, tag[1])
		}) {
			return false
		}
	}
	return true
}

// Few values each, so that filters and events meet; lists short and long, so that sets of both sorts are made.
var (
	genText = rapid.Custom(func(t *rapid.T) string { return fmt.Sprint(rapid.IntRange(0, 30).Draw(t, "text")) })
	genKind = rapid.IntRange(0, 30)
	genTime = rapid.Int64Range(0, 6)
	genName = rapid.SampledFrom([]string{"d", "e", "E", "word", ""})
	genTag  = rapid.Custom(func(t *rapid.T) nostr.Tag {
		tag := nostr.Tag{genName.Draw(t, "name")}
		return append(tag, rapid.SliceOfN(genText, 0, 2).Draw(t, "values")...)
	})
	genEvent = rapid.Custom(func(t *rapid.T) *nostr.Event {
		return &nostr.Event{
			ID: genText.Draw(t, "id"), PubKey: genText.Draw(t, "author"), Kind: genKind.Draw(t, "kind"),
			CreatedAt: nostr.Timestamp(genTime.Draw(t, "time")), Tags: rapid.SliceOfN(genTag, 0, rapid.SampledFrom([]int{5, 40}).Draw(t, "most")).Draw(t, "tags"),
		}
	})
	genFilter = rapid.Custom(func(t *rapid.T) relay.Filter {
		f := relay.Filter{
			IDs: asked(t, genText), Authors: asked(t, genText), Kinds: asked(t, genKind),
			Since: rapid.Ptr(genTime, true).Draw(t, "since"), Until: rapid.Ptr(genTime, true).Draw(t, "until"),
		}
		for _, letter := range []byte("Ede") {
			if values := asked(t, genText); values != nil {
				f.Tags = append(f.Tags, relay.TagFilter{Letter: letter, Values: values})
			}
		}
		return f
	})
)

// asked returns nil mostly, an empty list seldom, and else a list that holds much of what there is.
func asked[T any](t *rapid.T, gen *rapid.Generator[T]) []T {
	switch n := rapid.IntRange(0, 7).Draw(t, "asked"); {
	case n < 5:
		return nil
	case n == 5:
		return append([]T{}, rapid.SliceOfN(gen, 0, 9).Draw(t, "few")...)
	default:
		return rapid.SliceOfN(gen, 10, 60).Draw(t, "many")
	}
}

func TestCompiledFilterIsThePlainOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := genFilter.Draw(t, "filter")
		m := f.Compile()
		for _, ev := range rapid.SliceOfN(genEvent, 1, 20).Draw(t, "events") {
			if got, want := m.Matches(ev), plainly(f, ev); got != want {
				t.Fatalf("%+v: got %v, want %v", ev, got, want)
			}
		}
	})
}

// BenchmarkMatches asks about one event: an ordinary filter about an ordinary event, and a filter of 1,000 values about
// an event of 2,400 tags, none of which is wanted. Plain is the definition, without sets.
func BenchmarkMatches(b *testing.B) {
	ordinary := relay.Filter{Kinds: []int{1, 30617, 30618}, Authors: values("author", 3), Tags: []relay.TagFilter{{Letter: 't', Values: values("topic", 2)}}}
	wide := relay.Filter{Tags: []relay.TagFilter{{Letter: 'a', Values: values("wanted", 1000)}}}
	large := &nostr.Event{Kind: 1}
	for _, value := range values("listed", 2400) {
		large.Tags = append(large.Tags, nostr.Tag{"a", value})
	}
	small := &nostr.Event{Kind: 1, PubKey: "author1", Tags: nostr.Tags{{"e", "x"}, {"p", "y"}, {"t", "topic1"}}}
	for _, c := range []struct {
		name   string
		filter relay.Filter
		event  *nostr.Event
	}{{"ordinary", ordinary, small}, {"wide", wide, large}} {
		b.Run(c.name+"/plain", func(b *testing.B) {
			for b.Loop() {
				plainly(c.filter, c.event)
			}
		})
		b.Run(c.name+"/compiled", func(b *testing.B) {
			m := c.filter.Compile()
			for b.Loop() {
				m.Matches(c.event)
			}
		})
		b.Run(c.name+"/compile", func(b *testing.B) {
			for b.Loop() {
				c.filter.Compile()
			}
		})
	}
}

func values(prefix string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprint(prefix, i)
	}
	return list
}
