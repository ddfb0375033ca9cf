package spec_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/conformance/spec"
)

// scored is how many rows of each score a document has.
type scored struct{ Must, Should, Observe int }

// documents are the scored rows of every document, by the first part of their ids. A row is never taken out: one that
// nothing judges yet is planned.
var documents = map[string]scored{
	"G01": {93, 65, 19},
	"G02": {8, 10, 3},
	"G03": {0, 0, 6},
	"G05": {1, 4, 2},
	"G06": {9, 8, 5},
	"G08": {0, 0, 15},
	"INV": {44, 0, 0},
	"N01": {10, 2, 0},
	"N09": {1, 5, 0},
	"N13": {0, 1, 0},
	"N22": {1, 0, 0},
	"N34": {6, 7, 3},
	"N40": {0, 1, 0},
	"N42": {1, 0, 0},
	"N62": {1, 0, 0},
	"N70": {1, 0, 0},
	"N77": {2, 4, 0},
	"N98": {0, 0, 1},
	"REF": {71, 0, 0},
	"SEC": {10, 0, 0},
}

// rowsInAll is the sum of documents.
const rowsInAll = 420

func TestNoRowIsLost(t *testing.T) {
	got, all := map[string]scored{}, 0
	for _, r := range spec.All() {
		document, _, _ := strings.Cut(r.ID, "-")
		n := got[document]
		switch r.Score {
		case spec.Must:
			n.Must++
		case spec.Should:
			n.Should++
		case spec.Observe:
			n.Observe++
		}
		got[document] = n
		all++
	}
	if diff := cmp.Diff(documents, got); diff != "" {
		t.Errorf("scored rows by document (-want +got):\n%s", diff)
	}
	if all != rowsInAll {
		t.Errorf("got %d rows, want %d", all, rowsInAll)
	}
}

// Every row is judged, or says why it is not: nothing is put off.
func TestNothingIsPlanned(t *testing.T) {
	for _, r := range spec.All() {
		if r.Coverage.Kind == spec.Planned {
			t.Errorf("%s: planned: %s", r.ID, r.Coverage.Text)
		}
	}
}
