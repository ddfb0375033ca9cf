package judgetest

import (
	"slices"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/features"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
)

// A fatal server panics at every comment.
type fatal struct{ core.Machine }

func (f fatal) Step(now instant.Instant, in core.Input, out *core.Effects) {
	if m, is := in.(core.Message); is {
		if ev, is := m.Msg.(relay.Event); is && ev.Event.Kind == client.KindComment {
			panic("a comment")
		}
	}
	f.Machine.Step(now, in, out)
}

// TestDeathIsAFinding: a server that panics violates every check that made it, and is judged further by the others.
func TestDeathIsAFinding(t *testing.T) {
	on := defect.Defect{Core: func(m core.Machine) core.Machine { return fatal{m} }}
	cfg := suite.Config{Features: features.FS, ID: "G01-REL-01", Seed: "death"}
	result, err := suite.Run(t.Context(), simulated(on), cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range result.Checks {
		sends := slices.ContainsFunc(c.Check.Steps, func(s features.Step) bool {
			return strings.Contains(s.Text, " a comment") || strings.Contains(s.Text, " of kind 1111 ")
		})
		switch {
		case sends && (!c.Verdict.Violated() || !strings.Contains(c.Reason, "panic: a comment")):
			t.Errorf("%s: got %s: %s, want it violated by the panic", c.Check.ID, c.Verdict, c.Reason)
		case !sends && c.Verdict != suite.Pass:
			t.Errorf("%s: got %s: %s, want %s", c.Check.ID, c.Verdict, c.Reason, suite.Pass)
		}
	}
	named := func(r suite.CheckResult) bool { return r.Check.ID == "G01-REL-01.comment" && r.Verdict == suite.Fail }
	if !slices.ContainsFunc(result.Checks, named) {
		t.Error("G01-REL-01.comment: got no failure, want one")
	}
}
