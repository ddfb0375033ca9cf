package suite

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/graspkit/graspkit/features"
)

// An Estimate is what a run of some checks asks of a target, by the costs of their steps, and by what stands beside them: decoys,
// and the lighthouse with its beacons. What is tried again, or looked at closer, comes on top.
type Estimate struct {
	Checks       int
	Events       int
	Pushes       int
	Repositories int
	Bytes        int64 // of events and pushes
	Largest      int64 // of one push
	// Waits is the longest time that a check has to let pass; those that wait do so side by side.
	Waits time.Duration
	// Needs counts the checks that need a power of the target, by the word of their tags, such as "restart".
	Needs map[string]int
}

// What things cost on average, by what runs were seen to send.
const (
	eventBytes = 700
	pushBytes  = 1200
)

// What stands beside checks.
const (
	decoyEvents       = 9 // of one check; see surround
	decoyPushes       = 1
	decoyRepositories = 5
	lighthouseEvents  = 4 // of a run
	beaconChecks      = 2 // checks that show that something is not served take a beacon each, so many on average
)

// Took is how long all that takes, where the target is so far away, as far as that can be told: so many checks are under way at a time,
// and those that wait do so beside them.
func (e Estimate) Took(away time.Duration, parallel int) time.Duration {
	const own = 6 * time.Millisecond // of a thing that is asked for, at a target that is near
	asked := time.Duration(e.Events)*(own+away) + time.Duration(e.Pushes)*requestsOfPush*(own+tripsOfRequest*away) + time.Duration(e.Checks)*tripsOfCheck*(own+away)
	if away > nearby {
		asked += time.Duration(e.Bytes/uplink) * time.Second * time.Duration(max(parallel, 1)) // there is one way for all
	}
	return max(asked/time.Duration(max(parallel, 1)), e.Waits)
}

// What Took goes by.
const (
	requestsOfPush = 5 // what is looked at before and behind it among them
	tripsOfRequest = 3 // a request has a connection of its own
	tripsOfCheck   = 6
	nearby         = 5 * time.Millisecond
	uplink         = 1 << 20 // bytes a second
)

// EstimateOf adds up the costs of checks.
func EstimateOf(checks []features.Check) Estimate {
	r := theRegistry()
	e := Estimate{Needs: make(map[string]int)}
	for _, c := range checks {
		e.add(r.estimate(c))
		for _, power := range powers() {
			if r.needs(c, power) {
				e.Needs[power]++
			}
		}
	}
	if slices.ContainsFunc(checks, func(c features.Check) bool { return !c.Has("read-only") }) {
		e.add(lighthouseCost())
	}
	return e
}

// lighthouseCost is what the run itself writes.
func lighthouseCost() Estimate {
	return Estimate{Events: lighthouseEvents, Pushes: 1, Repositories: 1, Bytes: lighthouseEvents*eventBytes + pushBytes}
}

// add adds what another estimate counts.
func (e *Estimate) add(o Estimate) {
	e.Checks += o.Checks
	e.Events += o.Events
	e.Pushes += o.Pushes
	e.Repositories += o.Repositories
	e.Bytes += o.Bytes
	e.Largest = max(e.Largest, o.Largest)
	e.Waits = max(e.Waits, o.Waits)
}

// announces tells the steps by which a repository comes about.
var announces = regexp.MustCompile(`announce|served|repositor`)

// bulkBytes are the bytes of the largest commit in a table.
func bulkBytes(table [][]string) int64 {
	files := 0
	for _, row := range table {
		for _, cell := range row {
			files = max(files, bulkFiles[cell])
			if cell == "large" {
				files = max(files, largeBytes/bulkFileBytes)
			}
		}
	}
	return int64(files) * bulkFileBytes
}

// estimate is what one check asks of a target.
func (r *registry) estimate(c features.Check) Estimate {
	e := Estimate{Checks: 1, Waits: c.Wait()}
	pushed, surrounded, absent := false, false, false
	owners := make(map[string]bool)
	for i, b := range r.of(c) {
		if pushed && !surrounded && (b.step.role == act || b.step.role == setUp) && !standsAlone(r, c) {
			surrounded = true
			e.add(Estimate{
				Events: decoyEvents, Pushes: decoyPushes, Repositories: decoyRepositories,
				Bytes: decoyEvents*eventBytes + decoyPushes*pushBytes,
			})
		}
		spent := b.step.spends(b.words)
		e.Events += spent.events
		e.Pushes += spent.pushes
		e.Bytes += int64(spent.events)*eventBytes + int64(spent.pushes)*pushBytes
		if spent.pushes > 0 {
			pushed = true
			large := bulkBytes(c.Steps[i].Table)
			e.Bytes += int64(spent.pushes) * large
			e.Largest = max(e.Largest, large)
		}
		switch {
		case spent.events == 0 || !announces.MatchString(b.step.text):
		case b.step.cost.each:
			e.Repositories += spent.events / b.step.cost.events
		default:
			owners[strings.Join(b.words[:min(len(b.words), 2)], " ")] = true // an actor, and the name of a repository
		}
		absent = absent || b.step.absent
	}
	e.Repositories += len(owners)
	if absent {
		e.Events += beaconChecks
		e.Bytes += beaconChecks * eventBytes
	}
	return e
}

// powers are the powers of a target that steps and tags name.
func powers() []string {
	return []string{"clock", "git", "kill", "raw", "reachback", "relays", "restart", "stall", "weight"}
}
