package core_test

import (
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// Who has a part in an accepted repository may say who he is and where he writes, at either of two servers: the other one finds it at
// an index (G03-03, G03-06). Nobody else may, and without sync plus nobody.
func TestProfiles(t *testing.T) {
	plus := func(c *core.Config) {
		c.Sync.On, c.Sync.Plus.On, c.Sync.Plus.Index = true, true, []string{"ws://grasp.test"}
	}
	p := newPair(t, plus)
	p.origin.limit = plus
	p.origin.boot()
	for peer := range p.open { // it has begun anew
		p.toCopy(core.PeerClosed{Peer: peer, Failure: core.PeerUnreachable})
	}
	id := repo.ID{Owner: key("alice"), Identifier: "demo"}
	p.copy.asks = func(f core.StartFetch) {
		p.copy.repos[id].objects[oid("a")] = true
		p.toCopy(core.FetchDone{Fetch: f.Fetch, Got: true})
	}
	p.origin.send("alice", "too early", 0, 1)
	p.origin.send("alice", "A", 30617, 1, nostr.Tag{"d", "demo"},
		nostr.Tag{"clone", "https://grasp.test" + id.Path(), "https://copy.test" + id.Path()},
		nostr.Tag{"relays", "ws://grasp.test", "ws://copy.test"})
	p.origin.send("alice", "S", 30618, 2, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("a"))})
	p.origin.send("alice", "held", 0, 3)
	p.origin.pushMain(id, "0", "a")
	p.origin.send("bob", "I", 1621, 3, nostr.Tag{"a", id.Coordinate()})
	p.origin.send("alice", "alice is", 0, 4)
	p.origin.send("bob", "bob is", 0, 4)
	p.origin.send("bob", "bob writes", 10002, 4, nostr.Tag{"r", "wss://outbox.test"})
	p.origin.send("mallory", "mallory is", 0, 4)
	p.origin.send("bob", "much", 0, 5, nostr.Tag{"about", strings.Repeat("x", policy.ProfileBytesMax)})
	p.origin.want(`ok too early false "invalid: `, `ok held false "invalid: `, `ok alice is true ""`, `ok bob is true ""`, `ok bob writes true ""`,
		`ok mallory is false "invalid: `, `ok much false "invalid: a profile`)
	p.pass(time.Minute)
	for _, name := range []string{"A", "S", "I", "alice is", "bob is", "bob writes"} {
		if stored, _ := p.has(name); !stored {
			t.Errorf("%s is not served by the other server:\n%s", name, p.copy.log.String())
		}
	}
	plain := limited(t, func(*core.Config) {})
	plain.announceAs("alice", "alice")
	plain.log.Reset()
	plain.send("alice", "alice is", 0, 4)
	plain.want(`ok alice is false "invalid: `)
}
