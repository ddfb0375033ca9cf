package core_test

import (
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/repo"
)

// stateOf is a state of somebody for the repositories of the identifier.
func (s *shell) stateOf(who, name string, at int) {
	s.send(who, name, 30618, at, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("a"))})
}

// revived reports whether the announcement of an owner is in its first phase and has its repository.
func (s *shell) revived(id repo.ID) bool {
	for _, h := range s.held {
		if h.Event.Kind == 30617 && h.Event.PubKey == string(id.Owner) {
			return !h.Soft && s.repos[id] != nil
		}
	}
	return false
}

// A state that comes while a push is under way in the repository of an announcement in its second phase is answered at once, and
// the announcement is revived when the push has ended, for what is left of half an hour from the state on (REF-PURG-03).
func TestRevivedBehindAPush(t *testing.T) {
	for _, takes := range []time.Duration{time.Minute, core.PurgatoryLife} {
		s := newShell(t)
		id := s.announceAs("alice", "bob")
		s.slow = true
		s.offerAs(id, repo.PullRequestPrefix+strings.Repeat("7", 64), "0", "b")
		s.pass(core.PurgatoryLife)
		s.stateOf("bob", "S1", 2)
		s.want(`ok S1 true "purgatory: `)
		until := s.now.Add(core.PurgatoryLife)
		s.pass(takes)
		for _, in := range s.runPush(1) {
			s.step(in)
		}
		if got, want := s.revived(id), takes < core.PurgatoryLife; got != want {
			t.Fatalf("a push of %v: got the announcement revived %t, want %t; what happened:\n%s", takes, got, want, s.log.String())
		}
		for _, h := range s.held {
			if h.Event.Kind == 30617 && !h.Soft && h.Deadline != until {
				t.Errorf("a push of %v: got a deadline of %v, want %v", takes, h.Deadline, until)
			}
		}
	}
}

// An announcement is not revived for a state that it does not authorize any more when its repository is there.
func TestRevivedByNobodyElse(t *testing.T) {
	for _, left := range []bool{true, false} {
		s := newShell(t)
		carol := s.announceAs("carol", "alice")
		s.pass(core.PurgatoryLife)
		s.announceAs("alice", "bob")
		s.slack = true
		s.stateOf("bob", "S1", 2)
		if left {
			s.now = s.now.Add(time.Second)
			s.say(30617, "alice", nostr.Tags{
				{"d", "demo"},
				{"clone", "https://grasp.test" + (repo.ID{Owner: key("alice"), Identifier: "demo"}).Path()},
				{"relays", "wss://grasp.test"},
			})
		}
		s.carryOn()
		if s.revived(carol) == left || s.repos[carol] != nil == left {
			t.Errorf("left out %t: got the announcement revived %t and a repository %t; what happened:\n%s", left, s.revived(carol),
				s.repos[carol] != nil, s.log.String())
		}
	}
}

// Announcements that run out one after the other while a state waits for its answer are all revived for it.
func TestRevivedOneByOne(t *testing.T) {
	s := newShell(t)
	alice := s.announceAs("alice", "bob")
	s.pass(10 * time.Second)
	carol := s.announceAs("carol", "bob")
	s.pass(core.PurgatoryLife - 11*time.Second)
	s.thinking = true
	s.stateOf("bob", "S1", 2)
	s.pass(2 * time.Second)
	asked := s.undone
	s.undone, s.thinking, s.slack = nil, false, true
	for _, e := range asked {
		for _, in := range s.carryOut(e) {
			s.step(in)
		}
	}
	s.pass(10 * time.Second)
	s.carryOn()
	if !s.revived(alice) || !s.revived(carol) {
		t.Errorf("got them revived %t and %t, want both; what happened:\n%s", s.revived(alice), s.revived(carol), s.log.String())
	}
}

// An announcement that runs out while a state waits for its answer is revived for it, also if the answer is that it is served.
func TestRevivedBehindARelease(t *testing.T) {
	s := newShell(t)
	carol := s.announceAs("carol", "bob")
	s.pass(10 * time.Second)
	alice := s.announceAs("alice", "bob")
	s.repos[alice].objects[oid("a")] = true
	s.pass(core.PurgatoryLife - 11*time.Second)
	s.thinking = true
	s.stateOf("bob", "S1", 2)
	until := s.now.Add(core.PurgatoryLife)
	s.pass(2 * time.Second)
	if s.revived(carol) {
		t.Fatal("want an announcement that has run out")
	}
	s.carryOn()
	s.want(`ok S1 true ""`)
	if !s.revived(carol) {
		t.Errorf("got it not revived; what is held: %+v", s.held)
	}
	for _, h := range s.held {
		if h.Deadline != until {
			t.Errorf("got a deadline of %v, want %v", h.Deadline, until)
		}
	}
}
