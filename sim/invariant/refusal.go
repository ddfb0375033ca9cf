package invariant

import (
	"maps"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// keeps counts an event, if anything is measured by it: worlds that differ in nothing else are one world. What was not taken may be
// let in by it, whether there is a connection at the moment or not.
func (m *Monitor) keeps(r core.Record) {
	t := &m.traffic
	delete(t.came, r.ID)
	delete(t.lacks, r.ID)
	delete(t.missed, r.ID)
	if len(t.talks) == 0 && len(t.came) == 0 {
		return
	}
	t.kept++
	if r.Event.Kind == repo.KindAnnouncement {
		t.renames(r.Event)
		t.late = t.late || m.ledger.ending
		if a, reason := repo.ParseAnnouncement(r.Event); reason == "" {
			t.announces(a.ID)
		}
	}
	if was := m.book.entries[r.ID]; was == nil || !was.stored && r.Op == core.OpStore { // else its time has changed
		t.costs += costs(r.Event)
	}
}

// uncovers takes the end of an announcement: an older one, which did not count while it was here, may be asked for again (REF-SYNC-20).
func (t *traffic) uncovers(e *entry) {
	if e.announcement != nil && len(t.came) > 0 {
		t.gone++
		t.renames(e.event)
	}
}

// A want is what an announcement or a state was refused for want of: another announcement of its identifier, more than had come or gone.
type want struct {
	identifier string
	named      int
}

// renames notes that an announcement comes or goes.
func (t *traffic) renames(ev *nostr.Event) {
	identifier, _ := repo.Identifier(ev)
	t.named[identifier]++
}

// changes is how often something has happened that may let in what was not taken.
func (t *traffic) changes() int { return t.kept + t.gone }

// answered takes what the server has made of an event.
func (m *Monitor) answered(n core.Note) {
	if n.Fact == core.PeerGave {
		m.traffic.given[n.Event] = true
		return
	}
	m.step.answered = append(m.step.answered, n.Event)
	m.traffic.answers(m.step.now, n)
}

// answers takes what the server has made of an event. What it has refused for a moment it may ask for again, later and later. What a client
// publishes once more and is refused says nothing of what relays were to be asked for before that.
func (t *traffic) answers(now instant.Instant, n core.Note) {
	given := t.given[n.Event]
	delete(t.given, n.Event)
	if _, came := t.came[n.Event]; came && given && n.Fact == core.EventRefused {
		delete(t.lacks, n.Event) // the last refusal counts
		if lacking[n.Requirement] {
			identifier := t.names[n.Event]
			t.lacks[n.Event] = want{identifier, t.named[identifier]}
		}
	}
	if prefix, _, _ := strings.Cut(n.Reason, ":"); n.Fact == core.EventRefused && (prefix == "error" || prefix == "rate-limited") {
		delete(t.came, n.Event)
		delete(t.lacks, n.Event)
		for _, url := range slices.Sorted(maps.Keys(t.talks)) {
			t.talks[url].unanswered(now)
			t.talks[url].unnamed = 0 // it may still bring what nothing here names before that
		}
	}
}

// ends takes the end of a life. What of announcements and states was refused for want of something is known in the next one, if it
// was an orderly one.
func (t *traffic) ends(orderly bool) {
	clear(t.unwanted)
	clear(t.missed)
	clear(t.failing)
	clear(t.deaf)
	clear(t.tried)
	clear(t.served)
	clear(t.left)
	clear(t.given)
	orderly = orderly && !t.late
	t.late = false
	maps.DeleteFunc(t.came, func(id string, _ int) bool { _, wants := t.lacks[id]; return !orderly || !wants })
	maps.DeleteFunc(t.lacks, func(id string, _ want) bool { _, known := t.came[id]; return !known })
	maps.DeleteFunc(t.names, func(id string, _ string) bool { _, known := t.came[id]; return !known })
}

// asksByID takes what the server asks for by id. What it has had and not taken is refused until something comes that it may have
// lacked.
func (m *Monitor) asksByID(t *talk, ids []string) {
	for _, id := range ids {
		m.asksForRunOut(t, id)
		before, came := m.traffic.came[id]
		if !came || m.book.entries[id] != nil || m.pending[id] != nil {
			continue
		}
		if w, wants := m.traffic.lacks[id]; wants && !m.met(m.traffic.named[w.identifier] > w.named, "INV-41") {
			m.violated("INV-41", "refused-fetched-again", "%s is asked for %s, which has come and was refused for want of an announcement of %q, and none has come or gone since", t.url, id, w.identifier)
			continue
		}
		if !m.met(m.traffic.changes() > before, "INV-41") {
			m.violated("INV-41", "refused-fetched-again", "%s is asked for %s, which has come and was not taken, and nothing was stored or held since, nor has an announcement gone", t.url, id)
		}
	}
}
