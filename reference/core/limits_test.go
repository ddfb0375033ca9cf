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

// limited returns a shell whose server has small limits.
func limited(t *testing.T, limit func(*core.Config)) *shell {
	s := newShell(t)
	s.limit = limit
	s.boot()
	s.log.Reset()
	return s
}

func (s *shell) publish(who string, kind int, tags ...nostr.Tag) {
	ev := &nostr.Event{PubKey: string(key(who)), Kind: kind, CreatedAt: nostr.Timestamp(start.Unix()), Tags: tags}
	ev.ID = ev.GetID()
	s.names[ev.ID] = fmt.Sprintf("kind%d", kind)
	s.step(core.Message{Conn: 1, Msg: relay.Event{Event: ev, IDOK: true}, SigOK: true})
}

// want reports whether the log since the last call holds each text.
func (s *shell) want(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		if !strings.Contains(s.log.String(), text) {
			s.t.Errorf("got %q, want %q in it", s.log.String(), text)
		}
	}
	s.log.Reset()
}

func TestDeletionsAreBoundedAndWhole(t *testing.T) {
	s := limited(t, func(c *core.Config) { c.TombstonesMax = 3 })
	id := func(n int) string { return fmt.Sprintf("%064x", n) }
	s.publish("alice", 5, nostr.Tag{"e", id(1)}, nostr.Tag{"a", "30617:" + string(key("alice")) + ":x"})
	s.want(`ok kind5 true ""`)
	s.publish("bob", 5, nostr.Tag{"e", id(2)}, nostr.Tag{"e", id(3)})
	s.want(`ok kind5 false "rate-limited: `)
	s.publish("bob", 5, nostr.Tag{"e", id(4)})
	s.want(`ok kind5 true ""`)
	if len(s.stored) != 2 {
		t.Errorf("got %d stored requests, want 2: the refused one leaves nothing", len(s.stored))
	}
}

func TestPullRequestRefsAreBounded(t *testing.T) {
	s := limited(t, func(c *core.Config) { c.PlaceholdersMax = 2 })
	alice := repo.ID{Owner: key("alice"), Identifier: "demo"}
	s.publish("alice", 30617, nostr.Tag{"d", "demo"}, nostr.Tag{"clone", "https://grasp.test" + alice.Path()}, nostr.Tag{"relays", "wss://grasp.test"})
	s.want("ok kind30617 true")
	push := func(refs ...int) {
		s.pushes++
		offer := core.PushOffered{Push: s.pushes, Repo: alice}
		for _, n := range refs {
			ref := fmt.Sprintf("refs/nostr/%064x", n)
			offer.Commands = append(offer.Commands, gitproto.Command{Ref: ref, Old: repo.ZeroOID, New: oid("a")})
		}
		s.running[offer.Push] = offer
		s.step(offer)
	}
	push(1)
	s.want("push 1 done")
	push(2, 3)
	s.want("push 2 refused: too many pull request refs")
	push(2)
	s.want("push 3 done")
	s.now = s.now.Add(core.PlaceholderLife)
	s.step(core.TimerFired{})
	push(3, 4)
	s.want("push 4 done")
	if got := len(s.marks); got != 2 {
		t.Errorf("got %d marks in the journal, want 2", got)
	}
}

func TestExpiredIDsAreBounded(t *testing.T) {
	s := limited(t, func(c *core.Config) { c.ExpiredMax = 2 })
	for i := range 3 {
		id := repo.ID{Owner: key("alice"), Identifier: fmt.Sprintf("demo%d", i)}
		s.publish("alice", 30617, nostr.Tag{"d", id.Identifier}, nostr.Tag{"clone", "https://grasp.test" + id.Path()}, nostr.Tag{"relays", "wss://grasp.test"})
		s.now = s.now.Add(1)
	}
	held := sorted(s.held)
	s.now = s.now.Add(core.PurgatoryLife + core.SoftLife)
	s.step(core.TimerFired{})
	remembered := 0
	for _, id := range held {
		if s.server.Expired(id) {
			remembered++
		}
	}
	if remembered != 2 || len(s.marks) != 2 || len(s.held) != 0 {
		t.Errorf("got %d ids remembered, %d marks and %d held events, want 2, 2 and 0", remembered, len(s.marks), len(s.held))
	}
	s.now = s.now.Add(core.ExpiredLife)
	s.step(core.ConnClosed{Conn: 1})
	if len(s.marks) != 0 || s.server.Expired(held[0]) || s.server.Expired(held[2]) {
		t.Errorf("got %d marks a week later, want none", len(s.marks))
	}
}
