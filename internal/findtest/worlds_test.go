//go:build unix

package findtest

import (
	"fmt"
	"time"

	"github.com/graspkit/graspkit/scenarios"
)

// seedsMax is how many seeds of each world a mistake may live through.
const seedsMax = 20

// worldMax bounds the processor time that the seeds of one world take together on the honest server: the last seeds of an
// expensive world are left out.
const worldMax = 30 * time.Second

// worlds are the scenarios in the order in which they are tried, the cheap ones first.
var worlds = []string{
	"regress/001-release-extends", "first", "crash", "regress/002-crash-in-a-full-minute", "hunt_flapping", "hunt_dead",
	"hunt_urls", "full", "faults", "hunt_burst", "hunt_storm",
}

// world is the scenario of a name and a seed.
func world(name string, _ uint64) (scenarios.Scenario, error) {
	s, known, err := scenarios.Embedded(name)
	if err != nil {
		return s, fmt.Errorf("scenario %s: %w", name, err)
	}
	if !known {
		return s, fmt.Errorf("no scenario is called %s", name)
	}
	return s, nil
}
