package suite

import (
	"slices"
	"strings"
	"testing"

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
