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

// Peers is what stands for the small world of each seed in which one server, or two, depend on what relays have.
const Peers = "peers"

// How much all people of such a world do together, and by when a server has to have it.
const (
	peerDeedsMin = 6
	peerDeedsMax = 60
	peerBound    = 70 * time.Minute // no pause is longer than an hour
)

// jumpMost is how far ahead a clock is set: what came in a gap is asked for by the time of day, from a quarter of an hour earlier on.
const jumpMost = 14 * time.Minute

// peerOps are what relays may have that servers lack, what lets it in, and what takes that away again.
var peerOps = []workload.Op{
	workload.OpAnnounce, workload.OpAnnounce, workload.OpWork, workload.OpUnpushed, workload.OpUnpushed, workload.OpDrop, workload.OpDrop,
	workload.OpRemove, workload.OpRemove, workload.OpClaim, workload.OpIssue, workload.OpIssue, workload.OpSpeak, workload.OpSpeak,
	workload.OpOther, workload.OpPull, workload.OpUpdate, workload.OpCopy, workload.OpPassing, workload.OpBack, workload.OpOdd, workload.OpEdge,
}

// Peer is the small world of a seed in which relays have most of what people do, and servers have to get it from there: what is refused
// before what lets it in is here, what comes while nobody listens, and what ends in the middle of an answer. It is valid. In
// one of eight there is little room for what waits.
func Peer(seed uint64) scenarios.Scenario {
	d := newDrawing(seed, Peers)
	d.Duration = d.duration("duration", 10*time.Minute, 6*time.Hour, time.Minute)
	d.Servers = d.pick("servers", 1, 1, 1, 1, 2)
	d.Repositories = d.pick("repositories", 1, 1, 2, 2, 3)
	d.circle()
	d.Constants.PurgatoryLife = d.duration("purgatory life", time.Minute, 6*time.Hour, time.Second)
	if d.one(6, "origin") {
		d.origin(true)
	}
	d.Links = scenarios.Links{Latency: d.duration("latency", time.Millisecond, time.Second, time.Millisecond)}
	d.Sync.Bound = peerBound
	if d.Servers > 1 {
		d.Sync.Bootstrap = []scenarios.Bootstrap{scenarios.BootstrapAll, scenarios.BootstrapNone, scenarios.BootstrapNone}[d.below("bootstrap", 3)]
		d.People.Partly = int64(d.pick("partly told", 300_000, 1_000_000))
	}
	for i := range d.pick("relays", 1, 1, 2, 2, 3) {
		r := d.relay(fmt.Sprintf("relay%d.example", i+1))
		r.Only = int64(d.pick(r.Name+" much of it only there", 300_000, 700_000, 1_000_000))
		r.Trouble = d.noticeable(slices.Concat(r.Trouble, d.losses(r.Name)))
		if r.Negentropy != relayhost.Reconciles {
			d.People.Dated = 0 // pages of what came since an outage do not have what is dated before it (D-28)
		}
		d.Relays = append(d.Relays, r)
	}
	if d.one(3, "private servers at all") {
		d.private()
	}
	if d.one(8, "little room") {
		d.Constants.HeldMax = d.pick("held", 1, 2, 3)
		d.Sync.Bound = syncBound // what has found no room is asked for again, later each time up to an hour
	}
	d.outages()
	d.Invariants = append(slices.Clone(d.Invariants), invariant.SyncIDs()...)
	slices.Sort(d.Invariants)
	return d.Scenario
}

// circle draws who there is and what they do: two to six things each.
func (d *drawing) circle() {
	chains := workload.Chains()
	d.People = workload.Profile{
		Maintainers: d.pick("maintainers", 1, 1, 2, 3), Chain: chains[d.below("chain", len(chains))], Dated: d.share("dated", 100_000, 300_000),
		Listing: d.share("listing", 300_000, 1_000_000), Keys: moteKeys, Identifiers: d.pick("identifiers", 0, 1), Owners: d.pick("owners", 0, 1),
	}
	deeds := peerDeedsMin + d.below("deeds", peerDeedsMax-peerDeedsMin+1)
	every := max((d.Duration * time.Duration(3*d.Repositories) / time.Duration(deeds)).Round(time.Second), time.Second)
	d.Owner.Every = every
	if !d.one(3, "no maintainer") {
		d.Maintainer.Every = every
	}
	if !d.one(3, "no stranger") {
		d.Stranger.Every = every
	}
	words := func(who string, always workload.Op) (w workload.Weights) {
		for i := range 1 + d.below(who+" words", 5) {
			w[peerOps[d.below(fmt.Sprint(who, " word ", i), len(peerOps))]]++
		}
		w[always] = max(w[always], 1)
		return w
	}
	d.People.Team, d.People.Stranger = words("team", workload.OpWork), words("stranger", workload.OpIssue)
}

// losses draws when a relay ends connections, refuses or hides what it has for a while.
func (d *drawing) losses(name string) (list []relayhost.Trouble) {
	modes := []relayhost.Mode{
		relayhost.Refuses, relayhost.Drops, relayhost.Closes, relayhost.Hangs, relayhost.Freezes, relayhost.Hides, relayhost.Bars,
	}
	for i := range d.pick(name+" losses", 0, 0, 1, 2, 3) {
		of := func(what string) string { return fmt.Sprintf("%s loss %d %s", name, i, what) }
		t := relayhost.Trouble{Mode: modes[d.below(of("mode"), len(modes))]}
		t.From = d.duration(of("from"), time.Second, d.Duration, time.Second)
		t.Until = t.From + d.duration(of("for"), 10*time.Second, time.Hour, time.Second)
		switch t.Mode { //nolint:exhaustive // the others have no settings of their own
		case relayhost.Drops:
			t.After = 1 + d.below(of("after"), 20)
		case relayhost.Closes:
			t.Text = []string{"error: not now", "rate-limited: slow down"}[d.below(of("text"), 2)]
		}
		list = append(list, t)
	}
	return list
}

// outages draws ends of servers, ways that nothing passes and clocks that are set.
func (d *drawing) outages() {
	for server := 1; server <= d.Servers; server++ {
		name := func(what string) string { return fmt.Sprintf("outage of server%d %s", server, what) }
		switch d.below(name("at all"), 6) {
		case 0:
			f := fault.Fault{Do: fault.Crash, Server: server}
			f.At, f.For = d.span(name("crash"))
			d.Faults = append(d.Faults, f)
		case 1, 2:
			d.Faults = append(d.Faults, d.end(server, name("end")))
		case 3:
			d.disturb(server, fault.Part, func(what string) string { return name("part " + what) })
		case 4:
			d.disturb(server, fault.Part, func(what string) string { return name("part " + what) })
			d.disturb(server, fault.Jump, func(what string) string { return name("jump " + what) })
			jump := &d.Faults[len(d.Faults)-1]
			jump.By = min(jump.By, jumpMost)
		}
	}
}

// end draws an end in order.
func (d *drawing) end(server int, name string) fault.Fault {
	f := fault.Fault{Do: fault.Stop, Server: server}
	f.At, f.For = d.span(name)
	return f
}
