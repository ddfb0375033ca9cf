package conformance

import (
	"testing"

	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/features"
)

func TestAtLevel(t *testing.T) {
	for _, c := range []struct {
		pattern string
		level   int
		want    string
	}{
		{"", 1, ""},
		{"TestGRASP", 1, ""},
		{"TestGRASP/G01-PURG", 1, "G01-PURG"},
		{"/G01-PURG", 1, "G01-PURG"},
		{"TestAll/served/G01-[HP/]", 2, "G01-[HP/]"},
		{`Test\/x/G01`, 1, "G01"},
		{"TestGRASP/G01|TestOther", 1, ""},
		{"TestGRASP/(G01|N01)", 1, "(G01|N01)"},
	} {
		if got := atLevel(c.pattern, c.level); got != c.want {
			t.Errorf("%q at %d: got %q, want %q", c.pattern, c.level, got, c.want)
		}
	}
}

// What go test would not show does not run.
func TestPatternNarrows(t *testing.T) {
	count := func(o Options, pattern string) (checks int, rows []string) {
		cfg, err := o.config(pattern)
		if err != nil {
			t.Fatal(err)
		}
		found, all, err := suite.Select(cfg)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range all {
			rows = append(rows, row.ID)
		}
		return len(found), rows
	}
	all, _ := count(Options{}, "")
	loaded, err := features.Load(features.FS)
	if err != nil || all != len(loaded) {
		t.Errorf("without a pattern: got %d checks of %d, %v", all, len(loaded), err)
	}
	one, rows := count(Options{}, "^G01-PURG-07$")
	if one == 0 || one > 20 || len(rows) == 0 {
		t.Errorf("of one requirement: got %d checks of %v", one, rows)
	}
	few, _ := count(Options{Tags: "not @needs:restart"}, "G01-PURG")
	if few <= one || few >= all {
		t.Errorf("of a section: got %d checks of %d", few, all)
	}
	if _, err := (Options{}).config("X99"); err == nil {
		t.Error("got no error for a pattern that fits nothing")
	}
	if _, err := (Options{}).config("("); err == nil {
		t.Error("got no error for a pattern that is none")
	}
}

func TestByID(t *testing.T) {
	for _, c := range []struct{ pattern, want string }{
		{"", ""},
		{"TestGRASP", "TestGRASP"},
		{"TestGRASP/G01-PURG", "TestGRASP/G01-PURG"},
		{"/G01-PURG", "/G01-PURG"},
		{"^Test[A-Z]", "^Test[A-Z]"},
		{"G01", "G01"}, // may be a part of the name of a function
		{"G01-PURG", "^TestGRASP$/G01-PURG"},
		{"^G01-PURG-07$", "^TestGRASP$/^G01-PURG-07$"},
		{"N01-EV|N09-", "^TestGRASP$/(N01-EV|N09-)"},
		{"(G01-PURG|G01-ANN)-01", "^TestGRASP$/(G01-PURG|G01-ANN)-01"},
	} {
		if got := byID(c.pattern, "TestGRASP"); got != c.want {
			t.Errorf("%q: got %q, want %q", c.pattern, got, c.want)
		}
	}
}
