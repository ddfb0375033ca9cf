package core_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
)

// proof is an event by which somebody authenticates on a connection whose challenge is "sesame".
func proof(who string, change func(*nostr.Event)) *nostr.Event {
	ev := &nostr.Event{
		PubKey: string(key(who)), Kind: 22242, CreatedAt: nostr.Timestamp(start.Unix()),
		Tags: nostr.Tags{{"relay", "wss://grasp.test/"}, {"challenge", "sesame"}},
	}
	if change != nil {
		change(ev)
	}
	ev.ID = ev.GetID()
	return ev
}

func TestAuthentication(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*nostr.Event)
		forged bool
		want   string // of the reason; "" if it is taken
	}{
		"good":               {},
		"plain scheme":       {change: func(ev *nostr.Event) { ev.Tags[0][1] = "ws://grasp.test" }},
		"ten minutes ago":    {change: func(ev *nostr.Event) { ev.CreatedAt -= 600 }},
		"ten minutes ahead":  {change: func(ev *nostr.Event) { ev.CreatedAt += 600 }},
		"too old":            {change: func(ev *nostr.Event) { ev.CreatedAt -= 601 }, want: "time"},
		"too far ahead":      {change: func(ev *nostr.Event) { ev.CreatedAt += 601 }, want: "time"},
		"other kind":         {change: func(ev *nostr.Event) { ev.Kind = 1 }, want: "kind"},
		"other challenge":    {change: func(ev *nostr.Event) { ev.Tags[1][1] = "Sesame" }, want: "challenge"},
		"no challenge":       {change: func(ev *nostr.Event) { ev.Tags = ev.Tags[:1] }, want: "challenge"},
		"other relay":        {change: func(ev *nostr.Event) { ev.Tags[0][1] = "wss://grasp.test.evil" }, want: "relay"},
		"no relay":           {change: func(ev *nostr.Event) { ev.Tags = ev.Tags[1:] }, want: "relay"},
		"a wrong signature":  {forged: true, want: "signature"},
		"of another service": {change: func(ev *nostr.Event) { ev.Tags[0][1] = "https://grasp.test" }, want: "relay"},
	} {
		t.Run(name, func(t *testing.T) {
			s := limited(t, func(*core.Config) {})
			s.step(core.ConnOpened{Conn: 3, Challenge: "sesame"})
			ev := proof("alice", c.change)
			s.names[ev.ID] = "proof"
			s.step(core.Message{Conn: 3, Msg: relay.Auth{Event: ev, IDOK: true}, SigOK: !c.forged})
			if c.want == "" {
				s.want(`ok proof true ""`)
			} else {
				s.want(`ok proof false "auth-required: `, c.want)
			}
			s.step(core.Message{Conn: 3, Msg: relay.Event{Event: ev, IDOK: true}, SigOK: true})
			if text := s.log.String(); ev.Kind == 22242 && !strings.Contains(text, `ok proof false "invalid: `) || strings.Contains(text, "live") {
				t.Errorf("got %q, want it neither stored nor forwarded", text)
			}
		})
	}
}

// A protected event is its author's to publish, on a connection where the author has authenticated (N70-01).
func TestProtectedEvents(t *testing.T) {
	s := limited(t, func(*core.Config) {})
	protected := func(conn core.ConnID) {
		ev := &nostr.Event{
			PubKey: string(key("alice")), Kind: 10317, CreatedAt: nostr.Timestamp(start.Unix()), Tags: nostr.Tags{{"-"}},
		}
		ev.ID = ev.GetID()
		s.names[ev.ID] = "list"
		s.step(core.Message{Conn: conn, Msg: relay.Event{Event: ev, IDOK: true}, SigOK: true})
	}
	authenticate := func(conn core.ConnID, who string) {
		ev := proof(who, nil)
		s.names[ev.ID] = "proof"
		s.step(core.Message{Conn: conn, Msg: relay.Auth{Event: ev, IDOK: true}, SigOK: true})
		s.want(`ok proof true ""`)
	}
	s.step(core.ConnOpened{Conn: 3, Challenge: "sesame"})
	s.step(core.ConnOpened{Conn: 4, Challenge: "sesame"})
	protected(1) // a connection that cannot authenticate
	s.want(`ok list false "auth-required: `)
	protected(3)
	s.want("challenge sesame", `ok list false "auth-required: `)
	authenticate(3, "bob")
	protected(3)
	s.want(`ok list false "restricted: `)
	authenticate(4, "alice")
	protected(3)
	s.want(`ok list false "restricted: `)
	protected(4)
	s.want(`ok list true ""`, "live list")
	protected(3)
	s.want(`ok list false "restricted: `)
	authenticate(3, "alice")
	protected(3)
	s.want(`ok list true "duplicate: `)
}

func TestAuthenticatedKeysAreBounded(t *testing.T) {
	s := limited(t, func(*core.Config) {})
	s.step(core.ConnOpened{Conn: 3, Challenge: "sesame"})
	for n := range relay.KeysMax + 1 {
		ev := proof(fmt.Sprint("somebody", n), nil)
		s.names[ev.ID] = "proof"
		s.log.Reset()
		s.step(core.Message{Conn: 3, Msg: relay.Auth{Event: ev, IDOK: true}, SigOK: true})
	}
	s.want(`ok proof false "error: `)
}
