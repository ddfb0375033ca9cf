package core_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/repo"
)

// owned returns a server with so many owners of one identifier, each of whom lists so many of the others, with data in every
// repository.
func owned(b *testing.B, owners, each int) *shell {
	b.Helper()
	s := newShell(b)
	s.limit = func(cfg *core.Config) { cfg.HeldMax, cfg.StoredMax = 100_000, 100_000 }
	s.boot()
	for n := range owners {
		id := repo.ID{Owner: key(owner(n)), Identifier: "demo"}
		maintainers := nostr.Tag{"maintainers"}
		for m := range each {
			maintainers = append(maintainers, string(key(owner((n+m+1)%owners))))
		}
		s.send(owner(n), "announcement", 30617, 1, nostr.Tag{"d", "demo"}, nostr.Tag{"clone", "https://grasp.test" + id.Path()},
			nostr.Tag{"relays", "wss://grasp.test"}, maintainers)
	}
	return s
}

func owner(n int) string { return fmt.Sprint("owner", n) }

// BenchmarkOwners is what a state, and an announcement, cost on a server where many own repositories of one identifier. The
// lines should grow with what an owner lists, and not with how many owners there are.
func BenchmarkOwners(b *testing.B) {
	for _, c := range []struct{ owners, each int }{{10, 0}, {100, 0}, {1000, 0}, {2000, 0}, {128, 127}, {250, 100}} {
		b.Run(fmt.Sprintf("%d-list-%d", c.owners, c.each), func(b *testing.B) {
			begin := time.Now()
			s := owned(b, c.owners, c.each)
			each := float64(time.Since(begin).Microseconds()) / float64(c.owners)
			n := 0
			for b.Loop() {
				n++
				who := owner(n % c.owners)
				s.send(who, "state", 30618, 1+n, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid(fmt.Sprint(n)))})
			}
			b.ReportMetric(each, "µs/announcement")
		})
	}
}
