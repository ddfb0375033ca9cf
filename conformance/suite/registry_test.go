package suite

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/graspkit/graspkit/features"
)

// Every step of every check has exactly one form, its table fits, and no form is idle.
func TestRegistryFitsFeatures(t *testing.T) {
	checks, err := features.Load(features.FS)
	if err != nil {
		t.Fatal(err)
	}
	r := theRegistry()
	used := make(map[string]bool)
	for _, c := range checks {
		for i, b := range r.of(c) {
			line := c.Steps[i]
			if b.fitting != 1 {
				t.Errorf("%s:%d: got %d forms of steps for %q, want one", c.File, line.Line, b.fitting, line.Text)
				continue
			}
			used[b.step.text] = true
			if b.step.table() != (line.Table != nil) {
				t.Errorf("%s:%d: got table %v, want %v", c.File, line.Line, line.Table != nil, b.step.table())
			}
		}
	}
	for _, s := range r.steps {
		if !used[s.text] {
			t.Errorf("no check uses %q", s.text)
		}
	}
}

// Every form of step says all that is derived from it.
func TestStepsAreDescribed(t *testing.T) {
	for _, s := range theRegistry().steps {
		switch {
		case s.role == 0 || s.doc == "" || s.run == nil:
			t.Errorf("%q lacks role, doc or run", s.text)
		case strings.HasSuffix(s.doc, ".") || strings.Contains(s.doc, "|") || strings.Contains(s.doc, "\n"):
			t.Errorf("%q: got doc %q, want one line of a table", s.text, s.doc)
		case s.refuses && s.role != assertion, s.scores && s.role != twin, s.absent && s.sees == "":
			t.Errorf("%q: the fields of the step do not go together", s.text)
		case s.within != 0 && !slices.Contains([]role{setUp, assertion, record, twin}, s.role):
			t.Errorf("%q: got a time for a %v", s.text, s.role)
		}
	}
}

func TestLongestWord(t *testing.T) {
	for expr, want := range map[string]string{
		`the (a|b)'s repository is there`: "'s repository is there", `plain`: "plain", `(a|b)`: "", `a(?: b)?`: "a",
	} {
		if got := longestWord(expr); got != want {
			t.Errorf("%s: got %q, want %q", expr, got, want)
		}
	}
}

func TestCostsOfMany(t *testing.T) {
	s := step{cost: cost{events: 2, pushes: 1, each: true}}
	if got := s.spends([]string{"owner", "30"}); got.events != 60 || got.pushes != 30 {
		t.Errorf("got %+v", got)
	}
}

// The checks fit together.
func TestFeaturesFitTogether(t *testing.T) {
	checks, err := features.Load(features.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range Lint(checks) {
		t.Error(finding)
	}
}

func TestLintFindsWhatDoesNotFit(t *testing.T) {
	const state = "    When the owner publishes the state:\n      | refs/heads/main | first |\n"
	const push = "    When a client pushes:\n      | refs/heads/main | first |\n"
	for name, c := range map[string]struct{ text, want string }{
		"unchecked act":      {state + push + "    Then the push succeeds\n", "nobody looks"},
		"no twin":            {push + "    Then the push is refused\n", "no accepted twin"},
		"deleting set-up":    {"    Given a client pushed:\n      | refs/heads/main | (delete) |\n" + push + "    Then the push succeeds\n", "deletes a ref"},
		"nothing judged":     {"    Given the owner announced the repository\n", "nothing is judged"},
		"control at its end": {"    When a client connects to the relay\n    Then a query is answered\n", "nothing is judged"},
		"good":               {push + "    Then the push is refused\n    But this push is accepted:\n      | refs/heads/main | first |\n", ""},
	} {
		files := fstest.MapFS{"grasp01/02_x.feature": {Data: []byte("Feature: x\n  @G01-PUSH-01\n  Scenario: x\n" + c.text)}}
		checks, err := features.Load(files)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := strings.Join(Lint(checks), "\n")
		if !strings.Contains(got, c.want) || (c.want == "" && got != "") {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestEstimate(t *testing.T) {
	e := EstimateOf([]features.Check{{Tags: []string{"@wait:36m", "@needs:kill"}, Steps: []features.Step{
		{Text: "30 announcements by the stranger arrive"}, {Text: "a client pushes:"}, {Text: "the server restarts"},
	}}})
	// with nine events, a push and five repositories of decoys, and what the lighthouse takes
	if e.Checks != 1 || e.Events != 30+9+4 || e.Pushes != 1+1+1 || e.Repositories != 30+5+1 || e.Waits.Minutes() != 36 || e.Needs["kill"] != 1 || e.Needs["restart"] != 1 {
		t.Errorf("got %+v", e)
	}
}
