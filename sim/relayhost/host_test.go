package relayhost_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/sim/relayhost"
)

const start = instant.Instant(1_700_000_000_000_000_000)

// note is an event of a kind and a second; its id is its name, spelled out.
func note(name byte, kind, second int, tags ...nostr.Tag) *nostr.Event {
	return &nostr.Event{
		ID: strings.Repeat(fmt.Sprintf("%02x", name), 32), PubKey: strings.Repeat("aa", 32), Kind: kind,
		CreatedAt: nostr.Timestamp(second), Tags: tags, Sig: strings.Repeat("0", 128),
	}
}

// words writes what a relay says, a message a word: "1 event 07", "1 eose a", "2 end".
func words(said []relayhost.Said) []string {
	var out []string
	for _, s := range said {
		text := ""
		switch m := s.Msg.(type) {
		case nil:
			text = "end"
		case relay.EventFor:
			text = "event " + m.Event.ID[:2]
			if s.Forged {
				text = "forged " + m.Event.ID[:2]
			}
		case relay.EOSE:
			text = "eose " + m.Sub
		case relay.Closed:
			text = "closed " + m.Sub + " " + m.Text
		case relay.Notice:
			text = "notice " + m.Text
		case relay.OK:
			text = fmt.Sprintf("ok %t %s", m.Accepted, m.Text)
		case relay.Counted:
			text = fmt.Sprintf("count %d", m.Count)
		case relay.Challenge:
			text = "auth"
		case relay.NegError:
			text = "neg-err " + m.Text
		case relay.NegAnswer:
			text = "neg-msg"
		}
		out = append(out, fmt.Sprintf("%d %s", s.Conn, text))
	}
	return out
}

// A talk feeds a relay and collects what it says.
type talk struct {
	t    *testing.T
	host *relayhost.Host
	now  instant.Instant
}

func begin(t *testing.T, cfg relayhost.Config) *talk {
	t.Helper()
	cfg.Name = "relay1.example"
	h, err := relayhost.New(cfg, start)
	if err != nil {
		t.Fatal(err)
	}
	return &talk{t, h, start}
}

func (k *talk) open(id relayhost.ConnID, opening relayhost.Opening, want ...string) {
	k.t.Helper()
	said, got := k.host.Open(k.now, id, nil)
	if got != opening {
		k.t.Errorf("open %d: got %s, want %s", id, got, opening)
	}
	k.same(said, want)
}

func (k *talk) ask(id relayhost.ConnID, m relay.ClientMessage, want ...string) {
	k.t.Helper()
	k.same(k.host.Message(k.now, id, m, nil), want)
}

func (k *talk) put(ev *nostr.Event, want ...string) {
	k.t.Helper()
	k.same(k.host.Put(k.now, nil, ev), want)
}

func (k *talk) same(said []relayhost.Said, want []string) {
	k.t.Helper()
	for _, s := range said {
		if s.At < k.now {
			k.t.Errorf("%v leaves before its time", s)
		}
	}
	if got := words(said); !slices.Equal(got, want) {
		k.t.Errorf("(-want +got):\n%s", cmp.Diff(want, got))
	}
}

func all(sub string) relay.Req { return relay.Req{Sub: sub, Filters: []relay.Filter{{}}} }

func TestRelayAnswersAsNIP01HasIt(t *testing.T) {
	k := begin(t, relayhost.Config{})
	for _, ev := range []*nostr.Event{note(2, 1, 100), note(1, 1, 100), note(3, 1621, 90, nostr.Tag{"a", "x"}), note(4, 1, 80)} {
		k.put(ev)
	}
	k.open(1, relayhost.Taken)
	k.ask(1, all("a"), "1 event 01", "1 event 02", "1 event 03", "1 event 04", "1 eose a")
	k.ask(1, relay.Req{Sub: "b", Filters: []relay.Filter{
		{Tags: []relay.TagFilter{{Letter: 'a', Values: []string{"x"}}}}, {Limit: new(1)}, {IDs: []string{note(4, 0, 0).ID}},
	}}, "1 event 01", "1 event 03", "1 event 04", "1 eose b")
	k.ask(1, relay.Req{Sub: "c", Filters: []relay.Filter{{Until: new(int64(99)), Since: new(int64(90))}}}, "1 event 03", "1 eose c")
	k.ask(1, relay.Req{Sub: "d", Filters: []relay.Filter{{Kinds: []int{}}, {Authors: []string{"b"}}}}, "1 eose d")
	k.ask(1, relay.Count{Sub: "e", Filters: []relay.Filter{{Kinds: []int{1}}}}, "1 count 3")
	k.ask(1, relay.Close{Sub: "a"})
	k.put(note(5, 1, 70), "1 event 05")
	k.put(note(5, 1, 70))
	k.ask(2, all("a"))
	k.host.Close(k.now, 1)
	k.put(note(6, 1, 60))
	if got := len(k.host.Asked()); got != 6 {
		t.Errorf("got %d messages on record, want 6", got)
	}
	if v := k.host.Visits(); len(v) != 1 || v[0].Ended != k.now || v[0].Opening != relayhost.Taken {
		t.Errorf("got visits %+v", v)
	}
}

func TestRelayPages(t *testing.T) {
	k := begin(t, relayhost.Config{PageMax: 2})
	for n := range byte(4) {
		k.put(note(n, 1, 100))
	}
	k.put(note(9, 1, 99))
	k.open(1, relayhost.Taken)
	k.ask(1, all("a"), "1 event 00", "1 event 01", "1 eose a")
	k.ask(1, relay.Req{Sub: "b", Filters: []relay.Filter{{Until: new(int64(99)), Limit: new(500)}}}, "1 event 09", "1 eose b")
	k.ask(1, relay.Req{Sub: "c", Filters: []relay.Filter{{Limit: new(0)}}}, "1 eose c")
}

func TestRelayTakesWhatIsPublished(t *testing.T) {
	k := begin(t, relayhost.Config{})
	k.open(1, relayhost.Taken)
	k.open(2, relayhost.Taken)
	k.ask(2, relay.Req{Sub: "a", Filters: []relay.Filter{{Limit: new(0)}}}, "2 eose a")
	state := note(1, 30618, 100, nostr.Tag{"d", "x"})
	k.ask(1, relay.Event{Event: state, IDOK: true}, "1 ok true ", "2 event 01")
	k.ask(1, relay.Event{Event: note(2, 30618, 99, nostr.Tag{"d", "x"}), IDOK: true}, "1 ok true duplicate: this or a newer version is here")
	k.ask(1, relay.Event{Event: note(3, 30618, 101, nostr.Tag{"d", "x"}), IDOK: true}, "1 ok true ", "2 event 03")
	k.ask(1, relay.Event{Event: note(4, 30618, 99, nostr.Tag{"d", "y"}), IDOK: true}, "1 ok true ", "2 event 04")
	k.ask(1, relay.Event{Event: note(5, 20001, 99), IDOK: true}, "1 ok true ", "2 event 05")
	k.ask(1, relay.Event{Event: note(6, 1, 99)}, "1 ok false invalid: the id is not that of the event")
	k.ask(1, all("a"), "1 event 03", "1 event 04", "1 eose a")
	k.host.Drop(note(3, 0, 0).ID)
	k.ask(1, all("a"), "1 event 04", "1 eose a")
}

func TestModes(t *testing.T) {
	first, second := note(1, 1, 100), note(2, 1, 90)
	stray := note(7, 7, 70)
	tests := []struct {
		trouble relayhost.Trouble
		opens   []string
		answer  []string // to a question for the first
		live    []string // to the second, that it asked for too
	}{
		{relayhost.Trouble{}, nil, []string{"1 event 01", "1 eose a"}, []string{"1 event 02"}},
		{relayhost.Trouble{Mode: relayhost.Drops, After: 1}, nil, []string{"1 end"}, nil},
		{relayhost.Trouble{Mode: relayhost.Drops, After: 2}, nil, []string{"1 event 01", "1 eose a"}, []string{"1 event 02"}},
		{relayhost.Trouble{Mode: relayhost.Hangs}, nil, nil, nil},
		{relayhost.Trouble{Mode: relayhost.Closes, Text: "error: x"}, nil, []string{"1 closed a error: x"}, nil},
		{
			relayhost.Trouble{Mode: relayhost.Denies},
			[]string{"1 auth"},
			[]string{"1 auth", "1 closed a auth-required: who asks here says who they are"},
			nil,
		},
		{relayhost.Trouble{Mode: relayhost.Omits}, nil, []string{"1 event 01"}, []string{"1 event 02"}},
		{relayhost.Trouble{Mode: relayhost.Forges}, nil, []string{"1 forged 01", "1 eose a"}, []string{"1 forged 02"}},
		{relayhost.Trouble{Mode: relayhost.Strays}, nil, []string{"1 event 01", "1 event 07", "1 eose a"}, []string{"1 event 02"}},
		{relayhost.Trouble{Mode: relayhost.Repeats}, nil, []string{"1 event 01", "1 event 01", "1 eose a"}, []string{"1 event 02", "1 event 02"}},
		{relayhost.Trouble{Mode: relayhost.Hides}, nil, []string{"1 eose a"}, []string{"1 event 02"}},
		{
			relayhost.Trouble{Mode: relayhost.Bars},
			[]string{"1 auth"},
			[]string{"1 auth", "1 closed a auth-required: who asks here says who they are"},
			nil,
		},
		{relayhost.Trouble{Mode: relayhost.Floods}, nil, []string{"1 event 01"}, []string{"1 event 02"}},
	}
	seen := []relayhost.Mode{relayhost.Refuses, relayhost.Freezes, relayhost.Sticks} // have tests of their own
	for _, test := range tests {
		seen = append(seen, test.trouble.Mode)
		k := begin(t, relayhost.Config{Trouble: []relayhost.Trouble{test.trouble}})
		k.host.Stray(stray)
		k.put(first)
		k.open(1, relayhost.Taken, test.opens...)
		k.ask(1, relay.Req{Sub: "a", Filters: []relay.Filter{{Kinds: []int{1}}}}, test.answer...)
		k.put(second, test.live...)
		if t.Failed() {
			t.Fatalf("in mode %q", test.trouble.Mode)
		}
	}
	for _, mode := range relayhost.Modes() {
		if !slices.Contains(seen, mode) {
			t.Errorf("mode %q has no test", mode)
		}
	}
}

func TestRelayThatSticksPagesNowhere(t *testing.T) {
	k := begin(t, relayhost.Config{PageMax: 1, Trouble: []relayhost.Trouble{{Mode: relayhost.Sticks}}})
	k.put(note(1, 1, 100))
	k.put(note(2, 1, 90))
	k.open(1, relayhost.Taken)
	k.ask(1, relay.Req{Sub: "a", Filters: []relay.Filter{{Until: new(int64(95))}}}, "1 event 01", "1 eose a")
}

func TestRelayIsDownInItsWindows(t *testing.T) {
	k := begin(t, relayhost.Config{Trouble: []relayhost.Trouble{
		{Mode: relayhost.Refuses, From: time.Minute, Period: time.Minute, Until: 5 * time.Minute},
	}})
	k.open(1, relayhost.Taken)
	for n, want := range []time.Duration{time.Minute, 3 * time.Minute} {
		at, ever := k.host.Deadline()
		if !ever || at != start.Add(want) {
			t.Fatalf("got deadline %v %t, want %v", at.Sub(start), ever, want)
		}
		k.now = at
		k.same(k.host.Tick(at, nil), []string{fmt.Sprintf("%d end", 2*n+1)})
		k.open(relayhost.ConnID(2*n+2), relayhost.Refused)
		k.now = at.Add(time.Minute)
		k.open(relayhost.ConnID(2*n+3), relayhost.Taken)
	}
	if at, ever := k.host.Deadline(); ever {
		t.Errorf("got deadline %v, want none", at)
	}
	if v := k.host.Visits(); len(v) != 5 || v[0].Ended != start.Add(time.Minute) || v[1].Opening != relayhost.Refused {
		t.Errorf("got visits %+v", v)
	}
}

func TestRelayThatFreezesIsGoneForGood(t *testing.T) {
	k := begin(t, relayhost.Config{Trouble: []relayhost.Trouble{
		{Mode: relayhost.Freezes, From: time.Minute, Until: 2 * time.Minute},
	}})
	k.open(1, relayhost.Taken)
	k.open(2, relayhost.Taken)
	k.ask(1, all("a"), "1 eose a")
	k.ask(2, all("a"), "2 eose a")
	k.now = start.Add(time.Minute)
	k.open(3, relayhost.Unanswered)
	k.ask(1, all("b"))
	k.now = start.Add(2 * time.Minute)
	k.put(note(1, 1, 1)) // it knows of no connection, also of the one on which nothing was said meanwhile
	k.ask(1, all("c"), "1 end")
	k.ask(2, all("c"), "2 end")
	if got := len(k.host.Asked()); got != 2 {
		t.Errorf("got %d messages on record, want 2", got)
	}
}

func TestRelayLimitsQuestions(t *testing.T) {
	for limiting, want := range map[relayhost.Limiting]string{
		relayhost.ByClosed: "1 closed c rate-limited: slow down", relayhost.ByNotice: "1 notice rate-limited: slow down",
	} {
		k := begin(t, relayhost.Config{PerMinute: 2, Limiting: limiting})
		k.open(1, relayhost.Taken)
		k.ask(1, all("a"), "1 eose a")
		k.now = start.Add(30 * time.Second)
		k.ask(1, all("b"), "1 eose b")
		k.now = start.Add(time.Minute - 1)
		k.ask(1, all("c"), want)
		k.now = start.Add(time.Minute)
		k.ask(1, all("c"), "1 eose c")
		if k.host.Limited() != 1 {
			t.Errorf("got %d limited, want 1", k.host.Limited())
		}
	}
}

func TestRelayLetsInWhoAuthenticates(t *testing.T) {
	k := begin(t, relayhost.Config{Trouble: []relayhost.Trouble{{Mode: relayhost.Denies}}})
	said, _ := k.host.Open(start, 1, nil)
	challenge := said[0].Msg.(relay.Challenge).Text
	k.ask(1, relay.Auth{Event: note(1, 22242, 1, nostr.Tag{"challenge", "other"})}, "1 ok false ")
	k.ask(1, relay.Auth{Event: note(1, 22242, 1, nostr.Tag{"challenge", challenge})}, "1 ok true ")
	k.ask(1, all("a"), "1 eose a")
}

func TestRelayThatBarsLetsNobodyIn(t *testing.T) {
	k := begin(t, relayhost.Config{Trouble: []relayhost.Trouble{{Mode: relayhost.Bars}}})
	said, _ := k.host.Open(start, 1, nil)
	challenge := said[0].Msg.(relay.Challenge).Text
	k.ask(1, relay.Auth{Event: note(1, 22242, 1, nostr.Tag{"challenge", challenge})}, "1 ok false restricted: not you")
	k.ask(1, all("a"), "1 auth", "1 closed a auth-required: who asks here says who they are")
}

// A relay for members misbehaves to those alone who have shown a key.
func TestRelayForMembersIsNothingToOthers(t *testing.T) {
	k := begin(t, relayhost.Config{Members: true, Trouble: []relayhost.Trouble{{Mode: relayhost.Closes, Text: "error: no"}}})
	said, _ := k.host.Open(start, 1, nil)
	challenge := said[0].Msg.(relay.Challenge).Text
	k.ask(1, all("a"), "1 auth", "1 closed a auth-required: who asks here says who they are")
	k.ask(1, relay.Auth{Event: note(1, 22242, 1, nostr.Tag{"challenge", challenge})}, "1 ok true ")
	k.ask(1, all("a"), "1 closed a error: no")
}

func TestRelayFloodsUntilItIsLeft(t *testing.T) {
	k := begin(t, relayhost.Config{Trouble: []relayhost.Trouble{{Mode: relayhost.Floods, Until: time.Hour}}})
	k.open(1, relayhost.Taken)
	k.ask(1, all("a"))
	k.now = start.Add(time.Second)
	if got := k.host.Tick(k.now, nil); len(got) != 20 || !got[0].Forged || got[0].At >= got[1].At {
		t.Errorf("got %d events in a second, want 20 at their instants, of nobody", len(got))
	}
	k.ask(1, relay.Close{Sub: "a"})
	if at, ever := k.host.Deadline(); ever {
		t.Errorf("got deadline %v, want none", at)
	}
	k.ask(1, all("b"))
	k.host.Stray(note(7, 7, 70))
	k.now = k.now.Add(50 * time.Millisecond)
	k.same(k.host.Tick(k.now, nil), []string{"1 event 07"})
	k.host.Close(k.now, 1)
	if at, ever := k.host.Deadline(); ever {
		t.Errorf("got deadline %v, want none", at)
	}
}

func TestDelaysKeepTheOrder(t *testing.T) {
	k := begin(t, relayhost.Config{
		Delay: time.Second, Challenges: true, Trouble: []relayhost.Trouble{{Delay: time.Minute, Until: time.Second}},
	})
	said, _ := k.host.Open(start, 1, nil)
	said = k.host.Message(start.Add(2*time.Second), 1, all("a"), said)
	if len(said) != 2 || said[0].At != start.Add(61*time.Second) || said[1].At != said[0].At {
		t.Errorf("got %+v, want both after 61s", said)
	}
}

func TestBehaveReplacesTroubles(t *testing.T) {
	k := begin(t, relayhost.Config{PageMax: 1})
	k.open(1, relayhost.Taken)
	if _, err := k.host.Behave(start, relayhost.Config{PageMax: -1}, nil); err == nil || k.host.Connections() != 1 {
		t.Errorf("got %v and %d connections, want an error and one", err, k.host.Connections())
	}
	said, err := k.host.Behave(start, relayhost.Config{Trouble: []relayhost.Trouble{{Mode: relayhost.Refuses}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	k.same(said, []string{"1 end"})
	k.host.Heal()
	k.open(2, relayhost.Taken)
}

func TestConfigThatMakesNoSense(t *testing.T) {
	for want, cfg := range map[string]relayhost.Config{
		`relay "": name is not`:                         {},
		`relay "A": name is not`:                        {Name: "A"},
		"relay a: delay is -1s":                         {Name: "a", Delay: -time.Second},
		`relay a: negentropy "x"`:                       {Name: "a", Negentropy: "x"},
		`relay a: limiting "x"`:                         {Name: "a", Limiting: "x"},
		"relay a: page max is -1":                       {Name: "a", PageMax: -1},
		"relay a: per minute is -1":                     {Name: "a", PerMinute: -1},
		`relay a: trouble 1: mode "x" is none`:          {Name: "a", Trouble: []relayhost.Trouble{{Mode: "x"}}},
		"relay a: trouble 1: after is 0":                {Name: "a", Trouble: []relayhost.Trouble{{Mode: relayhost.Drops}}},
		"relay a: trouble 1: after is 1":                {Name: "a", Trouble: []relayhost.Trouble{{After: 1}}},
		"relay a: trouble 1: text belongs":              {Name: "a", Trouble: []relayhost.Trouble{{Text: "x"}}},
		"relay a: trouble 1: until 1s is not after":     {Name: "a", Trouble: []relayhost.Trouble{{From: time.Second, Until: time.Second}}},
		"relay a: trouble 1: period is -1ns, want":      {Name: "a", Trouble: []relayhost.Trouble{{Period: -1}}},
		"relay a: 1001 troubles, want at most":          {Name: "a", Trouble: make([]relayhost.Trouble, 1001)},
		"relay a: trouble 1: delay is 10001h0m0s, want": {Name: "a", Trouble: []relayhost.Trouble{{Delay: 10_001 * time.Hour}}},
	} {
		if err := cfg.Validate(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
