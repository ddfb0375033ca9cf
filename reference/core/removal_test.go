package core_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/repo"
)

// numbered is one of alice's repositories.
func numbered(n int) repo.ID {
	return repo.ID{Owner: key("alice"), Identifier: fmt.Sprintf("demo%02d", n)}
}

// withdraw announces a repository anew without the service.
func (s *shell) withdraw(id repo.ID, at int) {
	s.send("alice", "withdrawal", 30617, at, nostr.Tag{"d", id.Identifier})
	s.now = s.now.Add(time.Second)
}

// fill announces a repository and pushes to it.
func (s *shell) fill(id repo.ID, at int) {
	s.announceLarge("alice", id.Identifier, at, 0)
	s.send("alice", "state", 30618, at, nostr.Tag{"d", id.Identifier}, nostr.Tag{"refs/heads/main", string(oid("a"))})
	s.bring(id, []repo.Ref{{Name: "refs/heads/main", OID: oid("a")}}, false)
}

// removing returns a shell in which the first of alice's repositories is being removed, for too many of hers are retired.
func removing(t *testing.T) *shell {
	s := newShell(t)
	for n := range core.RetiredPerKeyMax + 1 {
		s.fill(numbered(n), 1)
		s.slack = n == core.RetiredPerKeyMax
		s.withdraw(numbered(n), 2)
	}
	if len(s.undone) != 1 || s.undone[0].(core.RemoveRepository).Repo != numbered(0) {
		t.Fatalf("got orders %v, want the removal of the first repository", s.undone)
	}
	return s
}

// whole reports a repository of an announcement that is not there, and one that nothing speaks of.
func (s *shell) whole(announced map[repo.ID]bool) {
	s.t.Helper()
	retired := map[repo.ID]bool{}
	for _, m := range s.marks {
		if m.Kind == core.MarkRetired {
			retired[m.Repo] = true
		}
	}
	for n := range core.RetiredPerKeyMax + 3 {
		id := numbered(n)
		if there, want := s.repos[id] != nil, announced[id] || retired[id]; there != want {
			s.t.Errorf("%s: there %t, want %t: announced %t, retired %t", id.Identifier, there, want, announced[id], retired[id])
		}
	}
	if len(retired) > core.RetiredPerKeyMax {
		s.t.Errorf("got %d retired repositories, want %d at most", len(retired), core.RetiredPerKeyMax)
	}
}

// A repository that is announced again while it is being removed is made anew, and takes what is pushed (INV-06).
func TestAnnouncedWhileItIsRemoved(t *testing.T) {
	s := removing(t)
	s.announceLarge("alice", numbered(0).Identifier, 3, 0)
	s.carryOn()
	s.whole(map[repo.ID]bool{numbered(0): true})
	s.log.Reset()
	s.send("alice", "again", 30618, 4, nostr.Tag{"d", numbered(0).Identifier}, nostr.Tag{"refs/heads/main", string(oid("b"))})
	s.bring(numbered(0), []repo.Ref{{Name: "refs/heads/main", OID: oid("b")}}, false)
	s.want("push", "live again")
	s.boot()
	s.whole(map[repo.ID]bool{numbered(0): true})
}

// One that is announced and withdrawn again while it is being removed is gone, and is none of those that are kept (INV-18).
func TestWithdrawnAgainWhileItIsRemoved(t *testing.T) {
	s := removing(t)
	s.announceLarge("alice", numbered(0).Identifier, 3, 0)
	s.withdraw(numbered(0), 4)
	s.carryOn()
	s.whole(nil)
	for n := 1; n < core.RetiredPerKeyMax+3; n++ { // so that each has to go once for another one
		s.fill(numbered(n), 5)
		s.withdraw(numbered(n), 6)
	}
	s.whole(nil)
	s.boot()
	s.whole(nil)
}

// One that is withdrawn while it is made anew goes again: nothing has ever been in it.
func TestWithdrawnWhileItIsMadeAnew(t *testing.T) {
	s := removing(t)
	s.carryOn()
	s.slack = true
	s.announceLarge("alice", numbered(0).Identifier, 3, 0)
	s.withdraw(numbered(0), 4)
	s.carryOn()
	s.whole(nil)
}

// A removal that fails leaves what is announced again as it was.
func TestAnnouncedWhileItsRemovalFails(t *testing.T) {
	s := removing(t)
	s.announceLarge("alice", numbered(0).Identifier, 3, 0)
	s.broken = true
	s.carryOn()
	s.broken = false
	s.now = s.now.Add(time.Hour)
	s.step(core.TimerFired{})
	s.whole(map[repo.ID]bool{numbered(0): true})
}

// A repository that is kept for its refs, and found gone from the disk, is kept no more: nothing is made in its place, and its
// owner has the place for another one.
func TestRetiredRepositoryThatIsGone(t *testing.T) {
	s := newShell(t)
	s.fill(numbered(0), 1)
	s.withdraw(numbered(0), 2)
	s.whole(nil) // it is retired
	s.unread = true
	s.boot()
	delete(s.repos, numbered(0))
	s.now = s.now.Add(2 * core.OrderRetry)
	s.step(core.TimerFired{})
	s.whole(nil)
	for _, m := range s.marks {
		if m.Kind == core.MarkRetired {
			t.Errorf("%s is still kept", m.Repo.Identifier)
		}
	}
}

// The ref of a pull request that is deleted while its ref comes has no event, and goes in its time (INV-18).
func TestDeletedWhileItsRefComes(t *testing.T) {
	s := newShell(t)
	s.fill(numbered(0), 1)
	s.repos[numbered(0)].objects[oid("b")] = true // an earlier push has brought it
	s.slack = true
	pr := s.send("bob", "pull", 1618, 3, nostr.Tag{"a", "30617:" + string(key("alice")) + ":" + numbered(0).Identifier},
		nostr.Tag{"c", string(oid("b"))})
	ref := repo.PullRequestPrefix + pr.ID
	if len(s.undone) != 1 || s.repos[numbered(0)].refs[ref] != "" {
		t.Fatalf("got orders %v, want its ref to be made", s.undone)
	}
	s.send("bob", "deletion", 5, 4, nostr.Tag{"e", pr.ID})
	s.carryOn()
	if s.repos[numbered(0)].refs[ref] == "" {
		t.Fatal("the ref has not come")
	}
	s.now = s.now.Add(core.PlaceholderLife)
	s.step(core.TimerFired{})
	if s.repos[numbered(0)].refs[ref] != "" {
		t.Error("the ref of a pull request that is deleted has stayed")
	}
}

// Refs that cannot be read are read again in a minute, unless somebody who needs them has read them by then.
func TestRefsAreReadOnce(t *testing.T) {
	s := newShell(t)
	s.fill(numbered(0), 1)
	s.send("alice", "gone", 5, 2, nostr.Tag{"a", "30617:" + string(key("alice")) + ":" + numbered(0).Identifier})
	s.unread = true
	s.boot()
	s.slack = true
	s.announceLarge("alice", numbered(0).Identifier, 3, 0)
	s.pass(core.OrderRetry)
	s.carryOn()
	if s.reads != 1 {
		t.Errorf("got refs read %d times, want once; what happened:\n%s", s.reads, s.log.String())
	}
}
