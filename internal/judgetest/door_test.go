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
	"github.com/graspkit/graspkit/features"
	"github.com/graspkit/graspkit/internal/archived"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/reference/core"
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
	shut := []string{
		"every-acknowledgement-refused", // that of an authentication, too: nobody is let in
	}
	wire := slices.ContainsFunc(spec.WireDefects(), func(d spec.Defect) bool { return d.Name == row.Name })
	return slices.ContainsFunc(rows, of) && !slices.Contains(slices.Concat(elsewhere, bare), row.Catches) &&
		!slices.Contains(shut, row.Name) && !d.Private && !d.Archive && !d.ReadOnly && !d.InSource && !d.AtDoor() && !wire
}

// privateShare is which share of the checks a private service is judged by, unless -full is set: one of so many.
const privateShare = 8

// privately is a service for members alone that does all that one may do beside, with or without a key of its own.
func privately(identity bool) defect.Defect {
	return defect.Defect{Private: true, Config: func(c *core.Config) { c.Contributions.On, c.Sync.Identity = true, identity }}
}

// All that a public service is judged by a private one is judged by, and keeps: through the door nothing is left undecided.
func TestPrivateServiceIsJudgedWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("it is judged on one thread in virtual time, which takes minutes with the race detector")
	}
	t.Parallel() // it keeps one processor busy
	checks, err := features.Load(features.FS)
	if err != nil {
		t.Fatal(err)
	}
	cfg := suite.Config{Tags: bulky}
	var tags []string
	for _, c := range checks {
		h := fnv.New32a()
		_, _ = h.Write([]byte(c.ID)) // a hash takes everything
		if *full || h.Sum32()%privateShare == 0 || strings.HasPrefix(c.ID, "N42-") || strings.HasPrefix(c.ID, "N70-") {
			tags = append(tags, c.Tags[0])
		}
	}
	slices.Sort(tags)
	cfg.Tags = "(" + strings.Join(slices.Compact(tags), " or ") + ") and " + bulky
	open := fresh(privately(true))
	first, end, err := open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = end() }()
	cfg.Fresh = open
	private := judge(t, first, cfg)
	open = fresh(defect.Defect{Config: func(c *core.Config) { c.Contributions.On = true }})
	if first, end, err = open(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = end() }()
	cfg.Fresh = open
	public := judge(t, first, cfg)
	for i, c := range private.Checks {
		if ofPublic := public.Checks[i]; ofPublic.Verdict == suite.Pass && c.Verdict != suite.Pass && c.Check.Requirements[0] != "G01-PUSH-15" {
			t.Errorf("%s: got %s %s, and of a public service %s", c.Check.ID, c.Verdict, c.Reason, ofPublic.Verdict)
		}
	}
}

// A private service that does not say to other relays who it is gets nothing of them, and is not accused of that.
func TestPrivateServiceWithoutAKeyIsNotAccused(t *testing.T) {
	for identity, want := range map[bool]suite.Verdict{true: suite.Pass, false: suite.Blocked} {
		for _, c := range judge(t, simulated(privately(identity)), suite.Config{Tags: "@G02-EV-01"}).Checks {
			if c.Verdict != want {
				t.Errorf("%s, with a key: %t: got %s %s, want %s", c.Check.ID, identity, c.Verdict, c.Reason, want)
			}
		}
	}
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

// An archive for members alone is judged through its door as any other archive: what it keeps of others, what it hunts, and what it gets
// from relays that let in members alone.
func TestPrivateArchiveIsJudged(t *testing.T) {
	if testing.Short() {
		t.Skip("it is judged on one thread in virtual time, which takes minutes with the race detector")
	}
	archive := func(private bool) map[string]suite.Verdict {
		d := defect.Defect{Private: private, Config: func(c *core.Config) {
			c.Sync.Identity, c.Archive = private, archived.Config(false)
		}}
		came := make(map[string]suite.Verdict)
		for _, c := range judge(t, simulated(d), suite.Config{ID: "G05"}).Checks {
			came[c.Check.ID] = c.Verdict
		}
		return came
	}
	public, private, passed := archive(false), archive(true), 0
	for id, verdict := range public {
		if verdict == suite.Pass {
			passed++
		}
		if verdict == suite.Pass && private[id] != suite.Pass {
			t.Errorf("%s: got %s, and of a public archive %s", id, private[id], verdict)
		}
	}
	if passed < 8 {
		t.Errorf("%d checks of a public archive pass, want most of them: %v", passed, public)
	}
}
