package core_test

import (
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/repo"
)

// What has been copied from a sibling is not asked for while refs move to it.
func TestCopiedObjectsAreNotHunted(t *testing.T) {
	s := limited(t, func(c *core.Config) { c.Hunt.On = true })
	announce := func(who string) repo.ID {
		id := repo.ID{Owner: key(who), Identifier: "demo"}
		s.publish(who, 30617, nostr.Tag{"d", "demo"}, nostr.Tag{"clone", "https://grasp.test" + id.Path(), "https://h1.test/" + who},
			nostr.Tag{"relays", "wss://grasp.test"}, nostr.Tag{"maintainers", string(key("bob"))})
		return id
	}
	alice, carol := announce("alice"), announce("carol")
	s.stateOf("bob", "S1", 1)
	s.stateOf("carol", "S2", 2)
	s.slack = true
	s.pushMain(alice, "0", "a")
	for _, e := range s.undone {
		s.undone, s.slack = nil, false
		inputs := s.carryOut(e)
		s.slack = true
		for _, in := range inputs {
			s.step(in)
		}
	}
	if !s.repos[carol].objects[oid("a")] || len(s.undone) != 1 {
		t.Fatalf("want the refs of carol to be moving to a copy, got %v", s.undone)
	}
	asked := 0
	s.asks = func(core.StartFetch) { asked++ }
	s.pass(10 * time.Minute)
	s.carryOn()
	if asked > 0 || s.repos[carol].refs["refs/heads/main"] != oid("a") {
		t.Errorf("got %d fetches of what was there, and refs %v", asked, s.repos[carol].refs)
	}
}
