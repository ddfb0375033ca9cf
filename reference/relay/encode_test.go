package relay_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/relay"
)

// verbatimID is the id by the letter of NIP-01 for events whose only special characters are control characters
// without a short escape.
func verbatimID(ev *nostr.Event) string {
	text := fmt.Sprintf(`[0,"%s",%d,%d,[],"%s"]`, ev.PubKey, ev.CreatedAt, ev.Kind, ev.Content)
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func TestEncode(t *testing.T) {
	ev := &nostr.Event{ID: "i", PubKey: "p", CreatedAt: 5, Kind: 1, Tags: nostr.Tags{{"a", "b"}, {"c"}}, Content: "\n\x01\"", Sig: "s"}
	for _, c := range []struct {
		in   relay.ServerMessage
		want string
	}{
		{relay.OK{ID: "x", Accepted: true}, `["OK","x",true,""]`},
		{relay.OK{ID: "x", Text: "invalid: \"y\""}, `["OK","x",false,"invalid: \"y\""]`},
		{relay.EOSE{Sub: `a"],["b`}, `["EOSE","a\"],[\"b"]`},
		{relay.Closed{Sub: `\`, Text: "error: t"}, `["CLOSED","\\","error: t"]`},
		{relay.Notice{Text: "a\b\f\n\r\t\x00<>&"}, `["NOTICE","a\b\f\n\r\t\u0000<>&"]`},
		{relay.Counted{Sub: `"`, Count: 12}, `["COUNT","\"",{"count":12}]`},
		{relay.NegAnswer{Sub: `"`, Message: []byte{0x61, 0xff}}, `["NEG-MSG","\"","61ff"]`},
		{relay.NegError{Sub: "s", Text: "blocked: \"x\""}, `["NEG-ERR","s","blocked: \"x\""]`},
		{relay.Notice{Text: "\xff"}, `["NOTICE","` + "\ufffd" + `"]`},
		{
			relay.EventFor{Sub: `"`, Event: ev}, `["EVENT","\"",{"id":"i","pubkey":"p","created_at":5,"kind":1,` +
				`"tags":[["a","b"],["c"]],"content":"\n\u0001\"","sig":"s"}]`,
		},
	} {
		if got := string(relay.Encode(c.in)); got != c.want {
			t.Errorf("%+v: got %s, want %s", c.in, got, c.want)
		}
	}
}

// FuzzDecode checks that no frame makes Decode panic, that each message it returns keeps the stated limits, that
// each answer can be sent, and that it takes no frame that another JSON reader refuses.
func FuzzDecode(f *testing.F) {
	ev := signed(f, "hello \U0001f680", nostr.Tags{{"e", "x"}})
	for _, seed := range []string{
		publish(ev), `["REQ","s",{"ids":[],"#e":["x"],"since":1,"limit":0}]`, `["CLOSE","s"]`, `["EVENT",{"id":`,
		`["REQ","s",{"kinds":[1e3]}]`, `["COUNT","s",{}]`,
		`["NEG-OPEN","s",{"kinds":[1]},"6100000200"]`, `["NEG-MSG","s","61"]`, `["NEG-CLOSE","s"]`, `["NEG-MSG","s","6"]`,
		"[[[[", `["\ud83d\ude80"]`, `[ "EVENT" , {"id" : "` + ev.ID + `"`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		switch m := relay.Decode(frame).(type) {
		case relay.Event:
			if again, ok := relay.Decode([]byte(publish(m.Event))).(relay.Event); !ok || !cmp.Equal(m, again) {
				t.Errorf("%q: got %+v after a round trip, want %+v", frame, again, m)
			}
		case relay.Req:
			if n := utf8.RuneCountInString(m.Sub); n == 0 || n > relay.SubIDMax || len(m.Filters) == 0 {
				t.Errorf("%q: got %+v", frame, m)
			}
			for _, filter := range m.Filters {
				filter.Compile().Matches(&nostr.Event{})
			}
		case relay.Count:
			if n := utf8.RuneCountInString(m.Sub); n == 0 || n > relay.SubIDMax || len(m.Filters) == 0 {
				t.Errorf("%q: got %+v", frame, m)
			}
		case relay.NegOpen:
			if n := utf8.RuneCountInString(m.Sub); n == 0 || n > relay.SubIDMax || len(m.Message) > relay.NegBytesMax {
				t.Errorf("%q: got %+v", frame, m)
			}
		case relay.Close, relay.NegMessage, relay.NegClose:
		case relay.Malformed:
			if out := relay.Encode(m.Reply); !json.Valid(out) || !strings.Contains(string(out), `"invalid: `) {
				t.Errorf("%q: got the answer %s", frame, out)
			}
			return
		default:
			t.Fatalf("%q: got %T", frame, m)
		}
		if !json.Valid(frame) {
			t.Errorf("%q is no JSON and was taken", frame)
		}
	})
}

// FuzzEventRoundTrip checks that an event survives Encode and Decode whatever its text.
func FuzzEventRoundTrip(f *testing.F) {
	f.Add("content", "tag", "sub")
	f.Add("\x00\x1f\x7f\u2028\ufffd\U0001f680", "\"\\/\b\f\n\r\t", "]\"")
	f.Fuzz(func(t *testing.T, content, tag, sub string) {
		if !utf8.ValidString(content) || !utf8.ValidString(tag) || !utf8.ValidString(sub) || len(content)+len(tag) > 50_000 {
			return
		}
		ev := signed(t, content, nostr.Tags{{"t", tag}, {tag}})
		var array []json.RawMessage
		if err := json.Unmarshal(relay.Encode(relay.EventFor{Sub: sub, Event: ev}), &array); err != nil || len(array) != 3 {
			t.Fatalf("got %d elements and %v, want 3", len(array), err)
		}
		var gotSub string
		if err := json.Unmarshal(array[1], &gotSub); err != nil || gotSub != sub {
			t.Errorf("got %q, want %q", gotSub, sub)
		}
		got, ok := relay.Decode([]byte(`["EVENT",` + string(array[2]) + `]`)).(relay.Event)
		if !ok || !got.IDOK || !cmp.Equal(got.Event, ev) {
			t.Errorf("got %+v, want %+v", got, ev)
		}
	})
}

func BenchmarkDecodeEvent(b *testing.B) {
	frame := []byte(publish(signed(b, strings.Repeat("hello\n", 50), nostr.Tags{{"e", strings.Repeat("a", 64)}, {"t", "x"}})))
	b.SetBytes(int64(len(frame)))
	b.ReportAllocs()
	for b.Loop() {
		relay.Decode(frame)
	}
}

func BenchmarkEncodeEvent(b *testing.B) {
	m := relay.EventFor{Sub: "s", Event: signed(b, strings.Repeat("hello\n", 50), nostr.Tags{{"e", strings.Repeat("a", 64)}})}
	b.ReportAllocs()
	for b.Loop() {
		relay.Encode(m)
	}
}

func BenchmarkDecodeJunk(b *testing.B) {
	frame := []byte(strings.Repeat("[", relay.MessageBytesMax))
	b.ReportAllocs()
	for b.Loop() {
		relay.Decode(frame)
	}
}
