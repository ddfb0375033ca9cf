package invariant_test

import (
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/invariant"
)

// hunted begins a history of a server that hunts, with an announcement that lists another host too and the maintainers, and
// with other held events, after a restart.
func hunted(t *testing.T, held ...*nostr.Event) (h *history, announce func(at int64, maintainers ...string) *nostr.Event) {
	t.Helper()
	h = &history{t: t, monitor: invariant.New("server", service, 24*time.Hour, []string{"INV-29"}), now: 1}
	h.monitor.Hunts(invariant.Hunt{Bound: 10 * time.Hour})
	announce = func(at int64, maintainers ...string) *nostr.Event {
		ev := h.announcement("a", at, maintainers...)
		for i, tag := range ev.Tags {
			if tag[0] == "clone" {
				ev.Tags[i] = append(tag, "http://git1.example/demo.git")
			}
		}
		return ev
	}
	in := core.Started{Repositories: []core.RepositoryRefs{{ID: id("a")}}}
	for _, ev := range append(held, announce(10)) {
		in.Held = append(in.Held, core.HeldEvent{Event: ev, Arrived: h.now, Deadline: h.now.Add(24 * time.Hour)})
	}
	h.step(in)
	return h, announce
}

// An announcement that is held over a restart starts no hunt: an event that comes later has the whole delay of its own.
func TestHeldAnnouncementMakesNothingDue(t *testing.T) {
	empty := &nostr.Event{ID: "0", PubKey: string(key("a")), Kind: repo.KindState, CreatedAt: 5, Tags: nostr.Tags{{"d", "demo"}}}
	for name, held := range map[string][]*nostr.Event{"alone": nil, "with a state of nothing": {empty}} {
		t.Run(name, func(t *testing.T) {
			h, _ := hunted(t, held...)
			h.wait(time.Minute)
			s := h.state("a", 20, "1")
			h.step(arrives(s), h.hold(s))
			h.wait(3*time.Minute - time.Second)
			h.step(core.TimerFired{})
			h.want()
			h.wait(5 * time.Second)
			h.step(core.TimerFired{})
			h.want("INV-29 not-started-when-due")
		})
	}
}

// What has waited for long and only now may be asked for is due now, and not before.
func TestWhatIsAuthorizedLateIsDueThen(t *testing.T) {
	waits := &nostr.Event{
		ID: "0", PubKey: string(key("b")), Kind: repo.KindState, CreatedAt: 5,
		Tags: nostr.Tags{{"d", "demo"}, {"refs/heads/main", string(oid("1"))}},
	}
	h, announce := hunted(t, waits)
	h.wait(time.Hour)
	a := announce(30, "b")
	h.step(arrives(a), h.hold(a))
	h.wait(time.Second)
	h.step(core.TimerFired{})
	h.want()
	h.wait(2 * time.Second)
	h.step(core.TimerFired{})
	h.want("INV-29 not-started-when-due")
}
