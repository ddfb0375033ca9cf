package judgetest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/features"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/internal/servetarget"
)

// onSockets are the mistakes that show on real sockets only.
var onSockets = []string{
	"advertisements-kept-by-one-of-two-workers", "answers-to-late-readers-lost", "events-to-late-readers-lost", "compression-agreed-to-and-unread", "offers-of-compression-refused", "binary-frames-kill", "odd-frames-stun",
	"frames-taken-for-messages", "early-pings-unanswered", "pongs-end-connections", "closes-unanswered", "pings-inside-messages-end-connections",
	"who-left-cuts-off-others", "who-left-fails-publishers", "one-writer-for-all-clients", "one-writer-of-events-for-all-clients",
	"pushes-of-one-identifier-mixed", "pushes-of-one-key-mixed", "pushes-beside-one-of-the-key-unanswered",
	"compressed-fetches-in-chunks-refused", "expectations-of-fetches-refused", "fetches-in-chunks-refused",

	"pushes-in-chunks-unjudged", "pushes-beside-one-fail", "locks-outlive-who-left", "places-of-fetches-kept-by-who-left", "sixteen-places-of-fetches-kept-by-who-left",
	"deletions-of-held-announcements-during-pushes-ignored", "deletions-of-pull-requests-during-pushes-ignored",
	"deletions-of-served-announcements-during-pushes-ignored", "deletions-of-states-during-pushes-ignored",
	"deletions-by-address-of-held-announcements-during-pushes-ignored", "deletions-by-address-of-served-announcements-during-pushes-ignored",
	"deletions-by-address-of-states-during-pushes-ignored",

	// Of these the stock git is the witness.
	"first-prefix-only", "long-refusals-cut", "many-haves-unanswered", "probes-refused", "reports-unannounced",
	"rounds-unanswered", "tags-unpeeled", "tags-unpeeled-in-version-2",
}

// Each mistake of the wire is caught by the row that names it, on a server that nobody knows to be ours.
func TestWireDefectsAreCaught(t *testing.T) {
	if testing.Short() {
		t.Skip("each defect is judged on one thread in virtual time, which takes minutes with the race detector")
	}
	for _, row := range spec.WireDefects() {
		t.Run(row.Name, func(t *testing.T) {
			t.Parallel()
			got := strange(t, row)[row.Catches]
			for again := 0; again < 2 && !got.Verdict.Violated() && slices.Contains(onSockets, row.Name); again++ {
				got = strange(t, row)[row.Catches] // what was sent second has overtaken what was sent first: see raceAgain
			}
			if !got.Verdict.Violated() {
				t.Errorf("%s: got %s %s, want it violated", row.Catches, got.Verdict, got.Reason)
			}
		})
	}
}

// strange judges the reference with a planted defect as a server of somebody else: by the requirement that has to catch it,
// with -full by all.
func strange(t *testing.T, row spec.Defect) map[string]suite.RequirementResult {
	t.Helper()
	d, ok := defect.Lookup(row.Name)
	if !ok {
		t.Fatal("the defect cannot be planted")
	}
	if slices.Contains(apart, row.Name) {
		return weighedBy(t, row)
	}
	cfg := suite.Config{
		ID: row.Catches, Lineage: lineageOf(row.Catches), Write: true, AllowHostile: true, Heavy: true, TimeBudget: 2 * time.Hour,
	}
	clock := waits(t, row.Catches)
	if *full {
		cfg.ID, clock = "", true
	}
	result := judgedAlone(t, row, cfg, func(cfg suite.Config) *suite.Result {
		on := simulated(d)
		if slices.Contains(onSockets, row.Name) {
			reference, is := served(t, servetarget.Options{Backend: servetarget.BackendMemory, Defect: d}).(ours)
			if !is {
				t.Fatal("the served reference lacks a power")
			}
			on = atDoor(reference, d)
		}
		return judge(t, outside(on, clock), cfg)
	})
	killers.note(row.Name, result)
	return verdicts(result)
}

// waits reports whether a check of a requirement waits long.
func waits(t *testing.T, id string) bool {
	t.Helper()
	checks, err := features.Load(features.FS)
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(checks, func(c features.Check) bool {
		return c.Wait() > 0 && slices.ContainsFunc(c.Requirements, func(r string) bool { return strings.HasPrefix(r, id) })
	})
}
