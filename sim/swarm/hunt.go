package swarm

import (
	"fmt"
	"time"

	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim/githost"
	"github.com/graspkit/graspkit/sim/network"
)

// hunt draws git hosts that have data which nobody pushes, and how servers look for it.
func (d *drawing) hunt() {
	if d.one(2, "delays of the hunt") {
		d.Hunt.UserDelay = d.duration("user delay", time.Millisecond, 5*time.Minute, time.Millisecond)
		d.Hunt.SyncDelay = d.duration("sync delay", time.Millisecond, 10*time.Second, time.Millisecond)
	}
	if d.one(2, "pace of the hunt") {
		d.Hunt.Concurrent, d.Hunt.Rate = d.pick("concurrent", 1, 1, 2, 5), d.pick("rate", 2, 5, 10, 30)
	}
	d.Duration = max(d.Duration, time.Hour)
	hosts := d.pick("hosts", 1, 1, 2, 3, 4)
	for i := range hosts {
		d.Hosts = append(d.Hosts, d.host(fmt.Sprintf("git%d.example", i+1), hosts))
	}
	d.Arrivals = scenarios.Arrivals{
		Identifiers: 1 + d.below("identifiers of arrivals", 12), Events: d.pick("events", 1, 1, 2, 4), URLs: d.pick("urls", 1, 1, 2, 10),
		Hosts:  1 + d.below("hosts of arrivals", hosts),
		Within: d.duration("within", time.Millisecond, d.Duration/2, time.Millisecond),
		Synced: d.share("synced", 100_000, 500_000, 1_000_000), PullRequests: d.share("pull requests", 300_000, 1_000_000),
		Twice: d.share("twice", 100_000, 1_000_000),
	}
	if d.one(2, "later") {
		d.Arrivals.Later = d.duration("later of arrivals", time.Second, d.Duration/4, time.Second)
		d.Arrivals.Apart = d.duration("apart", time.Second, d.Duration/5, time.Second)
	}
	for a := &d.Arrivals; d.turns() > turnsMost && a.URLs*a.Identifiers > 1; { // else servers ask without an end, for days
		if a.URLs > 1 {
			a.URLs /= 2
		} else {
			a.Identifiers--
		}
	}
	d.bound()
}

// turnsMost is how long it may take to ask for everything once.
const turnsMost = 2 * time.Hour

// bound is by when all must have been asked for, wherever hosts take their time.
func (d *drawing) bound() {
	d.Hunt.Bound = 30*time.Minute + d.turns()
	d.Constants.PurgatoryLife = min(max(d.Constants.PurgatoryLife, 2*d.Hunt.Bound), scenarios.LifeMax)
}

// turns is how long it takes to ask for every identifier in turn at every URL that there is, one by one if need be. A request that
// hangs or drips is given up after ten minutes.
func (d *drawing) turns() time.Duration {
	slowest := 2 * time.Minute
	for _, h := range d.Hosts {
		for _, t := range h.Trouble {
			if t.Mode == githost.Hangs || t.Mode == githost.Drips {
				slowest = 11 * time.Minute
			}
		}
	}
	one := max(d.Hunt.Concurrent, 1)
	turns := (d.Arrivals.Identifiers*d.Arrivals.URLs + d.Repositories + one - 1) / one
	return time.Duration(turns) * slowest
}

// host draws a git host and its troubles.
func (d *drawing) host(name string, hosts int) scenarios.Host {
	if d.one(8, name+" absent") {
		return scenarios.Host{Config: githost.Config{Name: name}, Absent: true}
	}
	h := scenarios.Host{Config: githost.Config{
		Name: name, Delay: d.duration(name+" delay", 0, 20*time.Second, time.Millisecond),
		Link: network.Link{
			Latency: d.duration(name+" latency", 0, time.Second, time.Millisecond), Loss: d.share(name+" loss", 10_000, 100_000),
		},
		Lacking: d.share(name+" lacking", 100_000, 500_000),
	}}
	if d.one(3, name+" late at all") {
		h.Late = d.duration(name+" late", time.Second, 20*time.Minute, time.Second)
	}
	if d.one(3, name+" limited") {
		h.PerMinute, h.RetryAfter = d.pick(name+" per minute", 2, 10, 25), d.duration(name+" retry after", 0, 5*time.Minute, time.Second)
		if d.one(6, name+" longer than anybody waits") {
			h.RetryAfter = 15 * time.Minute
		}
	}
	modes := githost.Modes()[1:]
	for i := range d.pick(name+" troubles", 0, 1, 1, 2, 3) {
		of := fmt.Sprintf("%s trouble %d ", name, i)
		t := githost.Trouble{Mode: modes[d.below(of+"mode", len(modes))]}
		if d.one(2, of+"late") {
			t.From = d.duration(of+"from", time.Second, d.Duration/2, time.Second)
		}
		if !d.one(3, of+"for ever") {
			t.Until = t.From + d.duration(of+"until", time.Minute, d.Duration, time.Second)
		}
		if d.one(2, of+"flaps") {
			t.Period = d.duration(of+"period", time.Second, 20*time.Minute, time.Second)
		}
		if d.one(3, of+"mild") {
			t.Well = 500_000
		}
		if d.one(3, of+"slow") {
			t.Delay = d.duration(of+"delay", time.Second, time.Minute, time.Second)
		}
		switch t.Mode { //nolint:exhaustive // the others have no settings of their own
		case githost.Limits:
			t.RetryAfter = d.duration(of+"retry after", 0, 5*time.Minute, time.Second)
		case githost.Redirects:
			t.RedirectTo = fmt.Sprintf("http://git%d.example", 1+d.below(of+"to", hosts+1)) // the last one is nowhere
		case githost.Drips:
			t.Slow = d.duration(of+"slowness", time.Second, 15*time.Minute, time.Second)
		}
		h.Trouble = append(h.Trouble, t)
	}
	return h
}
