package simtarget_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim/simtarget"
)

// A following is a server with a served repository whose announcement lists a fake relay.
type following struct {
	*person
	server *simtarget.Target
	relay  target.FakeRelay
}

func newFollowing(t *testing.T, opts simtarget.Options) *following {
	t.Helper()
	s := simtarget.New(opts)
	r, err := s.NewRelay(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p := meet(t, s, "owner")
	p.publish(30617, nostr.Tags{
		{"d", "demo"},
		{"clone", s.ServiceURL() + p.id().Path()},
		{"relays", "ws" + strings.TrimPrefix(s.ServiceURL(), "http"), r.URL()},
	})
	p.expect("OK", `true,"purgatory:`)
	commit, _ := firstCommit()
	p.publish(30618, nostr.Tags{{"d", "demo"}, {"refs/heads/main", string(commit)}, {"HEAD", "ref: refs/heads/main"}})
	p.expect("OK", `true,"purgatory:`)
	p.push()
	return &following{p, s, r}
}

// issue is an event of a second that names the repository.
func (f *following) issue(content string) *nostr.Event {
	f.t.Helper()
	ev := &nostr.Event{
		Kind: 1621, CreatedAt: nostr.Timestamp(f.server.Now().Unix()), Content: content,
		Tags: nostr.Tags{{"a", "30617:" + f.PubKey + ":demo"}},
	}
	if err := f.Sign(ev); err != nil {
		f.t.Fatal(err)
	}
	return ev
}

func (f *following) advance(d time.Duration) {
	f.t.Helper()
	if err := f.server.Advance(f.t.Context(), d); err != nil {
		f.t.Fatal(err)
	}
}

func (f *following) behave(b target.RelayBehavior) {
	f.t.Helper()
	if err := f.relay.Behave(b); err != nil {
		f.t.Fatal(err)
	}
}

// serves reports whether the server answers a question for an event with it.
func (f *following) serves(ev *nostr.Event) bool {
	f.t.Helper()
	f.send(`["REQ","s",{"ids":["` + ev.ID + `"]}]`)
	found := false
	for {
		switch verb, _ := f.recv(); verb {
		case "EVENT":
			found = true
		case "EOSE":
			f.send(`["CLOSE","s"]`)
			return found
		}
	}
}

// What a listed relay has, gets later and gets while it is away comes to the server; a signature that does not fit does not.
func TestServerFollowsFakeRelays(t *testing.T) {
	f := newFollowing(t, simtarget.Options{Seed: 1})
	before := f.issue("before")
	f.relay.Put(before)
	f.advance(time.Minute)
	if !f.serves(before) {
		t.Error("what was there is not served")
	}
	live := f.issue("live")
	f.relay.Put(live)
	if !f.serves(live) {
		t.Error("what came later is not served")
	}
	f.behave(target.RelayBehavior{Mode: target.RelayRefuses})
	away := f.issue("away")
	f.relay.Put(away)
	f.advance(time.Minute)
	if f.serves(away) {
		t.Error("what came while the relay was away is served")
	}
	f.behave(target.RelayBehavior{Mode: target.RelayForges})
	forged := f.issue("forged")
	f.relay.Put(forged)
	f.advance(time.Hour)
	if f.serves(away) || f.serves(forged) {
		t.Error("an event whose signature does not fit is served")
	}
	f.behave(target.RelayBehavior{Mode: target.RelayRefuses})
	f.behave(target.RelayBehavior{})
	f.advance(26 * time.Hour) // the daily pass: what it lied about is asked for again then
	if !f.serves(away) || !f.serves(forged) {
		t.Error("what came while the relay was away, or lied, is not served")
	}
	visits, asked := f.relay.Visits(), f.relay.Asked()
	if len(visits) < 3 || !visits[0].Taken || visits[1].Taken || visits[0].Ended.IsZero() || len(asked) == 0 || asked[0].Verb == "" {
		t.Errorf("got visits %+v and %d messages", visits, len(asked))
	}
	if broken := f.server.Violations(); len(broken) > 0 {
		t.Errorf("got %v", broken)
	}
}

// A listening machine notes how connections to relays ended.
type listening struct {
	core.Machine
	ended *[]core.PeerFailure
}

func (l *listening) Step(now instant.Instant, in core.Input, out *core.Effects) {
	if in, is := in.(core.PeerClosed); is {
		*l.ended = append(*l.ended, in.Failure)
	}
	l.Machine.Step(now, in, out)
}

// Attempts end as they do over sockets: with a refusal, in silence, with a name that nobody has.
func TestAttemptsAtFakeRelaysEnd(t *testing.T) {
	for _, test := range []struct {
		lead func(f *following) string // what the announcement lists beside this service
		want core.PeerFailure
	}{
		{func(f *following) string {
			f.behave(target.RelayBehavior{Mode: target.RelayRefuses})
			return f.relay.URL()
		}, core.PeerUnreachable},
		{func(f *following) string {
			f.behave(target.RelayBehavior{Mode: target.RelayFreezes})
			return f.relay.URL() + "/"
		}, core.PeerEnded}, // by the server, which hears nothing on the connection that it has
		{func(*following) string { return "ws://nobody.example" }, core.PeerNoName},
		{func(f *following) string { return "wss" + strings.TrimPrefix(f.relay.URL(), "ws") }, core.PeerNoTrust},
		{func(f *following) string {
			host, err := f.server.NewHost(f.t.Context())
			if err != nil {
				f.t.Fatal(err)
			}
			return "ws" + strings.TrimPrefix(host.URL(), "http")
		}, core.PeerNoRelay},
	} {
		var ended []core.PeerFailure
		f := newFollowing(t, simtarget.Options{Seed: 1, Wrap: func(m core.Machine) core.Machine { return &listening{m, &ended} }})
		f.advance(time.Second)
		f.publish(30617, nostr.Tags{
			{"d", "demo"},
			{"clone", f.server.ServiceURL() + f.id().Path()},
			{"relays", "ws" + strings.TrimPrefix(f.server.ServiceURL(), "http"), test.lead(f)},
		})
		f.expect("OK", "true")
		f.advance(5 * time.Minute)
		if !slices.Contains(ended, test.want) {
			t.Errorf("got %v, want %v", ended, test.want)
		}
	}
}

// After a restart and after a crash a server connects anew.
func TestServerConnectsAnew(t *testing.T) {
	f := newFollowing(t, simtarget.Options{Seed: 1})
	f.advance(time.Minute)
	if err := f.server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.advance(time.Minute)
	if err := f.server.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.advance(time.Minute)
	visits := f.relay.Visits()
	if len(visits) != 3 || visits[0].Ended.IsZero() || visits[1].Ended.IsZero() || !visits[2].Ended.IsZero() {
		t.Errorf("got %+v, want three, of which the last is open", visits)
	}
	if err := f.relay.Close(); err != nil {
		t.Fatal(err)
	}
	f.advance(time.Minute)
	if visits := f.relay.Visits(); len(visits) != 3 || visits[2].Ended.IsZero() {
		t.Errorf("got %+v, want three that have ended", visits)
	}
	if _, err := f.server.NewRelay(t.Context()); err != nil {
		t.Fatal(err)
	}
}
