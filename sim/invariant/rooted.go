package invariant

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

// kindUserList is the kind of a user's list of services, which anybody may publish.
const kindUserList = 10317

// Kinds of what participants say of themselves.
const (
	kindProfile   = 0
	kindRelayList = 10002
)

// byItself reports whether events of a kind are taken for what they are, not for what they refer to.
func byItself(kind int) bool {
	switch kind {
	case kindDeletion, kindVanish, kindUserList, repo.KindAnnouncement, repo.KindState, repo.KindPullRequest, repo.KindPullRequestUpdate:
		return true
	}
	return false
}

// rooted is INV-27 for what was stored in this step: it refers to something stored that roots, or something of that kind
// refers to it. As each of those did so when it came, all lead to an announcement, an issue, a patch or a pull request.
func (m *Monitor) rooted() {
	for _, e := range m.ledger.related {
		if m.book.entries[e.event.ID] == e {
			m.must(m.refers(e.event) || m.mentioned(e.event.ID) || m.ofParticipant(e.event), "INV-27", "rooted-in-nothing",
				"event %s of kind %d", e.event.ID, e.event.Kind)
		}
	}
	m.ledger.related = m.ledger.related[:0]
}

// ofParticipant reports whether somebody who owns, maintains or has written about a repository here says who he is or where he
// writes (GRASP-03).
func (m *Monitor) ofParticipant(ev *nostr.Event) bool {
	if !m.book.family.plus || ev.Kind != kindProfile && ev.Kind != kindRelayList {
		return false
	}
	for _, id := range slices.Sorted(maps.Keys(m.book.entries)) {
		e := m.book.entries[id]
		switch {
		case !roots(e) || e.event.Kind == kindProfile || e.event.Kind == kindRelayList:
		case e.event.PubKey == ev.PubKey, e.announcement != nil && slices.Contains(e.announcement.Maintainers, repo.PubKey(ev.PubKey)):
			return true
		}
	}
	return false
}

// roots reports whether a stored event may be what another one is taken for.
func roots(e *entry) bool {
	return e != nil && e.stored && e.event.Kind != kindDeletion && e.event.Kind != kindUserList
}

func (m *Monitor) refers(ev *nostr.Event) bool {
	return slices.ContainsFunc(ev.Tags, func(tag nostr.Tag) bool {
		if len(tag) < 2 || !slices.Contains([]string{"a", "A", "e", "E", "q"}, tag[0]) {
			return false
		}
		parts := strings.SplitN(tag[1], ":", 3)
		if len(parts) < 3 {
			return roots(m.book.entries[tag[1]]) || m.replacedNow(tag[1])
		}
		kind, err := strconv.Atoi(parts[0])
		return err == nil && roots(m.book.replaceable[address{kind, parts[1], parts[2]}])
	})
}

// replacedNow reports whether an event that roots has left the store in this step: the one that takes its place may refer to it.
func (m *Monitor) replacedNow(id string) bool {
	return slices.ContainsFunc(m.step.left, func(d departure) bool {
		return !d.drop && d.entry.event.ID == id && d.entry.event.Kind != kindDeletion && d.entry.event.Kind != kindUserList
	})
}

// mentioned looks through everything: it is asked of few events.
func (m *Monitor) mentioned(id string) bool {
	for _, other := range slices.Sorted(maps.Keys(m.book.entries)) {
		e := m.book.entries[other]
		if roots(e) && other != id && slices.ContainsFunc(e.event.Tags, func(tag nostr.Tag) bool {
			return len(tag) > 1 && tag[1] == id && slices.Contains([]string{"e", "E", "q"}, tag[0])
		}) {
			return true
		}
	}
	return false
}
