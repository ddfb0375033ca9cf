package core_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// send publishes an event of somebody that has a name, dated seconds after the start.
func (s *shell) send(who, name string, kind, at int, tags ...nostr.Tag) *nostr.Event {
	ev := &nostr.Event{
		PubKey: string(key(who)), Kind: kind, CreatedAt: nostr.Timestamp(start.Unix() + int64(at)), Tags: tags, Content: name,
	}
	ev.ID = ev.GetID()
	s.names[ev.ID] = name
	s.resend(ev)
	return ev
}

func (s *shell) resend(ev *nostr.Event) {
	s.step(core.Message{Conn: 1, Msg: relay.Event{Event: ev, IDOK: true}, SigOK: true})
}

// A request to delete that expires by its own word is served no more. What it asked for stays deleted, before a restart
// and after it (REF-PURG-23).
func TestTombstonesOutliveTheirRequests(t *testing.T) {
	s := limited(t, func(*core.Config) {})
	list := s.send("alice", "list", 10317, 1)
	other := s.send("alice", "other", 10002, 1)
	s.want(`ok list true ""`, "ok other false")
	second := strconv.FormatInt(start.Unix()+60, 10)
	s.send("alice", "request", 5, 10, nostr.Tag{"e", list.ID}, nostr.Tag{"e", other.ID},
		nostr.Tag{"a", fmt.Sprintf("10317:%s:", list.PubKey)}, nostr.Tag{"expiration", second})
	s.want(`ok request true ""`)
	s.now = s.now.Add(time.Minute)
	s.step(core.TimerFired{})
	if len(s.stored) != 0 {
		t.Fatalf("got %d stored events, want none: the request has expired", len(s.stored))
	}
	for _, when := range []string{"before", "after"} {
		s.resend(list)
		s.resend(other)
		s.want(`ok list false "blocked: this event is deleted"`, `ok other false "blocked: this event is deleted"`)
		s.send("alice", "list of old", 10317, 9)
		s.want(`ok list of old false "blocked: this event is deleted"`)
		if when == "before" {
			s.boot()
		}
	}
	s.send("alice", "list of now", 10317, 11)
	s.want(`ok list of now true ""`)
}

// A request that comes when no more can be remembered deletes what is here. What else it names is not remembered when it has
// expired, nor after a restart.
func TestTombstonesBeyondTheLimitAreOfWhatWasHere(t *testing.T) {
	s := limited(t, func(c *core.Config) { c.TombstonesMax = 1 })
	list := s.send("alice", "list", 10317, 1)
	s.want(`ok list true ""`)
	s.send("alice", "request", 5, 10, nostr.Tag{"a", fmt.Sprintf("10317:%s:", list.PubKey)}, nostr.Tag{"a", fmt.Sprintf("10002:%s:", list.PubKey)},
		nostr.Tag{"e", strings.Repeat("ab", 32)}, nostr.Tag{"expiration", strconv.FormatInt(start.Unix()+60, 10)})
	s.want(`ok request true ""`)
	s.now = s.now.Add(time.Minute)
	s.step(core.TimerFired{})
	if len(s.marks) != 1 {
		t.Errorf("got %d marks, want that of the list alone", len(s.marks))
	}
	s.boot()
	s.resend(list)
	s.want(`ok list false "blocked: this event is deleted"`)
}

// An identifier that names no repository may be as long as a message. What was asked of it is remembered in few bytes,
// and of it alone; a mark of old, which has the identifier as it is, still counts.
func TestTombstonesOfLongIdentifiersAreShort(t *testing.T) {
	s := limited(t, func(*core.Config) {})
	long := strings.Repeat("x", 40_000)
	address := fmt.Sprintf("30078:%s:", key("alice"))
	s.send("alice", "request", 5, 10, nostr.Tag{"a", address + long}, nostr.Tag{"a", address + long[:repo.IdentifierMax]},
		nostr.Tag{"expiration", strconv.FormatInt(start.Unix()+60, 10)})
	s.want(`ok request true ""`)
	s.now = s.now.Add(time.Minute)
	s.step(core.TimerFired{})
	old := core.Mark{
		Kind: core.MarkDeletedAddress, Event: "30078", Created: start.Unix() + 10,
		Repo: repo.ID{Owner: key("alice"), Identifier: long[:300]},
	}
	s.marks[old.Name()] = old
	s.boot()
	for _, n := range []int{40_000, repo.IdentifierMax, 300} {
		s.send("alice", "deleted", 30078, 10, nostr.Tag{"d", long[:n]})
		s.want(`ok deleted false "blocked: this event is deleted"`)
	}
	for _, n := range []int{39_999, repo.IdentifierMax + 1} {
		s.send("alice", "other", 30078, 10, nostr.Tag{"d", long[:n]})
		s.want(`ok other false "invalid: event must reference`)
	}
	size := 0
	for name := range s.marks {
		size += len(name)
	}
	if size > 2_000 {
		t.Errorf("got marks of %d bytes, want few", size)
	}
}
