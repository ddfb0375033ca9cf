package githost_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/sim/githost"
)

// What a judge can tell a host to do is what a host can do, in the same words.
func TestTroublesOfEveryMode(t *testing.T) {
	var words []githost.Mode
	for _, mode := range target.HostModes() {
		words = append(words, githost.Mode(mode))
		b := target.HostBehavior{Mode: mode, RetryAfter: time.Minute, RedirectTo: "http://git2.example", DripBytes: 10}
		h := newHost(t, githost.Config{})
		h.Put(start, path, oid(0))
		if err := h.Trouble(start, githost.Troubles(b, 100)...); err != nil {
			t.Errorf("%q: %v", mode, err)
			continue
		}
		if got, want := h.Refuses(start), mode == target.HostRefuses; got != want {
			t.Errorf("%q: Refuses: got %t, want %t", mode, got, want)
		}
		if _, plan := h.Ask(start, path, oids(1)); plan.Mode != githost.Mode(mode) {
			t.Errorf("%q: got a plan to %q", mode, plan.Mode)
		}
	}
	if got := githost.Modes(); !slices.Equal(got, words) {
		t.Errorf("(-judge +hosts):\n%s", cmp.Diff(words, got))
	}
}

func TestTroublesInTime(t *testing.T) {
	b := target.HostBehavior{Mode: target.HostFails, From: time.Minute, Period: time.Minute, Delay: time.Second}
	h := newHost(t, githost.Config{})
	h.Put(start, path, oid(0))
	if err := h.Trouble(start, githost.Troubles(b, 0)...); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		since time.Duration
		want  githost.Mode
	}{
		{0, githost.Serves},
		{time.Minute - 1, githost.Serves},
		{time.Minute, githost.Fails},
		{2*time.Minute - 1, githost.Fails},
		{2 * time.Minute, githost.Serves},
		{3 * time.Minute, githost.Fails},
	} {
		now := start.Add(step.since)
		if _, plan := h.Ask(now, path, oids(1)); plan.Mode != step.want || plan.Begins.Sub(now) != time.Second {
			t.Errorf("after %v: got %q after %v, want %q after 1s", step.since, plan.Mode, plan.Begins.Sub(now), step.want)
		}
	}
}
