package known

import (
	"fmt"
	"slices"

	"github.com/graspkit/graspkit/conformance/record"
)

// A Finding is what is to be said about an entry.
type Finding struct {
	Entry Entry
	What  What
}

// What is said about an entry.
type What uint8

// What there is to say.
const (
	Stale       What = iota + 1 // its failure was expected and did not come
	Expired                     // its day has passed, and it excuses nothing any more
	NoOwnReason                 // nobody has given a reason yet
)

// Text tells the finding in one line, with what to do; file is where the list is.
func (f Finding) Text(file string) string {
	place := file
	if f.Entry.Line > 0 {
		place = fmt.Sprintf("%s:%d", file, f.Entry.Line)
	}
	switch f.What {
	case Stale:
		return fmt.Sprintf("%s: %s is expected to fail and did not: remove the entry, or say flaky: true", place, f.Entry.Name())
	case Expired:
		return fmt.Sprintf("%s: the entry of %s excuses nothing since %s has passed: mend the server, or give another day", place, f.Entry.Name(), f.Entry.Expires)
	case NoOwnReason:
		return fmt.Sprintf("%s: the entry of %s has no reason yet but %q: say why the failure is expected", place, f.Entry.Name(), f.Entry.Reason)
	}
	panic("known: invariant: finding about nothing")
}

// Apply marks in all runs of the document what the entries name, and returns what is to be said about these, in their order.
// Marks of an earlier list are taken away. today is a day in the form DayForm. A second call changes nothing.
//
// A failing check, or requirement, that an entry names is known. So is what was not judged because of a requirement that an entry
// names, and a requirement whose failing checks are all known. An entry is stale if all that it names has passed wherever it was
// judged; what was not run, or proved nothing, makes no entry stale.
func Apply(doc *record.Document, list List, today string) []Finding {
	failed, passed := make([]bool, len(list.Entries)), make([]bool, len(list.Entries))
	for i := range doc.Runs {
		run := &doc.Runs[i]
		clearMarks(run)
		excuse(run, list, today)
		for j, e := range list.Entries {
			switch came(run, e) {
			case cameToFail:
				failed[j] = true
			case cameToPass:
				passed[j] = true
			case notJudged:
			}
		}
	}
	var told []Finding
	for j, e := range list.Entries {
		if e.todo() {
			told = append(told, Finding{e, NoOwnReason})
		}
		switch {
		case e.expired(today):
			told = append(told, Finding{e, Expired})
			mark(doc, e, record.Known{Expired: true}, failing)
		case passed[j] && !failed[j] && !e.Flaky:
			told = append(told, Finding{e, Stale})
			mark(doc, e, record.Known{Stale: true}, verified)
		}
	}
	return told
}

// Excuses reports whether the failure of a check is expected: for the check itself, or for all the requirements that it has
// found violated.
func (l List) Excuses(check string, violated []string, today string) bool {
	x := excuses(l, today)
	if x.check[check] != nil {
		return true
	}
	return len(violated) > 0 && !slices.ContainsFunc(violated, func(id string) bool { return x.requirement[id] == nil })
}

func failing(v record.Verdict) bool { return v.Violated() || v.Undecided() }

func verified(v record.Verdict) bool { return v.Verified() }

func clearMarks(run *record.Run) {
	for i := range run.Requirements {
		run.Requirements[i].Known = nil
	}
	for i := range run.Checks {
		run.Checks[i].Known = nil
	}
}

// mark adds a mark to what an entry names and has such a verdict, where there is none.
func mark(doc *record.Document, e Entry, as record.Known, fits func(record.Verdict) bool) {
	k := e.record()
	k.Stale, k.Expired = as.Stale, as.Expired
	for i := range doc.Runs {
		run := &doc.Runs[i]
		for j := range run.Requirements {
			if row := &run.Requirements[j]; row.ID == e.Requirement && fits(row.Verdict) && row.Known == nil {
				row.Known = k
			}
		}
		for j := range run.Checks {
			check := &run.Checks[j]
			named := check.ID == e.Check || k.Expired && slices.ContainsFunc(findings(check), func(f record.Finding) bool {
				return f.ID == e.Requirement && failing(f.Verdict)
			})
			if named && fits(check.Verdict) && check.Known == nil {
				check.Known = k
			}
		}
	}
}

// How an entry fared in one run.
type fate uint8

const (
	notJudged fate = iota
	cameToFail
	cameToPass
)

// came says whether the failure of an entry came in a run.
func came(run *record.Run, e Entry) fate {
	fate := notJudged
	for _, row := range run.Requirements {
		switch {
		case row.ID != e.Requirement:
		case failing(row.Verdict):
			return cameToFail
		case verified(row.Verdict):
			fate = cameToPass
		}
	}
	for _, c := range run.Checks {
		switch {
		case e.Requirement != "" && c.Cause == e.Requirement && failing(c.Verdict):
			return cameToFail
		case c.ID != e.Check:
		case failing(c.Verdict):
			return cameToFail
		case verified(c.Verdict):
			fate = cameToPass
		}
	}
	return fate
}
