package replicate_test

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/replicate"
)

// Of a relay that names what it does not have, nothing more is compared; its pages are (W-76). What was named and is refused
// or held counts as come.
func TestEmptyNames(t *testing.T) {
	w := newWorld(t, replicate.Config{Bootstrap: []string{peer}})
	events := history(3)
	f := w.relay(peer, events...)
	f.answering = func(msg relay.ClientMessage) []relay.ServerMessage {
		if req, is := msg.(relay.Req); is && req.Filters[0].IDs != nil {
			return []relay.ServerMessage{relay.EOSE{Sub: req.Sub}}
		}
		return nil
	}
	w.m.Start(w.now)
	w.until(10 * time.Minute)
	w.complete(events)
	plain := 0
	for _, told := range w.told {
		if told.Fact == replicate.RelayPlain {
			plain++
		}
	}
	if plain != 1 {
		t.Errorf("got noted %d times that the relay does not reconcile, want once", plain)
	}
}

// A hostile relay costs so much and no more: what nobody asked for is dropped, and in a flood of it the relay is left alone.
func TestFloods(t *testing.T) {
	for name, good := range map[string]bool{"forged": false, "not asked for": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, replicate.Config{Bootstrap: []string{peer}})
			f := w.relay(peer)
			w.m.Start(w.now)
			w.until(time.Minute)
			n := 0
			for ; f.peer != 0 && n < 10_000; n++ {
				w.m.Said(w.now, f.peer, relay.EventFor{Sub: "l1", Event: event(fmt.Sprintf("junk%d", n), 1, 5)}, good)
				w.settle()
			}
			if len(w.taken) > 0 || n > 2_100 {
				t.Errorf("took %d events of %d, and left the relay late", len(w.taken), n)
			}
			w.until(time.Hour)
			if len(w.dials[peer]) > 1 {
				t.Errorf("got %d attempts, want the relay let alone for hours", len(w.dials[peer]))
			}
		})
	}
}

// What is remembered of refused events is short, whatever a relay has written into them: there are tens of thousands of them, for days.
func TestRefusedEventsAreRememberedInShort(t *testing.T) {
	const (
		events = 500
		long   = 100 << 10 // bytes of one text in them
		most   = 16 << 20  // bytes that may be held for all; 8 MiB of it are events that are at hand
	)
	for name, refused := range map[string]struct {
		waits bool
		tags  func(text string) nostr.Tags
	}{
		"an identifier":             {false, func(text string) nostr.Tags { return nostr.Tags{{"d", text}} }},
		"an identifier, and waits":  {true, func(text string) nostr.Tags { return nostr.Tags{{"d", text}} }},
		"what they speak of":        {true, func(text string) nostr.Tags { return nostr.Tags{{"e", text}} }},
		"repositories they are for": {true, func(text string) nostr.Tags { return nostr.Tags{{"a", coordinate(announcement("a", "x")) + text}} }},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, replicate.Config{Bootstrap: []string{peer}})
			before := heap()
			kind := 30617
			if strings.Contains(name, "they") {
				kind = 1111
			}
			for i := range events {
				text := strings.Repeat("x", long) + strconv.Itoa(i)
				w.m.Refused(w.now, event("e"+strconv.Itoa(i), kind, 5, refused.tags(text)...), peer, refused.waits)
			}
			if held := int64(heap()) - int64(before); held > most {
				t.Errorf("%d events take %d bytes, want at most %d", events, held, most)
			}
			runtime.KeepAlive(w)
		})
	}
}

// A relay that never ends with the events of one second is left behind it: so many ids are told apart and no more.
func TestASecondWithoutEnd(t *testing.T) {
	const (
		second = 5000
		page   = 5_000
	)
	w := newWorld(t, replicate.Config{Bootstrap: []string{peer}, NoNegentropy: true})
	w.refuses = func(*nostr.Event) (bool, bool) { return true, false }
	f := w.relay(peer)
	pages, older := 0, false
	f.answering = func(msg relay.ClientMessage) []relay.ServerMessage {
		req, is := msg.(relay.Req)
		if !is || req.Filters[0].Limit == nil || *req.Filters[0].Limit != replicate.PageLimit {
			return nil
		}
		if until := req.Filters[0].Until; until != nil && *until < second {
			older = true
		}
		if older || pages == 10 {
			return []relay.ServerMessage{relay.EOSE{Sub: req.Sub}}
		}
		pages++
		var said []relay.ServerMessage
		for i := range page {
			said = append(said, relay.EventFor{Sub: req.Sub, Event: event(fmt.Sprintf("e%d-%d", pages, i), 30617, second)})
		}
		return said
	}
	w.m.Start(w.now)
	w.until(10 * time.Minute)
	if !older {
		t.Errorf("%d pages of %d events of one second, and nothing older was asked for", pages, page)
	}
}

// Notices are read by words (W-85).
func TestNotices(t *testing.T) {
	for text, limits := range map[string]bool{
		"rate limit exceeded": true, "you are rate-limited": true, "Too many requests": true, "please slow down": true, "throttled": true,
		"generate unlimited things": false, "corporate limits": false, "slow downloads": false,
	} {
		w := newWorld(t, replicate.Config{Bootstrap: []string{peer}})
		f := w.relay(peer)
		w.m.Start(w.now)
		w.until(time.Minute)
		w.m.Said(w.now, f.peer, relay.Notice{Text: text}, false)
		before := len(f.said)
		w.store(announcement("a", "x", peer))
		w.until(time.Minute + 64*time.Second)
		if asked := len(f.said) > before; asked == limits {
			t.Errorf("%q: asked within the minute: %t", text, asked)
		}
		w.until(3 * time.Minute)
		if len(f.said) == before {
			t.Errorf("%q: got nothing asked for after it", text)
		}
	}
}

// What fails each time is asked for later each time, whatever else goes well (REF-SYNC-12).
func TestOneFilterFails(t *testing.T) {
	w := newWorld(t, replicate.Config{Bootstrap: []string{peer}})
	f := w.relay(peer, history(2)...)
	f.plain = true
	tries := 0
	f.answering = func(msg relay.ClientMessage) []relay.ServerMessage {
		req, is := msg.(relay.Req)
		if is && *req.Filters[0].Limit > 0 && len(req.Filters[0].Tags) > 0 && req.Filters[0].Tags[0].Letter == 'A' {
			tries++
			return []relay.ServerMessage{relay.Closed{Sub: req.Sub, Text: "error: " + strings.Repeat("no ", 300)}}
		}
		return nil
	}
	w.m.Start(w.now)
	for i := range 24 {
		w.until(time.Duration(i+1) * time.Hour)
		w.publish(f, event(fmt.Sprintf("more%d", i), 1621, 9, about("x")))
	}
	if tries < 10 || tries > 40 {
		t.Errorf("got %d tries in a day, want them ever rarer", tries)
	}
	w.complete(f.events)
}

// The end of a live subscription that the relay has decided is noticed: what comes later comes all the same.
func TestLiveSubscriptionsThatTheRelayEnds(t *testing.T) {
	w := newWorld(t, replicate.Config{})
	f := w.relay(peer)
	w.m.Start(w.now)
	w.store(announcement("a", "x", peer))
	w.until(time.Minute)
	for sub := range f.subs {
		w.m.Said(w.now, f.peer, relay.Closed{Sub: sub, Text: "error: shutting down idle subscriptions"}, false)
	}
	clear(f.subs)
	w.settle()
	issue := event("issue", 1621, 9, about("x"))
	w.publish(f, issue)
	w.until(5 * time.Minute)
	w.complete([]*nostr.Event{issue})
}

// A relay that sends what it has, and never says that this was all, is gone through to its end, with and without reconciling (L-6).
func TestAnswersWithoutTheirEnd(t *testing.T) {
	for name, plain := range map[string]bool{"pages": true, "reconciled": false} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, replicate.Config{Bootstrap: []string{peer}})
			events := []*nostr.Event{announcement("announcement", "x", peer)}
			for i := range 200 {
				events = append(events, event(fmt.Sprintf("issue%d", i), 1621, int64(2000+i/3), about("x")))
			}
			f := w.relay(peer, events...)
			f.plain, f.page, f.unended = plain, 40, true
			w.m.Start(w.now)
			w.until(20 * time.Minute)
			w.complete(events)
			if times := f.sent["issue100"]; times > 4 {
				t.Errorf("an issue was sent %d times, want it live, on a page and at its border", times)
			}
		})
	}
}

// An event of an ephemeral kind is kept by nobody, so nobody would know it when it comes back: none is taken, or it goes round between
// servers that pass on what they hear.
func TestEphemeralEventsGoNoFurther(t *testing.T) {
	w := newWorld(t, replicate.Config{})
	f := w.relay(peer)
	w.m.Start(w.now)
	w.store(announcement("a", "x", peer))
	w.until(time.Minute)
	w.publish(f, event("issue", 1621, 5, about("x")))
	w.publish(f, event("brief", 20001, 5, about("x")))
	if !slices.Contains(w.taken, idOf("issue")) || slices.Contains(w.taken, idOf("brief")) {
		t.Errorf("got %v, want the issue alone", w.taken)
	}
}
