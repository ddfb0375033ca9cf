// Package swarm draws small worlds by their seeds: which actors, operations, kinds, faults, limits and rates exist in one at
// all, and how strongly. What is absent from a world makes room for what is there, so that rare things meet. It runs
// nothing: what it draws is a scenario like any other, and scenarios.Format writes it down.
package swarm

import (
	"fmt"
	"slices"
	"time"

	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim/invariant"
	"github.com/graspkit/graspkit/sim/kernel"
	"github.com/graspkit/graspkit/sim/workload"
)

// Name is what stands for the scenario of each seed where a scenario is named.
const Name = "swarm"

// Names are those of the families of worlds: a scenario that has one of them is drawn anew for each seed.
func Names() []string { return []string{Name, Motes, Peers, Hunts} }

// Of is the drawing of a family, nil if none is called so.
func Of(name string) func(seed uint64) scenarios.Scenario {
	switch name {
	case Name:
		return Draw
	case Motes:
		return Mote
	case Peers:
		return Peer
	case Hunts:
		return Hunter
	}
	return nil
}

// Draw is the scenario of a seed. It is valid, and its run takes a moment.
func Draw(seed uint64) scenarios.Scenario {
	d := newDrawing(seed, Name)
	d.Duration = d.duration("duration", 20*time.Minute, 8*time.Hour, time.Minute)
	d.Servers = d.pick("servers", 1, 1, 1, 1, 2, 2, 3)
	hunts := d.one(3, "hunt")
	syncs := d.one(4, "sync")
	seeks := hunts || syncs && !d.one(4, "sync without a hunt")
	if syncs {
		d.servers()
	}
	if !hunts || d.one(2, "people beside the hunt") {
		d.actors()
		d.people()
	}
	if seeks { // which take thousands of steps, too many for who judges hundreds of maintainers at each
		d.People.Team[workload.OpLimit], d.People.Stranger[workload.OpLimit] = 0, 0
	}
	if d.one(2, "limits") {
		d.limits()
	}
	d.rules(seeks)
	if !d.one(4, "slow life") {
		d.Constants.PurgatoryLife = d.duration("purgatory life", time.Minute, 45*time.Minute, time.Second)
	}
	d.origin(seeks || syncs)
	d.links()
	switch {
	case hunts:
		d.hunt()
	case seeks:
		d.bound()
	}
	if syncs {
		d.sync()
	}
	if !seeks && d.one(3, "slow disk") { // the monitor of a hunt knows how long a look takes
		d.Disk = scenarios.Disk{
			Journal: min(d.duration("journal", time.Millisecond, 2*time.Second, time.Millisecond), d.patience()),
			Order:   min(d.duration("order", time.Millisecond, 20*time.Second, time.Millisecond), d.patience()),
		}
	}
	d.family(hunts)
	d.crashes()
	d.faults()
	return d.Scenario
}

// Invariants are those of every world, sorted.
func Invariants() []string {
	return slices.Sorted(slices.Values(slices.Concat(invariant.All(), invariant.HuntIDs())))
}

// drawing is a scenario in the making. Every draw has a name of its own, so that one more moves no other.
type drawing struct {
	scenarios.Scenario

	key kernel.Key
}

// newDrawing begins the world of a seed in a family.
func newDrawing(seed uint64, family string) *drawing {
	return &drawing{
		key:      kernel.NewKey(seed, "sim/"+family),
		Scenario: scenarios.Scenario{Name: fmt.Sprintf("%s-%d", family, seed), Invariants: Invariants()},
	}
}

// below draws from [0, n).
func (d *drawing) below(name string, n int) int { return int(d.key.WithText(name).Below(int64(n))) }

// one is true in one of n worlds.
func (d *drawing) one(n int, name string) bool { return d.below(name, n) == 0 }

// pick draws one of the values.
func (d *drawing) pick(name string, values ...int) int { return values[d.below(name, len(values))] }

// share draws a share in parts of a million: none in half of the worlds.
func (d *drawing) share(name string, values ...int64) int64 {
	if d.one(2, "no "+name) {
		return 0
	}
	return values[d.below(name, len(values))]
}

// duration draws from [low, high] in units, low ones as often as high ones of a tenfold.
func (d *drawing) duration(name string, low, high, unit time.Duration) time.Duration {
	for high > 4*low && d.one(2, fmt.Sprint(name, " below ", high)) {
		high /= 2
	}
	return low + unit*time.Duration(d.below(name, int((high-low)/unit)+1))
}

// links draws the ways between people and servers.
func (d *drawing) links() {
	if d.one(4, "perfect links") {
		return
	}
	d.Links = scenarios.Links{
		Latency: d.duration("latency", 0, 2*time.Second, time.Millisecond), Loss: d.share("loss", 2_000, 20_000, 100_000, 300_000),
		Duplicate: d.share("duplicate", 5_000, 50_000, 300_000),
	}
	if d.one(2, "jitter at all") {
		d.Links.Jitter = d.duration("jitter", time.Millisecond, 40*time.Second, time.Millisecond)
	}
	if d.one(3, "tail") {
		d.Links.Tail = int64(d.pick("late ones", 1_000, 20_000, 200_000))
		d.Links.TailDelay = d.duration("tail delay", 100*time.Millisecond, 40*time.Second, 100*time.Millisecond)
	}
	if d.one(5, "bandwidth") {
		d.Links.Bandwidth = int64(d.pick("bytes a second", 1_000, 10_000, 100_000))
	}
}

// limits draws settings of servers at which small numbers reach a bound: each is usual in most worlds.
func (d *drawing) limits() {
	limit := func(name string, out *int, values ...int) {
		if d.one(4, name+" at all") {
			*out = d.pick(name, values...)
		}
	}
	k := &d.Constants
	limit("held", &k.HeldMax, 1, 2, 3, 5, 10)
	limit("held bytes", &k.HeldBytesMax, 700, 1500, 4000, 10_000)
	limit("held per key", &k.HeldPerKeyMax, 1, 2, 3, 5)
	limit("held bytes per key", &k.HeldBytesPerKeyMax, 700, 1500, 4000)
	limit("stored", &k.StoredMax, 5, 10, 20, 40)
	limit("stored bytes", &k.StoredBytesMax, 3000, 10_000, 30_000)
	limit("placeholders", &k.PlaceholdersMax, 1, 2, 4)
	limit("tombstones", &k.TombstonesMax, 1, 2, 4)
	limit("expired", &k.ExpiredMax, 1, 2, 4, 16)
	limit("search", &k.SearchAtOnce, 1, 10, 100)
}
