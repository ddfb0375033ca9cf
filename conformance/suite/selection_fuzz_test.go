package suite_test

import (
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/suite"
)

// Whatever a user writes selects something or is answered with one clear line.
func FuzzSelect(f *testing.F) {
	f.Add("", "")
	f.Add("G01-N11", "@G01-N11-01 and not (@wait:1m or @hostile)")
	f.Add("", "@a and")
	f.Add("", "not @a or (")
	f.Add("", `@a\( or @b`)
	fs := featureOf("@G01-N11-01\nScenario: x\n When a visitor sings\n")
	f.Fuzz(func(t *testing.T, id, tags string) {
		checks, rows, err := suite.Select(suite.Config{Features: fs, Seed: "x", ID: id, Tags: tags})
		switch {
		case err != nil && strings.Contains(err.Error(), "\n"):
			t.Errorf("id %q, tags %q: got the error %q, want one line", id, tags, err)
		case err == nil && len(checks) == 0 && len(rows) == 0:
			t.Errorf("id %q, tags %q: got nothing and no error", id, tags)
		}
	})
}
