package relay_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/relay"
)

func TestFilterMatches(t *testing.T) {
	ev := &nostr.Event{
		ID: "id", PubKey: "author", CreatedAt: 100, Kind: 7,
		Tags: nostr.Tags{{"e", "x", "y"}, {"E"}, {"title", "x"}, {"t", "b"}, {"t", "c"}},
	}
	at := func(n int64) *int64 { return &n }
	tag := func(letter byte, values ...string) []relay.TagFilter {
		return []relay.TagFilter{{Letter: letter, Values: values}}
	}
	zero := 0
	for _, c := range []struct {
		name   string
		filter relay.Filter
		want   bool
	}{
		{"nothing asked", relay.Filter{}, true},
		{"id", relay.Filter{IDs: []string{"no", "id"}}, true},
		{"id prefix", relay.Filter{IDs: []string{"i"}}, false},
		{"no ids", relay.Filter{IDs: []string{}}, false},
		{"no authors", relay.Filter{Authors: []string{}}, false},
		{"no kinds", relay.Filter{Kinds: []int{}}, false},
		{"kind", relay.Filter{Kinds: []int{1, 7}}, true},
		{"author but not kind", relay.Filter{Authors: []string{"author"}, Kinds: []int{1}}, false},
		{"since inclusive", relay.Filter{Since: at(100)}, true},
		{"since later", relay.Filter{Since: at(101)}, false},
		{"until inclusive", relay.Filter{Until: at(100)}, true},
		{"until earlier", relay.Filter{Until: at(99)}, false},
		{"tag", relay.Filter{Tags: tag('e', "x")}, true},
		{"second value of a tag", relay.Filter{Tags: tag('e', "y")}, false},
		{"other case", relay.Filter{Tags: tag('E', "x")}, false},
		{"tag without value", relay.Filter{Tags: tag('E', "")}, false},
		{"no values", relay.Filter{Tags: tag('e')}, false},
		{"second tag of the name", relay.Filter{Tags: tag('t', "c")}, true},
		{"two tags", relay.Filter{Tags: append(tag('e', "x"), tag('t', "no", "b")...)}, true},
		{"one of two tags", relay.Filter{Tags: append(tag('e', "x"), tag('t', "no")...)}, false},
		{"limit is no condition", relay.Filter{Limit: &zero}, true},
	} {
		if got := c.filter.Compile().Matches(ev); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestSession(t *testing.T) {
	var s relay.Session
	kind := func(kinds ...int) []*relay.Matcher {
		return relay.Compile(relay.Filter{Kinds: []int{999}}, relay.Filter{Kinds: kinds})
	}
	check := func(what string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, s.Matching(&nostr.Event{Kind: 1})); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	check("nothing open")
	s.Open("b", kind(1))
	s.Open("a", kind(1, 2))
	s.Open("c", kind(2))
	check("three open", "b", "a")
	s.Open("b", kind(1))
	check("opened again", "a", "b")
	s.Open("a", kind(2))
	check("replaced", "b")
	s.Close("b")
	s.Close("b")
	check("closed")
	for i := range relay.SubscriptionsMax - 2 {
		if !s.Open(fmt.Sprint(i), kind(2)) {
			t.Fatalf("subscription %d was refused", i)
		}
	}
	if s.Open("more", kind(1)) {
		t.Error("one more than the limit was taken")
	}
	if !s.Open("a", kind(1)) {
		t.Error("a replacement was refused at the limit")
	}
	check("at the limit", "a")
}
