package core_test

import (
	"testing"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// Nobody can speak for who is on a blacklist: neither a maintainer set nor an announcement that lists the service nor a
// reference to what is here lets in what it keeps out (INV-28).
func TestBlacklistWins(t *testing.T) {
	var lists policy.Lists
	for list, entry := range map[*policy.List]string{&lists.Authors: key("mallory").Npub(), &lists.Blocked: key("bob").Npub()} {
		if err := list.Add(entry); err != nil {
			t.Fatal(err)
		}
	}
	s := limited(t, func(c *core.Config) { c.Lists = &lists })
	announce := func(who string, host string, more ...nostr.Tag) {
		id := repo.ID{Owner: key(who), Identifier: "demo"}
		s.publish(who, 30617, append(more, nostr.Tag{"d", "demo"}, nostr.Tag{"clone", "https://" + host + id.Path()}, nostr.Tag{"relays", "wss://" + host})...)
	}
	announce("alice", "grasp.test", nostr.Tag{"maintainers", string(key("bob")), string(key("mallory"))})
	s.want(`ok kind30617 true "purgatory: `)
	for _, host := range []string{"grasp.test", "other.test"} {
		announce("bob", host)
		s.want(`ok kind30617 false "blocked: Repository owner npub1`)
		announce("mallory", host)
		s.want(`ok kind30617 false "blocked: Event author npub1`)
	}
	oid := "1111111111111111111111111111111111111111"
	s.publish("mallory", 30618, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", oid})
	s.want(`ok kind30618 false "blocked: Event author npub1`)
	s.publish("mallory", 1621, nostr.Tag{"a", "30617:" + string(key("alice")) + ":demo"})
	s.want(`ok kind1621 false "blocked: Event author npub1`)
	s.publish("bob", 30618, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", oid})
	s.want(`ok kind30618 true "purgatory: `)
}
