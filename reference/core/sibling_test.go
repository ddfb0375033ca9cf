package core_test

import (
	"fmt"
	"testing"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// announceAs announces a repository of somebody that names a maintainer.
func (s *shell) announceAs(who, maintainer string) repo.ID {
	id := repo.ID{Owner: key(who), Identifier: "demo"}
	s.publish(who, 30617, nostr.Tag{"d", "demo"}, nostr.Tag{"clone", "https://grasp.test" + id.Path()},
		nostr.Tag{"relays", "wss://grasp.test"}, nostr.Tag{"maintainers", string(key(maintainer))})
	return id
}

func (s *shell) pushMain(id repo.ID, old, to string) {
	s.pushes++
	offer := core.PushOffered{Push: s.pushes, Repo: id, Commands: []gitproto.Command{
		{Ref: "refs/heads/main", Old: oid(old), New: oid(to)},
	}}
	s.running[offer.Push] = offer
	s.step(offer)
}

// Whoever names alice gets what she pushes, but not everybody: an announcement costs its author next to nothing.
func TestCopiesAreBounded(t *testing.T) {
	s := limited(t, nil)
	alice := s.announceAs("alice", "alice")
	for i := range core.CopiesMax + 3 {
		s.announceAs(fmt.Sprint("fan", i), "alice")
	}
	s.publish("alice", 30618, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("a"))})
	s.pushMain(alice, "0", "a")
	follow := func(to string) (n int) {
		for _, r := range s.repos {
			if r.refs["refs/heads/main"] == oid(to) {
				n++
			}
		}
		return n
	}
	if got := follow("a"); got != 1+core.CopiesMax {
		t.Errorf("got %d repositories at the first commit, want alice's and %d more", got, core.CopiesMax)
	}
	// Those that got the first get the next, too.
	s.now = s.now.Add(1)
	ev := &nostr.Event{PubKey: string(key("alice")), Kind: 30618, CreatedAt: nostr.Timestamp(start.Unix() + 1), Tags: nostr.Tags{
		{"d", "demo"}, {"refs/heads/main", string(oid("b"))},
	}}
	ev.ID = ev.GetID()
	s.step(core.Message{Conn: 1, Msg: relay.Event{Event: ev, IDOK: true}, SigOK: true})
	s.pushMain(alice, "a", "b")
	if got := follow("b"); got != 1+core.CopiesMax {
		t.Errorf("got %d repositories at the second commit, want alice's and %d more", got, core.CopiesMax)
	}
}

// However many repositories have data, a look asks a few of them: those of maintainers, and those that got data last.
func TestSiblingsAskedAreBounded(t *testing.T) {
	s := limited(t, nil)
	for i := range core.SiblingsAsked + 5 {
		who := fmt.Sprint("other", i)
		id := s.announceAs(who, who)
		s.publish(who, 30618, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid(who))})
		s.pushMain(id, "0", who)
	}
	alice := s.announceAs("alice", "other0")
	if r := s.repos[alice]; r == nil || r.refs["refs/heads/main"] != oid("other0") {
		t.Fatalf("got repository %v, want alice's at what the maintainer has", r)
	}
	s.asked = 0
	s.publish("alice", 30618, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("nowhere"))})
	if want := 1 + core.SiblingsAsked; s.asked != want {
		t.Errorf("got %d repositories asked, want alice's and %d others", s.asked, core.SiblingsAsked)
	}
}

// A copy that fails is tried again in a while: nothing else may ever come that has the repository looked at (INV-02).
func TestCopiesAreTriedAgain(t *testing.T) {
	s := newShell(t)
	alice, fan := s.announceAs("alice", "alice"), s.announceAs("fan", "alice")
	s.publish("alice", 30618, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("a"))})
	s.stuck = true
	s.pushMain(alice, "0", "a")
	if got := s.repos[fan].refs["refs/heads/main"]; got != "" {
		t.Fatalf("got main of the fan at %s, want it nowhere: the copy has failed", got)
	}
	s.stuck = false
	s.now = s.now.Add(core.OrderRetry)
	s.step(core.TimerFired{})
	if got := s.repos[fan].refs["refs/heads/main"]; got != oid("a") {
		t.Errorf("got main of the fan at %q, want it at what alice pushed", got)
	}
}

// What was copied counts for others, also where no ref could be moved to it (G01-PURG-22).
func TestCopiesWithoutARefCount(t *testing.T) {
	s := newShell(t)
	alice := s.announceAs("alice", "alice")
	s.announceAs("fan", "alice")
	s.publish("alice", 30618, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("a"))})
	s.broken = true
	s.pushMain(alice, "0", "a")
	s.publish("alice", 5, nostr.Tag{"a", fmt.Sprintf("30617:%s:demo", key("alice"))})
	s.broken = false
	carol := s.announceAs("carol", "carol")
	s.publish("carol", 30618, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("a"))})
	if got := s.repos[carol].refs["refs/heads/main"]; got != oid("a") {
		t.Errorf("got main of carol at %q, want it at what the fan has a copy of", got)
	}
}
