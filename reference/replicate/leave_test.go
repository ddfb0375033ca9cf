package replicate_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/replicate"
)

// A connection that is left, and of whose end nobody is told, counts as gone after a while: the relay is connected to once more when
// something is wanted of it (D-34).
func TestLeavingHasAnEnd(t *testing.T) {
	w := newWorld(t, replicate.Config{})
	f := w.relay(peer)
	f.clings = true
	w.m.Start(w.now)
	named := func(name string, created int64, relays ...string) {
		ev := announcement(name, "x", relays...)
		ev.CreatedAt = nostr.Timestamp(created)
		w.store(ev)
	}
	named("first", 1000, peer)
	w.until(time.Minute)
	named("second", 1001)
	w.until(time.Minute + time.Second)
	if last := w.told[len(w.told)-1]; last.Status != replicate.Disconnecting {
		t.Fatalf("got %v told, want the relay to be left", last)
	}
	f.events = []*nostr.Event{event("issue", 1621, 5, about("x"))}
	named("third", 1002, peer)
	w.until(2 * time.Minute)
	w.complete(f.events)
	if len(w.dials[peer]) != 2 {
		t.Errorf("got %d attempts, want two", len(w.dials[peer]))
	}
}

// While live subscriptions are made anew there is never a moment without one: what they asked for they always ask for (D-32).
func TestNothingIsEverUnheard(t *testing.T) {
	w := newWorld(t, replicate.Config{LiveMax: 8})
	f := w.relay(peer)
	var heard []*nostr.Event // what a live subscription has asked for
	probes := []*nostr.Event{announcement("new", "y"), event("state", 30618, 5, nostr.Tag{"d", "x"}), event("about", 1, 5, about("x"))}
	for i := range 120 {
		probes = append(probes, event(fmt.Sprintf("answer%d", i), 1111, 5, nostr.Tag{"E", idOf(fmt.Sprintf("issue%d", i))}))
	}
	open := map[string][]relay.Filter{}
	closed := 0
	f.answering = func(msg relay.ClientMessage) []relay.ServerMessage {
		switch m := msg.(type) {
		case relay.Req:
			if l := m.Filters[0].Limit; l != nil && *l == 0 {
				open[m.Sub] = m.Filters
			}
		case relay.Close:
			if open[m.Sub] != nil {
				closed++
			}
			delete(open, m.Sub)
		}
		for _, ev := range probes {
			listens := false
			for _, filters := range open {
				listens = listens || slices.ContainsFunc(filters, func(f relay.Filter) bool { return f.Compile().Matches(ev) })
			}
			switch was := slices.Contains(heard, ev); {
			case listens && !was:
				heard = append(heard, ev)
			case was && !listens:
				t.Errorf("after %v: nothing asks any more for an event of kind %d with %v", msg, ev.Kind, ev.Tags)
			}
		}
		return nil
	}
	w.m.Start(w.now)
	w.store(announcement("a", "x", peer))
	for i := range 120 {
		w.store(event(fmt.Sprintf("issue%d", i), 1621, 5, about("x")))
		w.until(time.Duration(i+1) * time.Minute)
		if t.Failed() {
			break
		}
	}
	if len(heard) != len(probes) || closed < 8 {
		t.Errorf("got %d things of %d asked for, and %d subscriptions made anew", len(heard), len(probes), closed)
	}
}

// A relay may say that it is asked too much of a question that is over: it is asked for nothing all the same (regress 069).
func TestLimitsOfWhatIsOver(t *testing.T) {
	for _, msg := range []relay.ServerMessage{
		relay.Closed{Sub: "over", Text: "rate-limited: slow down"}, relay.NegError{Sub: "over", Text: "rate-limited: slow down"},
	} {
		w := newWorld(t, replicate.Config{Bootstrap: []string{peer}})
		f := w.relay(peer)
		w.m.Start(w.now)
		w.until(time.Minute)
		w.m.Said(w.now, f.peer, msg, false)
		if r := w.m.Report(w.now); len(r.Relays) != 1 || r.Relays[0].Health != replicate.RateLimited {
			t.Errorf("behind %#v: got %+v, want that the relay may not be asked", msg, r.Relays)
		}
	}
}

// A relay that has said that it is asked too much, and is gone then, is not connected to before it may be asked again (D-37).
func TestLimitsOutlastConnections(t *testing.T) {
	w := newWorld(t, replicate.Config{Bootstrap: []string{peer}})
	f := w.relay(peer)
	w.m.Start(w.now)
	w.until(time.Minute)
	w.m.Said(w.now, f.peer, relay.Notice{Text: "rate-limited: slow down"}, false)
	w.drop(f)
	w.until(10 * time.Minute)
	if got := w.dials[peer]; len(got) != 2 || got[1] != time.Minute+replicate.Cooldown {
		t.Errorf("got attempts at %v, want the second one when the relay may be asked again", got)
	}
}
