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
)

const peer = "ws://peer.test"

// history is what a relay has of a repository: its announcement, states, n issues of which many share a second, an answer to each
// that names nothing but the issue, and a deletion of one of them.
func history(n int) []*nostr.Event {
	list := []*nostr.Event{
		announcement("announcement", "x", "ws://own.test", peer),
		event("state", 30618, 1001, nostr.Tag{"d", "x"}),
	}
	for i := range n {
		issue := event(fmt.Sprintf("issue%d", i), 1621, 2000+int64(i/100), about("x"))
		list = append(list, issue, event(fmt.Sprintf("answer%d", i), 1111, 5000, nostr.Tag{"E", issue.ID}))
	}
	return append(list, event("deletion", 5, 9000, nostr.Tag{"e", idOf("answer0")}))
}

func (w *world) complete(events []*nostr.Event) {
	w.t.Helper()
	lacks := 0
	for _, ev := range events {
		if w.have[ev.ID] == nil {
			lacks++
		}
	}
	if lacks > 0 {
		w.t.Errorf("%d of %d events lack", lacks, len(events))
	}
}

func TestHistory(t *testing.T) {
	for _, page := range []int{0, 100, 101, 150} { // 100 issues share a second
		plain := page > 0
		t.Run(fmt.Sprintf("pages of %d", page), func(t *testing.T) {
			w := newWorld(t, replicate.Config{Bootstrap: []string{peer}})
			events := history(300)
			f := w.relay(peer, events...)
			f.plain, f.page = plain, max(100, page)
			w.m.Start(w.now)
			w.until(5 * time.Minute)
			w.complete(events)
			if last := w.told[len(w.told)-1]; last.Status != replicate.Connected {
				t.Errorf("got %v at last, want connected", last)
			}
			before := len(f.said)
			w.until(time.Hour)
			if past, _ := f.reqs(); !plain && past > 45 || len(f.said)-before > 2*30 {
				t.Errorf("got %d requests for the past and %d messages in a quiet hour", past, len(f.said)-before)
			}
		})
	}
}

func TestLive(t *testing.T) {
	w := newWorld(t, replicate.Config{})
	f := w.relay(peer)
	w.m.Start(w.now)
	w.store(announcement("announcement", "x", peer))
	w.until(time.Minute)
	issue := event("issue", 1621, 100, about("x"))
	w.publish(f, issue)
	w.until(2 * time.Minute)
	answer := event("answer", 1111, 90, nostr.Tag{"e", issue.ID})
	w.publish(f, answer)
	w.complete([]*nostr.Event{issue, answer})
}

// What was published while a relay could not be reached comes when it can be again, also when it was written long before.
func TestGaps(t *testing.T) {
	for _, plain := range []bool{false, true} {
		for _, outage := range []time.Duration{30 * time.Second, 14 * time.Minute, 3 * time.Hour} {
			t.Run(fmt.Sprintf("plain %t %v", plain, outage), func(t *testing.T) {
				w := newWorld(t, replicate.Config{})
				f := w.relay(peer, history(3)...)
				f.plain = plain
				w.m.Start(w.now)
				w.store(f.events[0])
				w.until(3 * time.Hour)
				w.complete(f.events)
				f.down = true
				w.drop(f)
				f.events = append(f.events,
					event("missed", 1621, int64(w.now)/int64(time.Second), about("x")),
					event("reply", 1111, int64(w.now)/int64(time.Second), nostr.Tag{"e", idOf("issue0")}))
				w.until(3*time.Hour + outage)
				f.down = false
				w.until(3*time.Hour + outage + 2*time.Hour)
				w.complete(f.events)
			})
		}
	}
}

// Subscriptions grow with what is new, and not with what there is; beyond a number they become one again.
func TestSubscriptionsGrowWithWhatIsNew(t *testing.T) {
	w := newWorld(t, replicate.Config{})
	f := w.relay(peer)
	w.m.Start(w.now)
	w.store(announcement("announcement", "x", peer))
	w.until(time.Minute)
	for i := range 200 {
		w.publish(f, event(fmt.Sprintf("issue%d", i), 1621, int64(i), about("x")))
		w.until(time.Minute + time.Duration(i+1)*10*time.Second)
		if len(f.subs) > replicate.LiveMax {
			t.Fatalf("got %d open subscriptions after %d issues, want at most %d", len(f.subs), i, replicate.LiveMax)
		}
	}
	if _, live := f.reqs(); live > 220 {
		t.Errorf("got %d live subscriptions for 200 issues, want little more than one for each", live)
	}
	answer := event("answer", 1111, 90, nostr.Tag{"e", idOf("issue7")})
	w.publish(f, answer)
	w.complete([]*nostr.Event{answer})
}

// What was refused is not downloaded again; what was refused for want of something is judged again when that comes, from where
// it was or from the relay (REF-SYNC-20).
func TestRefused(t *testing.T) {
	for _, wait := range []time.Duration{time.Minute, time.Hour} {
		t.Run(wait.String(), func(t *testing.T) {
			w := newWorld(t, replicate.Config{Bootstrap: []string{peer}})
			first, second := announcement("a", "x", peer), announcement("b", "x", "ws://other.test")
			second.PubKey = strings.Repeat("cd", 32)
			f := w.relay(peer, second, event("junk", 30617, 5, nostr.Tag{"d", "junk"}))
			issue := event("issue", 1621, 5, about("x"))
			note := event("note", 1111, 5, nostr.Tag{"e", idOf("root")}, nostr.Tag{"e", issue.ID})
			needs := map[string]string{idOf("junk"): idOf("nothing"), second.ID: first.ID, note.ID: issue.ID}
			w.refuses = func(ev *nostr.Event) (bool, bool) {
				need := needs[ev.ID]
				return need != "" && w.have[need] == nil, true
			}
			w.store(announcement("c", "y", peer))
			w.store(event("root", 1621, 5, about("y")))
			w.m.Start(w.now)
			w.publish(f, note)
			w.until(wait)
			w.drop(f)
			w.until(wait + time.Minute)
			for id, n := range f.sent {
				if n > 1 {
					t.Errorf("%s was sent %d times, want once", id, n)
				}
			}
			w.publish(f, first)
			w.publish(f, issue)
			w.until(wait + 2*time.Minute)
			w.complete([]*nostr.Event{first, second, issue, note})
		})
	}
}

// A relay that says nothing any more is left, and connected to again.
func TestSilence(t *testing.T) {
	w := newWorld(t, replicate.Config{})
	f := w.relay(peer)
	w.m.Start(w.now)
	w.store(announcement("announcement", "x", peer))
	w.until(time.Hour)
	f.mute = true
	issue := event("issue", 1621, int64(w.now)/int64(time.Second), about("x"))
	w.publish(f, issue)
	w.until(time.Hour + 4*time.Minute)
	f.mute = false
	w.until(2 * time.Hour)
	w.complete([]*nostr.Event{issue})
}

// A relay that says that it is asked too much is asked for nothing for a while, and then for all the same.
func TestLimited(t *testing.T) {
	for name, cfg := range map[string]replicate.Config{
		"usual": {}, "in haste": {Probe: 20 * time.Second, Answer: 4 * time.Second}, // a probe is due while nothing may be asked
	} {
		t.Run(name, func(t *testing.T) {
			cfg.Bootstrap = []string{peer}
			limited(t, cfg)
		})
	}
}

func limited(t *testing.T, cfg replicate.Config) {
	t.Helper()
	w := newWorld(t, cfg)
	events := history(300)
	f := w.relay(peer, events...)
	f.plain, f.page = true, 100
	var asked []time.Duration
	told := -time.Hour
	f.answering = func(msg relay.ClientMessage) []relay.ServerMessage {
		req, is := msg.(relay.Req)
		if !is {
			return nil
		}
		now := w.now.Sub(start)
		if since := now - told; since > 0 && since < replicate.Cooldown { // what was under way already may come
			t.Errorf("asked %v after the relay said that it is too much", since)
		}
		asked = append(slices.DeleteFunc(asked, func(at time.Duration) bool { return at <= now-time.Minute }), now)
		if len(asked) > 10 {
			told = now
			return []relay.ServerMessage{relay.Closed{Sub: req.Sub, Text: "rate-limited: slow down"}}
		}
		return nil
	}
	w.m.Start(w.now)
	w.until(3 * time.Hour)
	w.complete(events)
}

// A relay that says that it is asked too much, and passes over what it was asked, is asked for what comes from then on all the same,
// and for what came meanwhile.
func TestLiveThatWasPassedOver(t *testing.T) {
	t.Run("the first thing of all", func(t *testing.T) { passedOver(t, false) })
	t.Run("later", func(t *testing.T) { passedOver(t, true) })
}

func passedOver(t *testing.T, later bool) {
	t.Helper()
	w := newWorld(t, replicate.Config{Bootstrap: []string{peer}})
	f := w.relay(peer, announcement("announcement", "x", peer))
	passed := 0
	f.answering = func(msg relay.ClientMessage) []relay.ServerMessage {
		req, is := msg.(relay.Req)
		if !is || req.Filters[0].Limit == nil || *req.Filters[0].Limit != 0 || later && len(req.Filters[0].Tags) == 0 || passed == 1 {
			return nil
		}
		passed++ // the first subscription, or the first to what repositories get
		return []relay.ServerMessage{relay.Notice{Text: "rate-limited: slow down"}}
	}
	w.m.Start(w.now)
	w.until(30 * time.Second)
	var issues []*nostr.Event
	for i, after := range []time.Duration{time.Minute, 10 * time.Minute, time.Hour} {
		w.until(after)
		created := int64(w.now) / int64(time.Second)
		other := announcement(fmt.Sprintf("a%d", i), fmt.Sprintf("x%d", i), peer)
		other.CreatedAt = nostr.Timestamp(created)
		issues = append(issues, event(fmt.Sprintf("issue%d", i), 1621, created, about("x")), other)
		w.publish(f, issues[2*i])
		w.publish(f, other)
	}
	w.until(2 * time.Hour)
	if passed != 1 {
		t.Fatal("no subscription was passed over")
	}
	w.complete(issues)
}

// Relays that do not end an answer, or end none well, keep nothing open for ever and are asked again, later each time.
func TestAnswersWithoutEnd(t *testing.T) {
	for name, answering := range map[string]func(relay.ClientMessage) []relay.ServerMessage{
		"no EOSE": func(msg relay.ClientMessage) []relay.ServerMessage {
			if _, is := msg.(relay.Req); is {
				return []relay.ServerMessage{relay.Notice{Text: "hello"}}
			}
			return nil
		},
		"closed": func(msg relay.ClientMessage) []relay.ServerMessage {
			if req, is := msg.(relay.Req); is {
				return []relay.ServerMessage{relay.Closed{Sub: req.Sub, Text: "auth-required: who are you?"}}
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, replicate.Config{Bootstrap: []string{peer}})
			events := history(3)
			f := w.relay(peer, events...)
			f.answering = answering
			w.m.Start(w.now)
			w.until(24 * time.Hour)
			if n := len(f.said); n < 30 || n > 2000 {
				t.Errorf("got %d messages in a day, want it to be tried in measure", n)
			}
			f.answering = nil
			w.until(30 * time.Hour)
			w.complete(events)
		})
	}
}
