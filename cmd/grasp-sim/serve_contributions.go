package main

import (
	"github.com/spf13/pflag"

	"github.com/graspkit/graspkit/reference/core"
)

func defaultContributions() core.ContributionConfig {
	return core.ContributionConfig{
		WaitingMax: core.WaitingMax, WaitingPerKeyMax: core.WaitingPerKeyMax,
		PlacesMax: core.PlacesMax, PlacesPerKeyMax: core.PlacesPerKeyMax,
	}
}

// registerContributions makes the settings of contributions flags.
func (f *serveFlags) registerContributions(flags *pflag.FlagSet) {
	c, quota := &f.core.Contributions, &f.exec.Quota
	flags.BoolVar(&c.On, "contributors", c.On, "take the commits of anybody's pull requests at /prs/<npub>/<identifier>.git (GRASP-06)")
	flags.Var(atLeast(1, &c.WaitingMax), "contributors-waiting", "refs there that wait for their events")
	flags.Var(atLeast(1, &c.WaitingPerKeyMax), "contributors-waiting-per-key", "those at the places of one npub")
	flags.Var(atLeast(1, &c.PlacesMax), "contributors-places", "places there that are in use")
	flags.Var(atLeast(1, &c.PlacesPerKeyMax), "contributors-places-per-key", "those of one npub")
	flags.Var(sizeOrNone{size[int64]{&quota.Contributions}}, "contributors-bytes", "disk space that all of them may take, beside --git-bytes, with --data; 0 sets no limit")
	flags.Var(sizeOrNone{size[int64]{&quota.Signer}}, "contributors-bytes-per-key", "disk space that those of one npub may take, with --data; 0 sets no limit")
	flags.Var(count{&f.contributionRate, 0, rateMax}, "contributors-rate", "pushes a minute to them that one address may send, after a burst; 0 sets no limit")
	flags.Var(count{&f.contributionBurst, 1, rateMax}, "contributors-burst", "pushes of an address that may come at once")
}
