//go:build unix

package findtest

import (
	"fmt"
	"slices"
	"time"

	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim/swarm"
)

// seedsMax is how many seeds of each world a mistake may live through.
const seedsMax = 20

// worldMax bounds the processor time that the seeds of one world take together on the honest server: the last seeds of an
// expensive world are left out, and so are those that no mistake has the time for.
const worldMax = 30 * time.Second

// A setting is a scenario, tried by so many seeds behind the first ones that are left out.
type setting struct {
	name    string
	without uint64
	small   bool // all its seeds come before the larger worlds
}

// How many seeds of each family of small worlds are tried: a mote takes two milliseconds, one of peers five and a hunt twenty.
const (
	motesMax = 1000
	huntsMax = 400
	peersMax = 600
)

// worlds are tried in this order, the cheap ones first: the small ones, and then a seed of each, and the next one. Each seed of a family is a world of its own.
var worlds = slices.Concat(small(swarm.Motes, motesMax), small(swarm.Peers, peersMax), small(swarm.Hunts, huntsMax), []setting{
	{name: "regress/001-release-extends"},
	{name: "first"},
	{name: "odd"},
	{name: "ruled"},
	{name: "narrow"},
	{name: "brief"},
	{name: "edges"},
	{name: "sluggish"},
	{name: swarm.Name},
	{name: "crash"},
	{name: "regress/002-crash-in-a-full-minute"},
	{name: "hunt_flapping"},
	{name: "hunt_names"},
	{name: "hunt_gone"},
	{name: "hunt_dead"},
	{name: "hunt_urls"},
	{name: "weak/72-short-gaps"},
	{name: "weak/77-a-second-pass"},
	{name: "weak/85-a-relapse"},
	{name: "weak/86-silence"},
	{name: "weak/75-one-second"},
	{name: "weak/withdrawn"},
	{name: "weak/by-clone-url"},
	{name: "weak/by-one-way"},
	{name: "weak/meanwhile"},
	{name: "weak/owners-allowed"},
	{name: "weak/silent"},
	{name: "weak/long-outage"},
	{name: "weak/left"},
	{name: "weak/borders"},
	{name: "weak/half-refused"},
	{name: "weak/cut-off"},
	{name: "weak/limits"},
	{name: "weak/87-no-room"},
	{name: "weak/refusals-pass"},
	{name: "weak/refused-for-hours"},
	{name: "relays"},
	{name: "contributors"},
	{name: "archive"},
	{name: "two"},
	{name: "mirrors"},
	{name: "members"},
	{name: swarm.Name, without: seedsMax},
	{name: "works"},
	{name: "full"},
	{name: swarm.Name, without: 2 * seedsMax},
	{name: "faults"},
	{name: "hunt_burst"},
	{name: "hunt_storm"},
})

// small are the settings of a family of small worlds.
func small(family string, seeds uint64) (list []setting) {
	for without := uint64(0); without < seeds; without += seedsMax {
		list = append(list, setting{family, without, true})
	}
	return list
}

// world is the scenario of a name and a seed.
func world(name string, seed uint64) (scenarios.Scenario, error) {
	if draw := swarm.Of(name); draw != nil {
		return draw(seed), nil
	}
	s, known, err := scenarios.Embedded(name)
	if err != nil {
		return s, fmt.Errorf("scenario %s: %w", name, err)
	}
	if !known {
		return s, fmt.Errorf("no scenario is called %s", name)
	}
	return s, nil
}
