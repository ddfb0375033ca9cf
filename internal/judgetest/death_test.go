package judgetest

import (
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

// TestDeathIsAFinding: a server that panics violates the check that made it, and is judged further by the others.
func TestDeathIsAFinding(t *testing.T) {
	on := defect.Defect{Core: func(m core.Machine) core.Machine { return fatal{m} }}
	cfg := suite.Config{Features: features.FS, ID: "G01-REL-01", Seed: "death"}
	result, err := suite.Run(t.Context(), simulated(on), cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range result.Checks {
		switch dies := c.Check.ID == "G01-REL-01.comment"; {
		case dies && (c.Verdict != suite.Fail || !strings.Contains(c.Reason, "panic: a comment")):
			t.Errorf("%s: got %s: %s, want %s for the panic", c.Check.ID, c.Verdict, c.Reason, suite.Fail)
		case !dies && c.Verdict != suite.Pass && !strings.Contains(c.Reason, "panic: a comment"): // others send comments too
			t.Errorf("%s: got %s: %s, want %s", c.Check.ID, c.Verdict, c.Reason, suite.Pass)
		}
	}
}
