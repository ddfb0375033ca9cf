package replicate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/replicate"
	"github.com/graspkit/graspkit/reference/repo"
)

// A dripper is a relay that answers what it is asked by one event each 20 s, which nobody has seen, and comes to no end.
type dripper struct {
	*fake

	asked map[string]relay.Filter // that have no end yet, by subscription
	sent  int
	most  time.Duration // that one question was open
	since map[string]time.Duration
}

const dripEvery = 20 * time.Second

// drips makes a relay drip from now on.
func (w *world) drips(f *fake) *dripper {
	d := &dripper{fake: f, asked: map[string]relay.Filter{}, since: map[string]time.Duration{}}
	f.answering = func(msg relay.ClientMessage) []relay.ServerMessage {
		switch m := msg.(type) {
		case relay.Req:
			if l := m.Filters[0].Limit; l == nil || *l > 1 {
				d.asked[m.Sub], d.since[m.Sub] = m.Filters[0], w.now.Sub(start)
				return []relay.ServerMessage{}
			}
		case relay.NegOpen:
			return []relay.ServerMessage{relay.NegError{Sub: m.Sub, Text: "error: no"}}
		case relay.Close:
			d.most = max(d.most, w.now.Sub(start)-d.since[m.Sub])
			delete(d.asked, m.Sub)
		}
		return nil
	}
	return d
}

// dripping lets time pass while relays drip.
func (w *world) dripping(until time.Duration, all ...*dripper) {
	for w.now < start.Add(until) {
		w.until(min(until, w.now.Sub(start)+dripEvery))
		for _, d := range all {
			for _, sub := range sortedKeys(d.asked) {
				if d.peer != 0 && d.asked[sub].IDs == nil {
					d.sent++
					w.m.Said(w.now, d.peer, relay.EventFor{Sub: sub, Event: fitting(d.asked[sub], d.sent)}, true)
					w.settle()
				}
			}
		}
	}
}

func sortedKeys(m map[string]relay.Filter) []string {
	var keys []string
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// fitting is an event that a filter asks for.
func fitting(f relay.Filter, n int) *nostr.Event {
	ev := event(fmt.Sprintf("drip%d", n), 1, 1_000_000-int64(n))
	if len(f.Kinds) > 0 {
		ev.Kind = f.Kinds[0]
	}
	if len(f.Authors) > 0 {
		ev.PubKey = f.Authors[0]
	}
	if len(f.Tags) > 0 {
		ev.Tags = nostr.Tags{{string(f.Tags[0].Letter), f.Tags[0].Values[0]}}
	}
	return ev
}

// A relay whose answers come to no end, though something always comes, keeps nobody from comparing with the others once a day.
func TestDripsHoldUpNoPass(t *testing.T) {
	const other = "wss://zz.example"
	w := newWorld(t, replicate.Config{Bootstrap: []string{peer, other}})
	f, g := w.relay(peer), w.relay(other, announcement("announcement", "x", peer, other), event("issue", 1621, 5, about("x")))
	w.m.Start(w.now)
	w.until(time.Hour)
	w.refuses = func(ev *nostr.Event) (bool, bool) { return ev.CreatedAt > 500_000, false }
	d := w.drips(f)
	late := event("late", 1621, 7, about("x"))
	g.events = append(g.events, late) // it does not come live
	w.dripping(27*time.Hour, d)
	w.complete(g.events)
	w.dripping(52*time.Hour, d)
	if d.most > time.Hour {
		t.Errorf("a question was open for %v", d.most)
	}
}

// Nor does it hide by that what it has sent before anything let it in: others are asked for it soon.
func TestDripsHideNothing(t *testing.T) {
	const other = "wss://zz.example"
	w := newWorld(t, replicate.Config{Bootstrap: []string{peer, other}})
	early := announcement("early", "x", peer)
	early.PubKey = strings.Repeat("cd", 32)
	f, g := w.relay(peer, early), w.relay(other)
	lacking := true
	w.refuses = func(*nostr.Event) (refused, waits bool) { return lacking, true }
	w.m.Start(w.now)
	w.until(time.Minute)
	w.publish(g, early)
	w.until(time.Hour)
	d := w.drips(f)
	w.store(announcement("first", "x", peer, other))
	w.dripping(2*time.Hour, d)
	lacking = false
	w.store(announcement("second", "x", peer, other))
	w.dripping(2*time.Hour+5*time.Minute, d)
	if w.have[early.ID] == nil {
		t.Error("what the other relay has is lacking")
	}
}

// Relays that were left out because too many were known are looked at again within the hour, and not with the next daily pass alone: who
// names many, in announcements that are held for a while, keeps nobody out for longer.
func TestRoomForRelaysIsLookedForAgain(t *testing.T) {
	w := newWorld(t, replicate.Config{RelaysMax: 2})
	g := w.relay(peer, event("issue", 1621, 5, about("x")))
	w.m.Start(w.now)
	id := repo.ID{Owner: repo.PubKey(strings.Repeat("cd", 32)), Identifier: "many"}
	many := announcement("many", "many", "wss://one.example", "wss://two.example")
	many.PubKey = string(id.Owner)
	w.m.Announced(w.now, id, many, false)
	w.until(time.Minute)
	w.store(announcement("a", "x", peer))
	w.until(30 * time.Minute)
	w.m.Gone(w.now, id)
	w.until(70 * time.Minute)
	w.complete(g.events)
}
