package relayhost_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/sim/relayhost"
)

// What a judge can tell a relay to do is what a relay can do, in the same words.
func TestBehavingInEveryMode(t *testing.T) {
	var words []relayhost.Mode
	for _, mode := range target.RelayModes() {
		words = append(words, relayhost.Mode(mode))
		b := target.RelayBehavior{Mode: mode, From: time.Minute, Until: time.Hour}
		switch mode {
		case target.RelayDrops:
			b.After = 3
		case target.RelayCloses:
			b.Text = "error: x"
		default: // the others have no settings of their own
		}
		cfg := relayhost.Behaving(b)
		cfg.Name = "relay1.example"
		if err := cfg.Validate(); err != nil || b.Validate() != nil {
			t.Errorf("%q: %v, %v", mode, err, b.Validate())
		}
		want := relayhost.Trouble{Mode: relayhost.Mode(mode), From: time.Minute, Until: time.Hour, After: b.After, Text: b.Text}
		if got := cfg.Trouble[len(cfg.Trouble)-1]; got != want {
			t.Errorf("%q: got %+v, want %+v", mode, got, want)
		}
	}
	words = append(words, relayhost.Bars, relayhost.Hides) // which checks have no use for
	if got := relayhost.Modes(); !slices.Equal(got, words) {
		t.Errorf("(-judge +relays):\n%s", cmp.Diff(words, got))
	}
	for _, way := range []relayhost.Negentropy{relayhost.Reconciles, relayhost.Unknown, relayhost.Declines, relayhost.Ignores} {
		if err := (target.RelayBehavior{Negentropy: string(way)}).Validate(); err != nil {
			t.Error(err)
		}
	}
	got := relayhost.Behaving(target.RelayBehavior{
		Delay: time.Second, Negentropy: "unknown", PageMax: 3, PerMinute: 4, LimitNotice: true, Members: true, Challenges: true,
	})
	got.Trouble = nil
	want := relayhost.Config{
		Delay: time.Second, Negentropy: relayhost.Unknown, PageMax: 3, PerMinute: 4, Limiting: relayhost.ByNotice, Members: true, Challenges: true,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestToldInTheWordsOfAJudge(t *testing.T) {
	f := relay.Filter{
		IDs: []string{"i"}, Authors: []string{"a"}, Kinds: []int{1}, Since: new(int64(1)), Until: new(int64(2)), Limit: new(0),
		Tags: []relay.TagFilter{{Letter: 'a', Values: []string{"x", "y"}}},
	}
	told := []target.RelayFilter{{
		IDs: []string{"i"}, Authors: []string{"a"}, Kinds: []int{1}, Since: new(int64(1)), Until: new(int64(2)), Limit: new(0),
		Tags: map[string][]string{"a": {"x", "y"}},
	}}
	for _, test := range []struct {
		msg  relay.ClientMessage
		want target.RelayMessage
	}{
		{relay.Req{Sub: "s", Filters: []relay.Filter{f}}, target.RelayMessage{Verb: "REQ", Sub: "s", Filters: told}},
		{relay.Count{Sub: "s", Filters: []relay.Filter{f}}, target.RelayMessage{Verb: "COUNT", Sub: "s", Filters: told}},
		{relay.NegOpen{Sub: "s", Filter: f}, target.RelayMessage{Verb: "NEG-OPEN", Sub: "s", Filters: told}},
		{relay.NegMessage{Sub: "s"}, target.RelayMessage{Verb: "NEG-MSG", Sub: "s"}},
		{relay.NegClose{Sub: "s"}, target.RelayMessage{Verb: "NEG-CLOSE", Sub: "s"}},
		{relay.Close{Sub: "s"}, target.RelayMessage{Verb: "CLOSE", Sub: "s"}},
		{relay.Event{Event: &nostr.Event{}}, target.RelayMessage{Verb: "EVENT"}},
		{relay.Auth{Event: &nostr.Event{}}, target.RelayMessage{Verb: "AUTH"}},
		{relay.Malformed{}, target.RelayMessage{}},
	} {
		if diff := cmp.Diff(test.want, relayhost.Told(test.msg)); diff != "" {
			t.Errorf("%T (-want +got):\n%s", test.msg, diff)
		}
	}
	if !told[0].Live() || (target.RelayFilter{}).Live() {
		t.Error("a limit of zero asks for what comes, and no limit does not")
	}
}
