package hosts_test

import (
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/hosts"
	"github.com/graspkit/graspkit/sim/githost"
	"github.com/graspkit/graspkit/sim/kernel"
	"github.com/graspkit/graspkit/sim/network"
)

// started replaces the host of a world by one that a scenario describes, with the same two commits.
func (w *world) started(t *testing.T, cfg githost.Config) {
	t.Helper()
	host, err := w.all.Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	h := client.NewHistory("hosts")
	first := h.Commit("", map[string]string{"a": "1"}, "first")
	second := h.Commit(first, map[string]string{"a": "2"}, "second")
	host.Put(path, []target.GitRef{{Name: "refs/heads/main", OID: second}}, h.Objects(h.Closure(second)...))
	w.host = host
}

// An answer behind a link comes two latencies later, and none comes of what is lost.
func TestLink(t *testing.T) {
	w := newWorld(t)
	begin := w.clock.Now()
	w.started(t, githost.Config{Delay: time.Second, Link: network.Link{Latency: 100 * time.Millisecond}})
	answers := make(chan int, 1)
	go func() {
		status, _, _ := w.exchange(t.Context(), t, advertised)
		answers <- status
	}()
	w.parked(t, 1)
	if at, ok := w.all.Deadline(); !ok || at.Sub(begin) != 1200*time.Millisecond {
		t.Errorf("Deadline: got %v, %t, want 1.2s on", at.Sub(begin), ok)
	}
	w.clock.Add(1200 * time.Millisecond)
	if got := <-answers; got != 200 {
		t.Errorf("got %d, want 200", got)
	}

	w.started(t, githost.Config{Link: network.Link{Loss: kernel.Million}})
	go func() {
		status, _, _ := w.exchange(t.Context(), t, advertised)
		answers <- status
	}()
	w.parked(t, 1)
	if at, ok := w.all.Deadline(); ok {
		t.Errorf("lost: got a deadline at %v", at)
	}
	if err := w.host.Close(); err != nil {
		t.Error(err)
	}
	if got := <-answers; got != 0 {
		t.Errorf("lost: got %d, want no answer", got)
	}
}

// What a host has later, or never, is refused by name; more requests than it answers are too many.
func TestHolds(t *testing.T) {
	w := newWorld(t)
	w.started(t, githost.Config{Late: time.Minute})
	if _, pack, _ := w.exchange(t.Context(), t, packed); !strings.Contains(pack, "not our ref "+w.second) {
		t.Errorf("before it is there: got %q, want a refusal", pack)
	}
	w.clock.Add(time.Minute)
	if _, pack, _ := w.exchange(t.Context(), t, packed); !strings.Contains(pack, "PACK\x00\x00\x00\x02\x00\x00\x00\x06") {
		t.Errorf("when it is there: got %q, want six objects", pack)
	}
	w.started(t, githost.Config{Lacking: kernel.Million})
	if _, pack, _ := w.exchange(t.Context(), t, packed); !strings.Contains(pack, "not our ref "+w.second) {
		t.Errorf("of what it lacks: got %q, want a refusal", pack)
	}
	w.started(t, githost.Config{PerMinute: 2, RetryAfter: 30 * time.Second})
	for i, want := range []int{200, 200, 429} {
		status, _, header := w.exchange(t.Context(), t, advertised)
		if status != want || (header.Get("Retry-After") == "30") != (want == 429) {
			t.Errorf("request %d: got %d, %v, want %d", i+1, status, header, want)
		}
	}
	w.clock.Add(time.Minute)
	if status, _, _ := w.exchange(t.Context(), t, advertised); status != 200 {
		t.Errorf("a minute later: got %d, want 200", status)
	}
}

// A host that drips by a plan ends with it.
func TestDripsByPlan(t *testing.T) {
	w := newWorld(t)
	w.started(t, githost.Config{Trouble: []githost.Trouble{{Mode: githost.Drips, Slow: 3 * time.Second}}})
	answer := make(chan int, 1)
	go func() {
		_, pack, _ := w.exchange(t.Context(), t, packed)
		answer <- len(pack)
	}()
	for range 2 {
		w.parked(t, 1)
		w.clock.Add(time.Second)
	}
	if got := <-answer; got == 0 {
		t.Error("got nothing")
	}
}

func TestStartErrors(t *testing.T) {
	w := newWorld(t)
	for _, cfg := range []githost.Config{{Delay: -1}, {Whims: githost.Modes()[1:2]}} {
		if host, err := w.all.Start(t.Context(), cfg); err == nil {
			t.Errorf("%+v: got a host at %s", cfg, host.URL())
		}
	}
	host, err := hosts.NewHost(t.Context(), "127.0.0.1", "me.example")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(host.URL(), "http://me.example:") {
		t.Errorf("got %s, want it under its public name", host.URL())
	}
	if err := host.Close(); err != nil {
		t.Error(err)
	}
}
