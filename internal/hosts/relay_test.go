package hosts_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/coder/websocket"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/hosts"
)

// within bounds what has to come; nothing is judged by how long it takes.
const within = 20 * time.Second

func note(t *testing.T, second int) *nostr.Event {
	t.Helper()
	ev := &nostr.Event{Kind: 1, CreatedAt: nostr.Timestamp(second), Tags: nostr.Tags{}}
	if err := ev.Sign(strings.Repeat("0", 63) + "7"); err != nil {
		t.Fatal(err)
	}
	return ev
}

// An asker is a client of a fake relay.
type asker struct {
	t  *testing.T
	ws *websocket.Conn
}

func newRelay(t *testing.T, opts hosts.Options) (*hosts.Hosts, target.FakeRelay) {
	t.Helper()
	all := hosts.New(opts)
	r, err := all.NewRelay(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := all.Close(); err != nil {
			t.Error(err)
		}
	})
	return all, r
}

func behave(t *testing.T, r target.FakeRelay, b target.RelayBehavior) {
	t.Helper()
	if err := r.Behave(b); err != nil {
		t.Fatal(err)
	}
}

func connect(t *testing.T, r target.FakeRelay) *asker {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	ws, _, err := websocket.Dial(ctx, r.URL(), nil) //nolint:bodyclose // the body of a handshake is empty
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.CloseNow() })
	return &asker{t, ws}
}

func (a *asker) send(frame string) {
	a.t.Helper()
	if err := a.ws.Write(a.t.Context(), websocket.MessageText, []byte(frame)); err != nil {
		a.t.Fatal(err)
	}
}

// hears reads so many frames and wants each to begin as told; "end" is the end of the connection.
func (a *asker) hears(want ...string) {
	a.t.Helper()
	for _, begin := range want {
		ctx, cancel := context.WithTimeout(a.t.Context(), within)
		_, frame, err := a.ws.Read(ctx)
		cancel()
		got := string(frame)
		if err != nil {
			got = "end"
			if ctx.Err() == context.DeadlineExceeded {
				a.t.Fatalf("want %s, got nothing", begin)
			}
		}
		if !strings.HasPrefix(got, begin) {
			a.t.Fatalf("want %s, got %s (%v)", begin, got, err)
		}
	}
}

// eventually waits until something that a relay notes in its own time holds.
func eventually(t *testing.T, all *hosts.Hosts, what string, holds func() bool) {
	t.Helper()
	limit := time.After(within)
	for {
		changed := all.Changed()
		if holds() {
			return
		}
		select {
		case <-changed:
		case <-limit:
			t.Fatalf("never: %s", what)
		}
	}
}

func TestRelayOnASocket(t *testing.T) {
	all, r := newRelay(t, hosts.Options{})
	old, later := note(t, 100), note(t, 200)
	r.Put(old)
	a := connect(t, r)
	a.send(`["REQ","a",{"kinds":[1]}]`)
	a.hears(`["EVENT","a",{"id":"`+old.ID, `["EOSE","a"]`)
	r.Put(later)
	a.hears(`["EVENT","a",{"id":"` + later.ID)
	a.send(`["NEG-OPEN","n",{},"6100000200"]`)
	a.hears(`["NEG-MSG","n","61`)
	a.send(`[1]`)
	a.hears(`["NOTICE"`)
	a.ws.CloseNow()
	eventually(t, all, "the end is noted", func() bool { return !r.Visits()[0].Ended.IsZero() })
	var verbs []string
	for _, m := range r.Asked() {
		verbs = append(verbs, fmt.Sprint(m.Conn, m.Verb))
	}
	if want := []string{"1REQ", "1NEG-OPEN", "1"}; !slices.Equal(verbs, want) {
		t.Errorf("got %q, want %q", verbs, want)
	}
	if f := r.Asked()[0].Filters; len(f) != 1 || !slices.Equal(f[0].Kinds, []int{1}) || r.Asked()[0].At.IsZero() {
		t.Errorf("got %+v", r.Asked()[0])
	}
}

func TestRelayTellsWhatItSpeaks(t *testing.T) {
	_, r := newRelay(t, hosts.Options{})
	for _, want := range []string{"[1 77]", "[1]"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http"+strings.TrimPrefix(r.URL(), "ws"), nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		var document struct {
			NIPs []int `json:"supported_nips"`
		}
		if err := json.NewDecoder(resp.Body).Decode(&document); err != nil || fmt.Sprint(document.NIPs) != want {
			t.Errorf("got %v (%v), want %s", document.NIPs, err, want)
		}
		resp.Body.Close()
		behave(t, r, target.RelayBehavior{Negentropy: "unknown"})
	}
}

func TestRelayThatRefusesEndsConnections(t *testing.T) {
	all, r := newRelay(t, hosts.Options{})
	a := connect(t, r)
	a.send(`["REQ","a",{}]`)
	a.hears(`["EOSE","a"]`)
	behave(t, r, target.RelayBehavior{Mode: target.RelayRefuses})
	a.hears("end")
	if ws, _, err := websocket.Dial(t.Context(), r.URL(), nil); err == nil { //nolint:bodyclose // there is none
		ws.CloseNow()
		t.Error("got a connection")
	}
	behave(t, r, target.RelayBehavior{})
	connect(t, r).send(`["CLOSE","x"]`)
	eventually(t, all, "the message is there", func() bool { return len(r.Asked()) == 2 })
	visits := r.Visits()
	if len(visits) != 3 || !visits[0].Taken || visits[0].Ended.IsZero() || visits[1].Taken || !visits[2].Taken {
		t.Errorf("got %+v", visits)
	}
	if r.Asked()[1].Conn != visits[2].Conn {
		t.Errorf("got connection %d, want %d", r.Asked()[1].Conn, visits[2].Conn)
	}
}

func TestRelayThatFreezesAnswersNoPing(t *testing.T) {
	all, r := newRelay(t, hosts.Options{})
	a := connect(t, r)
	a.ws.CloseRead(t.Context())
	ping := func(limit time.Duration) error {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		return a.ws.Ping(ctx)
	}
	if err := ping(within); err != nil {
		t.Fatal(err)
	}
	behave(t, r, target.RelayBehavior{Mode: target.RelayFreezes})
	if ping(100*time.Millisecond) == nil { // a pong that comes later than this is not seen
		t.Error("a ping was answered")
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, _, err := websocket.Dial(ctx, r.URL(), nil) //nolint:bodyclose // there is none
		ended <- err
	}()
	eventually(t, all, "the attempt is noted", func() bool { return len(r.Visits()) == 2 })
	cancel()
	if err := <-ended; err == nil || r.Visits()[1].Taken {
		t.Errorf("got %v and %+v, want no connection", err, r.Visits()[1])
	}
	behave(t, r, target.RelayBehavior{})
	eventually(t, all, "the old connection has ended", func() bool { return !r.Visits()[0].Ended.IsZero() })
	connect(t, r)
}

func TestRelayInATimeOfItsOwn(t *testing.T) {
	mock := clock.NewMock()
	mock.Set(time.Unix(1_700_000_000, 0))
	all, r := newRelay(t, hosts.Options{Clock: mock})
	r.Put(note(t, 1))
	behave(t, r, target.RelayBehavior{Delay: time.Minute})
	a := connect(t, r)
	a.send(`["REQ","a",{}]`)
	due := func(want time.Duration) {
		t.Helper()
		eventually(t, all, "there is a deadline", func() bool {
			at, ever := all.Deadline()
			return ever && at.Equal(time.Unix(1_700_000_000, 0).Add(want))
		})
	}
	due(time.Minute)
	mock.Add(time.Minute)
	a.hears(`["EVENT"`, `["EOSE"`)
	behave(t, r, target.RelayBehavior{Mode: target.RelayRefuses, From: time.Hour})
	due(time.Minute + time.Hour)
	mock.Add(time.Hour)
	a.hears("end")
	behave(t, r, target.RelayBehavior{Mode: target.RelayFreezes, Until: time.Minute})
	ended := make(chan error, 1)
	go func() {
		_, _, err := websocket.Dial(t.Context(), r.URL(), nil) //nolint:bodyclose // there is none
		ended <- err
	}()
	eventually(t, all, "the attempt is noted", func() bool { return len(r.Visits()) == 2 })
	due(2*time.Minute + time.Hour)
	mock.Add(time.Minute)
	if err := <-ended; err == nil {
		t.Error("got a connection")
	}
}
