package suite

import (
	"time"

	"github.com/graspkit/graspkit/features"
)

// An Estimate is what a run of some checks asks of a target, by the costs of their steps. The lighthouse and the beacons
// on it are not counted.
type Estimate struct {
	Checks int
	Events int
	Pushes int
	// Waits is the longest time that a check has to let pass; those that wait do so side by side.
	Waits time.Duration
	// Needs counts the checks that need a power of the target, by the word of their tags, such as "restart".
	Needs map[string]int
}

// EstimateOf adds up the costs of checks.
func EstimateOf(checks []features.Check) Estimate {
	r := theRegistry()
	e := Estimate{Checks: len(checks), Needs: make(map[string]int)}
	for _, c := range checks {
		e.Waits = max(e.Waits, c.Wait())
		for _, b := range r.of(c) {
			spent := b.step.spends(b.words)
			e.Events += spent.events
			e.Pushes += spent.pushes
		}
		for _, power := range powers() {
			if r.needs(c, power) {
				e.Needs[power]++
			}
		}
	}
	return e
}

// powers are the powers of a target that steps and tags name.
func powers() []string {
	return []string{"clock", "git", "kill", "raw", "reachback", "relays", "restart", "stall", "weight"}
}
