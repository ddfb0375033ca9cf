package main

import (
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/features"
)

// shown is a display with a clock of its own, of a run in which one check is over, one waits, and one is under way.
func shown(width int) (d *display, w *strings.Builder, now *time.Time) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	w, now = &strings.Builder{}, &at
	d = newDisplay(w, "serve")
	d.clock, d.said = func() time.Time { return *now }, at
	if width > 0 {
		d.width = func() int { return width }
	}
	check := func(id, title string) features.Check { return features.Check{ID: id, Title: title} }
	d.hear(suite.Progress{Stage: suite.Dealt, Total: 9})
	d.hear(suite.Progress{Stage: suite.Begun, At: at, Check: check("waits-1", "long"), Wait: 5 * time.Minute})
	d.hear(suite.Progress{Stage: suite.Begun, At: at, Check: check("bad-1", "wrong")})
	d.hear(suite.Progress{Stage: suite.Begun, At: at, Check: check("now-1", "a title that is far too long for this terminal")})
	d.hear(suite.Progress{Stage: suite.Over, At: at, Check: check("bad-1", "wrong"), Verdict: suite.Fail, Reason: "why"})
	return d, w, now
}

func TestDisplayLines(t *testing.T) {
	d, w, now := shown(0)
	d.show()
	if w.Len() > 0 {
		t.Fatalf("at once: %q", w)
	}
	*now = now.Add(lineEvery)
	d.show()
	d.show()
	want := "serve: 1 of 9 checks, 1 violated; under way: now-1; waits-1 waits, 4m50s more\n"
	if w.String() != want {
		t.Fatalf("got %q, want %q", w, want)
	}
	*now = now.Add(lineEvery)
	if d.show(); w.String() != want {
		t.Fatalf("nothing was new, and yet: %q", w)
	}
	*now = now.Add(lineStill)
	if d.show(); !strings.HasSuffix(w.String(), "waits-1 waits, 3m40s more\n") {
		t.Fatalf("after a minute: %q", w)
	}
	if d.clear(); strings.Contains(w.String(), "\x1b") {
		t.Fatalf("no terminal, and yet: %q", w)
	}
}

type limitsMet map[string]int

func (l limitsMet) Told() (map[string]int, time.Duration) { return l, 125 * time.Second }

// Who waits for a server that limits the pace is told so: nothing else moves meanwhile.
func TestDisplayTellsWhyNothingMoves(t *testing.T) {
	d, w, now := shown(0)
	d.paced(limitsMet{})
	*now = now.Add(lineEvery)
	if d.show(); strings.Contains(w.String(), "slow down") {
		t.Errorf("without limits: got %q", w)
	}
	d.paced(limitsMet{"queries: slow": 1, "rate-limited: slow down": 4})
	*now = now.Add(lineStill)
	if d.show(); !strings.Contains(w.String(), "; the target asked 5 times to slow down (rate-limited: slow down), 2m5s went by on that; ") {
		t.Errorf("got %q", w)
	}
}

func TestDisplayDrawsAnew(t *testing.T) {
	d, w, _ := shown(24)
	d.show()
	if want := "serve: 1 of 9 checks, 1\n  now-1 a title that is\n  waits-1 waits, 5m0s m\n"; w.String() != want {
		t.Fatalf("got %q, want %q", w, want)
	}
	w.Reset()
	d.clear()
	if w.String() != "\x1b[3A\x1b[J" {
		t.Fatalf("cleared by %q", w)
	}
	w.Reset()
	if d.clear(); w.Len() > 0 {
		t.Fatalf("cleared again by %q", w)
	}
}

func TestDisplayTriesAgain(t *testing.T) {
	d, w, now := shown(0)
	bad := features.Check{ID: "bad-1"}
	d.hear(suite.Progress{Stage: suite.Begun, At: *now, Check: bad, Again: true})
	d.hear(suite.Progress{Stage: suite.Over, At: *now, Check: bad, Verdict: suite.Pass, Again: true})
	*now = now.Add(lineEvery)
	if d.show(); !strings.HasPrefix(w.String(), "serve: 1 of 9 checks; under way: now-1") {
		t.Fatalf("got %q", w)
	}
}
