package explore_test

import (
	"strings"
	"testing"

	"github.com/graspkit/graspkit/sim/explore"
)

// Every family holds. Of the large ones a part is looked at; the gate looks at all of them, by the command.
func TestFamiliesHold(t *testing.T) {
	options := explore.Options{States: 6000}
	if testing.Short() {
		options.States = 2000
	}
	names := map[string]bool{}
	for _, f := range explore.Families() {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			r := explore.Explore(f, options)
			t.Logf("%d states, %d distinct, %d merged, depth %d, %d ends, complete %t", r.States, r.Distinct, r.Merged(), r.Depth, r.Ends, r.Complete)
			if r.Failure != nil {
				t.Fatalf("%v: %s\n%s", r.Found, r.Failure.Violations[0].Detail, strings.Join(r.Failure.Lines, "\n"))
			}
			if !r.Complete && r.States < options.States {
				t.Errorf("ended behind %d states, of %d that it may reach", r.States, options.States)
			}
			if r.Rests == 0 || r.Ends == 0 {
				t.Errorf("got %d worlds at rest and %d ends, want some", r.Rests, r.Ends)
			}
		})
		if names[f.Name] || f.About == "" || strings.ContainsAny(f.Name, " \t") {
			t.Errorf("family %q has the name of another one, none for a command line, or no sentence", f.Name)
		}
		names[f.Name] = true
	}
}

// A rule of what is shared, or of what does not count, that is about no field is a rule about nothing.
func TestRulesAreAboutFields(t *testing.T) {
	if unmet := explore.UnmetRules(family(t, "first-push")); len(unmet) > 0 {
		t.Errorf("rules about fields that no world has: %v", unmet)
	}
}
