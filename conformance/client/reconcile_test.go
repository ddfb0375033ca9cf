package client_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip77/negentropy"
	"github.com/nbd-wtf/go-nostr/nip77/negentropy/storage/vector"

	"github.com/graspkit/graspkit/conformance/client"
)

// unsigned makes events that are told apart by their id.
func unsigned(n int, at nostr.Timestamp) *nostr.Event {
	ev := &nostr.Event{CreatedAt: at, Content: fmt.Sprint(n)}
	ev.ID = ev.GetID()
	return ev
}

func idsOf(events []*nostr.Event) []string {
	var ids []string
	for _, ev := range events {
		ids = append(ids, ev.ID)
	}
	slices.Sort(ids)
	return ids
}

// Against a relay that another implementation speaks for, the client learns exactly what either side lacks.
func TestReconcile(t *testing.T) {
	var both, mine, theirs []*nostr.Event
	for n := range 900 {
		ev := unsigned(n, nostr.Timestamp(n/4))
		switch n % 9 {
		case 0:
			mine = append(mine, ev)
		case 1:
			theirs = append(theirs, ev)
		default:
			both = append(both, ev)
		}
	}
	for _, test := range []struct {
		name        string
		own, relays []*nostr.Event
		have, need  []string
	}{
		{"both empty", nil, nil, nil, nil},
		{"client empty", nil, theirs, nil, idsOf(theirs)},
		{"relay empty", mine, nil, idsOf(mine), nil},
		{"the same", both, both, nil, nil},
		{"some differ", slices.Concat(both, mine), slices.Concat(theirs, both), idsOf(mine), idsOf(theirs)},
		{"nothing shared", mine, theirs, idsOf(mine), idsOf(theirs)},
	} {
		t.Run(test.name, func(t *testing.T) {
			set := vector.New()
			for _, ev := range test.relays {
				set.Insert(ev.CreatedAt, ev.ID)
			}
			set.Seal()
			peer := negentropy.New(set, 4096)
			closed := false
			c := scripted(t, client.Options{}, func(send func(string), msg []json.RawMessage) bool {
				switch label(msg) {
				case "NEG-OPEN", "NEG-MSG":
					answer, err := peer.Reconcile(text(msg[len(msg)-1]))
					if err != nil {
						t.Errorf("message %s: %v", msg, err)
					}
					send(frame("NEG-MSG", text(msg[1]), answer))
				case "NEG-CLOSE":
					closed = true
				case "COUNT":
					send(frame("COUNT", text(msg[1]), map[string]int{"count": 1}))
				}
				return true
			})
			r := connect(t.Context(), t, c)
			got, o := r.Reconcile(t.Context(), "neg", client.Filter{}, test.own)
			if o != nil {
				t.Fatalf("got %v", o)
			}
			if diff := cmp.Diff(client.Reconciled{Have: test.have, Need: test.need, Rounds: got.Rounds, Longest: got.Longest}, got); diff != "" {
				t.Error(diff)
			}
			if n, o := r.Count(t.Context()); n.N != 1 || o != nil || !closed {
				t.Errorf("got count %d, %v, closed %v, want 1 and it closed", n.N, o, closed)
			}
		})
	}
}

func TestReconcileReports(t *testing.T) {
	for _, test := range []struct {
		name   string
		opts   client.Options
		answer func(sub string) []string
		want   client.Observation
	}{
		{"refused", client.Options{}, func(sub string) []string {
			return []string{frame("NEG-ERR", "other", "x: y"), frame("NEG-ERR", sub, "blocked: too much")}
		}, client.NegErrFrame{Sub: "neg", Prefix: "blocked", Text: "too much"}},
		{"rate limited", client.Options{}, func(sub string) []string {
			return []string{frame("NEG-ERR", sub, "rate-limited: slow")}
		}, client.RateLimited{Text: "slow"}},
		{"unknown", impatient, func(string) []string { return []string{frame("NOTICE", "no idea")} }, client.NoticeFrame{Text: "no idea"}},
		{"nothing", impatient, func(string) []string { return nil }, client.Silence{Awaited: "NEG-MSG"}},
		{"no hex", client.Options{}, func(sub string) []string {
			return []string{frame("NOTICE", "hello"), frame("NEG-MSG", sub, "xy")}
		}, client.BadAnswer{Phase: "negentropy", Text: "NEG-MSG is not hexadecimal"}},
		{"other version", client.Options{}, func(sub string) []string {
			return []string{frame("NEG-MSG", sub, "62")}
		}, client.BadAnswer{Phase: "negentropy", Text: "NEG-MSG: 62 is not of version 1"}},
		{"cut short", client.Options{}, func(sub string) []string {
			return []string{frame("NEG-MSG", sub, "6100000205")}
		}, client.BadAnswer{Phase: "negentropy", Text: "NEG-MSG: it is cut short"}},
		{"no end", client.Options{}, func(sub string) []string {
			return []string{frame("NEG-MSG", sub, "61000001"+hex.EncodeToString(make([]byte, 16)))}
		}, client.BadAnswer{Phase: "negentropy", Text: "no end after 64 messages"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := scripted(t, test.opts, func(send func(string), msg []json.RawMessage) bool {
				for _, answer := range test.answer(text(msg[1])) {
					send(answer)
				}
				return true
			})
			_, o := connect(t.Context(), t, c).Reconcile(t.Context(), "neg", client.Filter{}, nil)
			if silence, is := o.(client.Silence); is {
				o = client.Silence{Awaited: silence.Awaited}
			}
			if diff := cmp.Diff(test.want, o); diff != "" {
				t.Errorf("observation (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCountReports(t *testing.T) {
	for name, test := range map[string]struct {
		answer string
		want   client.Observation
	}{
		"closed":   {`["CLOSED","count-1","blocked: no"]`, client.ClosedFrame{Sub: "count-1", Prefix: "blocked", Text: "no"}},
		"no count": {`["COUNT","count-1",{"counts":1}]`, client.BadAnswer{Phase: "frame", Text: "COUNT message, element 2: no count"}},
	} {
		c := scripted(t, client.Options{}, func(send func(string), _ []json.RawMessage) bool {
			send(test.answer)
			return true
		})
		if _, o := connect(t.Context(), t, c).Count(t.Context(), client.Filter{}); !cmp.Equal(o, test.want) {
			t.Errorf("%s: got %v, want %v", name, o, test.want)
		}
	}
}

func FuzzReadNegAnswer(f *testing.F) {
	var own []*nostr.Event
	for n := range 100 {
		own = append(own, unsigned(n, nostr.Timestamp(n/3)))
	}
	f.Add([]byte{0x61, 0, 0, 2, 0})
	f.Add([]byte{0x61, 5, 1, 0xff, 0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
	f.Add([]byte{0x61, 0, 0, 2, 0xff, 0xff, 0x7f})
	f.Fuzz(func(t *testing.T, answer []byte) {
		next, o := client.ReadNegAnswer(own, answer)
		if next != nil && (o != nil || next[0] != client.NegVersion) {
			t.Errorf("got %x and %v", next, o)
		}
	})
}
