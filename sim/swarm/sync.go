package swarm

import (
	"fmt"
	"slices"
	"time"

	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim/invariant"
	"github.com/graspkit/graspkit/sim/network"
	"github.com/graspkit/graspkit/sim/relayhost"
)

// syncBound is by when a server has what it has to have: the longest pauses after connections and after requests that have failed
// are an hour each, and what was refused for something missing comes one by one.
const syncBound = 3 * time.Hour

// noticed is how long a relay has to hang for everybody who is connected to it to notice: two minutes, and half a one without an answer.
const noticed = 3 * time.Minute

// servers draws how many servers there are that sync.
func (d *drawing) servers() { d.Servers = d.pick("servers that sync", 1, 2, 2, 2, 3, 3, 4) }

// sync draws how servers sync with each other and with relays.
func (d *drawing) sync() {
	d.Sync.Bound = syncBound
	l := &d.Links // a connection comes about within 15 s, and an answer in 30: servers give up else, for as long as it goes on
	l.Latency, l.Jitter, l.TailDelay = min(l.Latency, time.Second), min(l.Jitter, 4*time.Second), min(l.TailDelay, 4*time.Second)
	l.Loss = min(l.Loss, 100_000)
	d.Sync.Bootstrap = []scenarios.Bootstrap{
		scenarios.BootstrapAll, scenarios.BootstrapAll, scenarios.BootstrapRing, scenarios.BootstrapNone,
	}[d.below("bootstrap", 4)]
	relays := d.pick("relays", 0, 0, 1, 1, 2)
	if d.Servers == 1 {
		d.Sync.Bootstrap, relays = scenarios.BootstrapNone, d.pick("relays of one", 1, 1, 2, 3)
	}
	for i := range relays {
		d.Relays = append(d.Relays, d.relay(fmt.Sprintf("relay%d.example", i+1)))
	}
	d.People.Partly = int64(d.pick("partly told", 0, 300_000, 1_000_000, 1_000_000))
	if slices.ContainsFunc(d.Relays, func(r scenarios.Relay) bool { return r.Negentropy != relayhost.Reconciles }) {
		d.People.Dated = 0 // pages of what came since an outage do not have what is dated before it (D-28)
	}
	d.room()
	d.Invariants = append(slices.Clone(d.Invariants), invariant.SyncIDs()...)
	slices.Sort(d.Invariants)
}

// room has most servers that sync refuse and forget nothing for lack of room. What was refused for that is asked for again, later each time
// up to an hour, and there may be no room then either: it has to be there an hour after the last one came (INV-07). The scenario
// weak/87-no-room has a world in which it is.
func (d *drawing) room() {
	k := &d.Constants
	k.ExpiredMax = 0 // what ran out and is forgotten is asked for with the next daily pass
	if d.one(3, "room beside sync") {
		return
	}
	for _, most := range []*int{
		&k.HeldMax, &k.HeldBytesMax, &k.HeldPerKeyMax, &k.HeldBytesPerKeyMax, &k.StoredMax, &k.StoredBytesMax, &k.TombstonesMax,
	} {
		*most = 0
	}
}

// relay draws a relay that is no server, and its troubles, which end.
func (d *drawing) relay(name string) scenarios.Relay {
	draw := func(what string) string { return name + " " + what }
	r := scenarios.Relay{
		Config: relayhost.Config{Name: name, Challenges: d.one(4, draw("challenges"))},
		Link: network.Link{
			Latency: d.duration(draw("latency"), 0, time.Second, time.Millisecond), Loss: d.share(draw("loss"), 10_000, 100_000),
		},
		Told: d.one(2, draw("told")), Given: int64(d.pick(draw("given"), 200_000, 600_000, 1_000_000)),
		Only: d.share(draw("only"), 200_000, 600_000),
	}
	if !r.Told || d.one(3, draw("listed, too")) {
		r.Listed = int64(d.pick(draw("listed"), 300_000, 600_000, 1_000_000))
	}
	if d.one(3, draw("slow")) {
		r.Delay = d.duration(draw("delay"), time.Millisecond, 5*time.Second, time.Millisecond)
	}
	if d.one(2, draw("plain")) {
		ways := []relayhost.Negentropy{relayhost.Unknown, relayhost.Declines, relayhost.Ignores}
		r.Negentropy = ways[d.below(draw("negentropy"), len(ways))]
	}
	if d.one(3, draw("small pages")) {
		r.PageMax = d.pick(draw("page"), 5, 20, 100)
	}
	if d.one(4, draw("limited")) {
		r.PerMinute = d.pick(draw("per minute"), 3, 10, 30)
		if d.one(2, draw("by notice")) {
			r.Limiting = relayhost.ByNotice
		}
	}
	modes := slices.DeleteFunc(relayhost.Modes()[1:], func(m relayhost.Mode) bool { return m == relayhost.Bars || m == relayhost.Hides })
	for i := range d.pick(draw("troubles"), 0, 1, 1, 2, 3) {
		of := func(what string) string { return draw(fmt.Sprintf("trouble %d %s", i, what)) }
		t := relayhost.Trouble{Mode: modes[d.below(of("mode"), len(modes))]}
		if d.one(2, of("late")) {
			t.From = d.duration(of("from"), time.Second, d.Duration/2, time.Second)
		}
		t.Until = t.From + d.duration(of("until"), time.Minute, d.Duration/2, time.Second)
		if d.one(3, of("flaps")) {
			t.Period = d.duration(of("period"), time.Second, 20*time.Minute, time.Second)
		}
		switch t.Mode { //nolint:exhaustive // the others have no settings of their own
		case relayhost.Drops:
			t.After = 1 + d.below(of("after"), 12)
		case relayhost.Closes:
			t.Text = []string{"error: not now", "rate-limited: slow down", "blocked: you"}[d.below(of("text"), 3)]
		}
		r.Trouble = append(r.Trouble, t)
	}
	r.Trouble = d.noticeable(r.Trouble)
	return r
}

// noticeable leaves of the troubles of a relay what somebody who is connected to it can notice before the daily pass, which is behind the
// end of these worlds. Who hangs never tells what it is given meanwhile: that shows by a question in two minutes alone, or by the first ones
// of all, which get no answer. Who ends no answer cannot be asked whether it is there.
func (d *drawing) noticeable(list []relayhost.Trouble) []relayhost.Trouble {
	is := func(mode relayhost.Mode) func(relayhost.Trouble) bool {
		return func(t relayhost.Trouble) bool { return t.Mode == mode }
	}
	if at := slices.IndexFunc(list, is(relayhost.Hangs)); at >= 0 { // another trouble beside it would cut it short
		t := list[at]
		t.Period = 0
		if min(t.Until, d.Duration)-t.From < noticed {
			t.From = 0
		}
		return []relayhost.Trouble{t}
	}
	if slices.ContainsFunc(list, is(relayhost.Omits)) {
		return slices.DeleteFunc(list, is(relayhost.Freezes))
	}
	return list
}
