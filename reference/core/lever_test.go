package core_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

// Announcements that have lost their repositories keep nobody out: they stay for a day, up to a number.
func TestSoftAnnouncementsAreNoLever(t *testing.T) {
	s := limited(t, func(c *core.Config) { c.HeldMax, c.HeldPerKeyMax = 3, 3 })
	for round := range 2 {
		for n := range 3 {
			s.announceLarge("mallory", fmt.Sprintf("squatted%d-%d", round, n), 1, 0)
		}
		s.announceLarge("bob", "early", 1, 0)
		s.want("ok early false \"rate-limited:")
		s.log.Reset()
		s.now = s.now.Add(core.PurgatoryLife)
		s.step(core.TimerFired{})
	}
	s.announceLarge("bob", "late", 1, 0)
	s.want("ok late true")
	soft := 0
	for _, h := range s.held {
		if h.Soft {
			soft++
		}
	}
	if soft != 3 {
		t.Errorf("got %d announcements in their second phase, want the limit of 3", soft)
	}
	for n := range 3 {
		id := repo.ID{Owner: key("mallory"), Identifier: fmt.Sprintf("squatted1-%d", n)}
		if !slices.ContainsFunc(sorted(s.held), func(event string) bool { return s.names[event] == id.Identifier }) {
			t.Errorf("%s is gone, and was there for a shorter time than others", id.Identifier)
		}
	}
}

// A newer version of an announcement in its second phase counts as any other: it is no way around the limit of an author.
func TestAnnouncementsAgainAreNoLever(t *testing.T) {
	s := limited(t, func(c *core.Config) { c.HeldPerKeyMax = 1 })
	mallory := repo.ID{Owner: key("mallory"), Identifier: "squatted"}
	elsewhere := []nostr.Tag{{"d", "squatted"}, {"clone", "https://elsewhere.test/squatted.git"}, {"relays", "wss://elsewhere.test"}}
	s.announceLarge("mallory", "squatted", 1, 0)
	s.now = s.now.Add(core.PurgatoryLife)
	s.step(core.TimerFired{})
	s.send("bob", "voucher", 30617, 2, nostr.Tag{"d", "squatted"}, nostr.Tag{"clone", "https://grasp.test" + repo.ID{Owner: key("bob"), Identifier: "squatted"}.Path()},
		nostr.Tag{"relays", "wss://grasp.test"}, nostr.Tag{"maintainers", string(mallory.Owner)})
	s.announceLarge("mallory", "other", 2, 0)
	s.log.Reset()
	s.send("mallory", "again", 30617, 3, elsewhere...)
	s.want("ok again false \"rate-limited:")
	s.announceLarge("mallory", "squatted", 4, 0)
	s.want("ok squatted false \"rate-limited:")
	s.now = s.now.Add(core.PurgatoryLife)
	s.step(core.TimerFired{})
	s.send("mallory", "again", 30617, 3, elsewhere...)
	s.want("ok again true")
}

// One repository leaves room for the refs of others, however many pushes it gets.
func TestRefsOfOneRepositoryAreNoLever(t *testing.T) {
	s := limited(t, func(c *core.Config) { c.PlaceholdersMax = 100 })
	push := func(identifier string, refs int) {
		offer := core.PushOffered{Push: s.pushes + 1, Repo: repo.ID{Owner: key("alice"), Identifier: identifier}}
		s.pushes++
		for n := range refs {
			name := repo.PullRequestPrefix + nameless(fmt.Sprint(identifier, s.pushes, n))
			offer.Commands = append(offer.Commands, gitproto.Command{Ref: name, Old: repo.ZeroOID, New: oid("a")})
		}
		s.running[offer.Push] = offer
		s.step(offer)
	}
	for _, identifier := range []string{"one", "two"} {
		s.announceLarge("alice", identifier, 1, 0)
	}
	for range 20 {
		push("one", 5)
	}
	s.want("push 4 done", "push 5 refused: too many pull request refs")
	push("two", 10)
	s.want("push 21 done")
}

// nameless is the id of an event that nobody has seen.
func nameless(of string) string {
	ev := &nostr.Event{Content: of, CreatedAt: nostr.Timestamp(start.Unix())}
	return ev.GetID()
}

// Whoever fills the memory of deletions keeps nobody from deleting what is here: only what is not here is not remembered.
func TestDeletionsAreNoLever(t *testing.T) {
	s := limited(t, func(c *core.Config) { c.TombstonesMax = 2 })
	list := s.send("bob", "list", 10317, 1)
	s.send("mallory", "filler", 5, 2, nostr.Tag{"e", nameless("a")}, nostr.Tag{"e", nameless("b")})
	s.want("ok filler true")
	s.send("bob", "empty", 5, 3, nostr.Tag{"e", nameless("c")})
	s.want("ok empty false \"rate-limited:")
	s.send("bob", "request", 5, 4, nostr.Tag{"e", list.ID}, nostr.Tag{"e", nameless("d")})
	s.want("ok request true")
	if s.stored[list.ID] != nil {
		t.Error("what was deleted is stored")
	}
	s.log.Reset()
	s.resend(list)
	s.want("ok list false \"blocked:")
	s.now = s.now.Add(time.Second)
	s.boot()
	s.resend(list)
	s.want("ok list false \"blocked:")
}
