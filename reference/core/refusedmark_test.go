package core_test

import (
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// restart ends the copy, in order or not, and starts it again. It returns how often the origin sends an event in the minute behind that.
func (p *pair) restart(event string, orderly bool) int {
	sent, said := 0, p.origin.peers
	p.origin.peers = func(e core.Effect) {
		if send, is := e.(core.Send); is && send.Conn >= 1000 {
			if found, is := send.Msg.(relay.EventFor); is && found.Event.ID == event {
				sent++
			}
		}
		said(e)
	}
	defer func() { p.origin.peers = said }()
	for peer := range p.open {
		p.origin.step(core.ConnClosed{Conn: core.ConnID(peer) + 1000})
		delete(p.open, peer)
	}
	if orderly {
		p.copy.step(core.Shutdown{})
	}
	p.queue = nil
	p.copy.boot()
	p.pass(time.Minute)
	return sent
}

// What was refused for want of something is not fetched again after an orderly end, and is after a crash, of which nobody knows what it
// has left, and by other settings. When what it lacked comes it is asked for (REF-SYNC-20).
func TestRefusalsOutliveAnEnd(t *testing.T) {
	var scope *policy.Scope
	p := newPair(t, func(c *core.Config) { c.Archive.Scope = scope })
	id := repo.ID{Owner: key("bob"), Identifier: "demo"}
	p.origin.send("bob", "A", 30617, 1, nostr.Tag{"d", "demo"}, nostr.Tag{"clone", "https://grasp.test" + id.Path()}, nostr.Tag{"relays", "ws://grasp.test"})
	p.origin.send("bob", "S", 30618, 2, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("a"))})
	p.origin.pushMain(id, "0", "a")
	p.pass(time.Minute)
	a := p.idOf("A")
	for _, c := range []struct {
		name    string
		orderly bool
		sent    int
	}{
		{"a crash", false, 1},
		{"an end", true, 0},
		{"another end", true, 0},
		{"a crash behind ends", false, 1},
		{"an end behind a crash", true, 0},
	} {
		if sent := p.restart(a, c.orderly); sent != c.sent {
			t.Errorf("%s: the refused announcement was sent %d times, want %d", c.name, sent, c.sent)
		}
	}
	p.copy.step(core.Shutdown{})
	if len(p.copy.marks) == 0 {
		t.Fatal("an end keeps no refusals")
	}
	p.queue = nil
	p.copy.boot()
	if stored, held := p.has("A"); stored || held || len(p.copy.marks) != 0 {
		t.Errorf("got stored %t, held %t and %d marks, want nothing behind a start", stored, held, len(p.copy.marks))
	}
	scope = new(policy.Scope)
	if err := scope.Add(id.Owner.Npub()); err != nil {
		t.Fatal(err)
	}
	p.restart(a, true)
	if stored, held := p.has("A"); !stored && !held {
		t.Error("an announcement that the archive keeps by now is hidden by its refusal")
	}
}

// Who is refused for want of an announcement before an end is asked for when that comes behind it.
func TestWhatWasRefusedBeforeAnEndComes(t *testing.T) {
	p := newPair(t)
	id := repo.ID{Owner: key("bob"), Identifier: "demo"}
	p.origin.send("bob", "A", 30617, 1, nostr.Tag{"d", "demo"}, nostr.Tag{"clone", "https://grasp.test" + id.Path()}, nostr.Tag{"relays", "ws://grasp.test"})
	p.origin.send("bob", "S", 30618, 2, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("a"))})
	p.origin.pushMain(id, "0", "a")
	p.pass(time.Minute)
	p.restart(p.idOf("A"), true)
	owner := repo.ID{Owner: key("alice"), Identifier: "demo"}
	p.copy.send("alice", "B", 30617, 3, nostr.Tag{"d", "demo"}, nostr.Tag{"clone", "https://copy.test" + owner.Path()},
		nostr.Tag{"relays", "ws://copy.test"}, nostr.Tag{"maintainers", string(id.Owner)})
	p.pass(time.Minute)
	if stored, held := p.has("A"); !stored && !held {
		t.Errorf("the announcement of a maintainer, refused before the end, is not here:\n%s", p.copy.log.String())
	}
}

// A push that runs to its end behind the order to stop may bring the announcement that was lacking: then nothing is remembered.
func TestRefusalsThatAreOutdatedAtTheEnd(t *testing.T) {
	p := newPair(t)
	id := repo.ID{Owner: key("bob"), Identifier: "demo"}
	p.origin.send("bob", "A", 30617, 1, nostr.Tag{"d", "demo"}, nostr.Tag{"clone", "https://grasp.test" + id.Path()}, nostr.Tag{"relays", "ws://grasp.test"})
	p.origin.send("bob", "S", 30618, 2, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid("a"))})
	p.origin.pushMain(id, "0", "a")
	p.pass(time.Minute)
	other := repo.ID{Owner: key("alice"), Identifier: "other"}
	p.copy.send("alice", "B", 30617, 3, nostr.Tag{"d", "other"}, nostr.Tag{"clone", "https://copy.test" + other.Path()}, nostr.Tag{"relays", "ws://copy.test"})
	p.copy.send("alice", "T", 30618, 4, nostr.Tag{"d", "other"}, nostr.Tag{"refs/heads/main", string(oid("b"))})
	p.copy.slow = true
	p.copy.pushMain(other, "0", "b")
	p.copy.step(core.Shutdown{})
	judged := func() (n int) {
		for _, m := range p.copy.marks {
			if m.Kind == core.MarkJudgedBy {
				n++
			}
		}
		return n
	}
	if judged() != 1 {
		t.Fatalf("got %d marks of the settings at the end, want one", judged())
	}
	for _, in := range p.copy.runPush(p.copy.pushes) {
		p.copy.step(in)
	}
	if stored, _ := p.has("B"); !stored || judged() != 0 {
		t.Errorf("the announcement is served: %t, marks of the settings: %d; want it served, and no mark", stored, judged())
	}
}
