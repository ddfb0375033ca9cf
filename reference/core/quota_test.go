package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// announceLarge announces a repository with a description of a size, dated seconds after the start.
func (s *shell) announceLarge(who, identifier string, at, size int) *nostr.Event {
	id := repo.ID{Owner: key(who), Identifier: identifier}
	return s.send(who, identifier, 30617, at, nostr.Tag{"d", identifier}, nostr.Tag{"clone", "https://grasp.test" + id.Path()},
		nostr.Tag{"relays", "wss://grasp.test"}, nostr.Tag{"description", strings.Repeat("x", size)})
}

// Each limit of purgatory: what would go over it is refused with a word that says so and leaves nothing behind, and there
// is room again once something has left.
func TestHeldEventsAreBounded(t *testing.T) {
	for name, c := range map[string]struct {
		limit func(*core.Config)
		who   string // whose announcement goes over it
		size  int
		want  string
	}{
		"of one author":      {func(c *core.Config) { c.HeldPerKeyMax = 2 }, "alice", 0, "too many events of this author wait"},
		"of all":             {func(c *core.Config) { c.HeldMax = 2 }, "bob", 0, "too many events wait"},
		"bytes of one":       {func(c *core.Config) { c.HeldBytesPerKeyMax = 10_000 }, "alice", 9_500, "the events of this author that wait for git data are too large"},
		"bytes of all":       {func(c *core.Config) { c.HeldBytesMax = 10_000 }, "bob", 9_500, "the events that wait for git data are too large"},
		"bytes of one event": {func(c *core.Config) { c.HeldBytesPerKeyMax = 10_000 }, "bob", 10_000, "the events of this author that wait for git data are too large"},
	} {
		t.Run(name, func(t *testing.T) {
			s := limited(t, c.limit)
			for _, identifier := range []string{"one", "two"} {
				s.announceLarge("alice", identifier, 1, 0)
				s.want("ok " + identifier + ` true "purgatory: `)
			}
			s.announceLarge(c.who, "three", 2, c.size)
			s.want(`ok three false "rate-limited: ` + c.want)
			if len(s.held) != 2 || len(s.repos) != 2 {
				t.Errorf("got %d held events and %d repositories, want 2 and 2", len(s.held), len(s.repos))
			}
			s.send("alice", "request", 5, 3, nostr.Tag{"a", fmt.Sprintf("30617:%s:one", key("alice"))},
				nostr.Tag{"a", fmt.Sprintf("30617:%s:two", key("alice"))})
			s.want("ok request true")
			s.announceLarge(c.who, "four", 4, min(c.size, 8_000))
			s.want(`ok four true "purgatory: `)
		})
	}
}

// A replacement counts for what it adds, and states and pull requests count like announcements.
func TestHeldBytesOfReplacements(t *testing.T) {
	s := limited(t, func(c *core.Config) { c.HeldBytesPerKeyMax = 10_000 })
	s.announceLarge("alice", "demo", 1, 6_000)
	s.want(`ok demo true "purgatory: `)
	s.announceLarge("alice", "demo", 2, 8_000)
	s.want(`ok demo true "purgatory: `)
	s.announceLarge("alice", "demo", 3, 10_000)
	s.want(`ok demo false "rate-limited: `)
	large := nostr.Tag{"x", strings.Repeat("x", 2_000)}
	s.send("alice", "state", 30618, 4, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("a"))}, large)
	s.want(`ok state false "rate-limited: `)
	s.announceLarge("alice", "demo", 5, 4_000)
	s.want(`ok demo true "purgatory: `)
	s.send("alice", "state", 30618, 6, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("a"))}, large)
	s.want(`ok state true "purgatory: `)
	s.send("bob", "state", 30618, 6, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("a"))}, large)
	s.want(`ok state false "restricted: `) // authority comes first
}

// Announcements whose repositories are being made count when these are there.
func TestHeldEventsAreBoundedWhileRepositoriesAreMade(t *testing.T) {
	service, err := repo.ParseService("ws://grasp.test")
	if err != nil {
		t.Fatal(err)
	}
	server := core.New(core.Config{Service: service, HeldPerKeyMax: 2})
	effects(server, start, core.Started{})
	effects(server, start, core.ConnOpened{Conn: 1})
	var requests []core.RequestID
	for n := range 4 {
		id := repo.ID{Owner: key("alice"), Identifier: fmt.Sprintf("demo%d", n)}
		ev := &nostr.Event{PubKey: string(id.Owner), Kind: 30617, Tags: nostr.Tags{
			{"d", id.Identifier}, {"clone", "https://grasp.test" + id.Path()}, {"relays", "wss://grasp.test"},
		}}
		ev.ID = ev.GetID()
		for _, e := range effects(server, start, core.Message{Conn: 1, Msg: relay.Event{Event: ev, IDOK: true}, SigOK: true}) {
			if order, ok := e.(core.CreateRepository); ok {
				requests = append(requests, order.Request)
			}
		}
	}
	held, refused, removed := 0, 0, 0
	for _, request := range requests {
		for _, e := range effects(server, start, core.RepositoryDone{Request: request, OK: true}) {
			switch e := e.(type) {
			case core.Record:
				held++
			case core.RemoveRepository:
				removed++
			case core.Send:
				if answer, ok := e.Msg.(relay.OK); ok && strings.HasPrefix(answer.Text, "rate-limited: ") {
					refused++
				}
			}
		}
	}
	if len(requests) != 4 || held != 2 || refused != 2 || removed != 2 {
		t.Errorf("got %d repositories made, %d held, %d refused and %d removed, want 4, 2, 2 and 2", len(requests), held, refused, removed)
	}
}

func TestPullRequestsInPurgatoryAreBounded(t *testing.T) {
	s := limited(t, func(c *core.Config) { c.HeldPerKeyMax = 1 })
	s.announceLarge("alice", "demo", 1, 0)
	s.want("ok demo true")
	s.send("bob", "state", 30618, 2, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("a"))})
	s.want(`ok state false "restricted: `)
	id := repo.ID{Owner: key("alice"), Identifier: "demo"}
	s.send("alice", "state", 30618, 2, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("a"))})
	s.want(`ok state false "rate-limited: `)
	s.serve(id)
	for _, name := range []string{"first", "second"} {
		s.send("bob", name, 1618, 3, nostr.Tag{"a", "30617:" + string(id.Owner) + ":demo"}, nostr.Tag{"c", string(oid("b"))})
	}
	s.want(`ok first true "purgatory: `, `ok second false "rate-limited: `)
}

func TestStoredBytesAreBounded(t *testing.T) {
	s := limited(t, func(c *core.Config) { c.StoredBytesMax = 2_200 })
	large := func(who string, at, size int) {
		s.send(who, "list", 10317, at, nostr.Tag{"x", strings.Repeat("x", size)})
	}
	large("alice", 1, 1_000)
	s.want(`ok list true ""`)
	large("bob", 1, 1_000)
	s.want(`ok list false "error: the event store is full"`)
	large("alice", 2, 1_400) // in place of the other one
	s.want(`ok list true ""`)
	large("alice", 3, 2_000)
	s.want(`ok list false "error: the event store is full"`)
	if len(s.stored) != 1 {
		t.Errorf("got %d stored events, want 1", len(s.stored))
	}
}

func TestStoredEventsAreBounded(t *testing.T) {
	s := limited(t, func(c *core.Config) { c.StoredMax = 1 })
	s.send("alice", "list", 10317, 1)
	s.want(`ok list true ""`)
	s.send("bob", "other", 10317, 1)
	s.want(`ok other false "error: the event store is full"`)
	s.send("alice", "newer", 10317, 2)
	s.want(`ok newer true ""`)
}

// A request to vanish is remembered within the same limit as deletions.
func TestVanishedKeysAreBounded(t *testing.T) {
	s := limited(t, func(c *core.Config) { c.TombstonesMax = 1 })
	all := nostr.Tag{"relay", "ALL_RELAYS"}
	s.send("alice", "request", 62, 1, all)
	s.want(`ok request true ""`)
	s.send("bob", "other", 62, 1, all)
	s.want(`ok other false "rate-limited: `)
	s.send("alice", "again", 62, 2, all)
	s.want(`ok again true ""`)
	if len(s.stored) != 1 || len(s.marks) != 1 {
		t.Errorf("got %d stored events and %d marks, want 1 and 1", len(s.stored), len(s.marks))
	}
}

func TestWork(t *testing.T) {
	s := limited(t, func(c *core.Config) { c.MinWork = 4 })
	taken, refused := 0, 0
	for at := range 200 {
		s.log.Reset()
		ev := s.send("alice", "list", 10317, at)
		text := s.log.String()
		switch work := ev.ID[0] == '0'; {
		case work && strings.Contains(text, "ok list true"):
			taken++
		case !work && strings.Contains(text, `ok list false "pow: `):
			refused++
		default:
			t.Fatalf("%s: got %q", ev.ID, text)
		}
	}
	if taken == 0 || refused == 0 {
		t.Errorf("got %d taken and %d refused, want some of each", taken, refused)
	}
}

// serve releases an announced repository on a server without small limits, so that pull requests to it are taken.
func (s *shell) serve(id repo.ID) {
	s.limit = nil
	s.boot()
	s.send("alice", "state", 30618, 2, nostr.Tag{"d", id.Identifier}, nostr.Tag{"refs/heads/main", string(oid("a"))})
	s.pushes++
	offer := core.PushOffered{Push: s.pushes, Repo: id, Commands: []gitproto.Command{
		{Ref: "refs/heads/main", Old: repo.ZeroOID, New: oid("a")},
	}}
	s.running[offer.Push] = offer
	s.step(offer)
	s.limit = func(c *core.Config) { c.HeldPerKeyMax = 1 }
	s.boot()
	s.log.Reset()
}
