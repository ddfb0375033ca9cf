package core_test

import (
	"fmt"
	"testing"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

// crowd sends events that anybody may send until the store takes no more, and returns how many it took.
func (s *shell) crowd(most int) (taken int) {
	for i := range most {
		before := len(s.stored)
		s.send(fmt.Sprint("filler", i), fmt.Sprint("list", i), 10317, 1)
		taken += len(s.stored) - before
	}
	return taken
}

// What waits in purgatory has its room in the store from the day it was taken in (INV-10, REF-PURG-15): whoever fills the store
// meanwhile fills it up to there, and the push that releases it finds room, by number and by bytes.
func TestHeldEventsHaveTheirRoom(t *testing.T) {
	for name, limit := range map[string]func(*core.Config){
		"events": func(c *core.Config) { c.StoredMax = 8 },
		"bytes":  func(c *core.Config) { c.StoredBytesMax = 4_000 },
	} {
		t.Run(name, func(t *testing.T) {
			s := limited(t, limit)
			id := repo.ID{Owner: key("alice"), Identifier: "demo"}
			s.announceLarge("alice", "demo", 1, 500)
			s.want(`ok demo true "purgatory: `)
			s.send("alice", "state", 30618, 2, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("a"))})
			s.want(`ok state true "purgatory: `)
			taken := s.crowd(20)
			s.want(`false "error: the event store is full"`)
			if taken == 0 {
				t.Fatal("got no event taken beside those that wait, want some")
			}
			s.pushes++
			offer := core.PushOffered{Push: s.pushes, Repo: id, Commands: []gitproto.Command{
				{Ref: "refs/heads/main", Old: repo.ZeroOID, New: oid("a")},
			}}
			s.running[offer.Push] = offer
			s.step(offer)
			if len(s.held) != 0 || len(s.stored) != taken+2 {
				t.Fatalf("behind the push: got %d held and %d stored events, want 0 and %d", len(s.held), len(s.stored), taken+2)
			}
			bytes := 0
			for _, ev := range s.stored {
				bytes += repo.Size(ev)
			}
			cfg := core.Config{StoredMax: core.StoredMax, StoredBytesMax: core.StoredBytesMax}
			if limit(&cfg); len(s.stored) > cfg.StoredMax || bytes > cfg.StoredBytesMax {
				t.Errorf("behind the push: got %d stored events of %d bytes, want %d of %d at most", len(s.stored), bytes, cfg.StoredMax, cfg.StoredBytesMax)
			}
			s.announceLarge("alice", "another", 1, 500)
			s.want(`ok another false "error: the event store is full"`)
			s.send("alice", "next", 30618, 3, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("b"))})
			s.want(`ok next true "purgatory: `) // its release takes the place of what is there
			s.boot()
			if len(s.held) != 1 || len(s.stored) != taken+2 {
				t.Errorf("behind a restart: got %d held and %d stored events, want 1 and %d", len(s.held), len(s.stored), taken+2)
			}
		})
	}
}

// What was stored under a larger limit is served after a restart with a smaller one.
func TestStoredEventsOutliveASmallerLimit(t *testing.T) {
	s := limited(t, func(c *core.Config) { c.StoredMax = 5 })
	if taken := s.crowd(5); taken != 5 {
		t.Fatalf("got %d events taken, want 5", taken)
	}
	s.limit = func(c *core.Config) { c.StoredMax = 2 }
	s.boot()
	s.log.Reset()
	s.send("filler4", "list4", 10317, 1)
	s.want(`ok list4 true "duplicate: `)
	s.send("alice", "more", 10317, 1)
	s.want(`ok more false "error: the event store is full"`)
}
