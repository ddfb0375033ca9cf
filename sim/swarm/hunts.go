package swarm

import (
	"fmt"
	"slices"
	"time"

	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim/fault"
	"github.com/graspkit/graspkit/sim/workload"
)

// Hunts is what stands for the small world of each seed in which hosts have what a server or two need, and little else is there.
const Hunts = "hunts"

// How long such a world lasts: in one of eight a host that is listed as broken may be asked again.
const (
	huntShortest = 10 * time.Minute
	huntLongest  = 4 * time.Hour
	huntBeyond   = 13 * time.Hour
	listedFor    = 12 * time.Hour // how long a host is let be that was not what it is (REF-HUNT-25)
)

// Hunter is the small world of a seed in which few identifiers are hunted at few hosts, and what is new comes while something is asked
// for: several events within the time of an attempt, of which some lack what others lack, hosts that are slow, ask to be let alone and
// name what they lack one by one. It is valid, and its run takes milliseconds.
func Hunter(seed uint64) scenarios.Scenario {
	d := newDrawing(seed, Hunts)
	d.Duration = d.duration("duration", huntShortest, huntLongest, time.Minute)
	if d.one(8, "beyond") {
		d.Duration = huntBeyond + d.duration("duration beyond", time.Minute, huntLongest, time.Minute)
	}
	d.Servers = d.pick("servers", 1, 1, 1, 2)
	if d.one(3, "people beside the hunt") {
		d.Repositories = 1
		d.few()
		d.handful()
		d.People.Team[workload.OpLimit], d.People.Stranger[workload.OpLimit] = 0, 0
	}
	if !d.one(3, "delays of the text") {
		d.Hunt.UserDelay = d.duration("user delay", time.Millisecond, time.Minute, time.Millisecond)
		d.Hunt.SyncDelay = d.duration("sync delay", time.Millisecond, 10*time.Second, time.Millisecond)
	}
	if d.one(2, "pace of the hunt") {
		d.Hunt.Concurrent, d.Hunt.Rate = d.pick("concurrent", 1, 2, 2, 5), d.pick("rate", 2, 5, 10, 30)
	}
	hosts := d.pick("hosts", 1, 1, 2, 2, 3)
	for i := range hosts {
		h := d.host(fmt.Sprintf("git%d.example", i+1), hosts)
		h.Erratic = !h.Absent && d.one(2, h.Name+" erratic")
		if !h.Absent && d.one(4, h.Name+" gone") {
			h.Gone = d.duration(h.Name+" goes", time.Second, d.Duration/4, time.Second)
			h.GoneAs = scenarios.GoneAs()[d.below(h.Name+" gone as", len(scenarios.GoneAs()))]
			if d.one(2, h.Name+" back") {
				h.Back = h.Gone + d.duration(h.Name+" comes back", time.Second, d.Duration/2, time.Second)
			}
		}
		d.Hosts = append(d.Hosts, h)
	}
	a := &d.Arrivals
	*a = scenarios.Arrivals{
		Identifiers: 1 + d.below("identifiers of arrivals", 3), Events: d.pick("events", 1, 2, 3, 5), URLs: d.pick("urls", 1, 1, 2, 4),
		Hosts: 1 + d.below("hosts of arrivals", hosts), Within: d.duration("within", time.Millisecond, d.Duration/4, time.Millisecond),
		Synced: d.share("synced", 500_000, 1_000_000), PullRequests: d.share("pull requests", 300_000, 1_000_000),
		Twice: d.share("twice", 300_000, 1_000_000), Moves: d.share("moves", 200_000),
	}
	if d.one(2, "later") {
		a.Later = d.duration("later of arrivals", time.Second, d.Duration/4, time.Second)
	}
	a.Apart = d.duration("apart", time.Second, d.Duration/5, time.Second)
	for d.turns() > turnsMost && a.URLs > 1 {
		a.URLs /= 2
	}
	d.bound()
	d.Hunt.Bound += d.turns() * time.Duration(2*a.Events) // hosts name what they lack one by one
	if slices.ContainsFunc(d.Hosts, func(h scenarios.Host) bool { return h.Gone > 0 }) {
		d.Hunt.Bound += listedFor
	}
	d.Constants.PurgatoryLife = min(max(d.Constants.PurgatoryLife, 2*d.Hunt.Bound), scenarios.LifeMax)
	for server := 1; server <= d.Servers; server++ {
		name := func(what string) string { return fmt.Sprintf("mishap of server%d %s", server, what) }
		switch d.below(name("at all"), 8) {
		case 0:
			f := fault.Fault{Do: fault.Crash, Server: server}
			f.At, f.For = d.span(name("crash"))
			d.Faults = append(d.Faults, f)
		case 1:
			d.ends(server, name)
		case 2:
			d.moment(server, name)
		case 3:
			d.disturb(server, fault.Jump, func(what string) string { return name("jump " + what) })
		}
	}
	return d.Scenario
}
