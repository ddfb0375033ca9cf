package model

import (
	"slices"
	"strconv"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/repo"
)

// mayMark says why a mark must not be made, "" if it may.
func (m *Model) mayMark(is, was core.Mark) string {
	r, x := m.room(is.Repo.Identifier), m.repository(is.Repo)
	switch is.Kind {
	case markClock:
		return m.mayRun(r, x, is, was)
	case markRetired:
		a := r.announced(string(is.Repo.Owner))
		switch {
		case !x.there:
			return "it is not there"
		case a != nil && a.phase == stored && a.listed:
			return "it is served"
		case !slices.Contains(m.step.gone, r.identifier) && !m.step.first:
			return "no announcement has gone"
		case m.step.first && was.Kind != 0:
			return "it is kept since before that, and whoever is kept first goes first"
		}
	case markState, markAnnouncement:
		if floor := m.floors[floorAt(is)]; floor == nil || floor.ev.ID != is.Event || int64(floor.ev.CreatedAt) != is.Created {
			return "it is not the last version that was served and deleted"
		}
	case markExpired:
		at, ran := m.expired[is.Event]
		if !ran || at != is.At || is.Until != after(is.At, expiredLife) {
			return "its time ran out at " + strconv.FormatInt(int64(at), 10) + ", and it is remembered for another time"
		}
	case markID, markAddress, markLong:
		if !slices.ContainsFunc(m.step.forgets, func(k core.Mark) bool { k.At = is.At; return k == is }) {
			return "no request that said so has gone"
		}
	case markVanished:
		if int64(m.tombs.vanished[string(is.Repo.Owner)]) != is.Created || len(m.step.vanishes) == 0 {
			return "nobody has asked for it now"
		}
	case markRan:
		if _, ends := m.step.in.(core.Shutdown); !ends {
			return "nobody ends the server"
		}
	case markAsked:
		if n := m.hunt.asked(is.Host, m.now); m.hunt.On && (n != is.Count || is.Until != after(is.At, rateWindow)) {
			return strconv.Itoa(n) + " requests began there within a minute, and " + strconv.Itoa(is.Count) + " are remembered"
		}
	case markRefused, markUnauthorized, markJudge:
		return m.mayRefuse(is)
	default:
		return "there is no such kind"
	}
	return ""
}

// mayRun says why the clock of a pushed ref must not begin: it runs, the ref is not there, its event is served, or its time is
// not twenty minutes. One whose removal has failed, or
// whose repository cannot be read, gets another minute.
func (m *Model) mayRun(r *room, x *repository, is, was core.Mark) string {
	ref := "refs/nostr/" + is.Event
	again := (x.unread || r.everFailed && r.failed == m.now) && is.Until == after(is.At, sweepAgain)
	switch {
	case was.Kind != 0 && was.Until > m.now:
		return "it runs"
	case again:
	case m.keptAlone(r, x):
		return "the repository is kept with all its refs"
	case is.Until != after(is.At, refLife):
		return "it ends after " + time.Duration(is.Until-is.At).String()
	case x.at(ref) == "":
		return "there is no such ref"
	case m.owns(x, is.Event):
		return "its event is served"
	}
	return ""
}

// owns reports whether the ref of an event belongs to a pull request that is served.
func (m *Model) owns(x *repository, event string) bool {
	e := m.entries[event]
	return e != nil && e.pull && e.phase == stored && x.at("refs/nostr/"+event) == e.commit &&
		(slices.Contains(m.concerned(e), x.id) || slices.Contains(e.places, x.id))
}

// meant reports whether it is that of a pull request for a repository of that name, whoever maintains it by now.
func (m *Model) meant(x *repository, event string) bool {
	e := m.entries[event]
	return e != nil && e.pull && e.phase == stored && x.at("refs/nostr/"+event) == e.commit &&
		(slices.Contains(e.identifiers(), x.id.Identifier) || slices.Contains(e.places, x.id))
}

// mayForget says why a mark must not be taken back, "" if it may.
func (m *Model) mayForget(was core.Mark) string {
	r, x := m.room(was.Repo.Identifier), m.repository(was.Repo)
	switch was.Kind {
	case markClock:
		_, kept := m.marks.now[markName{kind: markRetired, repo: was.Repo}]
		if x.there && x.at("refs/nostr/"+was.Event) != "" && !m.owns(x, was.Event) && was.Until > m.now && !kept {
			return "the ref is there and its event is not served"
		}
	case markRetired:
		a := r.announced(string(was.Repo.Owner))
		if x.there && (a == nil || !a.listed || a.phase != stored) && m.kept(string(was.Repo.Owner)) < retiredMost {
			return "it is there and not served"
		}
	case markState, markAnnouncement:
		if floor := m.floors[floorAt(was)]; floor != nil && floor.ev.ID == was.Event {
			return "nothing newer of its author is served"
		}
	case markExpired:
		most := m.cfg.Expired
		if was.Until > m.now && len(m.marks.expired) < most {
			return "there is room for it"
		}
		if slices.ContainsFunc(m.marks.expired, func(k core.Mark) bool { return k.Until < was.Until }) {
			return "older ones stay"
		}
	case markRan:
		if !m.step.first {
			return "nothing begins"
		}
	case markAsked:
		if was.Until > m.now && m.hunt.On {
			return "requests of the last minute count"
		}
	case markRefused, markUnauthorized:
		if !m.step.first {
			return "nothing begins"
		}
	case markJudge:
		if !m.step.first && !m.work.closing {
			return "nothing begins"
		}
	default:
		return "it is for ever"
	}
	return ""
}

// keptAlone reports whether a repository is kept and nobody announces it.
func (m *Model) keptAlone(r *room, x *repository) bool {
	_, kept := m.marks.now[markName{kind: markRetired, repo: x.id}]
	return kept && !r.hosted(string(x.id.Owner))
}

// kept counts the repositories of an owner that are kept without an announcement.
func (m *Model) kept(owner string) int {
	n := 0
	for _, name := range m.names {
		if _, is := m.marks.now[markName{kind: markRetired, repo: repo.ID{Owner: repo.PubKey(owner), Identifier: name}}]; is {
			n++
		}
	}
	return n
}

// floorAt is the address of a deleted version.
func floorAt(k core.Mark) address {
	kind := 30618
	if k.Kind == markAnnouncement {
		kind = 30617
	}
	return address{kind, string(k.Repo.Owner), k.Repo.Identifier}
}
