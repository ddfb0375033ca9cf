package known

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/suite"
)

// Update returns the text of a list that fits a document: entries that are stale leave it, what counts against the runs and is
// not known yet enters it with the reason TODO, and all else stays as it is written, comments too. It also says how many entries
// went and came. data is the text that the list was read from.
//
// Violated SHOULDs enter the list if strict is set. Where no check has verified a requirement, the entry names the requirement,
// else each failing check of it. A failure that proves nothing, such as silence, enters as flaky. Faults of the suite never enter.
//
// The document is marked by the new list.
func Update(doc *record.Document, list List, data []byte, strict bool, today string) (text []byte, gone, added []Entry) {
	var kept []Entry
	stale := make(map[string]bool)
	for _, f := range Apply(doc, list, today) {
		if f.What == Stale {
			stale[f.Entry.Name()+strconv.Itoa(f.Entry.Line)] = true
		}
	}
	left := make([]bool, len(list.Entries))
	for i, e := range list.Entries {
		if left[i] = stale[e.Name()+strconv.Itoa(e.Line)]; left[i] {
			gone = append(gone, e)
			continue
		}
		kept = append(kept, e)
	}
	for {
		Apply(doc, List{Entries: slices.Concat(kept, added)}, today)
		more := missing(doc, strict, slices.Concat(kept, added))
		if len(more) == 0 {
			return rewrite(list, data, left, added), gone, added
		}
		added = append(added, more...)
	}
}

// missing are the entries that the first requirement which is not known yet needs: violations before what was not judged, and
// those that others were not judged for before all else. Each call names something that no entry names, so they come to an end.
func missing(doc *record.Document, strict bool, have []Entry) []Entry {
	for _, wanted := range []func(*record.Run, *record.Requirement) bool{
		func(run *record.Run, row *record.Requirement) bool {
			return row.Verdict == suite.Fail && slices.ContainsFunc(run.Causes, func(c record.Cause) bool { return c.ID == row.ID })
		},
		func(_ *record.Run, row *record.Requirement) bool { return row.Verdict == suite.Fail },
		func(_ *record.Run, row *record.Requirement) bool {
			return strict && row.Verdict == suite.Warn
		},
		func(_ *record.Run, row *record.Requirement) bool {
			return undecided(row) || row.Verdict == suite.SetupFail
		},
	} {
		for i := range doc.Runs {
			for j := range doc.Runs[i].Requirements {
				run, row := &doc.Runs[i], &doc.Runs[i].Requirements[j]
				if row.Known.Excuses() || !wanted(run, row) {
					continue
				}
				if more := entriesOf(run, row, have); len(more) > 0 {
					return more
				}
			}
		}
	}
	return nil
}

// undecided reports whether a row counts against a run though nothing was seen to be violated.
func undecided(row *record.Requirement) bool {
	v := row.Verdict
	return v.Undecided() && v != suite.HarnessError && row.Score == "MUST"
}

// entriesOf are the entries by which a row becomes known, without those that are there.
func entriesOf(run *record.Run, row *record.Requirement, have []Entry) []Entry {
	named := func(e Entry) bool {
		return slices.ContainsFunc(have, func(h Entry) bool { return h.Requirement == e.Requirement && h.Check == e.Check })
	}
	whole := Entry{Requirement: row.ID, Reason: Todo, Flaky: row.Verdict == suite.Inconclusive}
	var each []Entry
	for i := range run.Checks {
		c := &run.Checks[i]
		if !c.Known.Excuses() && slices.ContainsFunc(findings(c), func(f record.Finding) bool { return f.ID == row.ID && failing(f.Verdict) }) {
			each = append(each, Entry{Check: c.ID, Reason: Todo, Flaky: c.Verdict == suite.Inconclusive})
		}
	}
	if len(each) == 0 || row.Verified == 0 && !slices.ContainsFunc(each, named) { // one that is named has an entry that has expired
		each = []Entry{whole}
	}
	return slices.DeleteFunc(each, named)
}

// header begins a file that there was nothing in.
const header = `# Failures that are expected. Everything is executed all the same: what is named here and fails does not count, and an
# entry whose failure does not come is an error until it is taken out. "grasp-check --known FILE --known-update" writes this file.
`

// rewrite takes entries out of the text of a list and puts others behind it. What stays is not touched where the list is written
// as one entry a dash; another text is written anew.
func rewrite(list List, data []byte, left []bool, added []Entry) []byte {
	lines, starts := strings.SplitAfter(string(data), "\n"), []int(nil)
	indent := -1
	for i, line := range lines {
		rest := strings.TrimLeft(line, " ")
		at := len(line) - len(rest)
		if (indent < 0 || at == indent) && (strings.HasPrefix(rest, "- ") || strings.TrimRight(rest, "\r\n") == "-") {
			indent = at
			starts = append(starts, begin(lines, i))
		}
	}
	var out strings.Builder
	switch {
	case len(starts) == len(list.Entries) && len(starts) > 0:
		out.WriteString(strings.Join(lines[:starts[0]], ""))
		for i, from := range starts {
			to := len(lines)
			if i+1 < len(starts) {
				to = starts[i+1]
			}
			if !left[i] {
				out.WriteString(strings.Join(lines[from:to], ""))
			}
		}
	case len(list.Entries) == 0:
		indent = 0
		out.WriteString(strings.TrimSuffix(strings.TrimRight(string(data), "\n"), "[]"))
		if out.Len() == 0 {
			out.WriteString(header)
		}
	default:
		indent = 0
		out.WriteString(header)
		for i, e := range list.Entries {
			if !left[i] {
				out.WriteString(e.yaml(""))
			}
		}
	}
	if text := out.String(); text != "" && !strings.HasSuffix(text, "\n") {
		out.WriteString("\n")
	}
	for _, e := range added {
		out.WriteString(e.yaml(strings.Repeat(" ", max(indent, 0))))
	}
	return []byte(out.String())
}

// begin is the line where an entry begins: the comment right before it belongs to it, but not the one at the head of the file.
func begin(lines []string, at int) int {
	from := at
	for from > 0 && strings.HasPrefix(strings.TrimLeft(lines[from-1], " "), "#") {
		from--
	}
	if from == 0 {
		return at
	}
	return from
}

// yaml is the entry as it stands in a file.
func (e Entry) yaml(indent string) string {
	var b strings.Builder
	key := "id"
	if e.Check != "" {
		key = "check"
	}
	fmt.Fprintf(&b, "%s- %s: %s\n", indent, key, e.Name())
	for _, f := range [][2]string{{"reason", e.Reason}, {"owner", e.Owner}, {"link", e.Link}, {"expires", e.Expires}} {
		switch {
		case f[1] == "":
		case f[0] == "expires" || f[1] == Todo:
			fmt.Fprintf(&b, "%s  %s: %s\n", indent, f[0], f[1])
		default:
			fmt.Fprintf(&b, "%s  %s: %s\n", indent, f[0], strconv.Quote(f[1]))
		}
	}
	if e.Flaky {
		fmt.Fprintf(&b, "%s  flaky: true\n", indent)
	}
	return b.String()
}
