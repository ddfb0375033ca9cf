package hunt_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/hunt"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// failer is a test or a property that can fail.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// A world carries the orders of a hunt out, and judges them as the hosts see them: it counts for itself what is in flight
// and what has started where.
type world struct {
	t        failer
	cfg      hunt.Config
	h        *hunt.Hunt
	now      instant.Instant
	open     map[hunt.FetchID]hunt.Fetch
	canceled map[hunt.FetchID]bool
	order    []hunt.FetchID // of open fetches
	starts   map[string][]instant.Instant
	flying   map[string]int
	broken   map[string]instant.Instant
	paused   map[string]instant.Instant
	hosts    []string // that were asked, in order
	log      []string // "1m20s id url" for every start
	fetches  []hunt.Fetch
	wants    map[string]hunt.Want
	quick    bool // no log, and the order of open fetches does not matter
}

const origin = instant.Instant(1_767_225_600 * int64(time.Second))

func newWorld(t failer, cfg hunt.Config) *world {
	w := &world{
		t: t, h: hunt.New(cfg), now: origin, open: map[hunt.FetchID]hunt.Fetch{}, canceled: map[hunt.FetchID]bool{},
		starts: map[string][]instant.Instant{}, flying: map[string]int{}, broken: map[string]instant.Instant{},
		paused: map[string]instant.Instant{},
		wants:  map[string]hunt.Want{},
	}
	w.cfg = cfg
	if w.cfg.Concurrent == 0 {
		w.cfg.Concurrent = 5
	}
	if w.cfg.Rate == 0 {
		w.cfg.Rate = 30
	}
	return w
}

func oid(name string) repo.OID {
	sum := sha256.Sum256([]byte(name))
	return repo.OID(hex.EncodeToString(sum[:20]))
}

func oids(names ...string) []repo.OID {
	var list []repo.OID
	for _, name := range names {
		list = append(list, oid(name))
	}
	slices.Sort(list)
	return list
}

// want is one need of the identifier's owner.
func want(identifier string, objects []repo.OID, urls ...string) hunt.Want {
	return hunt.Want{Identifier: identifier, Needs: []hunt.Need{{
		Target: repo.ID{Owner: "owner", Identifier: identifier}, OIDs: objects, URLs: urls,
	}}}
}

// add makes something new come for an identifier, and carries out what follows at once.
func (w *world) add(x hunt.Want, delay time.Duration) {
	w.t.Helper()
	w.wants[x.Identifier] = x
	if !w.h.Add(w.now, x, delay) {
		w.t.Fatalf("%s was left out", x.Identifier)
	}
	w.carryOut()
}

func (w *world) update(x hunt.Want) {
	w.t.Helper()
	w.wants[x.Identifier] = x
	w.h.Update(w.now, x, 0)
	w.carryOut()
}

func (w *world) remove(identifier string) {
	w.t.Helper()
	delete(w.wants, identifier)
	w.h.Remove(w.now, identifier)
	w.carryOut()
}

// carryOut takes every order and judges the outcome.
func (w *world) carryOut() {
	w.t.Helper()
	for n := 0; ; n++ {
		if n > 100_000 {
			w.t.Fatalf("orders without end")
		}
		o, ok := w.h.Next(w.now)
		if !ok {
			break
		}
		if o.Cancel {
			if _, known := w.open[o.Fetch.ID]; !known || w.canceled[o.Fetch.ID] {
				w.t.Fatalf("fetch %d canceled, which is not open", o.Fetch.ID)
			}
			w.canceled[o.Fetch.ID] = true
			continue
		}
		w.started(o.Fetch)
		if within := w.within(o.Fetch.Host); o.Recent != within {
			w.t.Fatalf("got %d requests at %s in the last minute, want %d", o.Recent, o.Fetch.Host, within)
		}
	}
	if at, ok := w.h.Deadline(); ok && at <= w.now {
		w.t.Fatalf("nothing to do at %s, but a deadline at %s", w.now.Sub(origin), at.Sub(origin))
	}
	for _, host := range w.hosts {
		flying, waiting := w.h.Load(host)
		if flying != w.flying[host] {
			w.t.Fatalf("got %d in flight at %s, want %d (INV-37)", flying, host, w.flying[host])
		}
		if waiting > 0 && w.free(host) {
			w.t.Fatalf("%d wait for %s, which has capacity (INV-29, INV-36)", waiting, host)
		}
	}
	if w.h.Open() != len(w.open) {
		w.t.Fatalf("got %d open fetches, want %d (INV-37)", w.h.Open(), len(w.open))
	}
}

func (w *world) started(f hunt.Fetch) {
	w.t.Helper()
	if !w.quick {
		for _, other := range w.open {
			if other.Identifier == f.Identifier && other.URL == f.URL {
				w.t.Fatalf("%s and %s ask %s twice at once (INV-40)", f.Identifier, other.Identifier, f.URL)
			}
		}
	}
	for _, o := range f.OIDs {
		if !repo.IsOID(string(o)) || o.IsZero() {
			w.t.Fatalf("asked for %q (INV-15)", o)
		}
	}
	if len(f.OIDs) == 0 {
		w.t.Fatalf("asked for nothing")
	}
	if w.broken[f.Host] > w.now {
		w.t.Fatalf("asked the broken host %s (INV-39)", f.Host)
	}
	if w.paused[f.Host] > w.now {
		w.t.Fatalf("asked %s, which limits the rate", f.Host)
	}
	if w.starts[f.Host] == nil && !w.quick {
		w.hosts = append(w.hosts, f.Host)
	}
	w.flying[f.Host]++
	if w.flying[f.Host] > w.cfg.Concurrent {
		w.t.Fatalf("%d requests in flight at %s (INV-35)", w.flying[f.Host], f.Host)
	}
	w.starts[f.Host] = append(w.starts[f.Host], w.now)
	starts := w.starts[f.Host]
	if n := len(starts); n > w.cfg.Rate && starts[n-1-w.cfg.Rate].Add(time.Minute) > w.now {
		w.t.Fatalf("more than %d requests within a minute at %s (INV-35)", w.cfg.Rate, f.Host)
	}
	w.open[f.ID] = f
	if w.quick {
		return
	}
	w.order = append(w.order, f.ID)
	w.fetches = append(w.fetches, f)
	w.log = append(w.log, fmt.Sprintf("%s %s %s", w.now.Sub(origin), f.Identifier, f.URL))
}

// within counts the starts at a host that are less than a minute ago.
func (w *world) within(host string) int {
	n := 0
	for _, at := range slices.Backward(w.starts[host]) {
		if at.Add(time.Minute) <= w.now {
			break
		}
		n++
	}
	return n
}

// free reports whether a host may be asked, as it counts itself.
func (w *world) free(host string) bool {
	starts := w.starts[host]
	n := len(starts)
	return w.broken[host] <= w.now && w.paused[host] <= w.now && w.flying[host] < w.cfg.Concurrent && (n < w.cfg.Rate || starts[n-w.cfg.Rate].Add(time.Minute) <= w.now)
}

// end ends an open fetch.
func (w *world) end(id hunt.FetchID, r hunt.Result) {
	w.t.Helper()
	f := w.close(id)
	if r.Failure == hunt.DNS || r.Failure == hunt.TLS || r.Failure == hunt.Protocol {
		if w.broken[f.Host] <= w.now {
			w.broken[f.Host] = w.now.Add(12 * time.Hour)
		}
	}
	if r.Failure == hunt.RateLimited {
		wait := min(r.RetryAfter, 10*time.Minute)
		if wait == 0 {
			wait = time.Minute
		}
		w.paused[f.Host] = max(w.paused[f.Host], w.now.Add(wait))
	}
	w.h.Done(w.now, id, r)
	w.carryOut()
}

func (w *world) close(id hunt.FetchID) hunt.Fetch {
	f := w.open[id]
	delete(w.open, id)
	delete(w.canceled, id)
	w.flying[f.Host]--
	if at := slices.Index(w.order, id); at >= 0 {
		w.order = slices.Delete(w.order, at, at+1)
	}
	return f
}

// endFirst ends the open fetch that started first.
func (w *world) endFirst(r hunt.Result) hunt.Fetch {
	w.t.Helper()
	if len(w.order) == 0 {
		w.t.Fatalf("nothing is open; so far: %q", w.log)
	}
	f := w.open[w.order[0]]
	w.end(f.ID, r)
	return f
}

// pass lets time pass, with every deadline on the way.
func (w *world) pass(d time.Duration) {
	w.t.Helper()
	until := w.now.Add(d)
	for {
		at, ok := w.h.Deadline()
		if !ok || at > until {
			break
		}
		w.now = at
		w.carryOut()
	}
	w.now = until
}

// expect compares the starts since the last call.
func (w *world) expect(lines ...string) {
	w.t.Helper()
	if !slices.Equal(w.log, lines) {
		w.t.Fatalf("got starts %q, want %q", w.log, lines)
	}
	w.log = nil
}

var (
	got      = hunt.Result{Got: true}
	notFound = hunt.Result{Failure: hunt.NotFound}
)

func lacking(names ...string) hunt.Result { return hunt.Result{Got: true, Missing: oids(names...)} }

func refusing(names ...string) hunt.Result {
	return hunt.Result{Failure: hunt.NotOurs, Missing: oids(names...)}
}

func url(host, identifier string) string { return "https://" + host + "/" + identifier + ".git" }

var _ failer = (*testing.T)(nil)
