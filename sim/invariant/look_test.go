package invariant_test

import (
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/core"
)

// What has authorized a push stays until the look behind it is over, which may ask twice, and no longer.
func TestLookBehindAPushPinsWhatItReliedOn(t *testing.T) {
	for name, c := range map[string]struct {
		served bool
		want   []string
	}{
		"served at the end": {true, nil},
		"held beyond it":    {false, []string{"INV-11 held-too-long", "INV-11 held-too-long"}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t, "INV-11")
			a, s := h.announcement("a", 10), h.state("a", 20, "1")
			h.host(a)
			h.step(arrives(s), h.hold(s), h.hold(a))
			h.step(push(1, id("a"), "", "1"), h.hold(s), h.hold(a), core.PushAdmitted{Push: 1})
			h.wait(time.Hour)
			h.step(done(1), core.AskObjects{Request: 10, Repo: id("a")})
			h.wait(time.Second)
			h.step(core.ObjectFacts{Request: 10}, core.AskObjects{Request: 11, Repo: id("b")})
			h.wait(time.Second)
			if c.served {
				h.step(core.ObjectFacts{Request: 11}, store(a), store(s))
			} else {
				h.step(core.ObjectFacts{Request: 11})
			}
			h.wait(time.Second)
			h.step(core.TimerFired{})
			h.want(c.want...)
		})
	}
}
