package record

import (
	"slices"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
)

// Conclude says what the run allows to claim and, by a policy, which exit code it earns. What is marked as known does not change
// the claim.
func (r *Run) Conclude(p Policy) {
	r.Claim, r.Conformance = r.claim()
	r.Exit, r.ExitReasons = r.exit(p)
}

func (r *Run) claim() (c Claim, word string) {
	for _, row := range r.Requirements {
		switch row.Verdict {
		case suite.PlannedOnly, suite.NotApplicable, suite.NotObservable, suite.ProvenByTest:
			continue
		case suite.Observed: // of any score: outside its lineage or profile a row is no requirement
			c.Observed++
			continue
		default:
		}
		switch row.Score {
		case spec.Must.String():
			c.Must.add(row.Verdict)
		case spec.Should.String():
			c.Should.add(row.Verdict)
		default:
			c.Observed++
		}
	}
	all := c.Must.Total + c.Should.Total
	switch {
	case slices.ContainsFunc(r.Requirements, func(row Requirement) bool { return row.Verdict == suite.Fail }):
		word = NonConformant // a WARN on a MUST row comes from a position on the text, and is no violation of it
	case r.Down != "" || 2*(c.Must.Verified+c.Should.Verified) < all || all == 0:
		word = Unknown
	case c.Must.Verified < c.Must.Total:
		word = Partial
	default:
		word = Conformant
	}
	return c, word
}

func (t *Tally) add(v suite.Verdict) {
	t.Total++
	switch {
	case v.Verified():
		t.Verified++
	case v.Violated():
		t.Violated++
	default:
		t.Unverified++
	}
}
