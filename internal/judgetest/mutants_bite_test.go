//go:build unix

package judgetest

import (
	"slices"
	"testing"

	"github.com/graspkit/graspkit/internal/mutate"
)

// A program that could be any mutant of a package and is none has nothing against it, and as a mutant it is found.
func TestMutantsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("the server is built anew, which takes long beside the race detector")
	}
	t.Parallel() // it keeps one processor busy
	const feature = "grasp01/16_push.feature"
	p := buildMutants(t, "./reference/push")
	p.observe(t, []string{feature})
	wrong := []struct{ within, operator, before string }{
		{"align", "never", "if result[i].OID != declared[j].OID"},
		{"checkCommand", "negated", "c.Old != old"},
	}
	var points []mutate.Point
	for _, w := range wrong {
		i := slices.IndexFunc(p.points, func(m mutate.Point) bool {
			return m.Func == w.within && m.Operator == w.operator && m.Before == w.before
		})
		if i < 0 {
			t.Fatalf("no mutant %+v", w)
		}
		points = append(points, p.points[i])
	}
	judged := p.judgeAll(t.Context(), points, 1, func(judgedMutant) {})
	for _, m := range judged {
		if m.End != endFound {
			t.Errorf("%v: got %+v, want it found", m.Point, m.judgement)
		}
	}
}

// Every mutant of the reviewed list is one that there is, and has a reason.
func TestReviewedMutantsAreCurrent(t *testing.T) {
	if testing.Short() {
		t.Skip("sources are read on one thread")
	}
	_, points, err := mutate.Build("../..", t.TempDir(), mutated...)
	if err != nil {
		t.Fatal(err)
	}
	equivalents(t, points)
}
