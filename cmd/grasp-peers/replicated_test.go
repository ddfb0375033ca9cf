package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/nbd-wtf/go-nostr"
)

// patience is how long anything may take that the reference gets from the other relay.
const patience = 60 * time.Second

// TestMain is the other relay itself where the test starts it.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "-serve" {
		main()
		return
	}
	os.Exit(m.Run())
}

// The reference gets from a relay that somebody else has written what it had before, what comes while both are there, and what
// came while that relay was gone, whether the two reconcile or one asks for pages (G02-EV-01, G02-EV-02, G02-EV-06).
func TestReplicatedFromAnotherRelay(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git installed")
	}
	binary := filepath.Join(t.TempDir(), "grasp-sim")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "./cmd/grasp-sim")
	build.Dir = filepath.Join("..", "..")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the reference: %v: %s", err, text)
	}
	t.Run("by comparison", func(t *testing.T) { replicated(t, binary, true) })
	t.Run("by pages", func(t *testing.T) { replicated(t, binary, false) })
}

func replicated(t *testing.T, binary string, compares bool) {
	other := &otherRelay{t: t, data: t.TempDir(), compares: compares}
	relay := other.start("127.0.0.1:0")
	l := load{relays: []string{"ws://" + relay.address}}
	l.sign()
	events := old(&l)
	give(t, relay, events)

	begin := time.Now()
	ours, err := run(exec.CommandContext(t.Context(), binary, "serve", "--memory", "--addr", "127.0.0.1:0", "--url", origin,
		"--log-level", "warn", "--sync", "--sync-private", "--sync-window", "1s"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ours.stop() })
	reader := newReader(t, ours.address)
	if err := prepare(t.Context(), ours.address, l); err != nil {
		t.Fatal(err)
	}
	reader.await("what was there before", events)
	t.Logf("%d events after %v", len(events), time.Since(begin).Round(time.Millisecond))

	now := int(time.Now().Unix()) - created
	live := []frame{issue(&l, now)}
	give(t, relay, live)
	reader.await("a live one", live)

	other.stop(relay)
	meanwhile := []frame{issue(&l, now+1)}
	if compares { // who is asked for pages of a short gap is asked for what was written in it
		meanwhile = append(meanwhile, issue(&l, -1))
	}
	elsewhere := other.start("127.0.0.1:0")
	give(t, elsewhere, meanwhile)
	other.stop(elsewhere)
	begin = time.Now()
	relay = other.start(relay.address)
	reader.await("what came while the relay was gone", meanwhile)
	t.Logf("%d events of a gap %v after its end", len(meanwhile), time.Since(begin).Round(time.Millisecond))
	after := []frame{issue(&l, now+2)}
	give(t, relay, after)
	reader.await("a live one after the gap", after)
	other.stop(relay)
	t.Logf("asked: %s", strings.Join(other.told, "; "))
	if got := !strings.HasSuffix(other.told[0], " 0 comparisons"); got != compares {
		t.Errorf("whether the relay was compared with: got %v, want %v", got, compares)
	}
}

// old is what the other relay has before anybody asks: 600 issues, of which the newest 450 to 550 have one second, where a page
// of 500 ends, and answers to some, which do not name the repository.
func old(l *load) (list []frame) {
	for i := range 600 {
		at := 1000 - i
		if i >= 450 && i < 550 {
			at = 1000 - 450
		}
		list = append(list, issueOf(l, i, at))
	}
	for i := range 60 {
		root := list[i*10]
		list = append(list, l.event(secret(i), 2000+i, 1111, nostr.Tags{{"E", root.id}, {"K", "1621"}}, "an answer"))
	}
	return list
}

func issue(l *load, at int) frame { return issueOf(l, at, at) }

func issueOf(l *load, n, at int) frame {
	pub, err := nostr.GetPublicKey(l.owner)
	if err != nil {
		panic(err)
	}
	return l.event(secret(1+n%7), at, 1621, nostr.Tags{{"a", "30617:" + pub + ":demo"}, {"subject", fmt.Sprint("issue ", n)}}, "")
}

// An otherRelay is a store and the processes that serve it, one after the other.
type otherRelay struct {
	t        *testing.T
	data     string
	compares bool
	stderr   bytes.Buffer
	told     []string // by each process at its end
}

func (o *otherRelay) start(addr string) *running {
	o.t.Helper()
	cmd := exec.CommandContext(o.t.Context(), os.Args[0], "-serve", o.data, "-addr", addr, "-tells", fmt.Sprintf("-compares=%v", o.compares))
	cmd.Stderr = &o.stderr
	r, err := run(cmd)
	if err != nil {
		o.t.Fatalf("start the other relay: %v; stderr %s", err, o.stderr.String())
	}
	return r
}

func (o *otherRelay) stop(r *running) {
	o.t.Helper()
	o.stderr.Reset()
	if err := r.stop(); err != nil {
		o.t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(o.stderr.String()), "\n")
	o.told = append(o.told, lines[len(lines)-1])
}

func give(t *testing.T, r *running, list []frame) {
	t.Helper()
	if err := ingest(t.Context(), r.address, list, 1, unanswered); err != nil {
		t.Fatal(err)
	}
}

// A reader subscribes to everything that a server serves, from the beginning.
type reader struct {
	t     *testing.T
	heard chan []byte
	ended error // once heard is closed
	seen  map[string]bool
}

func newReader(t *testing.T, address string) *reader {
	t.Helper()
	conn, err := dial(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	if err := conn.Write(t.Context(), websocket.MessageText, []byte(`["REQ","all",{"kinds":[1621,1111]}]`)); err != nil {
		t.Fatal(err)
	}
	r := &reader{t: t, heard: make(chan []byte, 10_000), seen: map[string]bool{}}
	go func() { // all the time, for who reads nothing answers no ping
		defer close(r.heard)
		for {
			_, text, err := conn.Read(t.Context())
			if err != nil {
				r.ended = err
				return
			}
			r.heard <- text
		}
	}()
	return r
}

// await returns when each of the events has been delivered.
func (r *reader) await(what string, list []frame) {
	r.t.Helper()
	left := map[string]bool{}
	for _, f := range list {
		if !r.seen[f.id] {
			left[f.id] = true
		}
	}
	ctx, cancel := context.WithTimeout(r.t.Context(), patience)
	defer cancel()
	for len(left) > 0 {
		var text []byte
		open := true
		select {
		case text, open = <-r.heard:
		case <-ctx.Done():
			r.t.Fatalf("%s: %d of %d events lack: %v", what, len(left), len(list), ctx.Err())
		}
		if !open {
			r.t.Fatalf("%s: %d of %d events lack: %v", what, len(left), len(list), r.ended)
		}
		var parts []json.RawMessage
		var ev nostr.Event
		if json.Unmarshal(text, &parts) == nil && len(parts) == 3 && json.Unmarshal(parts[2], &ev) == nil {
			r.seen[ev.ID] = true
			delete(left, ev.ID)
		}
	}
}
