package suite

import "testing"

// Rows whose filters are too many for the relay are left out and noted, and where that is each of them, nothing is judged.
func TestRowsBeyondTheDocumentAreNotJudged(t *testing.T) {
	one, two := []string{"limit 5", "nothing"}, []string{"limit 5; limit 6", "nothing"}
	for name, c := range map[string]struct {
		most  float64
		rows  [][]string
		taken int
	}{
		"enough room": {2, [][]string{one, two}, 2},
		"some":        {1, [][]string{two, one}, 1},
		"none":        {1, [][]string{two, two}, 0},
	} {
		w := &world{run: &run{facts: facts{document: map[string]any{"limitation": map[string]any{"max_filters": c.most}}}}}
		taken, out := w.askable(c.rows)
		if len(taken) != c.taken || (c.taken == 0) != (out.verdict == Unsupported) {
			t.Errorf("%s: got %d rows and %v, want %d", name, len(taken), out.verdict, c.taken)
		}
	}
}
