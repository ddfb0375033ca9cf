package invariant_test

import (
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/repo"
)

// pushing has a state of the owner held and a push of it under way, and then more time pass than either has.
func pushing(t *testing.T) (h *history, announcement, state func() core.Effect) {
	t.Helper()
	h = newHistory(t)
	a, s := h.announcement("a", 10), h.state("a", 20, "1")
	h.host(a)
	h.step(arrives(s), h.hold(s), h.hold(a))
	h.step(push(1, id("a"), "", "1"), h.hold(s), h.hold(a), core.PushAdmitted{Push: 1})
	h.wait(time.Hour)
	return h, func() core.Effect { return h.soften(a, h.now.Add(core.SoftLife)) }, func() core.Effect { return drop(s) }
}

// What a push relies on stays until it has ended, and so does an announcement that has taken the place of such a one.
func TestWhatAPushReliesOnStays(t *testing.T) {
	h, _, state := pushing(t)
	h.step(core.TimerFired{}, state())
	h.want("INV-10 kept-vanished")

	h, announcement, _ := pushing(t)
	h.step(core.TimerFired{}, announcement())
	h.want("INV-11 soft-too-early")

	h = newHistory(t)
	a, s, newer := h.announcement("a", 10), h.state("a", 20, "1"), h.announcement("a", 30)
	h.host(a)
	h.step(arrives(s), h.hold(s), h.hold(a))
	h.step(push(1, id("a"), "", "1"), h.hold(s), h.hold(a), core.PushAdmitted{Push: 1})
	h.step(arrives(newer), drop(a), h.hold(newer))
	h.wait(time.Hour)
	h.step(core.TimerFired{}, h.soften(newer, h.now.Add(core.SoftLife)))
	h.want("INV-11 soft-too-early")
}

// The look behind a push may take its time: what the push relied on is not overdue before that is over, and is then.
func TestTheLookBehindAPushTakesItsTime(t *testing.T) {
	h, _, _ := pushing(t)
	ask := core.AskObjects{Request: 2, Repo: id("a"), OIDs: []repo.OID{oid("1")}}
	h.step(done(1), ask)
	h.wait(time.Hour)
	h.step(core.TimerFired{})
	h.want()
	h.step(core.ObjectFacts{Request: 2}, core.UpdateRefs{Request: 3, Repo: id("a"), Head: "refs/heads/main"})
	h.wait(time.Hour)
	h.step(core.TimerFired{})
	h.want()
	h.step(core.RepositoryDone{Request: 3, OK: true})
	h.wait(time.Second)
	h.step(core.TimerFired{})
	h.want("INV-11 held-too-long", "INV-11 held-too-long")
}

// A push may rely on a state that is not answered yet: once that is held it stays.
func TestAPushReliesOnWhatIsNotAnswered(t *testing.T) {
	h := newHistory(t)
	a, s := h.announcement("a", 10), h.state("a", 20, "1")
	h.host(a)
	h.step(arrives(s), core.AskObjects{Request: 2, Repo: id("a"), OIDs: []repo.OID{oid("1")}})
	h.step(push(1, id("a"), "", "1"), h.hold(a), core.PushAdmitted{Push: 1})
	h.step(core.ObjectFacts{Request: 2, Missing: []repo.OID{oid("1")}}, h.hold(s))
	h.wait(time.Hour)
	h.step(core.TimerFired{})
	h.want()
}

// An event that is sent again in the instant in which its time is over is a new one.
func TestSentAgainWhenItsTimeIsOver(t *testing.T) {
	h := newHistory(t)
	a, s := h.announcement("a", 10), h.state("a", 20, "1")
	h.host(a)
	h.step(arrives(s), h.hold(s), h.hold(a))
	h.wait(life)
	h.step(arrives(s), h.soften(a, h.now.Add(core.SoftLife)), drop(s), core.CreateRepository{Request: 2, Repo: id("a")})
	h.step(core.RepositoryDone{Request: 2, OK: true}, h.hold(a), h.hold(s))
	h.want()
}

// An end that was to be in order and was not promises nothing.
func TestACrashWithinAnOrderlyEnd(t *testing.T) {
	for _, crashed := range []bool{false, true} {
		h := newHistory(t)
		h.host(h.announcement("a", 10))
		h.step(core.Shutdown{})
		want := []string{"INV-25 lost-by-restart"}
		if crashed {
			h.monitor.Crashed()
			want = nil
		}
		h.step(core.Started{Repositories: []core.RepositoryRefs{{ID: id("a")}}})
		var got []string
		for _, v := range h.monitor.Violations {
			if v.ID == "INV-25" {
				got = append(got, v.String())
			}
		}
		if len(got) != len(want) {
			t.Errorf("crashed %t: got %v, want %v", crashed, got, want)
		}
	}
}
