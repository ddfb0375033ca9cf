package sim

import (
	"fmt"
	"slices"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim/kernel"
	"github.com/graspkit/graspkit/sim/trace"
	"github.com/graspkit/graspkit/sim/workload"
)

// A newcomer is a repository that is announced during the run, with the hosts that get its data.
type newcomer struct {
	world *World
	by    *actor
	key   kernel.Key
	n     int
	work  *workload.Newcomer
	path  string
	at    []*outside
	moved int // how often it has named other hosts
}

// lag is the least time between an announcement and another event of the same repository: one that comes too early
// finds nobody who authorizes it.
const lag = time.Second

// addArrivals schedules the announcements of all newcomers. All of them speak through one actor.
func (w *World) addArrivals() {
	a := w.scenario.Arrivals
	if a.Identifiers == 0 {
		return
	}
	by := &actor{
		world: w, role: workload.Stranger, name: "newcomers", index: len(w.actors), key: kernel.NewKey(w.seed, "sim/actor").WithText("newcomers"),
	}
	w.actors = append(w.actors, by)
	for n := 1; n <= a.Identifiers; n++ {
		key := kernel.NewKey(w.seed, "sim/newcomer").With(uint64(n))
		c := &newcomer{world: w, by: by, key: key, n: n}
		w.engine.At(Start.Add(lag+time.Duration(key.WithText("announced").Below(int64(a.Within)))), key.Uint64(), (*announcing)(c))
	}
}

// places gives a newcomer its hosts, the next ones in turn, and its URLs there. All URLs of one host have the same data.
func (c *newcomer) places() (urls []string) {
	w, a := c.world, c.world.scenario.Arrivals
	c.path = fmt.Sprintf("/newcomer%d", c.n)
	count := len(w.outside)
	if a.Hosts > 0 {
		count = a.Hosts
	}
	c.at = nil
	for i := range count {
		h := w.outside[(c.n+c.moved+i)%len(w.outside)]
		c.at = append(c.at, h)
		for u := range a.URLs {
			urls = append(urls, "http://"+h.name+c.pathOf(u))
		}
	}
	if key := c.key.WithText("odd"); key.Chance(a.Odd) {
		odd := workload.OddURLs(key, c.at[0].name, c.pathOf(0), w.services()[0])
		at := int(key.WithText("before").Below(int64(len(odd) + 1)))
		urls = slices.Concat(odd[:at], urls, odd[at:])
	}
	return urls
}

func (c *newcomer) pathOf(url int) string { return fmt.Sprintf("%s/%d.git", c.path, url+1) }

// announcing is the task in which a newcomer announces itself.
type announcing newcomer

// Run implements Task.
func (t *announcing) Run(now instant.Instant) {
	c := (*newcomer)(t)
	w, a := c.world, c.world.scenario.Arrivals
	c.work = workload.NewNewcomer(w.keys, c.n, w.services(), c.places(), w.opts.Named)
	c.arrives(now, 0, c.key.WithText("announcement"), c.work.Announce(now))
	for i := range a.Events {
		key := c.key.WithText("event").With(uint64(i))
		after := lag
		if i > 0 {
			after += a.Later + time.Duration(key.Below(int64(a.Apart)+1))
		}
		w.engine.At(now.Add(after), key.Uint64(), &arriving{c, i, key})
	}
}

// arriving is the task in which an event of a newcomer comes, whose data the hosts get.
type arriving struct {
	of  *newcomer
	n   int // from 0
	key kernel.Key
}

// Run implements Task.
func (t *arriving) Run(now instant.Instant) {
	c := t.of
	if t.n > 0 && t.key.WithText("moves").Chance(c.world.scenario.Arrivals.Moves) {
		c.moved++
		c.arrives(now, t.n+1, t.key, c.work.Move(now, c.places()))
		return
	}
	build := c.work.State
	if t.n > 0 && t.key.WithText("pull request").Chance(c.world.scenario.Arrivals.PullRequests) {
		build = c.work.PullRequest
	}
	ev, oids := build(now)
	for _, h := range c.at {
		if h.model == nil {
			continue
		}
		for u := range c.world.scenario.Arrivals.URLs {
			h.model.Put(now, c.pathOf(u), oids...)
		}
	}
	c.arrives(now, t.n+1, t.key, ev)
}

// arrives has the event of a number, 0 for the announcement, come to all servers, now and perhaps once more within two
// minutes.
func (c *newcomer) arrives(now instant.Instant, n int, key kernel.Key, ev *nostr.Event) {
	w, a := c.world, c.world.scenario.Arrivals
	once := &coming{c, fmt.Sprintf("newcomer%d/%d", c.n, n), ev, key.WithText("synced").Chance(a.Synced)}
	once.Run(now)
	if key = key.WithText("twice"); key.Chance(a.Twice) {
		again := &coming{c, once.name + ".twice", ev, once.synced}
		w.engine.At(now.Add(time.Duration(key.Below(int64(2*time.Minute)))), key.Uint64(), again)
	}
}

// coming is the task in which an event comes to all servers, from a user or from a peer.
type coming struct {
	of     *newcomer
	name   string // of the operation
	event  *nostr.Event
	synced bool
}

// Run implements Task.
func (t *coming) Run(now instant.Instant) {
	w := t.of.world
	if !w.happens(t.name) {
		return
	}
	for _, s := range w.servers {
		if !t.synced {
			t.of.by.publish(now, s, t.event)
			continue
		}
		w.record(trace.Record{At: now, Host: s.Name, Fact: "synced", Event: t.event.ID, Kind: t.event.Kind})
		if s.open {
			s.Step(now, core.Synced{Event: t.event})
		}
	}
}
