package core_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
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
