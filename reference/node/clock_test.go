package node_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitlock"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/node"
	"github.com/graspkit/graspkit/reference/repo"
)

// A wall is a clock on a wall: its timers keep the pace of the mock, and somebody sets its hands.
type wall struct {
	*clock.Mock

	off atomic.Int64 // nanoseconds
}

func (w *wall) Now() time.Time { return w.Mock.Now().Add(time.Duration(w.off.Load())) }

// elapsed is what a stopwatch shows.
func (w *wall) elapsed() time.Duration { return w.Mock.Now().Sub(time.Unix(0, 0)) }

// A clock that is set by hours either way changes nothing for what waits: a deadline comes when its time has passed, no
// sooner and no later, and the log tells.
func TestTimersKeepTheirPaceWhenTheClockIsSet(t *testing.T) {
	for _, off := range []time.Duration{-time.Hour, time.Hour, -20 * 365 * 24 * time.Hour, 20 * 365 * 24 * time.Hour} {
		w := &wall{Mock: clock.NewMock()}
		w.Set(time.Unix(1_767_225_600, 0))
		begun := instant.Instant(w.Now().UnixNano())
		m := &machine{deadline: begun.Add(10 * time.Minute)}
		fired := 0
		m.step = func(_ instant.Instant, in core.Input, _ *core.Effects) {
			if _, ok := in.(core.TimerFired); ok {
				m.deadline = 0
				fired++
			}
		}
		var log strings.Builder
		n := begin(t, node.Config{Machine: m, Clock: w, Elapsed: w.elapsed, Logger: textLogger(&log)})
		w.off.Store(int64(off))
		w.Set(w.Mock.Now().Add(10*time.Minute - time.Second))
		look(t, n)
		if fired != 0 {
			t.Errorf("set by %s: the deadline came a second early", off)
		}
		w.Set(w.Mock.Now().Add(time.Second))
		look(t, n)
		if fired != 1 {
			t.Errorf("set by %s: the deadline came %d times, want once", off, fired)
		}
		for i := 1; i < len(m.instants); i++ {
			if m.instants[i] < m.instants[i-1] {
				t.Fatalf("instants %v go back", m.instants)
			}
		}
		if last := m.instants[len(m.instants)-1]; last != begun.Add(10*time.Minute) {
			t.Errorf("set by %s: got %s after the start, want 10 minutes", off, last.Sub(begun))
		}
		closeNode(t, n)
		if got := strings.Count(log.String(), "the clock was set"); got != 1 || !strings.Contains(log.String(), "by="+off.String()) {
			t.Errorf("set by %s: got the log %s, want one line of it", off, log.String())
		}
	}
}

// look makes the core act on what is due, and hear of it.
func look(t *testing.T, n *node.Node) {
	t.Helper()
	c := connect(t, n)
	synced(t, n)
	c.Close()
	synced(t, n)
}

// A clock that cannot tell how much time has passed but by its hands goes on from where it stood.
func TestTimeGoesOnWhenTheOnlyClockIsSetBack(t *testing.T) {
	mock := clock.NewMock()
	mock.Set(time.Unix(1_767_225_600, 0))
	m := &machine{deadline: instant.FromUnix(1_767_225_600 + 600)}
	m.step = func(_ instant.Instant, in core.Input, _ *core.Effects) {
		if _, ok := in.(core.TimerFired); ok {
			m.deadline = 0
		}
	}
	n := begin(t, node.Config{Machine: m, Clock: mock})
	mock.Set(mock.Now().Add(-time.Hour))
	look(t, n)
	mock.Set(mock.Now().Add(10 * time.Minute))
	look(t, n)
	if m.deadline != 0 {
		t.Error("ten minutes after the clock was set back by an hour, the deadline of ten minutes has not come")
	}
}

// What an event says of its own end is said in the time of day: it counts by the clock as it is set now. How long an
// announcement waits does not change.
func TestExpirationFollowsTheClock(t *testing.T) {
	for _, c := range []struct {
		off            time.Duration
		expired, later bool // right after the clock was set, and half an hour later
	}{{0, false, true}, {-time.Hour, false, false}, {time.Hour, true, true}} {
		w := &wall{Mock: clock.NewMock()}
		w.Set(time.Unix(1_767_225_600, 0))
		n := begin(t, node.Config{
			Core: coreConfig(t), Backend: gitlock.New(gitstore.NewMemory(gitstore.Limits{}), 0), Clock: w, Elapsed: w.elapsed,
		})
		id := repo.ID{Owner: repo.PubKey(keyOf(t)), Identifier: "demo"}
		held := signed(t, w, 30617, nostr.Tag{"d", "demo"}, nostr.Tag{"clone", "http://grasp.test" + id.Path()}, nostr.Tag{"relays", "ws://grasp.test"})
		publish(t, n, held, `["OK","`+held.ID+`",true,"purgatory: won't be served until git data arrives"]`)
		list := signed(t, w, 10317, expiration(w, 20*time.Minute))
		publish(t, n, list, `["OK","`+list.ID+`",true,""]`)
		w.off.Store(int64(c.off))
		look(t, n)
		gone(t, n, c.off, list, c.expired)
		w.Set(w.Mock.Now().Add(30*time.Minute - time.Second))
		look(t, n)
		gone(t, n, c.off, list, c.later)
		if expired := counted(n, string(core.EventSoftened)); expired != 0 {
			t.Errorf("set by %s: the announcement has waited a second less than half an hour and is given up", c.off)
		}
		w.Set(w.Mock.Now().Add(time.Second))
		look(t, n)
		if expired := counted(n, string(core.EventSoftened)); expired != 1 {
			t.Errorf("set by %s: half an hour is over and the announcement still waits", c.off)
		}
	}
}

func gone(t *testing.T, n *node.Node, off time.Duration, ev *nostr.Event, want bool) {
	t.Helper()
	if got := counted(n, string(core.EventOutlived)) == 1; got != want {
		t.Errorf("set by %s: event %s has expired: got %t, want %t", off, ev.ID, got, want)
	}
}

// The clock that servers run on knows how much time has passed, whatever its hands show.
func TestTheClockOfTheSystemKnowsElapsedTime(t *testing.T) {
	if now := clock.New().Now().String(); !strings.Contains(now, " m=") {
		t.Errorf("got %s, want a monotonic reading", now)
	}
}
