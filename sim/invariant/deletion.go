package invariant

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

// The kinds of requests of an author to delete events: some (NIP-09), or all (NIP-62).
const (
	kindDeletion = 5
	kindVanish   = 62
)

// requests are the deletion requests that were stored, and the states that left the store because of one, or by their own word.
type requests struct {
	service    repo.Service
	everything map[string][]*nostr.Event // for all of their authors, by author
	naming     map[named]*nostr.Event    // for what tags name: of several the latest, which asks for all that the others ask for
	fallen     []*entry
}

// named is what a tag of an author's request names.
type named struct{ author, tag, value string }

func newRequests(service repo.Service) requests {
	return requests{service: service, everything: map[string][]*nostr.Event{}, naming: map[named]*nostr.Event{}}
}

// is reports whether an event asks this server for a deletion.
func (q *requests) is(ev *nostr.Event) bool {
	return ev.Kind == kindDeletion || ev.Kind == kindVanish && slices.ContainsFunc(ev.Tags, func(tag nostr.Tag) bool {
		return len(tag) > 1 && tag[0] == "relay" && (tag[1] == "ALL_RELAYS" || q.service.IsRelayURL(tag[1]))
	})
}

func (q *requests) add(ev *nostr.Event) {
	switch {
	case !q.is(ev):
	case ev.Kind == kindVanish:
		q.everything[ev.PubKey] = append(q.everything[ev.PubKey], ev)
	default:
		for _, tag := range ev.Tags {
			if len(tag) < 2 {
				continue
			}
			n := named{ev.PubKey, tag[0], tag[1]}
			if n.tag == "a" {
				n.value = coordinate(n.value)
			}
			if known := q.naming[n]; known == nil || known.CreatedAt < ev.CreatedAt {
				q.naming[n] = ev
			}
		}
	}
}

// covers reports whether the author of an event has asked for its deletion.
func (q *requests) covers(ev *nostr.Event) bool {
	asks := func(request *nostr.Event) bool { return request != nil && asksFor(request, ev) }
	return slices.ContainsFunc(q.everything[ev.PubKey], asks) ||
		asks(q.naming[named{ev.PubKey, "e", ev.ID}]) || asks(q.naming[named{ev.PubKey, "a", coordinateOf(ev)}])
}

// asksFor reports whether a request is its author's for the deletion of an event. No request deletes a single other one.
func asksFor(request, ev *nostr.Event) bool {
	if request.PubKey != ev.PubKey || request.ID == ev.ID {
		return false
	}
	if request.Kind == kindVanish {
		return ev.CreatedAt <= request.CreatedAt
	}
	return ev.Kind != kindDeletion && ev.Kind != kindVanish && slices.ContainsFunc(request.Tags, func(tag nostr.Tag) bool {
		return len(tag) > 1 && (tag[0] == "e" && tag[1] == ev.ID ||
			tag[0] == "a" && coordinate(tag[1]) == coordinateOf(ev) && ev.CreatedAt <= request.CreatedAt)
	})
}

// coordinate is what an a tag names: of a replaceable kind all there is, whatever identifier it tells.
func coordinate(text string) string {
	kind, rest, _ := strings.Cut(text, ":")
	author, _, _ := strings.Cut(rest, ":")
	if n, err := strconv.Atoi(kind); err == nil && nostr.IsReplaceableKind(n) {
		return kind + ":" + author + ":"
	}
	return text
}

// coordinateOf is what a coordinate names an event by, and none names one of another kind.
func coordinateOf(ev *nostr.Event) string {
	at := strconv.Itoa(ev.Kind) + ":" + ev.PubKey + ":"
	switch {
	case nostr.IsReplaceableKind(ev.Kind):
		return at
	case nostr.IsAddressableKind(ev.Kind):
		return at + ev.Tags.GetD()
	}
	return "none"
}

// many reports whether requests name more than a server is set to remember: of what is not here yet it may forget some then.
func (q *requests) many(limit int) bool {
	n := len(q.naming)
	for _, author := range slices.Sorted(maps.Keys(q.everything)) {
		n += len(q.everything[author])
	}
	return limit > 0 && n > limit
}

// recallRequests takes over what is known of requests after a start: those that are stored, and those that were
// acknowledged, for what they asked for is remembered longer than they are.
func (m *Monitor) recallRequests() {
	for _, id := range slices.Sorted(maps.Keys(m.acked)) {
		if ev := m.acked[id]; m.book.entries[id] == nil {
			m.book.requests.add(ev)
		}
	}
}

// mayEnter is INV-12: nothing that its author deleted enters a store again.
func (m *Monitor) mayEnter(e *entry, code string) {
	if m.book.requests.many(m.limits.Tombstones) {
		return
	}
	if !m.met(!m.book.requests.covers(e.event), "INV-12") {
		m.violated("INV-12", code, "kind %d event %s enters although it is deleted", e.event.Kind, e.event.ID)
	}
}

// applied is one half of INV-13: nothing that a request has just asked for is still there.
func (m *Monitor) applied(request *nostr.Event) {
	if !m.enabled["INV-13"] {
		return
	}
	kept, own := "", m.book.byAuthor[request.PubKey]
	for _, id := range slices.Sorted(maps.Keys(own)) {
		if asksFor(request, own[id].event) {
			kept = id
			break
		}
	}
	m.must(kept == "", "INV-13", "half-applied", "event %s is kept although %s asks for its deletion", kept, request.ID)
}

// unapplied is the other half of INV-13: a request that is refused removes nothing. An event has left in the step under
// way for the reason given, which is "" for none that is right.
func (m *Monitor) unapplied(ev *nostr.Event, why string) {
	for _, id := range m.step.refused {
		if e := m.pending[id]; e != nil && m.book.requests.is(e.event) && asksFor(e.event, ev) {
			m.must(why != "", "INV-13", "applied-though-refused", "event %s left although %s was refused", ev.ID, id)
		}
	}
}

// harmless is INV-17: nothing that is held of somebody else left without cause when an actor did something.
func (m *Monitor) harmless() {
	if m.step.by == "" {
		return
	}
	lost := ""
	for _, d := range m.step.left {
		ev := d.entry.event
		if d.drop && m.step.by != ev.PubKey && m.book.entries[ev.ID] == nil && m.book.gone[ev.ID] == "" {
			lost = ev.ID
		}
	}
	m.must(lost == "", "INV-17", "removed-by-another", "held event %s left when %s did something", lost, m.step.by)
}

// leftBehind reports whether the refs of a repository may be those of a deleted state that is newer than best: they stay
// as they are (G01-DEL-07).
func (q *requests) leftBehind(set []repo.PubKey, identifier string, best *entry) bool {
	return slices.ContainsFunc(q.fallen, func(e *entry) bool {
		return e.state.Identifier == identifier && slices.Contains(set, e.state.Author) && newer(e.event, best.event)
	})
}
