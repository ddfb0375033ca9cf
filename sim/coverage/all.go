package coverage

import (
	"fmt"
	"strings"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/repo"
)

// kinds are the kinds of events that have a name of their own.
var kinds = []struct {
	kind int
	name string
}{
	{repo.KindAnnouncement, "announcement"},
	{repo.KindState, "state"},
	{repo.KindPullRequest, "pull request"},
	{repo.KindPullRequestUpdate, "update"},
	{5, "deletion"},
	{62, "vanishing"},
	{1621, "issue"},
}

// rulings are the requirements by which a server refuses. A test holds them against the source.
var rulings = []string{
	"G01-ANN-02", "G01-ANN-03", "G01-ANN-04", "G01-ANN-09", "G01-ANN-13", "G01-ANN-17", "G01-GIT-10", "G01-LAT-02", "G01-MNT-03",
	"G01-PR-02", "G01-PR-03", "G01-PR-09", "G01-PR-10", "G01-PR-11", "G01-PR-12", "G01-PR-13", "G01-PURG-06", "G01-PURG-18",
	"G01-PURG-23", "G01-PUSH-02", "G01-PUSH-03", "G01-PUSH-04", "G01-PUSH-08", "G01-PUSH-14", "G01-PUSH-17", "G01-PUSH-18",
	"G01-PUSH-25", "G01-PUSH-28", "G01-REL-05", "G01-REL-10", "N01-EV-02", "N01-REP-01", "N09-01", "N09-05", "N13-01",
	"N34-ST-01", "N40-01", "N42-01", "N62-01", "N70-01", "REF-PURG-09", "REF-PURG-15", "INV-28",
	"G03-03", "G08-02", "G08-03", "G08-06", "G08-15",
	"G05-03", "G05-04", "G06-ADV-01", "G06-PUSH-01", "G06-PUSH-02", "G06-PUSH-03", "G06-PUSH-04",
}

// facts are all notes. A test holds them against the source.
var facts = []core.Fact{
	core.EventStored, core.EventHeld, core.EventReleased, core.EventRefused, core.EventDuplicate, core.EventReplaced,
	core.EventSoftened, core.EventRevived, core.EventDeleted, core.EventExpired, core.EventOutlived, core.PushStarted,
	core.PushStopped, core.PushFinished, core.PushFailed, core.RefsMoved, core.ObjectsCopied, core.RefPlaced, core.RefsExpired,
	core.RepositoryCreated, core.RepositoryRemoved, core.RepositoryRetired, core.RepositoryTidied, core.RepositoryBroken,
	core.ConnectionRefused, core.KeyAuthenticated, core.AuthenticationRefused, core.FetchStarted, core.FetchEnded, core.HuntLeftOut,
	core.PeerStatus, core.PeerLeftOut, core.PeerLimited, core.PeerPlain, core.PeerOutOfReach, core.PeerBatch, core.PeerAgain, core.PeerGave,
	core.MembersChanged,
}

// answers are what a repository may be told in the phases in which it waits for an answer.
var answers = []struct {
	phase string
	told  []string
}{
	{"creating", []string{"done", "failed"}},
	{"asking", []string{"all there", "objects missing"}},
	{"seeking", []string{"all there", "objects missing"}},
	{"copying", []string{"all there", "objects missing"}},
	{"swapping", []string{"done", "failed"}},
	{"sweeping", []string{"done", "failed"}},
	{"receiving", []string{"push done", "push failed", "push forgone"}},
	{"removing", []string{"done", "failed"}},
	{"reading", []string{"done", "failed"}},
	{"tidying", []string{"done", "failed"}},
}

// A limit is met where a note refuses for it.
type limit struct {
	name        string
	requirement string
	reason      string // begins so
}

func (l limit) met(n core.Note) bool {
	return n.Requirement == l.requirement && strings.Contains(n.Reason, l.reason)
}

var limits = []limit{
	{"held_per_key_max", "G01-PURG-23", "too many events of this author wait"},
	{"held_max", "G01-PURG-23", "too many events wait"},
	{"held_bytes_per_key_max", "G01-PURG-23", "the events of this author that wait"},
	{"held_bytes_max", "G01-PURG-23", "the events that wait"},
	{"stored_max, stored_bytes_max", "REF-PURG-15", ""},
	{"placeholders_max", "G01-PR-09", ""},
	{"tombstones_max", "N09-05", "too many deletions"},
	{"tombstones_max by a vanishing", "N62-01", "too many deletions"},
	{"jobs of a repository", "G01-PUSH-25", "too much waits"},
}

// All lists what there is to reach, in the order of tables.
func All() []Item {
	var all []Item
	add := func(group string, names ...string) {
		for _, name := range names {
			all = append(all, Item{group, name})
		}
	}
	add(Ruling, rulings...)
	for _, f := range facts {
		add(Fact, string(f))
	}
	for _, k := range kinds {
		add(Record, "store "+k.name)
	}
	add(Record, "store replaceable", "store addressable", "store other", "unstore")
	for _, k := range kinds[:4] {
		add(Record, "hold "+k.name)
	}
	add(Record, "hold soft announcement", "drop")
	for _, kind := range markKinds {
		add(Record, fmt.Sprintf("mark %d", kind), fmt.Sprintf("unmark %d", kind))
	}
	for _, phase := range core.PhaseNames() {
		add(Transition, transition(phase, "push asked"), transition(phase, "push offered"))
	}
	for _, a := range answers {
		for _, told := range a.told {
			add(Transition, transition(a.phase, told))
		}
	}
	for _, l := range limits {
		add(Limit, l.name)
	}
	for _, phase := range core.PhaseNames()[1:] {
		add(Crash, phase)
	}
	return all
}

// markKinds are the kinds of marks, named in tables by their numbers.
var markKinds = []core.MarkKind{
	core.MarkPlaceholder, core.MarkRetired, core.MarkDeletedState, core.MarkExpired, core.MarkDeletedAnnouncement,
	core.MarkDeletedID, core.MarkDeletedAddress, core.MarkVanished, core.MarkRan, core.MarkAsked, core.MarkDeletedLongAddress,
	core.MarkRefusedAnnouncement, core.MarkRefusedState, core.MarkJudgedBy,
}
