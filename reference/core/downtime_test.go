package core_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// say publishes an event by somebody.
func (s *shell) say(kind int, by string, tags nostr.Tags) *nostr.Event {
	ev := &nostr.Event{Kind: kind, PubKey: string(key(by)), CreatedAt: nostr.Timestamp(s.now.Unix()), Tags: tags}
	ev.ID = ev.GetID()
	s.step(core.Message{Conn: 1, Msg: relay.Event{Event: ev, IDOK: true}, SigOK: true})
	return ev
}

// demo is an announcement of alice's.
func (s *shell) demo(identifier string) *nostr.Event {
	return s.say(repo.KindAnnouncement, "alice", nostr.Tags{
		{"d", identifier},
		{"clone", fmt.Sprintf("http://grasp.test/%s/%s.git", npub(s.t, "alice"), identifier)},
		{"relays", "ws://grasp.test"},
	})
}

func npub(t testing.TB, name string) string {
	t.Helper()
	service, err := repo.ParseService("ws://grasp.test")
	if err != nil {
		t.Fatal(err)
	}
	url := service.CloneURL(repo.ID{Owner: key(name), Identifier: "x"}, "http")
	return url[len("http://grasp.test/") : len(url)-len("/x.git")]
}

func (s *shell) pass(d time.Duration) {
	until := s.now.Add(d)
	for {
		at, ok := s.server.Deadline()
		if !ok || at > until {
			break
		}
		s.now = max(s.now, at)
		s.step(core.TimerFired{})
	}
	s.now = until
}

// stop ends the server in order.
func (s *shell) stop() { s.step(core.Shutdown{}) }

func (s *shell) left(t *testing.T, ev *nostr.Event) time.Duration {
	t.Helper()
	h, held := s.held[ev.ID]
	if !held {
		t.Fatalf("event %.8s: got it gone, want it held", ev.ID)
	}
	return h.Deadline.Sub(s.now)
}

// Every remaining life is shorter by exactly the downtime, and a clock that went backwards counts as none. What came is
// as long ago as it was (REF-PURG-12).
func TestDowntimeCounts(t *testing.T) {
	for _, down := range []time.Duration{0, 5 * time.Minute, 1, -time.Hour, -1, -40 * 24 * time.Hour} {
		t.Run(down.String(), func(t *testing.T) {
			s := newShell(t)
			ev := s.demo("demo")
			id := repo.ID{Owner: key("alice"), Identifier: "demo"}
			s.pushes++
			s.running[s.pushes] = core.PushOffered{Push: s.pushes, Repo: id, Commands: []gitproto.Command{
				{Old: repo.ZeroOID, New: oid("a"), Ref: repo.PullRequestPrefix + string(oid("x")) + "000000000000000000000000"},
			}}
			s.step(s.running[s.pushes])
			s.pass(7*time.Minute + 11)
			s.stop()
			s.now = s.now.Add(down)
			s.boot()
			lived := 7*time.Minute + 11 + max(0, down)
			if got, want := s.left(t, ev), core.PurgatoryLife-lived; got != want {
				t.Errorf("left after the start: got %v, want %v", got, want)
			}
			if got := s.now.Sub(s.held[ev.ID].Arrived); got != lived {
				t.Errorf("time since the arrival: got %v, want %v", got, lived)
			}
			for _, m := range s.marks {
				if got, want := m.Until.Sub(s.now), core.PlaceholderLife-lived; got != want || m.Kind != core.MarkPlaceholder {
					t.Errorf("mark of kind %d: got %v left, want %v of a placeholder", m.Kind, got, want)
				}
			}
			if len(s.marks) != 1 {
				t.Errorf("got %d marks, want that of the placeholder", len(s.marks))
			}
			s.pass(s.left(t, ev) - 1)
			if s.held[ev.ID].Soft {
				t.Error("got it soft before its time")
			}
			s.pass(1)
			if !s.held[ev.ID].Soft {
				t.Error("got it active, want it soft at its deadline")
			}
		})
	}
}

// Two restarts after odd intervals add no error, whichever way the clock went.
func TestRestartsDoNotAddUp(t *testing.T) {
	s := newShell(t)
	ev := s.demo("demo")
	lived := time.Duration(0)
	for _, leg := range []struct{ run, down time.Duration }{
		{1234567891, 987654321}, {333333333, -time.Hour}, {1, 1}, {5*time.Minute + 7, -3}, {0, 59 * time.Second},
	} {
		s.pass(leg.run)
		s.stop()
		s.now = s.now.Add(leg.down)
		s.boot()
		lived += leg.run + max(0, leg.down)
		if got, want := s.left(t, ev), core.PurgatoryLife-lived; got != want {
			t.Fatalf("after %v: got %v left, want %v", leg, got, want)
		}
	}
}

// What runs out while the server is down is expired at start, phase by phase: the second life counts from the end of the
// first one (REF-PURG-12). The expired set comes back too (REF-PURG-11).
func TestWhatRanOutWhileDownIsExpired(t *testing.T) {
	for _, c := range []struct {
		down          time.Duration
		soft, expired bool
	}{
		{29 * time.Minute, false, false},
		{31 * time.Minute, true, false},
		{core.PurgatoryLife + core.SoftLife - 1, true, false},
		{core.PurgatoryLife + core.SoftLife, false, true},
		{core.PurgatoryLife + core.SoftLife + core.ExpiredLife, false, false},
	} {
		s := newShell(t)
		ev := s.demo("demo")
		s.stop()
		s.now = s.now.Add(c.down)
		s.boot()
		h, held := s.held[ev.ID]
		if alive := c.down < core.PurgatoryLife+core.SoftLife; held != alive || h.Soft != c.soft || s.server.Expired(ev.ID) != c.expired {
			t.Errorf("down for %v: got held %t, soft %t, expired %t, want %t, %t, %t", c.down, held, h.Soft, s.server.Expired(ev.ID), alive, c.soft, c.expired)
		}
		if _, there := s.repos[repo.ID{Owner: key("alice"), Identifier: "demo"}]; there != (c.down < core.PurgatoryLife) {
			t.Errorf("down for %v: got the repository there %t", c.down, there)
		}
		if !c.expired {
			continue
		}
		s.stop()
		s.now = s.now.Add(time.Hour)
		s.boot()
		if !s.server.Expired(ev.ID) {
			t.Error("after another restart: got the expired id forgotten, want it known")
		}
		s.pass(core.ExpiredLife - time.Hour)
		s.step(core.TimerFired{})
		if s.server.Expired(ev.ID) {
			t.Error("after seven days: got the expired id known, want it forgotten")
		}
	}
}

// A held event whose data is there is released at start, without waiting for anything else (REF-PURG-16, REF-PURG-17).
func TestStartJudgesAgain(t *testing.T) {
	s := newShell(t)
	ann := s.demo("demo")
	state := s.say(repo.KindState, "alice", nostr.Tags{{"d", "demo"}, {"refs/heads/main", string(oid("a"))}})
	pr := s.say(repo.KindPullRequest, "bob", nostr.Tags{
		{"a", fmt.Sprintf("%d:%s:demo", repo.KindAnnouncement, key("alice"))}, {"c", string(oid("b"))},
	})
	r := s.repos[repo.ID{Owner: key("alice"), Identifier: "demo"}]
	r.refs["refs/heads/main"], r.objects[oid("a")], r.objects[oid("b")] = oid("a"), true, true // as a push does that nobody hears of
	s.boot()
	for name, ev := range map[string]*nostr.Event{"announcement": ann, "state": state} {
		if s.stored[ev.ID] == nil {
			t.Errorf("%s: got it held, want it released", name)
		}
	}
	if _, held := s.held[pr.ID]; held {
		t.Error("pull request: got it held, want it released")
	}
}
