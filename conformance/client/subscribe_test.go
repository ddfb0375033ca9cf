package client_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

func event(content string) *nostr.Event {
	return client.Note(client.NewKey("subscribe", "alice"), [][]string{{"t", "x<y"}}, content, 1_700_000_000)
}

func eventFrame(sub string, ev *nostr.Event) string {
	return frame("EVENT", sub, json.RawMessage(client.EventJSON(ev)))
}

func contents(events []*nostr.Event) []string {
	out := []string{}
	for _, ev := range events {
		out = append(out, ev.Content)
	}
	return out
}

// What a relay ends by itself is counted, and what it refuses is not.
func TestClosures(t *testing.T) {
	for name, test := range map[string]struct {
		answers []string
		opened  string // the answer to NEG-OPEN
		neg     string
		want    int
	}{
		"ended":               {[]string{frame("EOSE", "s"), frame("CLOSED", "s", "blocked: look anew")}, "", "6100", 1},
		"refused":             {[]string{frame("CLOSED", "s", "blocked: no")}, "", "6100", 0},
		"neither":             {[]string{frame("EOSE", "s")}, "", "6100", 0},
		"reconciliation":      {[]string{frame("EOSE", "s")}, "", "", 1},
		"one before it":       {[]string{frame("EOSE", "s")}, frame("NEG-ERR", "n", "closed: begin again"), "6100", 1},
		"one that is not let": {[]string{frame("EOSE", "s")}, frame("NEG-ERR", "n", "blocked: no"), "6100", 0},
	} {
		t.Run(name, func(t *testing.T) {
			c := scripted(t, impatient, func(send func(string), msg []json.RawMessage) bool {
				answers := test.answers
				switch label(msg) {
				case "NEG-OPEN":
					answers = []string{frame("NEG-MSG", "n", "6100")}
					if test.opened != "" {
						answers = []string{test.opened}
					}
				case "NEG-MSG":
					answers = []string{frame("NEG-MSG", "n", test.neg)}
					if test.neg == "" {
						answers = []string{frame("NEG-ERR", "n", "closed: begin again")}
					}
				}
				for _, answer := range answers {
					send(answer)
				}
				return true
			})
			r := connect(t.Context(), t, c)
			r.Subscribe(t.Context(), "s", client.Filter{})
			r.Live(t.Context(), "s")
			r.NegOpen(t.Context(), "n", client.Filter{}, []byte{client.NegVersion})
			r.NegMsg(t.Context(), "n", []byte{client.NegVersion})
			if got := c.Closures(); got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
}

func TestQuery(t *testing.T) {
	forged, misnamed := event("forged"), event("misnamed")
	forged.Sig = event("other").Sig
	misnamed.Content = "changed"
	tests := []struct {
		name   string
		opts   client.Options
		answer func(sub string) []string
		want   []string
		obs    client.Observation
	}{
		{"two events", client.Options{}, func(sub string) []string {
			return []string{eventFrame(sub, event("b")), eventFrame("other", event("x")), eventFrame(sub, event("a")), frame("EOSE", sub)}
		}, []string{"b", "a"}, nil},
		{"none", client.Options{}, func(sub string) []string { return []string{frame("EOSE", sub)} }, []string{}, nil},
		{"closed", client.Options{}, func(sub string) []string {
			return []string{frame("CLOSED", sub, "blocked: go away")}
		}, []string{}, client.ClosedFrame{Sub: "query-1", Prefix: "blocked", Text: "go away"}},
		{"rate limited", client.Options{}, func(sub string) []string {
			return []string{frame("CLOSED", sub, "rate-limited: slow")}
		}, []string{}, client.RateLimited{Text: "slow"}},
		{"forged signature", client.Options{}, func(sub string) []string {
			return []string{eventFrame(sub, event("a")), eventFrame(sub, forged)}
		}, []string{"a"}, client.BadEvent{Sub: "query-1", ID: forged.ID, Why: "signature is wrong"}},
		{"wrong id", client.Options{}, func(sub string) []string {
			return []string{eventFrame(sub, misnamed)}
		}, []string{}, client.BadEvent{Sub: "query-1", ID: misnamed.ID, Why: "id does not fit the content"}},
		{"no end", impatient, func(sub string) []string {
			return []string{eventFrame(sub, event("a"))}
		}, []string{"a"}, client.Silence{Awaited: "EOSE"}},
		{"misnamed end", impatient, func(sub string) []string {
			return []string{frame("HELLO", "others"), frame("END", sub)}
		}, []string{}, client.BadAnswer{Phase: "frame"}},
		{"end behind a word of the relay's own", client.Options{}, func(sub string) []string {
			return []string{frame("STATISTICS", sub), frame("EOSE", sub)}
		}, []string{}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var sent string
			c := scripted(t, test.opts, func(send func(string), msg []json.RawMessage) bool {
				if label(msg) == "REQ" {
					sent = string(msg[2])
					for _, answer := range test.answer(text(msg[1])) {
						send(answer)
					}
				}
				return true
			})
			r := connect(t.Context(), t, c)
			got, o := r.Query(t.Context(), client.Filter{Kinds: []int{1}, Tags: map[string][]string{"E": {"é"}, "d": nil}, Limit: new(0)})
			if diff := cmp.Diff(test.want, contents(got)); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.obs, untimed(o)); diff != "" {
				t.Errorf("observation (-want +got):\n%s", diff)
			}
			if want := `{"kinds":[1],"#E":["é"],"#d":[],"limit":0}`; sent != want {
				t.Errorf("filter on the wire: got %s, want %s", sent, want)
			}
		})
	}
}

func TestLiveEventsAreNeverLost(t *testing.T) {
	first, second, third := event("first"), event("second"), event("third")
	c := scripted(t, client.Options{}, func(send func(string), msg []json.RawMessage) bool {
		switch label(msg) {
		case "REQ":
			send(frame("EOSE", text(msg[1])))
		case "EVENT":
			send(eventFrame("a", first))
			send(eventFrame("b", second))
			send(eventFrame("a", third))
			send(frame("OK", eventID(msg[1]), true, ""))
		}
		return true
	})
	r := connect(t.Context(), t, c)
	for _, sub := range []string{"a", "b"} {
		if _, o := r.Subscribe(t.Context(), sub, client.Filter{}); o != nil {
			t.Fatalf("Subscribe(%s): got %v, want EOSE", sub, o)
		}
	}
	if o := r.Publish(t.Context(), event("mine")); client.Inconclusive(o) {
		t.Fatalf("Publish: got %v, want an OK", o)
	}
	if o := r.Await(t.Context(), "a", third.ID); o != nil {
		t.Errorf("Await(third): got %v, want nil", o)
	}
	if got, o := r.Live(t.Context(), "a"); o != nil || !cmp.Equal(contents(got), []string{"first", "third"}) {
		t.Errorf("Live(a): got %v and %v, want first and third", contents(got), o)
	}
	if got, o := r.Live(t.Context(), "b"); o != nil || !cmp.Equal(contents(got), []string{"second"}) {
		t.Errorf("Live(b): got %v and %v, want second", contents(got), o)
	}
	if got, o := r.Live(t.Context(), "b"); o != nil || len(got) != 0 {
		t.Errorf("Live(b) again: got %v and %v, want nothing", contents(got), o)
	}
}

func TestAwaitInVain(t *testing.T) {
	c := scripted(t, impatient, func(send func(string), msg []json.RawMessage) bool {
		send(frame("EOSE", text(msg[1])))
		return true
	})
	r := connect(t.Context(), t, c)
	if _, o := r.Subscribe(t.Context(), "a", client.Filter{}); o != nil {
		t.Fatalf("Subscribe: got %v, want EOSE", o)
	}
	o := r.Await(t.Context(), "a", "0123")
	if s, ok := o.(client.Silence); !ok || s.After < impatient.Settle {
		t.Errorf("Await: got %v, want silence for at least %v", o, impatient.Settle)
	}
}

func TestNextHandsOutRawMessages(t *testing.T) {
	c := scripted(t, impatient, func(send func(string), _ []json.RawMessage) bool {
		send(`["X",1]`)
		return true
	})
	r := connect(t.Context(), t, c)
	if o := r.SendRaw(t.Context(), []byte(`["ANYTHING"]`)); o != nil {
		t.Fatalf("SendRaw: got %v, want nil", o)
	}
	if raw, o := r.Next(t.Context()); o != nil || string(raw) != `["X",1]` {
		t.Errorf("Next: got %s and %v, want the message as it came", raw, o)
	}
	if raw, o := r.Next(t.Context()); raw != nil || !client.Inconclusive(o) {
		t.Errorf("Next: got %s and %v, want silence", raw, o)
	}
	if got := c.Recorder().Total(); got < 3 {
		t.Errorf("record: got %d entries, want at least open, sent and received", got)
	}
}
