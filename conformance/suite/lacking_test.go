package suite_test

import (
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/suite"
)

// A lacking fake knows why it cannot be restarted.
type lacking struct{ *fake }

func (lacking) Lacks(power string) string {
	if power == "restart" {
		return "nothing ended"
	}
	return ""
}

func TestBlockedSaysWhatIsLacking(t *testing.T) {
	f := lacking{newFake()}
	f.exchange = status(404, "")
	f.frame = answerAll(true, "")
	r := judge(t, f, func(c *suite.Config) { c.ID = "G01-PURG-14" })
	for _, c := range r.Checks {
		said := strings.HasSuffix(c.Reason, ": nothing ended")
		if c.Verdict != suite.Blocked || said != c.Check.Has("needs:restart") {
			t.Errorf("%s: got %s %q, want BLOCKED, and the reason where it needs a restart", c.Check.ID, c.Verdict, c.Reason)
		}
	}
}
