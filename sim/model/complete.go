package model

import (
	"slices"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
)

// Lacks lists what the server has to have of another one and neither serves nor holds (INV-07, G02-EV-01, G02-EV-02): events
// that are served there, that are of a repository which is served here and whose announcement names the other one, and that
// nothing here speaks against. All that leads to it has been so for as long as settle. Told says that the operator has named
// the other server. It returns how many events it has judged, too.
func (m *Model) Lacks(now instant.Instant, of *Model, told bool, settle time.Duration) (lacks []string, judged int) {
	m.now, m.step = now, step{}
	a := &acquaintance{Model: m, by: after(now, -settle), its: func(tag, value, author string) bool {
		return tag == "relays" && of.isRelay(value) || tag == "clone" && of.isClone(value, author)
	}}
	return a.lacks(told, of.served)
}

// An Offer is an event that a relay has, and since when.
type Offer struct {
	Event *nostr.Event
	Since instant.Instant
}

// LacksOffered is Lacks of a relay that is no server; host is its authority in URLs.
func (m *Model) LacksOffered(now instant.Instant, host string, offers []Offer, told bool, settle time.Duration) (lacks []string, judged int) {
	m.now, m.step = now, step{}
	a := &acquaintance{Model: m, by: after(now, -settle), its: func(tag, value, author string) bool {
		if tag == "clone" { // who has repositories may be a GRASP server, whose relay is there, too
			return isCloneAt(value, author, host)
		}
		scheme, at, path := place(value)
		return tag == "relays" && (scheme == "ws" || scheme == "wss") && at == host && (path == "" || path == "/")
	}}
	entries := make([]*entry, len(offers))
	for i, o := range offers {
		entries[i], _ = m.read(o.Event)
		entries[i].since = o.Since
	}
	return a.lacks(told, entries)
}

func (a *acquaintance) lacks(told bool, theirs []*entry) (lacks []string, judged int) {
	m := a.Model
	a.met = told || slices.ContainsFunc(m.served, a.names)
	if !a.met || m.narrow && m.roomy > after(m.now, -roomAgain) {
		return nil, 0
	}
	for _, e := range theirs {
		if e.since > a.by || !a.wants(e) {
			continue
		}
		judged++
		if x := m.entries[e.ev.ID]; x == nil && m.wouldKeep(e) && a.calm(e) {
			lacks = append(lacks, e.ev.ID)
		}
	}
	return lacks, judged
}

// roomAgain is by when what was refused for want of room has been asked for again: an hour later at most, and that may take a while.
const roomAgain = 70 * time.Minute

// makesRoom notes that an event leaves where it is, or the first phase: what had none there may have some now.
func (m *Model) makesRoom(e *entry) {
	if m.narrow && (e.phase == held || e.phase == stored) {
		m.roomy = m.now
	}
}

// wouldKeep reports whether an event of another server would be served or held, if it came now.
func (m *Model) wouldKeep(there *entry) bool {
	e, wrong := m.read(&there.ev)
	e.synced = true
	if m.outOfTime(e.ev.ID, m.now) {
		return false
	}
	outs := m.verdict(0, e, wrong, true, nil)
	if outs == nil { // later
		outs, _ = m.crowded(e)
	}
	return !slices.ContainsFunc(outs, func(o outcome) bool { return o.becomes != stored && o.becomes != held })
}

// An acquaintance is another server, or a relay, as this one knows it.
type acquaintance struct {
	*Model
	its func(tag, value, author string) bool // whether a value of an announcement names it
	by  instant.Instant                      // what has come later counts for nothing
	met bool                                 // this server is connected to it
}

// names reports whether an announcement that is served here is of a repository here and names the other server.
func (a *acquaintance) names(e *entry) bool {
	return e.phase == stored && a.knows(e)
}

// knows reports whether an announcement that is held or served here is of a repository here and names the other server.
func (a *acquaintance) knows(e *entry) bool {
	if !e.announcement || !e.listed || e.since > a.by {
		return false
	}
	for _, tag := range e.ev.Tags {
		for i, value := range tag {
			if i > 0 && a.its(tag[0], value, e.ev.PubKey) {
				return true
			}
		}
	}
	return a.prefers(e.ev.PubKey)
}

// prefers reports whether the list of servers of somebody that is served here names the other one: his repositories may be there, too.
func (a *acquaintance) prefers(author string) bool {
	list := a.latest[address{10317, author, ""}]
	if list == nil || list.since > a.by {
		return false
	}
	return slices.ContainsFunc(list.ev.Tags, func(t nostr.Tag) bool { return len(t) > 1 && t[0] == "g" && a.its("relays", t[1], author) })
}

// at reports whether a coordinate is that of such a repository.
func (a *acquaintance) at(value string) bool {
	id, ok := announcementAt(value)
	if !ok || a.rooms[id.Identifier] == nil {
		return false
	}
	e := a.rooms[id.Identifier].announced(string(id.Owner))
	return e != nil && a.names(e)
}

// root reports whether an id is that of an issue, a patch or a pull request of such a repository that is served here, or of one that answers
// such a one and is younger.
func (a *acquaintance) root(id string) bool {
	e := a.entries[id]
	if e == nil || e.phase != stored || e.since > a.by || e.ev.Kind != 1617 && e.ev.Kind != 1618 && e.ev.Kind != 1621 {
		return false
	}
	return slices.ContainsFunc(e.ev.Tags, func(t nostr.Tag) bool {
		switch {
		case len(t) < 2:
			return false
		case t[0] == "a":
			return a.at(t[1])
		case t[0] != "e" && t[0] != "E" && t[0] != "q":
			return false
		}
		of := a.entries[t[1]]
		return of != nil && of.ev.CreatedAt < e.ev.CreatedAt && of.since < e.since && a.root(t[1])
	})
}

// wants reports whether an event of the other server is one that this server has to ask for.
func (a *acquaintance) wants(e *entry) bool {
	switch {
	case e.announcement, e.ev.Kind == 10317:
		return true
	case e.state:
		r := a.rooms[e.d]
		return r != nil && slices.ContainsFunc(r.announcements, a.knows) // what is held waits for its states
	}
	if (e.ev.Kind == 5 || e.ev.Kind == 62) && a.wrote(e.ev.PubKey) {
		return true
	}
	return a.about(e)
}

// wrote reports whether an author has a repository there, maintains one or has written about one, so that what he asks to be deleted has
// to be asked for.
func (a *acquaintance) wrote(author string) bool {
	return slices.ContainsFunc(a.served, func(e *entry) bool {
		if e.announcement {
			return a.names(e) && (e.ev.PubKey == author || slices.Contains(e.maintainers, author))
		}
		return e.ev.PubKey == author && e.since <= a.by && roots(e.ev.Kind) && a.about(e)
	})
}

// about reports whether an event speaks of such a repository, or of a root event of one.
func (a *acquaintance) about(e *entry) bool {
	for _, tag := range e.ev.Tags {
		if len(tag) < 2 {
			continue
		}
		switch tag[0] {
		case "a", "A":
			if a.at(tag[1]) {
				return true
			}
		case "e", "E":
			if a.root(tag[1]) {
				return true
			}
		case "q":
			if a.at(tag[1]) || a.root(tag[1]) {
				return true
			}
		}
	}
	return false
}

// namesMost is how many things an event may name and have each of them remembered as what may let it in.
const namesMost = 7

// calm reports whether nothing has changed of late in what is here about the repositories of an event: what it lacked may have
// come just now.
func (a *acquaintance) calm(e *entry) bool {
	identifiers, names := e.identifiers(), 0
	for _, tag := range e.ev.Tags {
		if len(tag) > 1 && len(tag[0]) == 1 {
			if names++; names > namesMost && !e.state && !e.announcement {
				return false
			}
			if kind, _, d, ok := coordinate(tag[1]); ok && kind == "30617" {
				identifiers = append(identifiers, d)
			}
		}
	}
	for _, identifier := range identifiers {
		if r := a.rooms[identifier]; r != nil && slices.ContainsFunc(r.announcements, func(x *entry) bool { return x.since > a.by }) {
			return false
		}
	}
	return true
}
