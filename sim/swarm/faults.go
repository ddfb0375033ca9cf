package swarm

import (
	"cmp"
	"fmt"
	"time"

	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim/fault"
)

// faults draws what goes wrong with servers besides their crashes at times: ends at points, in order and behind old backups,
// disks that fail, lie, fill and slow down, clocks that jump and ways that nothing passes.
func (d *drawing) faults() {
	for server := 1; server <= d.Servers; server++ {
		name := func(what string) string { return fmt.Sprintf("faults of server%d %s", server, what) }
		d.points(server, name)
		if d.one(3, name("ends in order")) {
			d.ends(server, name)
		}
		for _, do := range []fault.Deed{fault.Fail, fault.Doubt, fault.Fill, fault.Slow, fault.Part, fault.Jump, fault.Drift} {
			if !d.one(6, name(string(do))) || d.Hunt.Bound > 0 && do != fault.Part && do != fault.Jump && do != fault.Drift {
				continue // the monitor of a hunt knows how long a look takes
			}
			d.disturb(server, do, func(what string) string { return name(string(do) + " " + what) })
		}
	}
}

// What a world has where nothing else is drawn.
const (
	usualLife  = 30 * time.Minute
	usualOrder = 40 * time.Millisecond // of a disk
)

// life is how long events wait for git data.
func (d *drawing) life() time.Duration { return cmp.Or(d.Constants.PurgatoryLife, usualLife) }

// patience is how long an order or a write may take: a tenth of what an event waits for, so that no answer takes a whole life,
// and little enough for what waits at the end to be done in the quiet phase.
func (d *drawing) patience() time.Duration { return min(d.life()/10, time.Minute) }

// points draws crashes at kinds of moments, in restarts too.
func (d *drawing) points(server int, name func(string) string) {
	if !d.one(3, name("points")) {
		return
	}
	kinds := append(fault.Kinds(), fault.Named()...)
	for i := range 1 + d.below(name("number"), 4) {
		key := func(what string) string { return name(fmt.Sprintf("%s %d", what, i)) }
		after := fault.Point{Kind: kinds[d.below(key("kind"), len(kinds))], N: 1 + d.below(key("n"), d.pick(key("range"), 3, 20, 200))}
		if d.one(3, key("in a life")) {
			after.Life = 1 + d.below(key("life"), 4)
		}
		f := fault.Fault{Do: fault.Crash, Server: server, After: after, For: d.duration(key("down"), time.Second, 5*time.Minute, time.Second)}
		switch {
		case d.one(4, key("in order")):
			f.Do = fault.Stop
		case d.one(3, key("torn")):
			f.Do = fault.Tear
		}
		d.Faults = append(d.Faults, f)
	}
}

// ends draws one end in order or behind a backup, unless the server crashes at times.
func (d *drawing) ends(server int, name func(string) string) {
	for _, f := range d.Faults {
		if f.Server == server && f.Ends() && f.At > 0 {
			return
		}
	}
	f := fault.Fault{Do: fault.Stop, Server: server}
	f.At, f.For = d.span(name("end"))
	if f.At > 2*scenarios.Pause && d.one(3, name("backup")) {
		f.Do, f.Of = fault.Restore, d.duration(name("backup of"), time.Second, f.At, time.Second)
	}
	d.Faults = append(d.Faults, f)
}

// span draws when something begins and how long it lasts.
func (d *drawing) span(name string) (at, lasts time.Duration) {
	lasts = d.duration(name+" lasts", time.Second, d.Duration/4, time.Second)
	return d.duration(name+" begins", time.Second, d.Duration-lasts, time.Second), lasts
}

// disturb draws one fault that ends no life.
func (d *drawing) disturb(server int, do fault.Deed, name func(string) string) {
	f := fault.Fault{Do: do, Server: server}
	f.At, f.For = d.span(name("span"))
	if do == fault.Fill {
		f.For = min(f.For, max(d.life()/2, time.Second))
	}
	switch do { //nolint:exhaustive // the others have no words of their own
	case fault.Fail, fault.Doubt:
		orders := fault.Orders()
		f.Order = orders[d.below(name("order"), len(orders))]
	case fault.Slow:
		f.Times = d.pick(name("times"), 2, 10, 100, 1000)
		usual := max(d.Disk.Order, d.Disk.Journal, usualOrder)
		f.Times = min(f.Times, max(int(d.patience()/usual), 1))
	case fault.Jump:
		f.For, f.By = 0, time.Duration(d.below(name("by"), 2*3600)-3600)*time.Second
	case fault.Drift:
		f.By = time.Duration(d.below(name("by"), 2*2000+1)-2000) * time.Millisecond
	case fault.Part:
		with := []string{fault.Everybody}
		if d.Owner.Every > 0 {
			with = append(with, "owner1")
		}
		if d.Hunt.Bound > 0 {
			with = append(with, fault.Names)
		}
		for _, h := range d.Hosts {
			with = append(with, h.Name)
		}
		for _, r := range d.Relays {
			with = append(with, r.Name)
		}
		if d.Servers > 1 {
			with = append(with, fmt.Sprintf("server%d", server%d.Servers+1))
		}
		f.With = with[d.below(name("with"), len(with))]
		f.Way = []string{fault.BothWays, fault.Sent, fault.Received}[d.below(name("way"), 3)]
	}
	d.Faults = append(d.Faults, f)
}
