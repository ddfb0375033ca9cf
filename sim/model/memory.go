package model

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/repo"
)

// missing judges that the journal has been told what this step has made to be remembered.
func (m *Model) missing() {
	for _, a := range m.step.floored {
		kind := markState
		if a.kind == 30617 {
			kind = markAnnouncement
		}
		id, floor := repo.ID{Owner: repo.PubKey(a.author), Identifier: a.d}, m.floors[a]
		if floor == nil {
			continue
		}
		if _, is := m.marks.now[markName{kind: kind, event: floor.ev.ID, repo: id}]; !is {
			m.differ("G01-DEL-07", "not-marked", "event %s was served and is deleted, and that is not remembered", floor.ev.ID)
		}
	}
	for _, e := range m.step.ranOut {
		if _, is := m.marks.now[markName{kind: markExpired, event: e.ev.ID}]; !is && len(m.marks.expired) < m.cfg.Expired {
			m.differ("REF-PURG-10", "not-marked", "the time of event %s has run out, and that is not remembered", e.ev.ID)
		}
	}
	for _, k := range m.step.forgets {
		if is := m.marks.now[nameOf(k)]; is.Kind == 0 || is.Created != k.Created {
			m.differ("REF-PURG-23", "not-marked", "%s is not remembered behind its request", nameOf(k))
		}
	}
	for _, e := range m.step.vanishes {
		if _, is := m.marks.now[markName{kind: markVanished, repo: repo.ID{Owner: repo.PubKey(e.ev.PubKey)}}]; !is {
			m.differ("N62-01", "not-marked", "the vanishing of %s is not remembered", e.ev.PubKey)
		}
	}
	_, ran := m.marks.now[markName{kind: markRan}]
	if _, ends := m.step.in.(core.Shutdown); ends != ran && (ends || m.step.first) {
		m.differ("REF-PURG-12", "end-unmarked", "the server ends: %t, and the mark of that is there: %t", ends, ran)
	}
	if m.step.first && m.remembersRefusals() {
		m.differ("REF-SYNC-20", "refusals-stay", "what the life before has refused is remembered for the life behind this one, whatever comes now")
	}
}

// forgets notes what has to be remembered of a deletion request that is served no more: what of it is.
func (m *Model) forgets(e *entry) {
	alone := newTombs()
	alone.add(&e.ev)
	owner := repo.ID{Owner: repo.PubKey(e.ev.PubKey)}
	for _, tag := range e.ev.Tags {
		if len(tag) < 2 {
			continue
		}
		if id := [2]string{e.ev.PubKey, tag[1]}; tag[0] == "e" && alone.ids[id] && m.tombs.ids[id] {
			m.step.forgets = append(m.step.forgets, core.Mark{Kind: markID, Event: tag[1], Repo: owner})
		}
		kind, _, d, ok := coordinate(tag[1])
		n, err := strconv.Atoi(kind)
		a := address{n, e.ev.PubKey, d}
		if n < 30000 || n >= 40000 {
			a.d = ""
		}
		_, asked := alone.addresses[a]
		until, remembered := m.tombs.addresses[a]
		if tag[0] != "a" || !ok || err != nil || !asked || !remembered || !replaceable(n) {
			continue
		}
		k := core.Mark{Kind: markAddress, Event: strconv.Itoa(n), Repo: owner, Created: int64(until)}
		if k.Repo.Identifier = a.d; len(a.d) > identifierMax {
			sum := sha256.Sum256([]byte(a.d))
			k.Kind, k.Repo.Identifier = markLong, hex.EncodeToString(sum[:])
		}
		m.step.forgets = append(m.step.forgets, k)
	}
}

func replaceable(kind int) bool {
	_, is := (&entry{ev: nostr.Event{Kind: kind}}).address()
	return is
}

// rests judges a repository in which nothing is under way: somebody's announcement stands for it, or it is kept.
func (m *Model) rests(r *room, x *repository) {
	a := r.announced(string(x.id.Owner))
	_, kept := m.marks.now[markName{kind: markRetired, repo: x.id}]
	switch {
	case kept && a != nil && a.listed && a.phase == stored:
		m.differ("G01-DEL-06", "still-kept", "the repository of %s is served and remembered as one that is not", x.id.Owner)
	case kept && !x.there && !x.unread:
		m.differ("G01-DEL-06", "still-kept", "the repository of %s is gone and remembered", x.id.Owner)
	case isPlace(x.id):
		m.placeRests(x)
	case !x.there || x.unread || kept:
	case !r.hosted(string(x.id.Owner)):
		m.differ("G01-PURG-12", "repository-stays", "the repository of %s stays although nobody announces it", x.id.Owner)
	default:
		m.clocked(x)
	}
}

// clocked judges the clocks of a repository at rest: each pushed ref whose event is not served has one, and each of them has its
// ref and time to go.
func (m *Model) clocked(x *repository) {
	for _, k := range x.clocks {
		if x.at("refs/nostr/"+k.Event) == "" {
			m.differ("G01-PR-07", "clock-of-nothing", "%s runs and there is no such ref", nameOf(k))
		} else if k.Until <= m.now {
			m.differ("G01-PR-07", "pull-stays", "%s has run out and the ref stays", nameOf(k))
		}
	}
	for _, ref := range x.refs {
		event, pushed := strings.CutPrefix(ref.Name, "refs/nostr/")
		if !pushed || m.meant(x, event) {
			continue
		}
		if _, runs := m.marks.now[markName{kind: markClock, event: event, repo: x.id}]; !runs {
			m.differ("G01-PR-07", "no-clock", "%s of %s waits for its event and no clock runs", ref.Name, x.id.Owner)
		}
	}
}
