package judgetest

import (
	"hash/fnv"
	"slices"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/defect"
)

// doorShare is which share of the mistakes a private service is judged with, unless -full is set: one of so many.
const doorShare = 24

// A mistake of what every service owes is caught at one that is for members alone, too: through the door, by the row that
// catches it elsewhere; and where there is none, that row is kept.
func TestMistakesAreCaughtThroughTheDoor(t *testing.T) {
	if testing.Short() {
		t.Skip("each mistake is judged on one thread in virtual time, which takes minutes with the race detector")
	}
	for _, row := range spec.Defects() {
		d, _ := defect.Lookup(row.Name)
		h := fnv.New32a()
		_, _ = h.Write([]byte(row.Name)) // a hash takes everything
		if !ofEveryService(row, d) || !*full && h.Sum32()%doorShare != 0 {
			continue
		}
		t.Run(row.Name, func(t *testing.T) {
			t.Parallel()
			cfg := suite.Config{ID: row.Catches, Lineage: lineageOf(row.Catches)}
			sound := verdicts(judge(t, simulated(defect.Defect{Private: true}), cfg))[row.Catches]
			if !sound.Verdict.Verified() && sound.Verdict != suite.Observed || deviates(sound) {
				t.Errorf("%s without a mistake: got %s %s", row.Catches, sound.Verdict, sound.Reason)
			}
			d.Private = true
			got := verdicts(judge(t, simulated(d), cfg))[row.Catches]
			if !got.Verdict.Violated() && !deviates(got) {
				t.Errorf("%s: got %s %s, want it violated", row.Catches, got.Verdict, got.Reason)
			}
		})
	}
}

// ofEveryService reports whether a mistake can be made by a private service as by a public one, and is seen in virtual time.
func ofEveryService(row spec.Defect, d defect.Defect) bool {
	of := func(prefix string) bool { return strings.HasPrefix(row.Catches, prefix) }
	rows := []string{"G01-", "N01-", "N09-", "N34-", "N40-", "N42-", "N62-", "N70-", "N77-", "SEC-"}
	elsewhere := []string{
		"G01-PUSH-15", // a private service has everybody authenticate
	}
	wire := slices.ContainsFunc(spec.WireDefects(), func(d spec.Defect) bool { return d.Name == row.Name })
	return slices.ContainsFunc(rows, of) && !slices.Contains(slices.Concat(elsewhere, bare), row.Catches) &&
		!d.Private && !d.Archive && !d.ReadOnly && !d.InSource && !wire
}

// Whoever is shown at the door and is no member has all that is about more than the door blocked: nothing of it passes, and nothing
// is accused.
func TestNobodyIsLetIn(t *testing.T) {
	private := simulated(defect.Defect{Private: true})
	r := judge(t, outsider{private, private, private, private}, suite.Config{
		ID: "G01-PUSH-0", Keys: []client.Key{client.NewKey("nobody", "a"), client.NewKey("nobody", "b")},
	})
	for _, c := range r.Checks {
		if c.Verdict != suite.Blocked {
			t.Errorf("%s: got %s %s", c.Check.ID, c.Verdict, c.Reason)
		}
	}
	if !slices.ContainsFunc(r.Facts, func(fact string) bool {
		return strings.HasPrefix(fact, "members: ") && strings.Contains(fact, "restricted")
	}) {
		t.Errorf("got the facts %q, want why nobody is let in", r.Facts)
	}
}

var _ target.Target = outsider{}
