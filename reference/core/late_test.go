package core_test

import (
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

// offerAs offers a push of one ref.
func (s *shell) offerAs(id repo.ID, ref, old, to string) {
	s.pushes++
	offer := core.PushOffered{Push: s.pushes, Repo: id, Commands: []gitproto.Command{{Ref: ref, Old: oid(old), New: oid(to)}}}
	s.running[offer.Push] = offer
	s.step(offer)
}

// A state that comes while a push waits is looked for behind the push, also if that is refused: nobody else would (G01-PURG-09).
func TestARefusedPushIsFollowedByALook(t *testing.T) {
	s := newShell(t)
	id := repo.ID{Owner: key("alice"), Identifier: "demo"}
	s.announceAs("alice", "bob")
	s.send("alice", "S1", 30618, 2, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("a"))})
	s.offerAs(id, "refs/heads/main", "0", "a")
	s.slack = true
	s.send("alice", "S2", 30618, 3, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/dev", string(oid("a"))})
	s.offerAs(id, "refs/heads/main", "a", "b")
	s.send("bob", "S3", 30618, 4, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/tags/v1", string(oid("a"))})
	s.carryOn()
	log := s.log.String()
	if !strings.Contains(log, "push 2 refused") {
		t.Fatalf("got\n%s, want the second push refused", log)
	}
	if !strings.Contains(log, "live S3") {
		t.Errorf("got\n%s, want S3 served: its data is here", log)
	}
}

// The clock of a ref whose time ran out while the server was down goes with the ref: the next one of the name has a whole life
// of its own (G01-PR-07).
func TestClocksGoWithTheirRefsAtTheStart(t *testing.T) {
	s := newShell(t)
	id := repo.ID{Owner: key("alice"), Identifier: "demo"}
	s.announceAs("alice", "bob")
	s.send("alice", "S1", 30618, 2, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("a"))})
	s.offerAs(id, "refs/heads/main", "0", "a")
	ref := repo.PullRequestPrefix + strings.Repeat("7", 64)
	s.offerAs(id, ref, "0", "b")
	s.now = s.now.Add(core.PlaceholderLife + time.Minute)
	s.boot()
	if _, there := s.repos[id].refs[ref]; there {
		t.Fatal("a ref whose time is over is still there after the start")
	}
	s.pass(core.PlaceholderLife / 2)
	s.offerAs(id, ref, "0", "c")
	s.pass(core.PlaceholderLife - time.Second)
	if _, there := s.repos[id].refs[ref]; !there {
		t.Error("the second ref of the name is gone before its time")
	}
	s.pass(time.Second)
	if _, there := s.repos[id].refs[ref]; there {
		t.Error("the second ref of the name has outlived its time")
	}
}

// A state that is deleted while the repository is made for which it revives an announcement revives nothing: its answer is OK
// false, and that has no side effect (INV-03).
func TestADeletedStateRevivesNothing(t *testing.T) {
	for _, deleted := range []bool{true, false} {
		s := newShell(t)
		id := repo.ID{Owner: key("alice"), Identifier: "demo"}
		s.announceAs("alice", "bob")
		s.pass(core.PurgatoryLife)
		s.slack = true
		ev := s.send("bob", "S1", 30618, 2, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("a"))})
		if deleted {
			s.send("bob", "D1", 5, 3, nostr.Tag{"e", ev.ID})
		}
		s.carryOn()
		if _, there := s.repos[id]; there == deleted {
			t.Errorf("deleted %t: got a repository %t; what happened:\n%s", deleted, there, s.log.String())
		}
		if s.held[ev.ID].Event != nil == deleted {
			t.Errorf("deleted %t: the state is held %t", deleted, !deleted)
		}
	}
}

// An announcement whose second phase begins while a state that it authorizes is looked for is revived for it (REF-PURG-03),
// and has a whole life when the state is held (REF-PURG-04).
func TestAStateRevivesWhatSoftensMeanwhile(t *testing.T) {
	s := newShell(t)
	id := s.announceAs("alice", "bob")
	s.pass(core.PurgatoryLife - time.Second)
	s.thinking = true
	ev := s.send("bob", "S1", 30618, 2, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("a"))})
	s.pass(2 * time.Second)
	s.carryOn()
	if _, there := s.repos[id]; !there {
		t.Errorf("the repository is gone; what happened:\n%s", s.log.String())
	}
	var h core.HeldEvent
	for _, other := range s.held {
		if other.Event.Kind == 30617 {
			h = other
		}
	}
	if h.Event == nil || h.Soft || h.Deadline != s.now.Add(core.PurgatoryLife) || s.held[ev.ID].Event == nil {
		t.Errorf("got the announcement held in its second phase %t until %v, want the first until %v, and the state held", h.Soft, h.Deadline,
			s.now.Add(core.PurgatoryLife))
	}
}

// A server that is stopping revives nothing, and concludes once the state that waited for it: here the announcement of the
// repository that has been looked at softens, and the look at the other ends after the shutdown.
func TestAStateIsConcludedOnceWhileTheServerStops(t *testing.T) {
	s := newShell(t)
	s.announceAs("alice", "bob")
	s.pass(core.PurgatoryLife - time.Second)
	s.announceAs("carol", "bob")
	s.thinking = true
	ev := s.send("bob", "S1", 30618, 2, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("a"))})
	looks := s.undone
	if s.undone = looks[:1]; len(looks) != 2 {
		t.Fatalf("got %d open questions, want one for each repository", len(looks))
	}
	s.pass(2 * time.Second)
	s.carryOn()
	s.stop()
	held := 0
	for _, answer := range s.carryOut(looks[1]) {
		var out core.Effects
		s.server.Step(s.now, answer, &out)
		for _, e := range out.List {
			if r, ok := e.(core.Record); ok && r.Op == core.OpHold && r.ID == ev.ID {
				held++
			}
		}
	}
	if held != 1 {
		t.Errorf("the state is recorded as held %d times, want once; what happened:\n%s", held, s.log.String())
	}
}

// A state that goes while refs move for it has moved nothing: it is refused (INV-03), or of somebody who counts no more
// (G01-MNT-03). The refs go back, and where there is another state they are soon as that one has them (INV-02).
func TestAStateThatGoesMovesNothing(t *testing.T) {
	deleted := func(s *shell, ev *nostr.Event) { s.send("bob", "D1", 5, 4, nostr.Tag{"e", ev.ID}) }
	for _, c := range []struct {
		name, want string
		before     bool
		meanwhile  func(s *shell, ev *nostr.Event)
	}{
		{"it stays", "refs/heads/main <b>, refs/tags/v1 <b>", true, func(*shell, *nostr.Event) {}},
		{"it is deleted", "refs/heads/main <a>", true, deleted},
		{"it is deleted, and was the first", "", false, deleted},
		{"its author counts no more", "", false, func(s *shell, _ *nostr.Event) { s.announceAs("alice", "carol") }},
		{"its author has a newer one", "refs/heads/main <c>", true, func(s *shell, _ *nostr.Event) {
			s.send("bob", "S3", 30618, 4, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("c"))})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newShell(t)
			id := s.announceAs("alice", "bob")
			if c.before {
				s.send("bob", "S1", 30618, 2, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("a"))})
				s.pushMain(id, "0", "a")
			}
			s.repos[id].objects[oid("b")], s.repos[id].objects[oid("c")] = true, true
			s.slack = true
			ev := s.send("bob", "S2", 30618, 3, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("b"))},
				nostr.Tag{"refs/tags/v1", string(oid("b"))})
			s.now = s.now.Add(time.Second) // so that what comes is newer
			c.meanwhile(s, ev)
			s.carryOn()
			var got []string
			for _, ref := range sorted(s.repos[id].refs) {
				got = append(got, ref+" "+s.symbolic(string(s.repos[id].refs[ref])))
			}
			if strings.Join(got, ", ") != c.want {
				t.Errorf("got %s, want %s; what happened:\n%s", got, c.want, s.log.String())
			}
		})
	}
}
