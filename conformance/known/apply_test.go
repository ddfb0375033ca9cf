package known_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/known"
	"github.com/graspkit/graspkit/conformance/record"
)

const today = "2026-06-15"

// run makes a run of lines such as "row G01-PUSH-03 FAIL" and "check G01-PUSH-03.word FAIL", the latter with
// "G01-PUSH-05=PASS" for each further finding and "cause=ID" for what kept it from being judged.
func run(t *testing.T, lines ...string) record.Run {
	t.Helper()
	r := record.Run{Target: "fake", Conformance: record.Partial}
	for _, line := range lines {
		words := strings.Fields(line)
		id, verdict := words[1], record.Verdict(words[2])
		if words[0] == "row" {
			row := record.Requirement{ID: id, Score: "MUST", Verdict: verdict, Checks: 1}
			if slices.Contains(words, "SHOULD") {
				row.Score = "SHOULD"
			}
			if slices.Contains(words, "partly") {
				row.Verified = 1
			}
			r.Requirements = append(r.Requirements, row)
			continue
		}
		primary, _, _ := strings.Cut(id, ".")
		c := record.Check{ID: id, Verdict: verdict, Findings: []record.Finding{{ID: primary, Verdict: verdict}}}
		for _, word := range words[3:] {
			switch key, value, _ := strings.Cut(word, "="); key {
			case "cause":
				c.Cause = value
				r.Causes = append(r.Causes, record.Cause{ID: value, Checks: 1})
			default:
				c.Findings = append(c.Findings, record.Finding{ID: key, Verdict: record.Verdict(value)})
			}
		}
		r.Checks = append(r.Checks, c)
	}
	return r
}

// entries writes a list of the ids given; "until=DAY" and "flaky" belong to the id before them.
func entries(ids ...string) string {
	var b strings.Builder
	for _, id := range ids {
		switch key, value, _ := strings.Cut(id, "="); key {
		case "until":
			fmt.Fprintf(&b, "  expires: %s\n", value)
		case "flaky":
			b.WriteString("  flaky: true\n")
		case "check":
			fmt.Fprintf(&b, "- check: %s\n  reason: expected\n", value)
		default:
			fmt.Fprintf(&b, "- id: %s\n  reason: expected\n", id)
		}
	}
	return b.String()
}

func TestApply(t *testing.T) {
	t.Parallel()
	failed := []string{"row G01-PUSH-03 FAIL partly", "check G01-PUSH-03.word FAIL", "check G01-PUSH-03.other PASS"}
	for name, c := range map[string]struct {
		run   []string
		list  []string
		exit  int
		known string // ids that are marked as known
		told  string // of the first finding
	}{
		"nothing is known":                  {failed, nil, 1, "", ""},
		"the requirement is known":          {failed, []string{"G01-PUSH-03"}, 0, "G01-PUSH-03 G01-PUSH-03.word", ""},
		"its only failing check is known":   {failed, []string{"G01-PUSH-03.word"}, 0, "G01-PUSH-03 G01-PUSH-03.word", ""},
		"one of two failing checks":         {[]string{"row G01-PUSH-03 FAIL", "check G01-PUSH-03.word FAIL", "check G01-PUSH-03.other FAIL"}, []string{"G01-PUSH-03.word"}, 1, "G01-PUSH-03.word", ""},
		"a failure that did not come":       {failed, []string{"G01-PUSH-03", "G01-PUSH-03.other"}, 6, "G01-PUSH-03 G01-PUSH-03.word", "G01-PUSH-03.other is expected to fail and did not"},
		"a requirement that passed":         {[]string{"row G01-PUSH-03 PASS"}, []string{"G01-PUSH-03"}, 6, "", "G01-PUSH-03 is expected to fail and did not"},
		"one that may stay away":            {[]string{"row G01-PUSH-03 PASS"}, []string{"G01-PUSH-03", "flaky"}, 0, "", ""},
		"a violation counts more":           {slices.Concat(failed, []string{"row G01-HEAD-01 PASS", "check G01-HEAD-01.one PASS"}), []string{"check=G01-HEAD-01.one"}, 1, "", "G01-HEAD-01.one is expected"},
		"the day has passed":                {failed, []string{"G01-PUSH-03", "until=2026-06-14"}, 1, "", "excuses nothing since 2026-06-14 has passed"},
		"the day is today":                  {failed, []string{"G01-PUSH-03", "until=2026-06-15"}, 0, "G01-PUSH-03 G01-PUSH-03.word", ""},
		"passed, and the day has":           {[]string{"row G01-PUSH-03 PASS"}, []string{"G01-PUSH-03", "until=2026-06-14"}, 0, "", "excuses nothing"},
		"what was not run is neither":       {[]string{"row G01-PUSH-03 BLOCKED", "check G01-PUSH-03.word BLOCKED"}, []string{"G01-PUSH-03", "G01-PUSH-03.word", "check=G01-PURG-07"}, 0, "", ""},
		"one check was not run":             {[]string{"row G01-PUSH-03 BLOCKED partly", "check G01-PUSH-03.word BLOCKED", "check G01-PUSH-03.other PASS"}, []string{"G01-PUSH-03"}, 0, "", ""},
		"a MUST that is not decided":        {[]string{"row G01-PUSH-03 INCONCLUSIVE", "check G01-PUSH-03.word INCONCLUSIVE"}, []string{"G01-PUSH-03"}, 0, "G01-PUSH-03 G01-PUSH-03.word", ""},
		"what rests on it is known":         {[]string{"row G01-PUSH-03 FAIL", "row G01-HEAD-01 DEPENDENCY_FAIL", "check G01-HEAD-01.one DEPENDENCY_FAIL cause=G01-PUSH-03"}, []string{"G01-PUSH-03"}, 0, "G01-HEAD-01 G01-HEAD-01.one G01-PUSH-03", ""},
		"what rests on something else":      {[]string{"row G01-PUSH-03 FAIL", "row G01-HEAD-01 DEPENDENCY_FAIL", "check G01-HEAD-01.one DEPENDENCY_FAIL cause=G01-PUSH-01"}, []string{"G01-PUSH-03"}, 3, "G01-PUSH-03", ""},
		"a check that others fail for":      {[]string{"row G01-PUSH-03 FAIL", "check G01-HEAD-01.one DEPENDENCY_FAIL cause=G01-PUSH-03"}, []string{"G01-HEAD-01.one"}, 1, "G01-HEAD-01.one", ""},
		"came as a cause alone":             {[]string{"row G01-PUSH-03 PASS", "check G01-HEAD-01.one DEPENDENCY_FAIL cause=G01-PUSH-03"}, []string{"G01-PUSH-03"}, 0, "G01-HEAD-01.one", ""},
		"what the check would judge behind": {[]string{"row G01-PUSH-03 FAIL", "row G01-HEAD-01 DEPENDENCY_FAIL", "check G01-PUSH-03.word FAIL G01-HEAD-01=DEPENDENCY_FAIL"}, []string{"G01-PUSH-03"}, 0, "G01-HEAD-01 G01-PUSH-03 G01-PUSH-03.word", ""},
		"one of two violations of a check":  {[]string{"row G01-PUSH-03 FAIL", "row G01-HEAD-01 FAIL", "check G01-PUSH-03.word FAIL G01-HEAD-01=FAIL"}, []string{"G01-PUSH-03"}, 1, "G01-PUSH-03", ""},
		"seen by no check":                  {[]string{"row G01-PUSH-03 FAIL", "check G01-PUSH-03.word INCONCLUSIVE"}, []string{"G01-PUSH-03.word"}, 1, "G01-PUSH-03.word", ""},
		"a check, not its requirement":      {[]string{"row G01-PURG-07 FAIL", "check G01-PURG-07 FAIL", "check G01-PURG-07.two FAIL"}, []string{"check=G01-PURG-07"}, 1, "G01-PURG-07", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc := &record.Document{Runs: []record.Run{run(t, c.run...)}}
			list := parse(t, entries(c.list...))
			told := known.Apply(doc, list, today)
			if again := known.Apply(doc, list, today); !slices.Equal(again, told) {
				t.Errorf("second time: got %v, want %v", again, told)
			}
			marked := marks(doc)
			if name == "a check, not its requirement" {
				marked = slices.Compact(marked)
			}
			if got := strings.Join(marked, " "); got != c.known {
				t.Errorf("known: got %q, want %q", got, c.known)
			}
			if code, reasons := doc.Conclude(record.Policy{}); code != c.exit || (code != 0) != (len(reasons) > 0) {
				t.Errorf("exit: got %d %q, want %d", code, reasons, c.exit)
			}
			switch {
			case c.told == "" && len(told) > 0:
				t.Errorf("told: got %s, want nothing", told[0].Text("known.yaml"))
			case c.told != "" && (len(told) == 0 || !strings.Contains(told[0].Text("known.yaml"), c.told)):
				t.Errorf("told: got %v, want %s", told, c.told)
			}
		})
	}
}

// marks are the ids of what is excused, sorted.
func marks(doc *record.Document) []string {
	var ids []string
	for _, r := range doc.Runs {
		for _, row := range r.Requirements {
			if row.Known.Excuses() {
				ids = append(ids, row.ID)
			}
		}
		for _, c := range r.Checks {
			if c.Known.Excuses() {
				ids = append(ids, c.ID)
			}
		}
	}
	slices.Sort(ids)
	return ids
}

// What fails in one of two runs has come.
func TestApplyToRuns(t *testing.T) {
	t.Parallel()
	doc := &record.Document{Runs: []record.Run{run(t, "row G01-PUSH-03 PASS"), run(t, "row G01-PUSH-03 FAIL"), run(t, "row G01-PUSH-03 BLOCKED")}}
	if told := known.Apply(doc, parse(t, entries("G01-PUSH-03")), today); len(told) > 0 {
		t.Errorf("told: got %v, want nothing", told)
	}
	doc.Runs = []record.Run{doc.Runs[0], doc.Runs[2]}
	told := known.Apply(doc, parse(t, entries("G01-PUSH-03")), today)
	if len(told) != 1 || told[0].What != known.Stale || !doc.Runs[0].Requirements[0].Known.Stale || doc.Runs[1].Requirements[0].Known != nil {
		t.Errorf("passed wherever it was judged: got %v and %+v, want it stale", told, doc.Runs)
	}
}

func TestExcuses(t *testing.T) {
	t.Parallel()
	list := parse(t, entries("G01-PUSH-03", "G01-HEAD-01.one", "G01-PUSH-05", "until=2026-01-01"))
	for _, c := range []struct {
		check    string
		violated []string
		want     bool
	}{
		{"G01-PUSH-03.word", []string{"G01-PUSH-03"}, true},
		{"G01-PUSH-03.word", []string{"G01-PUSH-03", "G01-HEAD-01"}, false},
		{"G01-HEAD-01.one", []string{"G01-HEAD-01"}, true},
		{"G01-HEAD-01.two", []string{"G01-HEAD-01"}, false},
		{"G01-PUSH-05", []string{"G01-PUSH-05"}, false},
		{"G01-PUSH-05", nil, false},
	} {
		if got := list.Excuses(c.check, c.violated, today); got != c.want {
			t.Errorf("%s %v: got %v, want %v", c.check, c.violated, got, c.want)
		}
	}
}
