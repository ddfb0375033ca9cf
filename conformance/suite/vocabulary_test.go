package suite

import (
	"testing"

	"github.com/graspkit/graspkit/features"
)

// Every step of every check has exactly one definition, its table fits, and no definition is idle.
func TestVocabularyFitsFeatures(t *testing.T) {
	checks, err := features.Load(features.FS)
	if err != nil {
		t.Fatal(err)
	}
	definitions := vocabulary()
	used := make([]bool, len(definitions))
	for _, c := range checks {
		for _, s := range c.Steps {
			var fitting []int
			for i, d := range definitions {
				if d.expr.MatchString(s.Text) {
					fitting = append(fitting, i)
				}
			}
			if len(fitting) == 0 {
				t.Errorf("%s:%d: no definition for %q", c.File, s.Line, s.Text)
				continue
			}
			if len(fitting) > 1 {
				t.Errorf("%s:%d: %d definitions for %q", c.File, s.Line, len(fitting), s.Text)
			}
			used[fitting[0]] = true
			if d := definitions[fitting[0]]; d.table() != (s.Table != nil) {
				t.Errorf("%s:%d: got table %v, want %v", c.File, s.Line, s.Table != nil, d.table())
			}
		}
	}
	for i, d := range definitions {
		if !used[i] {
			t.Errorf("no step uses %s", d.expr)
		}
	}
}
