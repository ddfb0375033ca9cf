package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/graspkit/graspkit/conformance/record"
)

// A runView is one run as the page shows it.
type runView struct {
	*record.Run
	Anchor   string // of what belongs to it, such as "r1"
	Began    string
	Class    string // of the word of the claim
	Sign     string
	Meaning  string
	Remark   string
	Command  string
	Tallies  []tallyView
	Unlocks  []Unlock
	Roots    []rootView
	Findings []*findingView // those of one requirement and verdict together
	Told     int            // findings in all
	Verdict  []verdictCount // of checks, the worst first
	Groups   []*groupView
	// Unverified are the requirements that could not be verified here, by what stood in the way.
	Unverified []unverifiedView
	Timeline   *timelineView
}

// A tallyView is a tally with the widths of its bar, in thousandths.
type tallyView struct {
	record.Tally
	Score, Kept, Missed          string
	Good, Bad, GoodEnd, BadWidth int
}

// A rootView is a broken requirement with the checks that rest on it.
type rootView struct {
	record.Cause
	Text    string
	Waiting []*record.Check
}

// A groupView is a section of the catalogue.
type groupView struct {
	Name     string
	Rows     []*rowView
	Checks   []*checkView
	Verified int
	Sum      []verdictCount // of its rows
	Open     bool
	Worst    string // class of its worst row
}

// A rowView is a requirement.
type rowView struct {
	*record.Requirement
	Class, Sign string
	Count       string
	Checked     []*checkView // those that did not pass
	More        int          // of them, not shown
}

// A checkView is a check in a list.
type checkView struct {
	*record.Check
	Class, Sign, Place string
	Link               string // to its finding, if it is one
}

// An unverifiedView is a verdict that says nothing about requirements, with these, those of one reason together.
type unverifiedView struct {
	verdictCount
	Says    string
	Reasons []*reasonView
}

type reasonView struct {
	Reason string
	Rows   []*rowView
}

// Bounds of lists in the page.
const (
	rowChecksMax = 40
	waitingMax   = 500
	findingsMax  = 2000
)

func runOf(r *record.Run, number int, room *int) *runView {
	v := &runView{Run: r, Anchor: fmt.Sprintf("r%d", number), Meaning: meaning(r.Conformance), Remark: remark(r), Command: again(r, "")}
	if !r.Began.IsZero() {
		v.Began = moment(r.Began)
	}
	v.Class, v.Sign = "open", undecided.sign()
	switch r.Conformance {
	case record.Conformant:
		v.Class, v.Sign = verified.class(), verified.sign()
	case record.NonConformant:
		v.Class, v.Sign = violated.class(), violated.sign()
	case record.Partial:
		v.Class, v.Sign = missed.class(), missed.sign()
	}
	v.Tallies = []tallyView{tallyOf("MUST", "verified", "violated", r.Claim.Must), tallyOf("SHOULD", "kept", "missed", r.Claim.Should)}
	v.Unlocks = Unlocks(r)
	rows := clauses(r)
	v.roots(rows)
	links := v.findings(rows, room)
	v.groups(links)
	v.Timeline = timelineOf(r, links)
	return v
}

func tallyOf(score, kept, missed string, t record.Tally) tallyView {
	v := tallyView{Tally: t, Score: score, Kept: kept, Missed: missed}
	if t.Total > 0 {
		v.Good, v.Bad = max(t.Verified, 0)*1000/t.Total, max(t.Violated, 0)*1000/t.Total
		if t.Violated > 0 {
			v.Bad = max(v.Bad, 8) // one of hundreds is seen as well
		}
	}
	v.Good = min(v.Good, 1000-min(v.Bad, 1000))
	v.GoodEnd, v.BadWidth = v.Good, v.Bad
	return v
}

func (v *runView) roots(rows map[string]*record.Requirement) {
	for _, cause := range v.Causes {
		root := rootView{Cause: cause}
		if row := rows[cause.ID]; row != nil {
			root.Text = row.Text
		}
		for i := range v.Checks {
			if c := &v.Checks[i]; c.Cause == cause.ID && len(root.Waiting) < waitingMax {
				root.Waiting = append(root.Waiting, c)
			}
		}
		v.Roots = append(v.Roots, root)
	}
}

// groups deals requirements and checks to the sections of the catalogue.
func (v *runView) groups(links map[string]string) {
	at := map[string]*groupView{}
	group := func(name string) *groupView {
		if at[name] == nil {
			at[name] = &groupView{Name: name}
			v.Groups = append(v.Groups, at[name])
		}
		return at[name]
	}
	carried, sums := map[string][]*checkView{}, map[record.Verdict]int{}
	for i := range v.Checks {
		c := &v.Checks[i]
		s := standingOf(c.Verdict)
		one := &checkView{c, s.class(), s.sign(), place(c), links[c.ID]}
		group(c.Section) // a section without a requirement is kept
		at[c.Section].Checks = append(at[c.Section].Checks, one)
		sums[c.Verdict]++
		for _, f := range c.Findings {
			if standingOf(f.Verdict) != verified {
				carried[f.ID] = append(carried[f.ID], one)
			}
		}
	}
	order := map[string]int{}
	unverified := map[record.Verdict][]*rowView{}
	for i := range v.Requirements {
		row := &v.Requirements[i]
		s := standingOf(row.Verdict)
		one := &rowView{Requirement: row, Class: s.class(), Sign: s.sign(), Count: countOf(row)}
		if s != verified {
			one.Checked = carried[row.ID]
			if len(one.Checked) > rowChecksMax {
				one.Checked, one.More = one.Checked[:rowChecksMax], len(one.Checked)-rowChecksMax
			}
		}
		if _, known := order[row.Section]; !known {
			order[row.Section] = len(order)
		}
		g := group(row.Section)
		g.add(one, s)
		if s.open() || s == notRun || s == refused {
			unverified[row.Verdict] = append(unverified[row.Verdict], one)
		}
	}
	slices.SortStableFunc(v.Groups, func(a, b *groupView) int { return cmp.Compare(rank(order, a.Name), rank(order, b.Name)) })
	v.Verdict = countsOf(sums)
	for _, g := range v.Groups {
		sum := map[record.Verdict]int{}
		for _, row := range g.Rows {
			sum[row.Verdict]++
		}
		g.Sum = countsOf(sum)
		if len(g.Sum) > 0 {
			g.Worst = g.Sum[0].Class
		}
	}
	counts := map[record.Verdict]int{}
	for verdict, rows := range unverified {
		counts[verdict] = len(rows)
	}
	for _, c := range countsOf(counts) {
		v.Unverified = append(v.Unverified, unverifiedView{c, standsFor(c.Verdict), reasonsOf(unverified[c.Verdict])})
	}
}

func reasonsOf(rows []*rowView) []*reasonView {
	var all []*reasonView
	at := map[string]*reasonView{}
	for _, row := range rows {
		if at[row.Reason] == nil {
			at[row.Reason] = &reasonView{Reason: row.Reason}
			all = append(all, at[row.Reason])
		}
		at[row.Reason].Rows = append(at[row.Reason].Rows, row)
	}
	return all
}

func rank(order map[string]int, name string) int {
	if n, ok := order[name]; ok {
		return n
	}
	return len(order)
}

func (g *groupView) add(row *rowView, s standing) {
	g.Rows = append(g.Rows, row)
	if s.proved() {
		g.Verified++
	} else if s != outside {
		g.Open = true
	}
}

func countOf(row *record.Requirement) string {
	switch {
	case row.Observations > 0:
		return fmt.Sprintf("%d observations", row.Observations)
	case row.Checks == 1:
		return "1 check"
	case row.Checks > 1 && row.Verified == row.Checks:
		return fmt.Sprintf("%d checks", row.Checks)
	case row.Checks > 1:
		return fmt.Sprintf("%d of %d checks", row.Verified, row.Checks)
	}
	return ""
}

func countsOf(counts map[record.Verdict]int) []verdictCount {
	var all []verdictCount
	for verdict, n := range counts {
		s := standingOf(verdict)
		all = append(all, verdictCount{verdict, s.class(), s.sign(), n})
	}
	sortVerdicts(all)
	return all
}

func sortVerdicts(all []verdictCount) {
	worst := []standing{violated, faulty, missed, unreached, undecided, refused, notRun, verified, recorded, outside}
	slices.SortFunc(all, func(a, b verdictCount) int {
		return cmp.Or(
			cmp.Compare(slices.Index(worst, standingOf(a.Verdict)), slices.Index(worst, standingOf(b.Verdict))), cmp.Compare(a.Verdict, b.Verdict),
		)
	})
}

// standsFor says a verdict that proves nothing in a sentence.
func standsFor(verdict record.Verdict) string {
	switch verdict {
	case "BLOCKED":
		return "Something was missing on our side; a hint says what would unlock it."
	case "SIM_ONLY":
		return "Only a simulated world can show it."
	case "LIVE_ONLY":
		return "Only a live server can show it."
	case "UNSUPPORTED":
		return "The server refused in the documented way, by policy."
	case "SETUP_FAIL":
		return "What had to be so beforehand could not be reached."
	case "DEPENDENCY_FAIL":
		return "Something else that it rests on is broken."
	case "HARNESS_ERROR":
		return "A fault of the suite, not of the server."
	default:
		return "Silence, a dead connection or a rate limit: nothing is proven."
	}
}
