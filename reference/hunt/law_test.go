package hunt_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/hunt"
	"github.com/graspkit/graspkit/reference/repo"
)

// Whatever comes, goes, fails and stalls: the world that carries the orders out counts that the limits of every host hold,
// that free capacity is used, that nothing is asked twice at once and no broken host at all; and in the end, when all of
// it can be had, every hunt ends (INV-29, INV-30, INV-35, INV-36, INV-37, INV-39, INV-40).
func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, hunt.Config{
			Concurrent: rapid.IntRange(1, 5).Draw(t, "concurrent"), Rate: rapid.IntRange(1, 8).Draw(t, "rate"),
		})
		names := []string{"a", "b", "c", "d", "e", "f", "g"}
		hosts := []string{"h", "i", "j"}
		draw := func(t *rapid.T) hunt.Want {
			name := rapid.SampledFrom(names).Draw(t, "identifier")
			x := hunt.Want{Identifier: name}
			for _, owner := range []repo.PubKey{"owner", "other"}[:rapid.IntRange(1, 2).Draw(t, "targets")] {
				n := hunt.Need{Target: repo.ID{Owner: owner, Identifier: name}}
				for _, o := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"1", "2", "3", "4"}), 1, 4, rapid.ID).Draw(t, "objects") {
					n.OIDs = append(n.OIDs, oid(o))
				}
				for range rapid.IntRange(0, 4).Draw(t, "sources") {
					n.URLs = append(n.URLs, url(rapid.SampledFrom(hosts).Draw(t, "host"), fmt.Sprint(name, rapid.IntRange(0, 2).Draw(t, "path"))))
				}
				x.Needs = append(x.Needs, n)
			}
			return x
		}
		t.Repeat(map[string]func(*rapid.T){
			"new": func(t *rapid.T) {
				w.add(draw(t), rapid.SampledFrom([]time.Duration{0, synced, user}).Draw(t, "delay"))
			},
			"burst": func(t *rapid.T) {
				for _, name := range names {
					w.add(want(name, oids("1"), url("h", name), url("h", name+"2")), 0)
				}
			},
			"other": func(t *rapid.T) { w.update(draw(t)) },
			"gone":  func(t *rapid.T) { w.remove(rapid.SampledFrom(names).Draw(t, "identifier")) },
			"pass": func(t *rapid.T) {
				w.pass(time.Duration(rapid.IntRange(0, 90_000).Draw(t, "ms")) * time.Millisecond)
			},
			"end": func(t *rapid.T) {
				if len(w.order) == 0 {
					t.Skip("nothing is open")
				}
				f := w.open[rapid.SampledFrom(w.order).Draw(t, "fetch")]
				r := hunt.Result{Failure: rapid.SampledFrom([]hunt.Failure{
					hunt.NoFailure, hunt.NoFailure, hunt.NotFound, hunt.NotOurs, hunt.RateLimited, hunt.Timeout, hunt.DNS,
				}).Draw(t, "failure")}
				r.Got = r.Failure == hunt.NoFailure
				if r.Got || r.Failure == hunt.NotOurs {
					r.Missing = rapid.SliceOfDistinct(rapid.SampledFrom(append(oids("other"), f.OIDs...)), rapid.ID).Draw(t, "missing")
				}
				if r.Failure == hunt.RateLimited {
					r.RetryAfter = time.Duration(rapid.IntRange(1, 1000).Draw(t, "retry after")) * time.Second
				}
				w.end(f.ID, r)
			},
		})
		w.settle(t)
	})
}

// settle lets everything be found, and expects every hunt with a source to end.
func (w *world) settle(t *rapid.T) {
	for until := w.now.Add(13 * time.Hour); w.now < until; {
		for len(w.order) > 0 {
			w.endFirst(got)
		}
		at, ok := w.h.Deadline()
		if !ok {
			break
		}
		w.pass(at.Sub(w.now))
	}
	for name, x := range w.wants {
		sources := 0
		for _, n := range x.Needs {
			sources += min(len(n.URLs), 1)
		}
		if sources == len(x.Needs) && w.h.Hunted(name) {
			t.Fatalf("%s is hunted still, after all could be found (INV-30)", name)
		}
	}
	for _, host := range w.hosts {
		if flying, waiting := w.h.Load(host); flying != 0 || waiting != 0 {
			t.Fatalf("%d in flight and %d waiting at %s in the end", flying, waiting, host)
		}
	}
}

// While somebody waits for a host, nobody else is served there twice, whoever comes, goes or is removed (REF-HUNT-11,
// INV-40, W-19).
func TestNobodyIsServedTwiceWhileSomebodyWaits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, hunt.Config{Concurrent: rapid.IntRange(1, 3).Draw(t, "concurrent"), Rate: 1_000_000})
		type member struct {
			left  int            // sources that it has not asked
			since map[string]int // starts of others while it waits; nil if it does not
		}
		members := map[string]*member{}
		next := 0
		seen := 0
		account := func() {
			for ; seen < len(w.fetches); seen++ {
				name := w.fetches[seen].Identifier
				for other, m := range members {
					if other == name || m.since == nil {
						continue
					}
					if m.since[name]++; m.since[name] > 1 {
						t.Fatalf("%s was served twice while %s waited: %q", name, other, w.log)
					}
				}
				if m := members[name]; m != nil {
					m.left--
					m.since = nil
				}
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"come": func(t *rapid.T) {
				next++
				name := fmt.Sprint(next)
				n := rapid.IntRange(1, 4).Draw(t, "sources")
				var urls []string
				for i := range n {
					urls = append(urls, url("h", fmt.Sprint(name, "-", i)))
				}
				members[name] = &member{left: n, since: map[string]int{}}
				w.add(want(name, oids("a"), urls...), 0)
				account()
			},
			"go": func(t *rapid.T) {
				if len(members) == 0 {
					t.Skip("nobody is there")
				}
				names := make([]string, 0, len(members))
				for name := range members {
					names = append(names, name)
				}
				slices.Sort(names)
				name := rapid.SampledFrom(names).Draw(t, "who")
				delete(members, name)
				w.remove(name)
				account()
			},
			"end": func(t *rapid.T) {
				if len(w.order) == 0 {
					t.Skip("nothing is open")
				}
				f := w.open[rapid.SampledFrom(w.order).Draw(t, "fetch")]
				if m := members[f.Identifier]; m != nil && m.left == 0 {
					delete(members, f.Identifier)
					w.end(f.ID, got)
				} else {
					if m != nil {
						m.since = map[string]int{}
					}
					w.end(f.ID, notFound)
				}
				account()
			},
		})
	})
}

// The order in which orders come depends on nothing but what was told.
func TestOrdersAreDetermined(t *testing.T) {
	run := func() []string {
		w := newWorld(t, hunt.Config{Concurrent: 2, Rate: 7})
		for i := range 40 {
			name := fmt.Sprint("x", i)
			w.add(want(name, oids("a"), url("h", name), url(fmt.Sprint("h", i%5), name), url("i", name)), time.Duration(i%3)*time.Second)
		}
		for range 300 {
			if len(w.order) > 0 {
				w.endFirst(notFound)
			}
			w.pass(time.Second)
		}
		return w.log
	}
	first := run()
	for range 3 {
		if again := run(); !slices.Equal(first, again) {
			t.Fatalf("got %q, then %q", first, again)
		}
	}
}
