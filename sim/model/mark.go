package model

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// Marks are what the journal is told beside events. Each is a claim: the model says which of them may be made and taken back by
// what is true at the end of a step, and at rest whether one is missing. What a start finds is what the disk has.

// The kinds of marks, as journals keep them.
const (
	markClock        core.MarkKind = 1 // of a pushed ref below refs/nostr whose event has not come (G01-PR-07)
	markRetired      core.MarkKind = 2 // a repository that is kept without an announcement (G01-DEL-06)
	markState        core.MarkKind = 3 // the last state that was served and deleted (G01-DEL-07)
	markExpired      core.MarkKind = 4 // an event whose time has run out (REF-PURG-10)
	markAnnouncement core.MarkKind = 5
	markID           core.MarkKind = 6 // what a request asked for that is served no more (REF-PURG-23)
	markAddress      core.MarkKind = 7
	markVanished     core.MarkKind = 8
	markRan          core.MarkKind = 9 // that the server has run
	markAsked        core.MarkKind = 10
	markLong         core.MarkKind = 11 // markAddress of a long identifier
	markRefused      core.MarkKind = 12 // an announcement of another server that was refused for want of something (REF-SYNC-20)
	markUnauthorized core.MarkKind = 13 // a state of one
	markJudge        core.MarkKind = 14 // by which settings these were judged
)

// Limits of what is remembered, where a scenario sets no other.
const (
	expiredMost   = 100_000
	retiredMost   = 32 // repositories of one owner that are kept without an announcement
	identifierMax = 200
	setsMost      = 1_000_000   // events in all open reconciliations
	sweepAgain    = time.Minute // from a removal of refs that failed to the next one
	refusedLife   = 7 * 24 * time.Hour
)

// A markName says which mark one is: of two with one name the later is kept.
type markName struct {
	kind  core.MarkKind
	event string
	repo  repo.ID
	host  string
}

func nameOf(m core.Mark) markName { return markName{m.Kind, m.Event, m.Repo, m.Host} }

// marks are those that the journal has, with what the step under way has made of them.
type marks struct {
	now     map[markName]core.Mark
	before  map[markName]core.Mark // of those that this step has touched
	touched []markName             // in order
	expired []core.Mark            // in order of their making, of kind markExpired

	refusals int // of kinds markRefused, markUnauthorized and markJudge
}

func newMarks() marks { return marks{now: map[markName]core.Mark{}, before: map[markName]core.Mark{}} }

// marked takes over one claim about a mark.
func (m *Model) marked(r core.Record) {
	x, name := &m.marks, nameOf(r.Mark)
	if !slices.Contains(x.touched, name) {
		x.touched = append(x.touched, name)
		x.before[name] = x.now[name]
	}
	if name.kind == markExpired {
		x.expired = slices.DeleteFunc(x.expired, func(k core.Mark) bool { return nameOf(k) == name })
	}
	if name.kind == markClock {
		at := m.repository(name.repo)
		at.clocks = slices.DeleteFunc(at.clocks, func(k core.Mark) bool { return nameOf(k) == name })
	}
	if _, was := x.now[name]; was && ofRefusals(name.kind) {
		x.refusals--
	}
	if r.Op == core.OpUnmark {
		delete(x.now, name)
		return
	}
	m.remember(r.Mark)
}

func ofRefusals(kind core.MarkKind) bool {
	return kind == markRefused || kind == markUnauthorized || kind == markJudge
}

func (m *Model) remember(k core.Mark) {
	m.marks.now[nameOf(k)] = k
	if ofRefusals(k.Kind) {
		m.marks.refusals++
	}
	switch k.Kind { //nolint:exhaustive // the others are looked up by their names
	case markExpired:
		m.marks.expired = append(m.marks.expired, k)
	case markClock:
		at := m.repository(k.Repo)
		at.clocks = append(at.clocks, k)
	}
}

// recalled takes over the marks that a start has found.
func (m *Model) recalled(list []core.Mark) {
	m.marks = newMarks()
	for _, k := range list {
		m.remember(k)
	}
}

// judgeMarks judges what a step came to, mark by mark.
func (m *Model) judgeMarks() {
	x := &m.marks
	for _, name := range x.touched {
		was, is := x.before[name], x.now[name]
		switch {
		case is == was:
		case is.Kind == 0:
			if why := m.mayForget(was); why != "" {
				m.differ(markRule(name.kind), "forgotten", "%s is forgotten although %s", name, why)
			}
		case is.At != m.now && is.Kind != markExpired:
			m.differ(markRule(name.kind), "marked-at", "%s is remembered as of %d", name, is.At)
		default:
			if why := m.mayMark(is, was); why != "" {
				m.differ(markRule(name.kind), "marked", "%s is remembered although %s", name, why)
			}
			for _, k := range m.repository(name.repo).clocks {
				if name.kind == markRetired && k.Until > m.now { // else its ref is about to go
					m.differ("G01-DEL-06", "clock-of-kept", "%s runs on, and from now on all refs are kept", nameOf(k))
				}
			}
		}
	}
	clear(x.before)
	x.touched = x.touched[:0]
	m.missing()
}

// String is for reports.
func (n markName) String() string {
	what := [...]string{
		markClock: "the clock", markRetired: "the kept repository", markState: "the deleted state", markExpired: "the expiry",
		markAnnouncement: "the deleted announcement", markID: "the deletion", markAddress: "the deletion of all versions",
		markVanished: "the vanishing", markRan: "the end", markAsked: "the requests", markLong: "the deletion of all versions",
		markRefused: "the refusal", markUnauthorized: "the refusal", markJudge: "the settings",
	}
	if int(n.kind) >= len(what) || n.kind == 0 {
		return "a mark of kind " + strconv.Itoa(int(n.kind))
	}
	return what[n.kind] + " of " + strings.Trim(strings.Join([]string{n.event, string(n.repo.Owner), n.repo.Identifier, n.host}, " "), " ")
}

func markRule(kind core.MarkKind) string {
	switch kind { //nolint:exhaustive // the others are about time
	case markClock:
		return "G01-PR-07"
	case markRetired:
		return "G01-DEL-06"
	case markState, markAnnouncement:
		return "G01-DEL-07"
	case markExpired:
		return "REF-PURG-10"
	case markID, markAddress, markVanished, markLong:
		return "REF-PURG-23"
	case markAsked:
		return "REF-HUNT-09"
	case markRefused, markUnauthorized, markJudge:
		return "REF-SYNC-20"
	}
	return "REF-PURG-12"
}

// outOfTime reports whether an event of this id has run out here of late (REF-PURG-09, REF-PURG-10).
func (m *Model) outOfTime(id string, now instant.Instant) bool {
	k, is := m.marks.now[markName{kind: markExpired, event: id}]
	return is && now < k.Until
}
