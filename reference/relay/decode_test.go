package relay_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/relay"
)

// secret is the key that signs the events of these tests.
const secret = "0000000000000000000000000000000000000000000000000000000000000007"

func signed(tb testing.TB, content string, tags nostr.Tags) *nostr.Event {
	tb.Helper()
	ev := &nostr.Event{CreatedAt: 1700000000, Kind: 1, Tags: tags, Content: content}
	if ev.Tags == nil {
		ev.Tags = nostr.Tags{}
	}
	if err := ev.Sign(secret); err != nil {
		tb.Fatal(err)
	}
	return ev
}

// publish writes the frame that publishes an event.
func publish(ev *nostr.Event) string { return `["EVENT",` + string(relay.AppendEvent(nil, ev)) + `]` }

func TestDecodeEvent(t *testing.T) {
	ev := signed(t, "line\n\"quoted\" \\ \t \u2028 \U0001f680 \x7f", nostr.Tags{{"e", "x", ""}, {"t"}})
	frame := publish(ev)
	got, ok := relay.Decode([]byte(frame)).(relay.Event)
	if !ok || !got.IDOK || !relay.Verify(got.Event) {
		t.Fatalf("got %+v, want a good event", relay.Decode([]byte(frame)))
	}
	if diff := cmp.Diff(ev, got.Event); diff != "" {
		t.Error(diff)
	}
	for _, c := range []struct{ name, from, to string }{
		{"other spelling", `"kind":1`, `"k\u0069nd" : 1`},
		{"escaped surrogate", "\U0001f680", `\ud83d\ude80`},
		{"unknown nested fields", `"kind":1`, `"kind":1,"extra":[{"a":[null,-1.5e3,true,"]}\\"]}]`},
		{"space", `["EVENT",`, " [ \"EVENT\"\r\n,\t"},
	} {
		other := strings.Replace(frame, c.from, c.to, 1)
		if other == frame {
			t.Fatalf("%s: nothing was changed", c.name)
		}
		again, ok := relay.Decode([]byte(other)).(relay.Event)
		if !ok || !again.IDOK || !cmp.Equal(ev, again.Event) {
			t.Errorf("%s: got %+v, want the same event", c.name, again)
		}
	}
}

func TestDecodeEventWithWrongIDOrSignature(t *testing.T) {
	ev := signed(t, "x", nil)
	ev.Content = "y"
	got := relay.Decode([]byte(publish(ev))).(relay.Event)
	if got.IDOK || !relay.Verify(got.Event) {
		t.Errorf("changed content: got IDOK %v, signature over the id %v, want false, true", got.IDOK, relay.Verify(got.Event))
	}
	ev = signed(t, "x", nil)
	ev.Sig = strings.Repeat("1", 128)
	got = relay.Decode([]byte(publish(ev))).(relay.Event)
	if !got.IDOK || relay.Verify(got.Event) {
		t.Errorf("other signature: got IDOK %v, signature %v", got.IDOK, relay.Verify(got.Event))
	}
	ev.PubKey = strings.Repeat("f", 64)
	if relay.Verify(ev) {
		t.Error("a key off the curve verified")
	}
}

// The id of an event with control characters that have no short escape is taken in both spellings.
func TestDecodeControlCharactersInID(t *testing.T) {
	ev := signed(t, "a\x01b", nil)
	if got := relay.Decode([]byte(publish(ev))).(relay.Event); !got.IDOK || !relay.Verify(got.Event) {
		t.Errorf("escaped form: got %+v, want a good id and signature", got)
	}
	ev.ID = "e4be7a2a72a54c3dc7bd0d8a6b5f3c1e2f7d8a9b0c1d2e3f4a5b6c7d8e9f0a1b"
	if got := relay.Decode([]byte(publish(ev))).(relay.Event); got.IDOK {
		t.Error("a made-up id passed")
	}
	ev.ID = verbatimID(ev)
	if got := relay.Decode([]byte(publish(ev))).(relay.Event); !got.IDOK {
		t.Error("the verbatim form was refused")
	}
}

func TestDecodeRefusesEvents(t *testing.T) {
	ev := signed(t, "hello", nostr.Tags{{"e", "x"}})
	good := publish(ev)
	text := func(m relay.ServerMessage) string {
		if ok, is := m.(relay.OK); is && ok.ID == ev.ID && !ok.Accepted {
			return ok.Text
		}
		if notice, is := m.(relay.Notice); is {
			return "notice " + notice.Text
		}
		return "something else"
	}
	tags := `"tags":[["e","x"]]`
	upper := strings.ToUpper(ev.PubKey)
	if upper == ev.PubKey {
		t.Fatal("the key has no letter")
	}
	for _, c := range []struct{ name, old, new, want string }{
		{"kind negative", `"kind":1`, `"kind":-1`, "invalid: kind is"},
		{"kind float", `"kind":1`, `"kind":1.0`, "invalid: kind is"},
		{"kind exponent", `"kind":1`, `"kind":1e0`, "invalid: kind is"},
		{"kind text", `"kind":1`, `"kind":"1"`, "invalid: kind is"},
		{"kind large", `"kind":1`, `"kind":65536`, "invalid: kind is"},
		{"kind huge", `"kind":1`, `"kind":99999999999999999999999`, "invalid: kind is"},
		{"kind missing", `"kind":1,`, ``, "invalid: the event lacks a field"},
		{"kind null", `"kind":1`, `"kind":null`, "invalid: kind is"},
		{"time negative", `1700000000`, `-1700000000`, "invalid: created_at is"},
		{"time float", `1700000000`, `1700000000.5`, "invalid: created_at is"},
		{"tags object", tags, `"tags":{}`, "invalid: tags is not"},
		{"tags of strings", tags, `"tags":["e"]`, "invalid: tags is not"},
		{"tag null", tags, `"tags":[null]`, "invalid: tags is not"},
		{"tag of numbers", tags, `"tags":[["e",1]]`, "invalid: tags is not"},
		{"tag deeper", tags, `"tags":[["e",["x"]]]`, "invalid: tags is not"},
		{"tag empty", tags, `"tags":[[]]`, "invalid: a tag is empty"},
		{"tags many", tags, `"tags":[` + strings.Repeat(`["e"],`, relay.TagsMax) + `["e"]]`, "invalid: more than 2500 tags"},
		{"content null", `"content":"hello"`, `"content":null`, "invalid: content is"},
		{"pubkey upper", ev.PubKey, upper, "invalid: pubkey is not 64"},
		{"pubkey short", ev.PubKey, ev.PubKey[:63], "invalid: pubkey is not 64"},
		{"sig long", ev.Sig, ev.Sig + "0", "invalid: sig is not 128"},
		{"sig list", `"` + ev.Sig + `"`, `["` + ev.Sig + `"]`, "invalid: sig is not 128"},
		{"key twice", `"kind":1`, `"kind":1,"kind":1`, "invalid: a field is given twice"},
		{"key twice, spelled otherwise", `"kind":1`, `"kind":1,"\u006bind":2`, "invalid: a field is given twice"},
		{"trailing", good, good + `x`, "invalid: malformed JSON: something follows"},
		{"two events", good, good[:len(good)-1] + `,{}]`, "invalid: an EVENT has one event and nothing more"},
		{"cut off", good, good[:len(good)-1], "invalid: malformed JSON"},
		{"not UTF-8", "hello", "hel\xfflo", "invalid: not UTF-8"},
		{"half a character", "hello", `\ud83d`, "invalid: malformed JSON: an escape"},
		{"other half", "hello", `\ude80\ud83d`, "invalid: malformed JSON: an escape"},
		{"raw control character", "hello", "\x01", "invalid: malformed JSON"},
		{"unknown escape", "hello", `\x41`, "invalid: malformed JSON"},
		{"deep", "hello\"", "hello\",\"x\":" + strings.Repeat("[", 100) + strings.Repeat("]", 100), "invalid: nested too deeply"},
		{"id short", ev.ID, ev.ID[:63], "notice invalid: id is not 64"},
		{"id missing", `"id":"` + ev.ID + `",`, ``, "notice invalid: the event lacks a field"},
		{"no object", good, `["EVENT",[]]`, "notice invalid: an EVENT has one event"},
		{"nothing", good, `["EVENT"]`, "notice invalid: an EVENT has one event"},
		{"AUTH with nothing", good, `["AUTH"]`, "notice invalid: an AUTH has one event"},
	} {
		frame := strings.Replace(good, c.old, c.new, 1)
		m, ok := relay.Decode([]byte(frame)).(relay.Malformed)
		if !ok || !strings.HasPrefix(text(m.Reply), c.want) {
			t.Errorf("%s: got %+v, want %q", c.name, relay.Decode([]byte(frame)), c.want)
		}
	}
	id := strings.ToUpper(ev.ID)
	m := relay.Decode([]byte(strings.Replace(good, ev.ID, id, 1)))
	want := relay.Malformed{Reply: relay.OK{ID: id, Text: "invalid: id is not 64 lower-case hex digits"}}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Error(diff)
	}
}

func TestDecodeJunk(t *testing.T) {
	for _, frame := range []string{
		"", " ", "null", "1", `"EVENT"`, "{}", "[]", "[1]", `["X"]`, `["EVENT",`, "\x00", `["REQ"]`, `["REQ",1,{}]`,
		`["REQ","",{}]`, `["CLOSE"]`, `["CLOSE",1]`, `["CLOSE",""]`, `["CLOSE","a","b"]`, `["COUNT","",{}]`, `["NEG-OPEN"]`,
		`["NEG-OPEN",1,{},""]`, `["NEG-MSG","","61"]`, `["NEG-CLOSE"]`, `["NEG-CLOSE","a","b"]`, `["NEG-CLOSE",{}]`,
		`["REQ","a",{}`, "01", "[01]", "-", "1.", "1e", "tru", "[,]", "[1,]", `{"a"}`, `{"a":1,}`, `{1:1}`, `"\u12"`,
		strings.Repeat("[", 1<<19), strings.Repeat("x", relay.MessageBytesMax+1), "\xef\xbb\xbf[]",
	} {
		m, ok := relay.Decode([]byte(frame)).(relay.Malformed)
		notice, isNotice := m.Reply.(relay.Notice)
		if !ok || !isNotice || !strings.HasPrefix(notice.Text, "invalid: ") {
			t.Errorf("%.40q: got %+v, want a notice", frame, m)
		}
	}
}

func TestDecodeLargeContent(t *testing.T) {
	ev := signed(t, strings.Repeat("\n", 100_000), nil)
	if got, ok := relay.Decode([]byte(publish(ev))).(relay.Event); !ok || !got.IDOK {
		t.Errorf("got %T, want a good event", got)
	}
}

func TestDecodeReq(t *testing.T) {
	key := strings.Repeat("a", 64)
	since, until, limit := int64(1), int64(2), 0
	got := relay.Decode([]byte(`["REQ","a\"b",{"ids":["` + key + `"],"authors":[],"kinds":[1,65535],"#t":["x"],"#E":["é"],` +
		`"since":1,"until":2,"limit":0,"newer":{"x":[1]}},{}]`))
	want := relay.Req{Sub: `a"b`, Filters: []relay.Filter{{
		IDs: []string{key}, Authors: []string{}, Kinds: []int{1, 65535},
		Tags:  []relay.TagFilter{{Letter: 'E', Values: []string{"é"}}, {Letter: 't', Values: []string{"x"}}},
		Since: &since, Until: &until, Limit: &limit,
	}, {}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	sub := strings.Repeat("é", relay.SubIDMax)
	if got, ok := relay.Decode([]byte(`["REQ","` + sub + `",{}]`)).(relay.Req); !ok || got.Sub != sub {
		t.Errorf("64 characters: got %+v", got)
	}
	if diff := cmp.Diff(relay.Close{Sub: "s"}, relay.Decode([]byte(`["CLOSE","s"]`))); diff != "" {
		t.Error(diff)
	}
}

// A search is told to be unsupported wherever a filter may stand, and never passed over.
func TestDecodeRefusesSearch(t *testing.T) {
	const text = "unsupported: this relay has no search (NIP-50)"
	for frame, want := range map[string]relay.ServerMessage{
		`["REQ","s",{"kinds":[1],"search":"words"}]`:       relay.Closed{Sub: "s", Text: text},
		`["REQ","s",{},{"search":{"x":[1]},"limit":1}]`:    relay.Closed{Sub: "s", Text: text},
		`["COUNT","s",{"search":"words"}]`:                 relay.Closed{Sub: "s", Text: text},
		`["NEG-OPEN","s",{"search":"words"},"6100000200"]`: relay.NegError{Sub: "s", Text: text},
	} {
		if diff := cmp.Diff(relay.ClientMessage(relay.Malformed{Reply: want}), relay.Decode([]byte(frame))); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", frame, diff)
		}
	}
}

func TestDecodeCount(t *testing.T) {
	got := relay.Decode([]byte(`["COUNT","s",{"kinds":[1]},{}]`))
	if diff := cmp.Diff(relay.Count{Sub: "s", Filters: []relay.Filter{{Kinds: []int{1}}, {}}}, got); diff != "" {
		t.Error(diff)
	}
	want := relay.Malformed{Reply: relay.Closed{Sub: "s", Text: "invalid: a query needs a filter"}}
	if diff := cmp.Diff(want, relay.Decode([]byte(`["COUNT","s"]`))); diff != "" {
		t.Error(diff)
	}
}

func TestDecodeRefusesReq(t *testing.T) {
	key := strings.Repeat("a", 64)
	for _, filters := range []string{
		``, `,1`, `,null`, `,{},[]`, strings.Repeat(",{}", relay.FiltersMax+1),
		`,{"ids":["` + key[:63] + `"]}`, `,{"ids":["` + strings.ToUpper(key) + `"]}`, `,{"authors":[1]}`,
		`,{"authors":"` + key + `"}`, `,{"ids":null}`, `,{"kinds":[1.5]}`, `,{"kinds":[-1]}`, `,{"kinds":[65536]}`,
		`,{"kinds":1}`, `,{"#foo":["x"]}`, `,{"#":["x"]}`, `,{"#1":["x"]}`, `,{"#e":"x"}`, `,{"#e":[null]}`,
		`,{"since":"1"}`, `,{"until":1.5}`, `,{"limit":-1}`, `,{"limit":null}`, `,{"limit":1,"limit":2}`,
		`,{"#e":["` + strings.Repeat(`x","`, relay.FilterValuesMax) + `x"]}`,
	} {
		frame := `["REQ","sub"` + filters + `]`
		m, ok := relay.Decode([]byte(frame)).(relay.Malformed)
		closed, isClosed := m.Reply.(relay.Closed)
		if !ok || !isClosed || closed.Sub != "sub" || !strings.HasPrefix(closed.Text, "invalid: ") {
			t.Errorf("%.60s: got %+v, want a refusal of the subscription", frame, m)
		}
	}
	long := strings.Repeat("x", relay.SubIDMax+1)
	m, ok := relay.Decode([]byte(`["REQ","` + long + `",{}]`)).(relay.Malformed)
	if closed, isClosed := m.Reply.(relay.Closed); !ok || !isClosed || closed.Sub != long {
		t.Errorf("long id: got %+v, want a refusal of the subscription", m)
	}
}
