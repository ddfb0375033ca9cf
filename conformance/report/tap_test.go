package report_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/report"
)

// A point is a test point of the Test Anything Protocol, as whoever reads it understands it.
type point struct {
	ok                   bool
	name, directive, why string
}

var pointForm = regexp.MustCompile(`^(not )?ok ([0-9]+) - (.*)$`)

// pointsOf reads the test points of one run, and wants them numbered as planned, with nothing else between them than comments
// and YAML blocks.
func pointsOf(text string) ([]point, error) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if lines[0] != "TAP version 14" {
		return nil, fmt.Errorf("got %.40q, want the version", lines[0])
	}
	var plan int
	if _, err := fmt.Sscanf(lines[1], "1..%d", &plan); err != nil {
		return nil, fmt.Errorf("plan %.40q: %w", lines[1], err)
	}
	var points []point
	inYAML := false
	for i, one := range lines[2:] {
		m := pointForm.FindStringSubmatch(one)
		switch {
		case inYAML:
			inYAML = one != "  ..."
		case one == "  ---":
			inYAML = true
		case strings.HasPrefix(one, "# "):
		case m != nil:
			if m[2] != fmt.Sprint(len(points)+1) {
				return nil, fmt.Errorf("line %d: got point %s, want %d", i+3, m[2], len(points)+1)
			}
			points = append(points, pointOf(m[1] == "", m[3]))
		case strings.HasPrefix(one, "Bail out! ") && i == len(lines)-3:
		default:
			return nil, fmt.Errorf("line %d: got %.60q", i+3, one)
		}
	}
	if len(points) != plan {
		return nil, fmt.Errorf("got %d points, planned are %d", len(points), plan)
	}
	return points, nil
}

// pointOf splits off the directive: behind the first # that is not escaped.
func pointOf(ok bool, text string) point {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '#':
			directive, why, _ := strings.Cut(strings.TrimSpace(text[i+1:]), " ")
			return point{ok, strings.TrimSpace(text[:i]), directive, why}
		}
	}
	return point{ok, text, "", ""}
}

func TestTAP(t *testing.T) {
	verdicts := []record.Verdict{
		"PASS", "FAIL", "WARN", "OBSERVED", "NOT_APPLICABLE", "UNSUPPORTED", "BLOCKED", "SIM_ONLY", "LIVE_ONLY", "INCONCLUSIVE", "SETUP_FAIL", "DEPENDENCY_FAIL",
		"HARNESS_ERROR", "FAIL", "PASS", "ANOTHER",
	}
	doc := &record.Document{Runs: []record.Run{{Target: "t", Exit: 1}}}
	for i, verdict := range verdicts {
		doc.Runs[0].Checks = append(doc.Runs[0].Checks, record.Check{ID: fmt.Sprintf("G01-PUSH-%02d", i), Check: "c", Verdict: verdict, Reason: "why", Score: "MUST"})
	}
	doc.Runs[0].Checks[13].Known = &record.Known{Reason: "issue 7"}
	doc.Runs[0].Checks[14].Known = &record.Known{Reason: "issue 8", Stale: true}
	want := []point{
		{true, "", "", ""},
		{false, "", "", ""},
		{true, "", "", ""},
		{true, "", "", ""},
		{true, "", "SKIP", "NOT_APPLICABLE why"},
		{true, "", "SKIP", "UNSUPPORTED why"},
		{true, "", "SKIP", "BLOCKED why"},
		{true, "", "SKIP", "SIM_ONLY why"},
		{true, "", "SKIP", "LIVE_ONLY why"},
		{false, "", "TODO", "INCONCLUSIVE why"},
		{false, "", "", ""},
		{false, "", "", ""},
		{false, "", "", ""},
		{false, "", "TODO", "known: issue 7"},
		{false, "", "", ""},
		{false, "", "TODO", "ANOTHER why"},
	}
	for _, strict := range []bool{false, true} {
		doc.Strict = strict
		want[2].ok = !strict
		var out bytes.Buffer
		if err := report.TAP(&out, doc); err != nil {
			t.Fatal(err)
		}
		got, err := pointsOf(out.String())
		if err != nil || len(got) != len(want) {
			t.Fatalf("got %d points, %v in\n%s", len(got), err, out.String())
		}
		for i := range want {
			if got[i].ok != want[i].ok || got[i].directive != want[i].directive || got[i].why != want[i].why {
				t.Errorf("strict %v, %s: got %+v, want %+v", strict, verdicts[i], got[i], want[i])
			}
		}
	}
}

func TestTAPExplainsTheExitCode(t *testing.T) {
	doc := &record.Document{Runs: []record.Run{{
		Target: "t", Exit: record.ExitHarness, ExitReasons: []string{"a MUST stayed inconclusive"}, Unreachable: true, Down: "refused",
		Checks: []record.Check{{ID: "G01-PUSH-01", Verdict: "INCONCLUSIVE"}},
	}}}
	var out bytes.Buffer
	if err := report.TAP(&out, doc); err != nil {
		t.Fatal(err)
	}
	points, err := pointsOf(out.String())
	if err != nil || len(points) != 2 || points[1].ok || !strings.Contains(out.String(), `reasons: "a MUST stayed inconclusive"`) {
		t.Errorf("got %v, %v in\n%s", points, err, out.String())
	}
	if !strings.HasSuffix(out.String(), "Bail out! t cannot be reached: refused\n") {
		t.Errorf("got no end in\n%s", out.String())
	}
}

func TestTAPOfSeveralRuns(t *testing.T) {
	doc := &record.Document{Runs: []record.Run{
		{Target: "one", Conformance: record.Conformant, Checks: []record.Check{{ID: "G01-PUSH-01", Verdict: "PASS"}}},
		{Target: "two", Conformance: record.NonConformant, Exit: 1, Checks: []record.Check{{ID: "G01-PUSH-01", Verdict: "FAIL"}}},
	}}
	var out bytes.Buffer
	if err := report.TAP(&out, doc); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\n1..2\n# Subtest: one\n    1..1\n", "\nok 1 - one CONFORMANT\n# Subtest: two\n", "\nnot ok 2 - two NON-CONFORMANT\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("got no %q in\n%s", want, out.String())
		}
	}
}

// A title that looks like a directive is none.
func TestTAPTakesNoDirectiveFromATitle(t *testing.T) {
	doc := &record.Document{Runs: []record.Run{{Target: "t", Checks: []record.Check{
		{ID: "G01-PUSH-01", Check: `a # SKIP \# TODO`, Verdict: "PASS"},
		{ID: "G01-PUSH-02", Check: "b", Verdict: "OBSERVED", Reason: "seen # TODO later"},
		{ID: "G01-PUSH-03", Check: "c # SKIP", Verdict: "FAIL"},
	}}}}
	var out bytes.Buffer
	if err := report.TAP(&out, doc); err != nil {
		t.Fatal(err)
	}
	points, err := pointsOf(out.String())
	if err != nil || len(points) != 3 {
		t.Fatalf("got %v, %v", points, err)
	}
	for _, p := range points {
		if p.directive != "" {
			t.Errorf("got %+v, want no directive", p)
		}
	}
}
