package invariant

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
)

// A relay that has failed for a day is tried once a day (REF-SYNC-15). What has failed for an hour more is taken for that, and a pause of
// most of half a day is long enough, for one that is none is tried twice a day; a connection that lasts ends it (REF-SYNC-16).
const (
	deadAfter  = 25 * time.Hour
	deadPause  = 11 * time.Hour
	aliveAfter = 5 * time.Minute
)

// A failing is a relay to which connections fail: since when, and when one last did.
type failing struct{ since, last instant.Instant }

// fails notes that a connection to a relay, or an attempt at one, has failed; t is the connection, if there was one.
func (x *traffic) fails(url string, t *talk, now instant.Instant) {
	f := x.failing[url]
	if f.since == 0 || now.Sub(f.last) >= deadPause || t != nil && now.Sub(t.since) >= aliveAfter {
		f.since = now
	}
	f.last = now
	x.failing[url] = f
	if t != nil && now.Sub(t.since) > aliveAfter && !t.wrong && x.told[url] {
		x.tried[url] = now.Add(triedWithin)
	}
}

// triesTheDead checks an attempt at a relay that has failed for long.
func (m *Monitor) triesTheDead(url string) {
	f, fails := m.traffic.failing[url]
	if !fails {
		return
	}
	now := m.step.now
	early := now.Sub(f.since) >= deadAfter && now.Sub(f.last) < deadPause
	if !m.met(!early, "INV-41") {
		m.violated("INV-41", "dead-and-tried", "%s has failed since %d, and is tried %v after it last has", url, f.since, now.Sub(f.last))
	}
}

// leavesRelay takes the end of a connection that the server decides. One to a relay that is wanted, has answered all that it was asked and
// has sent nothing wrong has no reason to end (REF-SYNC-18). Who asks as a private service leaves relays that answer anybody.
func (m *Monitor) leavesRelay(e core.HangUp) {
	m.traffic.left[e.Peer] = true
	t := m.traffic.talks[e.Peer]
	if t != nil {
		m.deafTo(t.url)
		t.ended = true
	}
	if t == nil || m.ledger.ending || m.club != nil || t.wrong || len(t.open) > 0 || m.traffic.twice[t.url] || !m.wantsRelay(t.url) {
		return
	}
	m.violated("INV-41", "left-though-there", "%s is left, which has answered all that it was asked on connection %d", t.url, e.Peer)
}

// wantsRelay reports whether an announcement that is served here and lists the service names a relay.
func (m *Monitor) wantsRelay(url string) bool {
	plain := func(text string) string { return strings.TrimSuffix(strings.ToLower(text), "/") }
	for _, id := range slices.Sorted(maps.Keys(m.book.entries)) {
		e := m.book.entries[id]
		if e.announcement == nil || !e.stored || !e.hosted {
			continue
		}
		if slices.ContainsFunc(e.announcement.Relays, func(text string) bool { return plain(text) == plain(url) }) {
			return true
		}
	}
	return false
}

// Told says that the operator has named a relay: it is never left.
func (m *Monitor) Told(url string) { m.traffic.told[url] = true }

// keepsRelay takes the question whether a relay is there. One that nothing which is here names, and the operator neither, is left
// (REF-SYNC-18). How long it has been kept counts from the first such question.
func (m *Monitor) keepsRelay(t *talk) {
	if m.traffic.told[t.url] || m.book.entries[t.namer] != nil { // the question comes in two minutes again, and events are many
		t.unnamed = 0
		return
	}
	if t.namer = m.namesRelay(t.url); t.namer != "" {
		t.unnamed = 0
		return
	}
	if t.unnamed == 0 {
		t.unnamed = m.step.now
	}
	if kept := m.step.now.Sub(t.unnamed); !m.met(kept <= leftWithin, "INV-41") {
		m.violated("INV-41", "kept-for-nothing", "nothing here names %s for %v, and it is asked on whether it is there", t.url, kept)
	}
}

// namesRelay is the id of something that is here and has the authority of a relay in a tag, or "".
func (m *Monitor) namesRelay(url string) string {
	_, authority, _ := strings.Cut(url, "://")
	authority, _, _ = strings.Cut(authority, "/")
	for _, id := range slices.Sorted(maps.Keys(m.book.entries)) {
		for _, tag := range m.book.entries[id].event.Tags {
			if slices.ContainsFunc(tag, func(text string) bool { return strings.Contains(strings.ToLower(text), authority) }) {
				return id
			}
		}
	}
	return ""
}

// asksForAnswers takes an event that a request asks for what speaks of it. One that has gone is of nobody's interest; how long it has been
// that counts from the first request that names it since.
func (m *Monitor) asksForAnswers(t *talk, id string) {
	x := &m.traffic
	if e := m.book.entries[id]; e != nil && e.stored {
		delete(x.missed, id)
		return
	}
	since, known := x.missed[id]
	if !known {
		x.missed[id] = m.step.now
		return
	}
	if !m.met(m.step.now.Sub(since) <= leftWithin, "INV-41") {
		m.violated("INV-41", "answers-to-nothing", "%s is asked for what speaks of event %s, which is not served here, %v after that was so", t.url, id, m.step.now.Sub(since))
	}
}

// triedWithin is by when a relay is tried again whose connection has lasted (aliveAfter): five seconds, and whatever waits for room.
const triedWithin = time.Minute

// triedAgain checks that relays that were there for long, and are wanted, are tried again soon (REF-SYNC-14, REF-SYNC-16).
func (m *Monitor) triedAgain() {
	x := &m.traffic
	if len(x.tried) == 0 || m.ledger.ending || m.club != nil {
		return
	}
	now := m.step.now
	for _, url := range slices.Sorted(maps.Keys(x.tried)) {
		due := max(x.tried[url], x.until[url].Add(triedWithin))
		if now <= due {
			continue
		}
		delete(x.tried, url)
		m.must(false, "INV-41", "not-tried-again", "%s was there for long and is not tried again within %v", url, triedWithin)
	}
}
