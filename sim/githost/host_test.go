package githost_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/githost"
	"github.com/graspkit/graspkit/sim/kernel"
	"github.com/graspkit/graspkit/sim/network"
)

const (
	start = instant.Instant(1_700_000_000_000_000_000)
	path  = "/alice/demo.git"
)

func oid(n int) repo.OID { return repo.OID(fmt.Sprintf("%040x", n+1)) }

func oids(n int) []repo.OID {
	all := make([]repo.OID, n)
	for i := range all {
		all[i] = oid(i)
	}
	return all
}

func newHost(t *testing.T, cfg githost.Config) *githost.Host {
	t.Helper()
	cfg.Name = "git1.example"
	h, err := githost.New(cfg, 1, start, kernel.NewSeeded(1))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestModes(t *testing.T) {
	whole := githost.Timeouts{Begin: 10 * time.Second, Whole: time.Minute}
	tests := []struct {
		trouble githost.Trouble
		after   time.Duration // until the exchange is over for the asker
		result  githost.Result
		objects int
	}{
		{githost.Trouble{}, time.Second, githost.Done, 3},
		{githost.Trouble{Mode: githost.Refuses}, 0, githost.Refused, 0},
		{githost.Trouble{Mode: githost.Drops}, time.Second, githost.Broken, 0},
		{githost.Trouble{Mode: githost.Denies}, time.Second, githost.Denied, 0},
		{githost.Trouble{Mode: githost.Lacks}, time.Second, githost.NotFound, 0},
		{githost.Trouble{Mode: githost.Limits, RetryAfter: time.Hour}, time.Second, githost.RateLimited, 0},
		{githost.Trouble{Mode: githost.Fails}, time.Second, githost.ServerError, 0},
		{githost.Trouble{Mode: githost.Hangs}, 10 * time.Second, githost.TimedOut, 0},
		{githost.Trouble{Mode: githost.Drips, Slow: 59 * time.Second}, time.Minute, githost.Done, 3},
		{githost.Trouble{Mode: githost.Drips, Slow: time.Hour}, time.Minute, githost.TimedOut, 3},
		{githost.Trouble{Mode: githost.Truncates}, time.Second, githost.BadData, 0},
		{githost.Trouble{Mode: githost.Corrupts}, time.Second, githost.BadData, 0},
		{githost.Trouble{Mode: githost.Cheats}, time.Second, githost.Done, 0},
		{githost.Trouble{Mode: githost.Lies}, time.Second, githost.Done, 0},
		{githost.Trouble{Mode: githost.Floods}, time.Second, githost.TooLarge, 0},
		{githost.Trouble{Mode: githost.Redirects, RedirectTo: "http://git2.example"}, time.Second, githost.Redirected, 0},
	}
	seen := map[githost.Mode]bool{}
	for _, test := range tests {
		seen[test.trouble.Mode] = true
		t.Run(string(test.trouble.Mode), func(t *testing.T) {
			h := newHost(t, githost.Config{Delay: time.Second, Trouble: []githost.Trouble{test.trouble}})
			h.Put(start, path, oids(3)...)
			number, plan := h.Ask(start, path, oids(4))
			at, result := plan.Ending(start, whole)
			h.End(at, number)
			if got := at.Sub(start); got != test.after || result != test.result || len(plan.Objects) != test.objects {
				t.Errorf("got %s after %v with %d objects, want %s after %v with %d",
					result, got, len(plan.Objects), test.result, test.after, test.objects)
			}
			if plan.RetryAfter != test.trouble.RetryAfter || plan.RedirectTo != test.trouble.RedirectTo {
				t.Errorf("got retry after %v, redirect to %q", plan.RetryAfter, plan.RedirectTo)
			}
			want := []githost.Request{{Number: 1, Sent: start, At: start, Ended: at, Path: path, OIDs: oids(4), Mode: test.trouble.Mode}}
			if diff := cmp.Diff(want, h.Requests()); diff != "" {
				t.Errorf("record (-want +got):\n%s", diff)
			}
		})
	}
	for _, mode := range githost.Modes() {
		if !seen[mode] {
			t.Errorf("mode %q has no test", mode)
		}
	}
}

func TestUnknownPath(t *testing.T) {
	h := newHost(t, githost.Config{})
	h.Put(start, path, oid(0))
	h.Drop(path)
	_, plan := h.Ask(start, path, oids(1))
	if at, result := plan.Ending(start, githost.Timeouts{}); at != start || result != githost.NotFound {
		t.Errorf("got %s at %v, want not found at once", result, at.Sub(start))
	}
}

func TestLateAndLacking(t *testing.T) {
	h := newHost(t, githost.Config{Late: time.Minute, Lacking: kernel.Million / 2})
	h.Put(start, path, oids(1000)...)
	_, early := h.Ask(start.Add(time.Minute-1), path, oids(1000))
	_, late := h.Ask(start.Add(time.Minute), path, oids(1000))
	if len(early.Objects) != 0 {
		t.Errorf("before it is due: got %d objects, want 0", len(early.Objects))
	}
	if got := len(late.Objects); got < 400 || got > 600 {
		t.Errorf("of 1000 objects: got %d, want about half", got)
	}
	if !slices.IsSorted(late.Objects) {
		t.Error("objects are not in the order wanted")
	}
	if h.Has(start.Add(time.Minute-1), path, late.Objects[0]) || !h.Has(start.Add(time.Minute), path, late.Objects[0]) {
		t.Error("Has differs from what is served")
	}
}

// A host that flaps, one that dies for good, and one that is ill at times.
func TestTroubleInTime(t *testing.T) {
	flap := githost.Trouble{Mode: githost.Fails, From: time.Minute, Until: 5 * time.Minute, Period: time.Minute}
	dies := githost.Trouble{Mode: githost.Refuses, From: 10 * time.Minute}
	h := newHost(t, githost.Config{Trouble: []githost.Trouble{flap, dies}})
	h.Put(start, path, oid(0))
	var got strings.Builder
	for minute := range 12 {
		_, plan := h.Ask(start.Add(time.Duration(minute)*time.Minute), path, oids(1))
		switch plan.Mode {
		case githost.Serves:
			got.WriteByte('.')
		case githost.Fails:
			got.WriteByte('F')
		default:
			got.WriteByte('R')
		}
	}
	if want := ".F.F......RR"; got.String() != want {
		t.Errorf("minute by minute: got %s, want %s", got.String(), want)
	}
	if err := h.Trouble(start.Add(time.Hour), githost.Trouble{Mode: githost.Fails, Well: kernel.Million / 2}); err != nil {
		t.Fatal(err)
	}
	failed := 0
	for i := range 1000 {
		if _, plan := h.Ask(start.Add(time.Hour).Add(time.Duration(i)), path, oids(1)); plan.Mode == githost.Fails {
			failed++
		}
	}
	if failed < 400 || failed > 600 {
		t.Errorf("of 1000 requests: got %d failures, want about half", failed)
	}
	h.Heal()
	if _, plan := h.Ask(start.Add(2*time.Hour), path, oids(1)); len(plan.Objects) != 1 {
		t.Errorf("healed: got %+v, want the object", plan)
	}
}

func TestLimitPerMinute(t *testing.T) {
	h := newHost(t, githost.Config{PerMinute: 2, RetryAfter: 30 * time.Second})
	h.Put(start, path, oid(0))
	for i, want := range []githost.Mode{githost.Serves, githost.Serves, githost.Limits} {
		_, plan := h.Ask(start.Add(time.Duration(i)*time.Second), path, oids(1))
		if plan.Mode != want {
			t.Errorf("request %d: got %q, want %q", i+1, plan.Mode, want)
		}
	}
	if _, plan := h.Ask(start.Add(time.Minute), path, oids(1)); plan.Mode != githost.Serves {
		t.Errorf("when the first has left the minute: got %q, want it served", plan.Mode)
	}
	if got := h.Measured().Window; got != 3 {
		t.Errorf("Window: got %d, want 3", got)
	}
}

func TestLink(t *testing.T) {
	h := newHost(t, githost.Config{
		Delay: time.Second, Link: network.Link{Latency: 100 * time.Millisecond},
		Trouble: []githost.Trouble{{Mode: githost.Drips, Slow: time.Second}},
	})
	h.Put(start, path, oid(0))
	_, plan := h.Ask(start, path, oids(1))
	if begins, ends := plan.Begins.Sub(start), plan.Ends.Sub(start); begins != 1200*time.Millisecond || ends != 2200*time.Millisecond {
		t.Errorf("got %v to %v, want 1.2s to 2.2s", begins, ends)
	}
	if got := h.Requests()[0].At.Sub(start); got != 100*time.Millisecond {
		t.Errorf("arrival: got %v, want 100ms", got)
	}

	lossy := newHost(t, githost.Config{Link: network.Link{Loss: kernel.Million / 4}})
	lossy.Put(start, path, oid(0))
	lost := 0
	for range 1000 {
		if _, plan := lossy.Ask(start, path, oids(1)); plan.Begins == githost.Never {
			lost++
		}
	}
	if lost < 380 || lost > 500 { // 1 - 3/4 * 3/4 = 44%
		t.Errorf("of 1000 exchanges: got %d lost, want about 440", lost)
	}
}

func TestWhimsAskTheChooser(t *testing.T) {
	h := newHost(t, githost.Config{Whims: githost.Modes()[1:3]})
	replay := kernel.NewReplay([]kernel.Choice{
		{Label: "githost/git1.example", N: 3, Picked: 2}, {Label: "githost/git1.example", N: 3, Picked: 0},
	})
	h, err := githost.New(githost.Config{Name: h.Name(), Whims: githost.Modes()[1:3]}, 1, start, replay)
	if err != nil {
		t.Fatal(err)
	}
	h.Put(start, path, oid(0))
	for _, want := range []githost.Mode{githost.Drops, githost.Serves} {
		if _, plan := h.Ask(start, path, oids(1)); plan.Mode != want {
			t.Errorf("got %q, want %q", plan.Mode, want)
		}
	}
	if replay.Err() != nil || replay.Rest() != 0 {
		t.Errorf("got %v and %d choices left, want all made", replay.Err(), replay.Rest())
	}
}

func TestSameSeedSamePlans(t *testing.T) {
	run := func() []githost.Request {
		h := newHost(t, githost.Config{
			Link:  network.Link{Latency: time.Millisecond, Jitter: time.Second, Loss: 100_000},
			Whims: githost.Modes()[1:], Lacking: 100_000, Late: time.Second,
		})
		for i := range 200 {
			now := start.Add(time.Duration(i) * time.Second)
			h.Put(now, path, oid(i))
			number, plan := h.Ask(now, path, oids(i+1))
			at, _ := plan.Ending(now, githost.Timeouts{Begin: time.Second, Whole: 2 * time.Second})
			h.End(at, number)
		}
		return h.Requests()
	}
	if diff := cmp.Diff(run(), run()); diff != "" {
		t.Errorf("two runs differ:\n%s", diff)
	}
}

// The measure is that of a count by hand, whatever the history.
func TestMeasure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, err := githost.New(githost.Config{Name: "git1.example"}, 1, start, nil)
		if err != nil {
			t.Fatal(err)
		}
		var sent []instant.Instant
		var open []uint64
		most, window, now := 0, 0, start
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(0, 20).Draw(t, "seconds")) * time.Second)
			if len(open) > 0 && rapid.Bool().Draw(t, "end") {
				i := rapid.IntRange(0, len(open)-1).Draw(t, "which")
				h.End(now, open[i])
				open = slices.Delete(open, i, i+1)
				continue
			}
			number, _ := h.Ask(now, path, nil)
			sent, open = append(sent, now), append(open, number)
			most = max(most, len(open))
			within := 0
			for _, at := range sent {
				if at.Add(time.Minute) > now {
					within++
				}
			}
			window = max(window, within)
		}
		want := githost.Measure{Requests: uint64(len(sent)), InFlight: len(open), Most: most, Window: window}
		if got := h.Measured(); got != want {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}

func TestConfigErrors(t *testing.T) {
	one := func(t githost.Trouble) githost.Config {
		return githost.Config{Name: "h", Trouble: []githost.Trouble{t}}
	}
	tests := []struct {
		cfg  githost.Config
		want string
	}{
		{githost.Config{}, "name"},
		{githost.Config{Name: "H"}, "name"},
		{githost.Config{Name: "h", Delay: -1}, "delay"},
		{githost.Config{Name: "h", Lacking: kernel.Million + 1}, "lacking"},
		{githost.Config{Name: "h", PerMinute: -1}, "per minute"},
		{githost.Config{Name: "h", Whims: []githost.Mode{"x"}}, "whim"},
		{one(githost.Trouble{Mode: "x"}), "trouble 1: mode"},
		{one(githost.Trouble{From: time.Hour, Until: time.Minute}), "until"},
		{one(githost.Trouble{Well: -1}), "well"},
		{one(githost.Trouble{Mode: githost.Redirects}), "redirect to"},
		{one(githost.Trouble{Mode: githost.Drips}), "slow"},
		{one(githost.Trouble{RetryAfter: 1}), "retry after"},
	}
	for _, test := range tests {
		if err := test.cfg.Validate(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: got %v, want an error about %q", test.cfg, err, test.want)
		}
	}
}

func BenchmarkAsk(b *testing.B) {
	h, err := githost.New(githost.Config{Name: "h", Link: network.Link{Latency: time.Millisecond}}, 1, start, nil)
	if err != nil {
		b.Fatal(err)
	}
	h.Put(start, path, oid(0))
	want := oids(1)
	now := start
	for b.Loop() {
		now = now.Add(time.Second)
		number, _ := h.Ask(now, path, want)
		h.End(now, number)
	}
}
