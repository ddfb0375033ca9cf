package core_test

import (
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

// A newer announcement that comes while a pack is under way stays as the older one would have: neither it nor its repository goes
// before the push has ended (REF-PURG-07).
func TestNewerAnnouncementStaysForAPush(t *testing.T) {
	s := newShell(t)
	id := repo.ID{Owner: key("alice"), Identifier: "demo"}
	s.demo("demo")
	state := s.say(repo.KindState, "alice", nostr.Tags{{"d", "demo"}, {"refs/heads/main", string(oid("a"))}})
	offer := core.PushOffered{Push: 1, Repo: id, Commands: []gitproto.Command{{Old: repo.ZeroOID, New: oid("a"), Ref: "refs/heads/main"}}}
	s.running[offer.Push] = offer
	s.step(core.PushAsked(offer))
	s.pass(time.Minute)
	newer := s.demo("demo")
	s.pass(core.PurgatoryLife + time.Minute)
	if h, held := s.held[newer.ID]; !held || h.Soft {
		t.Fatalf("got the newer announcement held %t, soft %t while the pack is under way, want it as it was", held, h.Soft)
	}
	s.step(offer)
	if s.stored[newer.ID] == nil || s.stored[state.ID] == nil {
		t.Errorf("served after the push: announcement %t, state %t, want both", s.stored[newer.ID] != nil, s.stored[state.ID] != nil)
	}
	s.pass(core.PurgatoryLife + time.Minute)
	if !s.server.Repository(id).Served {
		t.Error("got the repository not served, want it served")
	}
}

// A ref that a start removes, because its time ran out while nothing ran, leaves no clock behind: one that is pushed there
// later has all its time (REF-PURG-08).
func TestRemovedRefLeavesNoClock(t *testing.T) {
	s := newShell(t)
	id := repo.ID{Owner: key("alice"), Identifier: "demo"}
	s.demo("demo")
	place := func() {
		s.pushes++
		s.running[s.pushes] = core.PushOffered{Push: s.pushes, Repo: id, Commands: []gitproto.Command{
			{Old: repo.ZeroOID, New: oid("a"), Ref: repo.PullRequestPrefix + string(oid("x")) + "000000000000000000000000"},
		}}
		s.step(s.running[s.pushes])
	}
	place()
	s.now = s.now.Add(core.PlaceholderLife)
	s.boot()
	if refs := s.repos[id].list().Refs; len(refs) != 0 || len(s.marks) != 0 {
		t.Fatalf("got %d refs and %d marks after the start, want none", len(refs), len(s.marks))
	}
	s.pass(5 * time.Minute)
	place()
	if len(s.marks) != 1 {
		t.Fatalf("got %d marks, want that of the ref", len(s.marks))
	}
	for _, m := range s.marks {
		if got := m.Until.Sub(s.now); got != core.PlaceholderLife {
			t.Errorf("got %v left, want %v", got, core.PlaceholderLife)
		}
	}
}

// An event whose data is there while a push waits for the repository is served, also if that push is refused in the end: it is not
// left to a look that never comes (G01-PURG-09).
func TestRefusedPushOwesALook(t *testing.T) {
	for _, end := range []string{"refused", "forgone"} {
		t.Run(end, func(t *testing.T) {
			s := newShell(t)
			id := repo.ID{Owner: key("alice"), Identifier: "demo"}
			s.demo("demo")
			branches := func(names ...string) nostr.Tags {
				tags := nostr.Tags{{"d", "demo"}}
				for _, name := range names {
					tags = append(tags, nostr.Tag{"refs/heads/" + name, string(oid("a"))})
				}
				return tags
			}
			s.say(repo.KindState, "alice", branches("main"))
			push := func(ref string, to repo.OID) core.PushOffered {
				s.pushes++
				offer := core.PushOffered{Push: s.pushes, Repo: id, Commands: []gitproto.Command{{Old: repo.ZeroOID, New: to, Ref: ref}}}
				s.running[offer.Push] = offer
				s.step(offer)
				return offer
			}
			push("refs/heads/main", oid("a"))
			s.slack = true // git takes its time with the new branch
			s.pass(time.Second)
			s.say(repo.KindState, "alice", branches("main", "dev"))
			if len(s.undone) != 1 {
				t.Fatalf("got %d orders under way, want that to make the branch", len(s.undone))
			}
			wrong := push("refs/heads/other", oid("b"))
			if end == "forgone" {
				s.step(core.PushForgone{Push: wrong.Push})
				wrong = push("refs/heads/other", oid("b"))
			}
			s.pass(time.Second)
			state := s.say(repo.KindState, "alice", branches("main", "late"))
			if end == "forgone" {
				s.step(core.PushForgone{Push: wrong.Push})
			}
			s.carryOn()
			if s.stored[state.ID] == nil {
				t.Error("got the state waiting, want it served: its objects are there")
			}
		})
	}
}

// A maintainer's announcement is served without a repository, and needs one as soon as it lists the service. One that cannot be
// made at first is made later (G01-PURG-06).
func TestRepositoryOfAServedAnnouncementIsTriedAgain(t *testing.T) {
	s := newShell(t)
	alice, bob := s.announceAs("alice", "bob"), repo.ID{Owner: key("bob"), Identifier: "demo"}
	s.publish("alice", repo.KindState, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("a"))})
	s.pushMain(alice, "0", "a")
	s.send("bob", "vouched", repo.KindAnnouncement, 1, nostr.Tag{"d", "demo"})
	s.broken = true
	listed := s.send("bob", "listed", repo.KindAnnouncement, 2, nostr.Tag{"d", "demo"},
		nostr.Tag{"clone", "https://grasp.test" + bob.Path()}, nostr.Tag{"relays", "wss://grasp.test"})
	if s.stored[listed.ID] == nil || s.repos[bob] != nil {
		t.Fatalf("got served %t and repository %t, want it served without one", s.stored[listed.ID] != nil, s.repos[bob] != nil)
	}
	s.pass(core.OrderRetry)
	s.broken = false
	s.pass(core.OrderRetry + time.Second)
	if s.repos[bob] == nil {
		t.Error("got no repository, want one as soon as the disk takes it")
	}
}

// What a repository was about to release when it was withdrawn is for others to release (REF-HUNT-18, G01-PURG-05).
func TestAWithdrawnRepositoryReleasesNothing(t *testing.T) {
	s := newShell(t)
	alice := s.announceAs("alice", "bob")
	bob := s.announceAs("bob", "bob")
	s.send("bob", "first", repo.KindState, 1, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("a"))})
	s.pushMain(bob, "0", "a")
	s.repos[bob].objects[oid("c")] = true
	s.slack, s.stuck = true, true
	second := s.send("bob", "second", repo.KindState, 2, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("c"))})
	s.send("bob", "away", repo.KindAnnouncement, 3, nostr.Tag{"d", "demo"})
	s.carryOn()
	if s.stored[second.ID] != nil || s.repos[bob].refs["refs/heads/main"] != oid("c") {
		t.Errorf("got the state served %t, want it held while the only repository that it governs is at %.8s",
			s.stored[second.ID] != nil, s.repos[alice].refs["refs/heads/main"])
	}
}
