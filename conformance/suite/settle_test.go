package suite

import (
	"testing"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/features"
)

// A requirement of one maintainer model counts only when the tester states that model.
func TestWorthByModel(t *testing.T) {
	for _, c := range []struct {
		id, model string
		want      Verdict
	}{
		{"G01-MNT-02", "", Observed},
		{"G01-MNT-02", "legacy", Fail},
		{"G01-MNT-02", "reciprocal", Observed},
		{"G01-MNT-06", "reciprocal", Observed}, // its score
		{"G01-MNT-01", "", Fail},
		{"G01-MNT-10", "", Warn},
	} {
		row, known := spec.Lookup(c.id)
		if !known {
			t.Fatalf("%s: not in the catalogue", c.id)
		}
		r := &run{cfg: Config{Model: c.model}}
		if got := r.worth(row, features.Check{}); got != c.want {
			t.Errorf("%s in model %q: got %s, want %s", c.id, c.model, got, c.want)
		}
	}
}

// Of several steps that did not hold the one is named that the reason is about.
func TestMissed(t *testing.T) {
	w := &world{violations: []outcome{{verdict: Fail, reason: "no origin", step: 2}, {verdict: Fail, reason: "no method", step: 3}}}
	end := outcome{verdict: Fail, reason: "no header", step: 4}
	for reason, want := range map[string]int{"no origin": 2, "no method": 3, "no header": 4} {
		if got := w.missed(end, reason); got != want {
			t.Errorf("%s: got step %d, want %d", reason, got, want)
		}
	}
}
