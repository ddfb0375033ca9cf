package relay_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"
	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/relay"
)

func TestEncodeClient(t *testing.T) {
	ev := &nostr.Event{ID: "i", PubKey: "p", CreatedAt: 5, Kind: 1, Tags: nostr.Tags{{"a"}}, Content: "\n", Sig: "s"}
	const text = `{"id":"i","pubkey":"p","created_at":5,"kind":1,"tags":[["a"]],"content":"\n","sig":"s"}`
	since, until, limit := int64(1), int64(2), 0
	for _, c := range []struct {
		in   relay.ClientMessage
		want string
	}{
		{relay.Event{Event: ev}, `["EVENT",` + text + `]`},
		{relay.Auth{Event: ev}, `["AUTH",` + text + `]`},
		{relay.Close{Sub: `"`}, `["CLOSE","\""]`},
		{relay.NegClose{Sub: "s"}, `["NEG-CLOSE","s"]`},
		{relay.NegMessage{Sub: "s", Message: []byte{0x61, 0xff}}, `["NEG-MSG","s","61ff"]`},
		{relay.NegOpen{Sub: "s", Filter: relay.Filter{Kinds: []int{1}}, Message: []byte{0x61}}, `["NEG-OPEN","s",{"kinds":[1]},"61"]`},
		{relay.Count{Sub: "s", Filters: []relay.Filter{{}}}, `["COUNT","s",{}]`},
		{relay.Req{Sub: "s", Filters: []relay.Filter{{IDs: []string{}}, {
			IDs: []string{"a", "b"}, Authors: []string{"c"}, Kinds: []int{1, 2}, Since: &since, Until: &until, Limit: &limit,
			Tags: []relay.TagFilter{{Letter: 'a', Values: []string{`"`}}, {Letter: 'e', Values: []string{}}},
		}}}, `["REQ","s",{"ids":[]},{"ids":["a","b"],"authors":["c"],"kinds":[1,2],"#a":["\""],"#e":[],"since":1,"until":2,"limit":0}]`},
	} {
		if got := string(relay.EncodeClient(c.in)); got != c.want {
			t.Errorf("%+v: got %s, want %s", c.in, got, c.want)
		}
	}
}

func drawFilter(t *rapid.T) (f relay.Filter) {
	keys := rapid.SliceOfN(rapid.StringMatching(`[0-9a-f]{64}`), 0, 3)
	if rapid.Bool().Draw(t, "ids?") {
		f.IDs = append([]string{}, keys.Draw(t, "ids")...)
	}
	if rapid.Bool().Draw(t, "authors?") {
		f.Authors = append([]string{}, keys.Draw(t, "authors")...)
	}
	if rapid.Bool().Draw(t, "kinds?") {
		f.Kinds = append([]int{}, rapid.SliceOfN(rapid.IntRange(0, relay.KindMax), 0, 3).Draw(t, "kinds")...)
	}
	for _, letter := range "Aeq" {
		if rapid.Bool().Draw(t, "letter") {
			values := append([]string{}, rapid.SliceOfN(rapid.String(), 0, 3).Draw(t, "values")...)
			f.Tags = append(f.Tags, relay.TagFilter{Letter: byte(letter), Values: values})
		}
	}
	for _, bound := range []**int64{&f.Since, &f.Until} {
		if rapid.Bool().Draw(t, "bound?") {
			n := rapid.Int64Range(0, relay.TimeMax).Draw(t, "bound")
			*bound = &n
		}
	}
	if rapid.Bool().Draw(t, "limit?") {
		n := rapid.IntRange(0, 5000).Draw(t, "limit")
		f.Limit = &n
	}
	return f
}

// drawSub draws what may be the id of a subscription.
func drawSub(t *rapid.T) string {
	return rapid.StringOfN(rapid.Rune(), 1, relay.SubIDMax, -1).Draw(t, "sub")
}

// What a client says to another server is what that server hears.
func TestClientMessagesSurvive(t *testing.T) {
	ev := signed(t, "hello", nostr.Tags{{"e", "x"}})
	rapid.Check(t, func(t *rapid.T) {
		sub := drawSub(t)
		message := append([]byte{}, rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "message")...)
		filters := []relay.Filter{drawFilter(t)}
		if rapid.Bool().Draw(t, "two") {
			filters = append(filters, drawFilter(t))
		}
		for _, m := range []relay.ClientMessage{
			relay.Event{Event: ev, IDOK: true},
			relay.Auth{Event: ev, IDOK: true},
			relay.Req{Sub: sub, Filters: filters},
			relay.Count{Sub: sub, Filters: filters},
			relay.Close{Sub: sub},
			relay.NegClose{Sub: sub},
			relay.NegOpen{Sub: sub, Filter: filters[0], Message: message},
			relay.NegMessage{Sub: sub, Message: message},
		} {
			frame := relay.EncodeClient(m)
			if diff := cmp.Diff(m, relay.Decode(frame)); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", frame, diff)
			}
		}
	})
}

// What a server says is what another server hears.
func TestServerMessagesSurvive(t *testing.T) {
	ev := signed(t, "hello", nostr.Tags{{"e", "x"}})
	rapid.Check(t, func(t *rapid.T) {
		sub, text := drawSub(t), rapid.StringN(0, 200, relay.ServerTextMax).Draw(t, "text")
		message := append([]byte{}, rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "message")...)
		for _, m := range []relay.ServerMessage{
			relay.EventFor{Sub: sub, Event: ev},
			relay.OK{ID: ev.ID, Accepted: rapid.Bool().Draw(t, "accepted"), Text: text},
			relay.EOSE{Sub: sub},
			relay.Closed{Sub: sub, Text: text},
			relay.Counted{Sub: sub, Count: len(text)},
			relay.NegAnswer{Sub: sub, Message: message},
			relay.NegError{Sub: sub, Text: text},
			relay.Challenge{Text: text},
			relay.Notice{Text: text},
		} {
			frame := relay.Encode(m)
			got, idOK := relay.DecodeServer(frame)
			if diff := cmp.Diff(m, got); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", frame, diff)
			}
			if _, event := m.(relay.EventFor); idOK != event {
				t.Errorf("%s: got the id good %v", frame, idOK)
			}
		}
	})
}

func TestDecodeServer(t *testing.T) {
	ev := signed(t, "hello", nostr.Tags{{"e", "x"}})
	event := string(relay.AppendEvent(nil, ev))
	long := strings.Repeat("x", 3000)
	unreadable := func(reason string) relay.ServerMessage { return relay.Unreadable{Reason: reason} }
	noEvent := func(reason string) relay.ServerMessage { return relay.Unreadable{Sub: "s", Reason: reason} }
	for _, c := range []struct {
		frame string
		want  relay.ServerMessage
	}{
		{`["EVENT","s",` + event + `,1]`, relay.EventFor{Sub: "s", Event: ev}},
		{`["EVENT","s"]`, noEvent("an EVENT has an event, a JSON object")},
		{`["EVENT","s",[]]`, noEvent("an EVENT has an event, a JSON object")},
		{`["EVENT","s",{}]`, noEvent("the event lacks a field")},
		{`["EVENT","s",` + strings.Replace(event, `"kind":1`, `"kind":-1`, 1) + `]`, noEvent("kind is not an integer from 0 to 65535")},
		{`["EVENT",1,` + event + `]`, unreadable("the subscription id is not a string")},
		{`["EVENT",` + event + `]`, unreadable("the subscription id is not a string")},
		{
			`["EVENT","s",` + strings.Replace(event, `{`, `{"more":"`+strings.Repeat("x", relay.MessageBytesMax)+`",`, 1) + `]`,
			noEvent("the event is longer than 524288 bytes"),
		},
		{`["EOSE","s",{}]`, relay.EOSE{Sub: "s"}},
		{`["EOSE"]`, unreadable("the subscription id is not a string")},
		{`["EOSE",""]`, unreadable("the subscription id is empty")},
		{`["EOSE","` + long + `"]`, unreadable("the subscription id is longer than 64 characters")},
		{`["CLOSED","s"]`, relay.Closed{Sub: "s"}},
		{`["CLOSED","s",null]`, relay.Closed{Sub: "s"}},
		{`["CLOSED","s","auth-required: x"]`, relay.Closed{Sub: "s", Text: "auth-required: x"}},
		{`["NOTICE"]`, relay.Notice{}},
		{`["NOTICE","` + long + `"]`, relay.Notice{Text: long[:relay.ServerTextMax]}},
		{`["NOTICE","x` + strings.Repeat("é", 600) + `"]`, relay.Notice{Text: "x" + strings.Repeat("é", 511)}},
		{`["OK","` + ev.ID + `",true]`, relay.OK{ID: ev.ID, Accepted: true}},
		{`["OK","` + ev.ID + `",false,"blocked: x"]`, relay.OK{ID: ev.ID, Text: "blocked: x"}},
		{`["OK","` + ev.ID + `","true"]`, unreadable("an OK says neither true nor false")},
		{`["OK","x",true]`, unreadable("an OK names no event")},
		{`["OK"]`, unreadable("an OK names no event")},
		{`["COUNT","s",{"approximate":true,"count":7}]`, relay.Counted{Sub: "s", Count: 7}},
		{`["COUNT","s",{"count":-1}]`, unreadable("a COUNT has no number")},
		{`["COUNT","s",{"count":1e3}]`, unreadable("a COUNT has no number")},
		{`["COUNT","s",7]`, unreadable("a COUNT has no number")},
		{`["NEG-MSG","s","61FF"]`, relay.NegAnswer{Sub: "s", Message: []byte{0x61, 0xff}}},
		{`["NEG-MSG","s","61f"]`, unreadable("the negentropy message is not hexadecimal")},
		{`["NEG-MSG","s"]`, unreadable("the negentropy message is not a string")},
		{
			`["NEG-MSG","s","` + strings.Repeat("61", relay.NegAnswerMax+1) + `"]`,
			unreadable("the negentropy message is longer than 1048576 bytes"),
		},
		{`["NEG-ERR","s","blocked: x"]`, relay.NegError{Sub: "s", Text: "blocked: x"}},
		{`["AUTH","x"]`, relay.Challenge{Text: "x"}},
		{`["AUTH",{}]`, unreadable("the challenge is not a string")},
		{`["AUTH","` + long + `"]`, unreadable("the challenge is longer than 1024 bytes")},
		{`["REQ","s",{}]`, unreadable("unknown verb")},
		{`[]`, unreadable("a message begins with its verb")},
		{`{}`, unreadable("a message is a JSON array")},
		{`["EOSE","s"`, unreadable("malformed JSON")},
		{"", unreadable("malformed JSON")},
		{"[\"\xff\"]", unreadable("not UTF-8")},
		{strings.Repeat("[", 100), unreadable("nested too deeply")},
	} {
		got, idOK := relay.DecodeServer([]byte(c.frame))
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%.100s: (-want +got)\n%s", c.frame, diff)
		}
		if _, event := c.want.(relay.EventFor); idOK != event {
			t.Errorf("%.100s: got the id good %v", c.frame, idOK)
		}
	}
	changed := strings.Replace(event, `"hello"`, `"hallo"`, 1)
	if got, idOK := relay.DecodeServer([]byte(`["EVENT","s",` + changed + `]`)); idOK {
		t.Errorf("got the id of a changed event good: %+v", got)
	}
}

// FuzzDecodeServer checks that no frame makes DecodeServer panic, that what it returns keeps the stated limits and is heard the
// same when it is said again, and that it takes no frame that another JSON reader refuses.
func FuzzDecodeServer(f *testing.F) {
	ev := signed(f, "hello \U0001f680", nostr.Tags{{"e", "x"}})
	for _, m := range []relay.ServerMessage{
		relay.EventFor{Sub: "s", Event: ev},
		relay.OK{ID: ev.ID, Text: "x"},
		relay.EOSE{Sub: "s"},
		relay.Closed{Sub: "s", Text: "x"},
		relay.Counted{Sub: "s", Count: 3},
		relay.NegAnswer{Sub: "s", Message: []byte{0x61}},
		relay.NegError{Sub: "s"},
		relay.Challenge{Text: "x"},
		relay.Notice{Text: "x"},
	} {
		f.Add(relay.Encode(m))
	}
	f.Add([]byte(`["COUNT","s",{"count":1,"count":2}]`))
	f.Fuzz(func(t *testing.T, frame []byte) {
		got, idOK := relay.DecodeServer(frame)
		if bad, is := got.(relay.Unreadable); is {
			if bad.Reason == "" || idOK || utf8.RuneCountInString(bad.Sub) > relay.SubIDMax {
				t.Errorf("%q: got %+v, %v", frame, bad, idOK)
			}
			return
		}
		if !json.Valid(frame) {
			t.Errorf("%q is no JSON and was taken", frame)
		}
		again, idOKAgain := relay.DecodeServer(relay.Encode(got))
		if diff := cmp.Diff(got, again); diff != "" || idOK != idOKAgain {
			t.Errorf("%q: (-first +again)\n%s", frame, diff)
		}
	})
}

func BenchmarkDecodeServerEvent(b *testing.B) {
	ev := signed(b, strings.Repeat("hello\n", 50), nostr.Tags{{"e", strings.Repeat("a", 64)}, {"t", "x"}})
	frame := relay.Encode(relay.EventFor{Sub: "s", Event: ev})
	b.SetBytes(int64(len(frame)))
	b.ReportAllocs()
	for b.Loop() {
		relay.DecodeServer(frame)
	}
}
