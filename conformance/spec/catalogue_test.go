package spec_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/spec"
)

func TestEveryRowIsWhole(t *testing.T) {
	seen := make(map[string]bool)
	texts := make(map[string]string)
	for _, r := range spec.All() {
		if !spec.ValidID(r.ID) {
			t.Errorf("id %q: got a form that is not an id's", r.ID)
		}
		if seen[r.ID] {
			t.Errorf("id %s: got two rows, want one", r.ID)
		}
		seen[r.ID] = true
		if r.Score < spec.Must || r.Score > spec.Observe {
			t.Errorf("%s: got %v", r.ID, r.Score)
		}
		if r.Section == "" || !strings.HasSuffix(r.Text, ".") {
			t.Errorf("%s: got section %q and text %q, want both, the text a sentence", r.ID, r.Section, r.Text)
		}
		if other := texts[r.Text]; other != "" {
			t.Errorf("%s: got the text of %s", r.ID, other)
		}
		texts[r.Text] = r.ID
		for _, c := range r.Conditions {
			if strings.HasPrefix(c.String(), "invalid") {
				t.Errorf("%s: got %v", r.ID, c)
			}
		}
	}
}

func TestEveryRowIsCovered(t *testing.T) {
	for _, r := range spec.All() {
		switch r.Coverage.Kind {
		case spec.Checked:
			if r.Coverage.Text != "" {
				t.Errorf("%s: got text %q with a check", r.ID, r.Coverage.Text)
			}
		case spec.Unobservable, spec.Planned, spec.Watched, spec.Proven:
			if r.Coverage.Text == "" {
				t.Errorf("%s: got %v without a reason or a plan", r.ID, r.Coverage.Kind)
			}
		default:
			t.Errorf("%s: got neither check, reason nor plan", r.ID)
		}
	}
}

// The order of the catalogue is by area as All lists them, and by number within each.
func TestOrder(t *testing.T) {
	last := make(map[string]string)
	var areas []string
	for _, r := range spec.All() {
		area := r.ID[:strings.LastIndexByte(r.ID, '-')]
		if previous, ok := last[area]; ok && previous >= r.ID {
			t.Errorf("%s: got it after %s", r.ID, previous)
		}
		last[area] = r.ID
		if len(areas) == 0 || areas[len(areas)-1] != area {
			areas = append(areas, area)
		}
	}
	slices.Sort(areas)
	if compact := slices.Compact(slices.Clone(areas)); len(compact) != len(areas)-1 {
		// Deletion has two families, N09 stands in two sections.
		t.Errorf("got %d runs of ids over %d areas, want one area (N09) split and no other", len(areas), len(compact))
	}
}

func TestCore1(t *testing.T) {
	rows, ok := spec.Profile(spec.Core1)
	if !ok || len(rows) != 82 {
		t.Fatalf("profile core-1: got %d rows, want 82", len(rows))
	}
	for _, r := range rows {
		if r.Coverage.Kind != spec.Checked {
			t.Errorf("%s: got %v, want a check", r.ID, r.Coverage.Kind)
		}
	}
	if _, ok := spec.Profile("no-such"); ok {
		t.Error("unknown profile: got ok")
	}
}

func TestLookupAndSelect(t *testing.T) {
	r, ok := spec.Lookup("G01-PURG-07")
	if !ok || r.Score != spec.Must || r.Section != "Purgatory" {
		t.Errorf("Lookup: got %+v, %v", r, ok)
	}
	if _, ok := spec.Lookup("G01-PURG-99"); ok {
		t.Error("Lookup of an unknown id: got ok")
	}
	if got := len(spec.Select("G01-HEAD-")); got != 6 {
		t.Errorf("Select: got %d rows, want 6", got)
	}
	if got := spec.Select("nothing"); got != nil {
		t.Errorf("Select of nothing: got %v", got)
	}
}

func TestDefectsNameRequirements(t *testing.T) {
	names := make(map[string]bool)
	for _, d := range spec.Defects() {
		if names[d.Name] || d.What == "" {
			t.Errorf("defect %q: got it twice or without words", d.Name)
		}
		names[d.Name] = true
		for _, id := range append([]string{d.Catches}, d.Also...) {
			r, ok := spec.Lookup(id)
			if !ok || r.Coverage.Kind != spec.Checked {
				t.Errorf("defect %s: got %s, want a requirement that has a check", d.Name, id)
			}
		}
		r, _ := spec.Lookup(d.Catches)
		if !slices.Contains(r.Catches(), d.Name) {
			t.Errorf("%s.Catches: got %v, want %s among them", d.Catches, r.Catches(), d.Name)
		}
	}
	if len(names) < 15 {
		t.Errorf("got %d defects, want at least 15", len(names))
	}
}

func TestLineages(t *testing.T) {
	r, _ := spec.Lookup("G01-GIT-05")
	if got := r.Lineages(); len(got) != 1 || got[0] != spec.LineageC {
		t.Errorf("lineages of %s: got %v, want C", r.ID, got)
	}
	for _, letter := range []string{"A", "B", "C"} {
		if l, ok := spec.ParseLineage(letter); !ok || l.String() != letter {
			t.Errorf("ParseLineage(%q): got %v, %v", letter, l, ok)
		}
	}
	if _, ok := spec.ParseLineage("D"); ok {
		t.Error("ParseLineage of an unknown letter: got ok")
	}
}
