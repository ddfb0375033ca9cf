package swarm

import (
	"fmt"
	"slices"
	"time"

	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim/fault"
	"github.com/graspkit/graspkit/sim/invariant"
	"github.com/graspkit/graspkit/sim/relayhost"
	"github.com/graspkit/graspkit/sim/workload"
)

// Motes is what stands for the smallest world of each seed: a handful of deeds and one thing that goes wrong.
const Motes = "motes"

// How much all people of a mote do together.
const (
	moteDeedsMin = 3
	moteDeedsMax = 14
)

// moteKeys is of how many seeds people have the keys: making those of each seed would cost as much as a tenth of its run.
const moteKeys = 64

// A connection is asked every two minutes whether it is alive: worlds of servers that sync are short.
const (
	shortest  = 6 * time.Minute
	longer    = 5 * time.Minute  // with hosts or relays, whose troubles take that
	pairBound = 45 * time.Minute // pauses double, and none is longer than all that went wrong before
)

// Mote is the smallest world of a seed. It is valid, and hundreds of its runs take a second: what a world of Draw has beside much else
// is here alone with one or two other things, so that millions of seeds try how few things meet.
func Mote(seed uint64) scenarios.Scenario {
	d := newDrawing(seed, Motes)
	d.Duration = d.duration("duration", 30*time.Second, 2*time.Hour, time.Second)
	d.Servers = d.pick("servers", 1, 1, 1, 2)
	d.Repositories = d.pick("repositories", 1, 1, 1, 2)
	syncs := d.one(12, "sync")
	if syncs {
		d.Servers, d.Duration = 2, min(d.Duration, shortest)
	}
	lone := !syncs && d.one(16, "host")
	seeks := lone || d.one(12, "seeks") || syncs && d.one(2, "hunt beside sync")
	if lone || syncs && d.one(4, "relay") {
		d.Duration = max(d.Duration, longer)
	}
	d.few()
	d.handful()
	d.People.Team[workload.OpLimit], d.People.Stranger[workload.OpLimit] = 0, 0
	d.bounds()
	if d.one(8, "rules") {
		d.rules(seeks)
	}
	d.Constants.PurgatoryLife = d.duration("purgatory life", time.Minute, 45*time.Minute, time.Second)
	if syncs {
		d.Constants.PurgatoryLife = min(d.Constants.PurgatoryLife, shortest)
	}
	if d.one(8, "origin") {
		d.origin(seeks || syncs)
	}
	if d.one(4, "links") {
		d.links()
	}
	switch {
	case lone:
		d.lone()
	case seeks:
		d.bound()
	}
	if syncs {
		d.pair()
	}
	if !seeks && d.one(8, "slow disk") {
		d.Disk = scenarios.Disk{
			Journal: min(d.duration("journal", time.Millisecond, 2*time.Second, time.Millisecond), d.patience()),
			Order:   min(d.duration("order", time.Millisecond, 20*time.Second, time.Millisecond), d.patience()),
		}
	}
	if d.one(2, "family") {
		d.family(lone)
	}
	d.mishap()
	return d.Scenario
}

// few draws who is there: mostly everybody, with little to do.
func (d *drawing) few() {
	deeds := moteDeedsMin + d.below("deeds", moteDeedsMax-moteDeedsMin+1)
	actors := []struct {
		name  string
		actor *scenarios.Actor
		odds  int // of being there, in eighths
	}{{"owner", &d.Owner, 8}, {"maintainer", &d.Maintainer, 5}, {"stranger", &d.Stranger, 4}}
	sum := 0
	for _, a := range actors {
		if d.below(a.name+" at all", 8) < a.odds {
			a.actor.Every = 1
			sum++
		}
	}
	for _, a := range actors {
		if a.actor.Every > 0 {
			every := d.Duration * time.Duration(d.Repositories*sum) / time.Duration(deeds)
			a.actor.Every = max(every.Round(time.Second), time.Second)
		}
	}
}

// handful draws how people behave, and the few things that they do.
func (d *drawing) handful() {
	chains := workload.Chains()
	d.People = workload.Profile{
		Maintainers: d.pick("maintainers", 1, 1, 2, 2, 3), Chain: chains[d.below("chain", len(chains))],
		Dated: d.share("dated", 100_000, 300_000, 1_000_000), Partly: d.share("partly", 200_000, 500_000),
		Listing: d.share("listing", 300_000, 1_000_000), Retried: d.share("retried", 1_000_000),
		Aliases: d.one(16, "aliases"), Keys: moteKeys,
	}
	if d.Repositories > 1 {
		d.People.Identifiers = d.pick("identifiers", 0, 1)
		d.People.Owners = d.pick("owners", 0, 1)
	}
	d.People.Team = d.words("team", workload.OpWork)
	d.People.Stranger = d.words("stranger", workload.OpClaim)
	for _, op := range []workload.Op{workload.OpMeanwhile, workload.OpSeldom} {
		if d.one(12, "team "+op.String()) {
			d.People.Team[op] = 2
		}
		if d.one(24, "stranger "+op.String()) {
			d.People.Stranger[op] = 2
		}
	}
}

// words draws two to five operations.
func (d *drawing) words(who string, always workload.Op) (w workload.Weights) {
	for i := range 1 + d.below(who+" words", 4) {
		w[d.below(fmt.Sprint(who, " word ", i), int(workload.OpMany))]++
	}
	w[always] = max(w[always], 1)
	return w
}

// bounds draws a limit that small numbers reach, two or none, and has people do what reaches it.
func (d *drawing) bounds() {
	k := &d.Constants
	all := []struct {
		out    *int
		op     workload.Op
		values []int
	}{
		{&k.HeldMax, workload.OpUnpushed, []int{1, 2, 3}},
		{&k.HeldBytesMax, workload.OpUnpushed, []int{400, 700, 1500}},
		{&k.HeldPerKeyMax, workload.OpUnpushed, []int{1, 2}},
		{&k.HeldBytesPerKeyMax, workload.OpUnpushed, []int{400, 700, 1500}},
		{&k.StoredMax, workload.OpOther, []int{1, 2, 3, 5}},
		{&k.StoredBytesMax, workload.OpSpeak, []int{700, 1500, 3000}},
		{&k.PlaceholdersMax, workload.OpPull, []int{1, 2}},
		{&k.TombstonesMax, workload.OpRemove, []int{1, 2}},
		{&k.ExpiredMax, workload.OpPassing, []int{1, 2}},
		{&k.SearchAtOnce, workload.OpQuery, []int{1, 10}},
	}
	for i := range d.pick("limits", 0, 0, 1, 1, 2) {
		l := all[d.below(fmt.Sprint("limit ", i), len(all))]
		*l.out = d.pick(fmt.Sprint("bound ", i), l.values...)
		d.People.Team[l.op]++
		d.People.Stranger[l.op]++
	}
}

// pair draws two servers that sync.
func (d *drawing) pair() {
	d.Sync.Bound = pairBound
	l := &d.Links
	l.Latency, l.Jitter, l.TailDelay = min(l.Latency, time.Second), min(l.Jitter, 4*time.Second), min(l.TailDelay, 4*time.Second)
	l.Loss = min(l.Loss, 100_000)
	d.Sync.Bootstrap = []scenarios.Bootstrap{scenarios.BootstrapAll, scenarios.BootstrapRing, scenarios.BootstrapNone}[d.below("bootstrap", 3)]
	d.People.Partly = int64(d.pick("partly told", 300_000, 1_000_000))
	if d.one(4, "relay") {
		r := d.relay("relay1.example")
		d.Relays = append(d.Relays, r)
		if r.Negentropy != relayhost.Reconciles {
			d.People.Dated = 0 // pages of what came since an outage do not have what is dated before it (D-28)
		}
	}
	if d.room(); d.Constants != (scenarios.Constants{PurgatoryLife: d.Constants.PurgatoryLife}) {
		d.Sync.Bound = syncBound // what has found no room is asked for again, later each time up to an hour
	}
	d.Invariants = append(slices.Clone(d.Invariants), invariant.SyncIDs()...)
	slices.Sort(d.Invariants)
}

// lone draws a git host with the data of a newcomer or two, and servers that look for it there.
func (d *drawing) lone() {
	d.Hosts = []scenarios.Host{d.host("git1.example", 1)}
	d.Arrivals = scenarios.Arrivals{
		Identifiers: 1 + d.below("identifiers of arrivals", 2), Events: d.pick("events", 1, 1, 2), URLs: d.pick("urls", 1, 1, 2), Hosts: 1,
		Within: d.duration("within", time.Millisecond, d.Duration/2, time.Millisecond),
		Synced: d.share("synced", 500_000, 1_000_000), PullRequests: d.share("pull requests", 300_000, 1_000_000),
		Twice: d.share("twice", 1_000_000),
	}
	d.bound()
}

// mishap draws one thing that goes wrong, or none.
func (d *drawing) mishap() {
	for server := 1; server <= d.Servers; server++ {
		name := func(what string) string { return fmt.Sprintf("mishap of server%d %s", server, what) }
		switch d.below(name("at all"), 6) {
		case 0:
			f := fault.Fault{Do: fault.Crash, Server: server}
			f.At, f.For = d.span(name("crash"))
			d.Faults = append(d.Faults, f)
		case 1:
			d.moment(server, name)
		case 2:
			d.ends(server, name)
		case 3:
			deeds := []fault.Deed{fault.Fail, fault.Doubt, fault.Fill, fault.Slow, fault.Part, fault.Jump, fault.Drift}
			do := deeds[d.below(name("what"), len(deeds))]
			if d.Hunt.Bound > 0 && do != fault.Part && do != fault.Jump && do != fault.Drift {
				continue // the monitor of a hunt knows how long a look takes
			}
			d.disturb(server, do, func(what string) string { return name(string(do) + " " + what) })
		}
	}
}

// moment draws a crash at one of the first moments of a kind.
func (d *drawing) moment(server int, name func(string) string) {
	kinds := append(fault.Kinds(), fault.Named()...)
	f := fault.Fault{
		Do: []fault.Deed{fault.Crash, fault.Crash, fault.Tear, fault.Stop}[d.below(name("deed"), 4)], Server: server,
		After: fault.Point{Kind: kinds[d.below(name("kind"), len(kinds))], N: 1 + d.below(name("n"), d.pick(name("range"), 2, 5, 30))},
		For:   d.duration(name("down"), time.Second, min(5*time.Minute, d.Duration/2), time.Second),
	}
	d.Faults = append(d.Faults, f)
}
