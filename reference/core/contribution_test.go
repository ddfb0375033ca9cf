package core_test

import (
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// contributions starts the server anew, with places for contributions: "contributions [off] [waiting=N] [places=N]", both of
// one signer.
func (s *shell) contributions(d *datadriven.TestData) {
	c := core.ContributionConfig{On: !d.HasArg("off")}
	if d.HasArg("waiting") {
		d.ScanArgs(s.t, "waiting", &c.WaitingPerKeyMax)
	}
	if d.HasArg("places") {
		d.ScanArgs(s.t, "places", &c.PlacesPerKeyMax)
	}
	s.limit = func(cfg *core.Config) { cfg.Contributions = c }
	s.boot()
}

// What waits at places takes no room from what waits elsewhere, and has no room of that.
func TestContributionsShareNoPlaceholders(t *testing.T) {
	s := newShell(t)
	s.limit = func(c *core.Config) {
		c.PlaceholdersMax, c.Contributions = 2, core.ContributionConfig{On: true, WaitingMax: 3}
	}
	s.boot()
	demo := repo.ID{Owner: key("alice"), Identifier: "demo"}
	s.send("alice", "A", 30617, 1, nostr.Tag{"d", "demo"}, nostr.Tag{"clone", "https://grasp.test" + demo.Path()}, nostr.Tag{"relays", "wss://grasp.test"})
	ref := func(digit string) gitproto.Command {
		return gitproto.Command{Ref: "refs/nostr/" + strings.Repeat(digit, 64), Old: repo.ZeroOID, New: oid("a")}
	}
	place := repo.Contribution(key("bob"), "demo")
	for _, c := range []struct {
		id    repo.ID
		digit string
		taken bool
	}{
		{place, "1", true},
		{place, "2", true},
		{place, "3", true},
		{place, "4", false},
		{demo, "5", true},
		{demo, "6", true},
		{demo, "7", false},
		{repo.Contribution(key("carol"), "demo"), "8", false},
	} {
		s.give(c.id, ref(c.digit))
		taken := s.repos[c.id] != nil && s.repos[c.id].refs[ref(c.digit).Ref] != ""
		if taken != c.taken {
			t.Errorf("%s: got a ref %t, want %t:\n%s", c.digit, taken, c.taken, s.log.String())
		}
	}
}

// A crash between the refs of a push and the release of its event heals at the start (REF-PURG-16).
func TestContributionsHeal(t *testing.T) {
	s := newShell(t)
	s.limit = func(c *core.Config) { c.Contributions.On = true }
	s.boot()
	place := repo.Contribution(key("bob"), "demo")
	ev := s.send("bob", "P", 1618, 1, nostr.Tag{"a", "30617:" + string(key("alice")) + ":demo"}, nostr.Tag{"c", string(oid("a"))},
		nostr.Tag{"clone", "https://grasp.test" + place.Path()})
	s.repos[place] = &bare{
		refs: map[string]repo.OID{"refs/nostr/" + ev.ID: oid("a")}, head: repo.HeadNew, objects: map[repo.OID]bool{oid("a"): true},
	}
	s.boot()
	if s.stored[ev.ID] == nil || len(s.marks) != 0 {
		t.Errorf("got %d events served and %d marks, want the pull request and none:\n%s", len(s.stored), len(s.marks), s.log.String())
	}
}

// Of whom no event is taken no commit is taken either (INV-28).
func TestContributionsOfTheBlacklisted(t *testing.T) {
	lists := &policy.Lists{}
	if err := lists.Authors.Add(key("bob").Npub()); err != nil {
		t.Fatal(err)
	}
	s := newShell(t)
	s.limit = func(c *core.Config) { c.Contributions.On, c.Lists = true, lists }
	s.boot()
	for name, taken := range map[string]bool{"bob": false, "carol": true} {
		id := repo.Contribution(key(name), "demo")
		s.give(id, gitproto.Command{Ref: "refs/nostr/" + strings.Repeat("0", 64), Old: repo.ZeroOID, New: oid("a")})
		if (s.repos[id] != nil) != taken {
			t.Errorf("%s: got a place %t, want %t:\n%s", name, !taken, taken, s.log.String())
		}
	}
	if !strings.Contains(s.log.String(), "is blacklisted (INV-28)") {
		t.Errorf("got %s", s.log.String())
	}
}
