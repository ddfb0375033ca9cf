package known

import (
	"strings"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/suite"
)

// An excused holds the entries that still excuse something, by what they name.
type excused struct{ requirement, check map[string]*Entry }

func excuses(list List, today string) excused {
	x := excused{requirement: map[string]*Entry{}, check: map[string]*Entry{}}
	for i := range list.Entries {
		e := &list.Entries[i]
		switch {
		case e.expired(today):
		case e.Check != "":
			x.check[e.Check] = e
		default:
			x.requirement[e.Requirement] = e
		}
	}
	return x
}

// excuse marks what is known of one run.
func excuse(run *record.Run, list List, today string) {
	x := excuses(list, today)
	open := make(map[string]int)      // failing findings that are not known, by requirement
	violated := make(map[string]bool) // requirements that a check has seen violated
	shared := make(map[string]*Entry) // the first entry by which a finding on a requirement is known
	for i := range run.Checks {
		c := &run.Checks[i]
		var first *Entry
		all := true
		for _, f := range findings(c) {
			if !failing(f.Verdict) {
				continue
			}
			e := x.of(c, f)
			if e == nil {
				all = false
				open[f.ID]++
			} else {
				if first == nil {
					first = e
				}
				if shared[f.ID] == nil {
					shared[f.ID] = e
				}
			}
			if f.Verdict.Violated() {
				violated[f.ID] = true
			}
		}
		if first != nil && all {
			c.Known = first.record()
		}
	}
	for i := range run.Requirements {
		row := &run.Requirements[i]
		switch e := shared[row.ID]; {
		case !failing(row.Verdict):
		case x.requirement[row.ID] != nil:
			row.Known = x.requirement[row.ID].record()
		case e == nil || open[row.ID] > 0:
		case row.Verdict.Violated() && !violated[row.ID]: // seen by something else than its checks
		default:
			row.Known = e.record()
		}
	}
}

// findings are those of a check; where a document has none, its verdict is one on its primary requirement.
func findings(c *record.Check) []record.Finding {
	if len(c.Findings) > 0 {
		return c.Findings
	}
	primary, _, _ := strings.Cut(c.ID, ".")
	return []record.Finding{{ID: primary, Verdict: c.Verdict, Reason: c.Reason}}
}

// of is the entry by which a failing finding of a check is known, nil if none is.
func (x excused) of(c *record.Check, f record.Finding) *Entry {
	if e := x.direct(c, f); e != nil {
		return e
	}
	if f.Verdict != suite.DependencyFail {
		return nil
	}
	if e := x.requirement[c.Cause]; e != nil {
		return e
	}
	var first *Entry // the check ended before by violations, all of which are known
	for _, other := range c.Findings {
		if !other.Verdict.Violated() {
			continue
		}
		e := x.direct(c, other)
		if e == nil {
			return nil
		}
		if first == nil {
			first = e
		}
	}
	return first
}

func (x excused) direct(c *record.Check, f record.Finding) *Entry {
	if e := x.check[c.ID]; e != nil {
		return e
	}
	return x.requirement[f.ID]
}
