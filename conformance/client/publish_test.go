package client_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/conformance/client"
)

func TestPublish(t *testing.T) {
	ev := client.Note(client.NewKey("publish", "alice"), nil, "hello", 1_700_000_000)
	ok := func(accepted bool, message string) script {
		return func(send func(string), msg []json.RawMessage) bool {
			send(frame("NOTICE", "by the way"))
			send(frame("OK", "ff", true, "another event"))
			send(frame("OK", eventID(msg[1]), accepted, message))
			return true
		}
	}
	tests := []struct {
		name    string
		opts    client.Options
		play    script
		want    client.Observation
		refused bool
		unclear bool
	}{
		{"accepted", client.Options{}, ok(true, ""), client.OKFrame{ID: ev.ID, Accepted: true}, false, false},
		{
			"held",
			client.Options{},
			ok(true, "purgatory: waiting for git data"),
			client.OKFrame{ID: ev.ID, Accepted: true, Prefix: "purgatory", Text: "waiting for git data"},
			false, false,
		},
		{
			"refused",
			client.Options{},
			ok(false, "blocked: no clone tag: here"),
			client.OKFrame{ID: ev.ID, Prefix: "blocked", Text: "no clone tag: here"},
			true, false,
		},
		{
			"refused without a prefix",
			client.Options{},
			ok(false, "not a chance: no"),
			client.OKFrame{ID: ev.ID, Text: "not a chance: no"},
			true, false,
		},
		{"rate limited", client.Options{}, ok(false, "rate-limited: slow down"), client.RateLimited{Text: "slow down"}, false, true},
		{
			"notice only", impatient,
			func(send func(string), _ []json.RawMessage) bool { send(frame("NOTICE", "no")); return true },
			client.NoticeFrame{Text: "no"},
			false, false,
		},
		{
			"accepted behind a notice and longer than the quiet time", impatient,
			func(send func(string), msg []json.RawMessage) bool {
				send(frame("NOTICE", "working on it"))
				time.AfterFunc(3*impatient.Quiet, func() { send(frame("OK", eventID(msg[1]), true, "")) })
				return true
			},
			client.OKFrame{ID: ev.ID, Accepted: true},
			false, false,
		},
		{
			"rate limited by notice", impatient,
			func(send func(string), _ []json.RawMessage) bool {
				send(frame("NOTICE", "rate-limited: slow"))
				return true
			},
			client.RateLimited{Text: "slow"},
			false, true,
		},
		{
			"not a message",
			client.Options{},
			func(send func(string), _ []json.RawMessage) bool { send("OK"); return true },
			client.BadAnswer{Phase: "frame"},
			false, false,
		},
		{
			"silent", impatient,
			func(func(string), []json.RawMessage) bool { return true },
			client.Silence{Awaited: "OK"},
			false, true,
		},
		{
			"closed",
			client.Options{},
			func(func(string), []json.RawMessage) bool { return false },
			client.TransportError{Phase: "recv"},
			false, true,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := connect(t.Context(), t, scripted(t, test.opts, test.play))
			got := r.Publish(t.Context(), ev)
			if diff := cmp.Diff(test.want, untimed(got)); diff != "" {
				t.Errorf("Publish (-want +got):\n%s", diff)
			}
			if _, refused := client.Refusal(got); refused != test.refused {
				t.Errorf("Refusal(%v): got %t, want %t", got, refused, test.refused)
			}
			if unclear := client.Inconclusive(got); unclear != test.unclear {
				t.Errorf("Inconclusive(%v): got %t, want %t", got, unclear, test.unclear)
			}
		})
	}
}

// A NOTICE that comes before answers as well says nothing where none comes.
func TestTalkIsNoAnswer(t *testing.T) {
	ev := client.Note(client.NewKey("publish", "alice"), nil, "hello", 1_700_000_000)
	asked := 0
	r := connect(t.Context(), t, scripted(t, impatient, func(send func(string), msg []json.RawMessage) bool {
		asked++
		send(frame("NOTICE", "still here"))
		if asked == 1 {
			send(frame("OK", eventID(msg[1]), true, ""))
		}
		return true
	}))
	if got, is := r.Publish(t.Context(), ev).(client.OKFrame); !is || !got.Accepted {
		t.Fatalf("got %v, want it accepted", got)
	}
	if got := untimed(r.Publish(t.Context(), ev)); got != client.Observation(client.Silence{Awaited: "OK"}) {
		t.Errorf("got %v, want silence", got)
	}
}

// untimed removes what differs from run to run.
func untimed(o client.Observation) client.Observation {
	switch o := o.(type) {
	case client.Silence:
		o.After = 0
		return o
	case client.TransportError:
		return client.TransportError{Phase: o.Phase}
	case client.BadAnswer:
		return client.BadAnswer{Phase: o.Phase}
	}
	return o
}

func TestPublishRetriesWhenRateLimited(t *testing.T) {
	ev := client.Note(client.NewKey("publish", "alice"), nil, "hello", 1_700_000_000)
	tries := 0
	c := scripted(t, client.Options{}, func(send func(string), _ []json.RawMessage) bool {
		tries++
		send(frame("OK", ev.ID, tries > 1, "rate-limited: slow down"))
		return true
	})
	r := connect(t.Context(), t, c)
	if got, ok := r.Publish(t.Context(), ev).(client.OKFrame); !ok || !got.Accepted || tries != 2 {
		t.Errorf("Publish: got %v after %d tries, want an OK with true after 2", got, tries)
	}
}

func TestPublishPanicsOnAnInvalidEvent(t *testing.T) {
	r := connect(t.Context(), t, scripted(t, impatient, func(func(string), []json.RawMessage) bool { return true }))
	ev := client.Note(client.NewKey("publish", "alice"), nil, "hello", 1_700_000_000)
	ev.Content = "tampered"
	defer func() {
		if recover() == nil {
			t.Error("Publish of a tampered event: got no panic, want one")
		}
	}()
	r.Publish(t.Context(), ev)
}

func TestPublishMalformed(t *testing.T) {
	c := scripted(t, client.Options{}, func(send func(string), msg []json.RawMessage) bool {
		send(frame("OK", eventID(msg[1]), false, "invalid: id does not match"))
		return true
	})
	r := connect(t.Context(), t, c)
	for _, id := range []string{"abc", ""} {
		got := r.PublishMalformed(t.Context(), []byte(`{"id":"abc","kind":"one"}`), id)
		want := client.OKFrame{ID: "abc", Prefix: "invalid", Text: "id does not match"}
		if diff := cmp.Diff(client.Observation(want), got); diff != "" {
			t.Errorf("PublishMalformed awaiting %q (-want +got):\n%s", id, diff)
		}
	}
	got := r.PublishMalformed(t.Context(), []byte(`{`), "")
	if diff := cmp.Diff(client.Observation(client.NoticeFrame{Text: "invalid: not a JSON array"}), got); diff != "" {
		t.Errorf("PublishMalformed of broken JSON (-want +got):\n%s", diff)
	}
}

// The answer to an event that was sent before is late, and none to a malformed one behind it.
func TestLateAnswersAnswerNothingElse(t *testing.T) {
	first := ""
	c := scripted(t, client.Options{Settle: 200 * time.Millisecond}, func(send func(string), msg []json.RawMessage) bool {
		if first == "" {
			first = eventID(msg[1])
			return true // which is answered behind the next one
		}
		send(frame("OK", first, true, ""))
		send(frame("OK", eventID(msg[1]), false, "invalid: id does not match"))
		return true
	})
	r := connect(t.Context(), t, c)
	ev := client.Build(client.NewKey("test", "author"), client.KindNote, nil, "late", 1)
	if o := r.PublishOnce(t.Context(), ev); !client.Inconclusive(o) {
		t.Fatalf("PublishOnce: got %v, want silence", o)
	}
	got := r.PublishMalformed(t.Context(), []byte(`{"id":"abc","kind":"one"}`), "")
	want := client.OKFrame{ID: "abc", Prefix: "invalid", Text: "id does not match"}
	if diff := cmp.Diff(client.Observation(want), got); diff != "" {
		t.Errorf("PublishMalformed (-want +got):\n%s", diff)
	}
}
