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
}

// How many seeds of each family of small worlds are tried: a mote takes two milliseconds, a hunt ten and one of peers twenty.
const (
	motesMax = 1000
	huntsMax = 600
	peersMax = 400
)

// worlds are tried in this order, the cheap ones first: a seed of each, then the next one. Each seed of a family is a world of its own.
var worlds = slices.Concat(small(swarm.Motes, motesMax), small(swarm.Hunts, huntsMax), small(swarm.Peers, peersMax), []setting{
	{"regress/001-release-extends", 0},
	{"first", 0},
	{"odd", 0},
	{"ruled", 0},
	{"narrow", 0},
	{"brief", 0},
	{"edges", 0},
	{"sluggish", 0},
	{swarm.Name, 0},
	{"crash", 0},
	{"regress/002-crash-in-a-full-minute", 0},
	{"hunt_flapping", 0},
	{"hunt_names", 0},
	{"hunt_gone", 0},
	{"hunt_dead", 0},
	{"hunt_urls", 0},
	{"weak/72-short-gaps", 0},
	{"weak/77-a-second-pass", 0},
	{"weak/85-a-relapse", 0},
	{"weak/86-silence", 0},
	{"weak/75-one-second", 0},
	{"weak/withdrawn", 0},
	{"weak/by-clone-url", 0},
	{"weak/by-one-way", 0},
	{"weak/silent", 0},
	{"weak/long-outage", 0},
	{"weak/left", 0},
	{"weak/borders", 0},
	{"weak/half-refused", 0},
	{"weak/cut-off", 0},
	{"weak/limits", 0},
	{"relays", 0},
	{"contributors", 0},
	{"archive", 0},
	{"two", 0},
	{"mirrors", 0},
	{"members", 0},
	{swarm.Name, seedsMax},
	{"works", 0},
	{"full", 0},
	{swarm.Name, 2 * seedsMax},
	{"faults", 0},
	{"hunt_burst", 0},
	{"hunt_storm", 0},
})

// small are the settings of a family of small worlds.
func small(family string, seeds uint64) (list []setting) {
	for without := uint64(0); without < seeds; without += seedsMax {
		list = append(list, setting{family, without})
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
