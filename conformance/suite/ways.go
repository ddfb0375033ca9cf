package suite

import (
	"fmt"
	"slices"
	"time"

	"github.com/graspkit/graspkit/features"
)

// A Way is how far a live server can be judged, with what that asks of it. Each goes further than the one before.
type Way struct {
	Flags    string
	Estimate Estimate
}

// WaysOf are the ways to judge a server at a URL by some checks, whatever it lists. Budgets are the times that may be waited.
func WaysOf(checks []features.Check, budgets ...time.Duration) []Way {
	r := theRegistry()
	needs := func(c features.Check, powers ...string) bool {
		return slices.ContainsFunc(powers, func(power string) bool { return r.needs(c, power) })
	}
	type rule struct {
		flags string
		fits  func(c features.Check) bool
	}
	live := func(c features.Check) bool { return !c.Has("sim-only") && !needs(c, "clock", "stall") }
	plain := func(c features.Check) bool { return live(c) && !needs(c, "kill", "restart", "weight") }
	writes := func(c features.Check) bool { return plain(c) && c.Wait() == 0 }
	rules := []rule{
		{"none, elsewhere", func(c features.Check) bool { return writes(c) && c.Has("read-only") && !c.Has("hostile") }},
		{"--write", func(c features.Check) bool {
			return writes(c) && !c.Has("hostile") && !needs(c, "reachback", "relays") && r.estimate(c).Largest <= HeavyBytes
		}},
		{"--write --heavy", func(c features.Check) bool {
			return writes(c) && !c.Has("hostile") && !needs(c, "reachback", "relays")
		}},
		{"none, on this machine", writes},
		{"--launch", func(c features.Check) bool { return live(c) && c.Wait() == 0 }},
	}
	for _, budget := range budgets {
		rules = append(rules, rule{
			fmt.Sprintf("--launch --time-budget %.0fm", budget.Minutes()),
			func(c features.Check) bool { return live(c) && c.Wait() <= budget },
		})
	}
	var ways []Way
	for _, rule := range rules {
		e := EstimateOf(slices.DeleteFunc(slices.Clone(checks), func(c features.Check) bool { return !rule.fits(c) }))
		ways = append(ways, Way{rule.flags, e})
	}
	return ways
}

// SizeText is a number of bytes for people.
func SizeText(n int64) string { return megabytes(n) }
