package judgetest

import (
	"slices"
	"testing"

	"github.com/graspkit/graspkit/conformance/measure"
	"github.com/graspkit/graspkit/internal/defect"
)

// The reference is measured as it is set, and each mistake shows in the value that it spoils.
func TestMeasuresShowMistakes(t *testing.T) {
	if testing.Short() {
		t.Skip("virtual time runs on one thread: -short leaves it to the run without the race detector")
	}
	for name, spoiled := range map[string][]string{
		"":                             nil,
		"hunt-at-once":                 {"first-delay"},
		"failures-punished":            {"interval-2", "interval-3"},
		"a-sixth-request-at-once":      {"in-flight"},
		"one-request-more-in-a-minute": {"starts", "window-frees"},
		"failures-asked-again-at-once": {"interval-1"},
		"waits-for-pushes":             {"first-delay", "in-flight", "starts", "window-frees"},
	} {
		t.Run(name, func(t *testing.T) {
			d, ok := defect.Lookup(name)
			if !ok && name != "" {
				t.Fatal("the defect cannot be planted")
			}
			r, err := measure.Run(t.Context(), simulated(d), measure.Config{Seed: "judgetest", Reference: true})
			if err != nil {
				t.Fatal(err)
			}
			var broken []string
			for _, f := range r.Facts {
				if f.Verdict == measure.Broken {
					broken = append(broken, f.Name)
				}
			}
			for _, fact := range spoiled {
				if !slices.Contains(broken, fact) {
					t.Errorf("%s: got it kept (violated are %v)", fact, broken)
				}
			}
			if name == "" && len(broken) > 0 {
				t.Errorf("got %v violated, want none", broken)
			}
			if r.Hunts != (name != "waits-for-pushes") {
				t.Errorf("Hunts: got %t", r.Hunts)
			}
		})
	}
}
