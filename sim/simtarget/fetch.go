package simtarget

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/githost"
)

// timeouts are those of the live fetcher.
var timeouts = githost.Timeouts{Begin: 30 * time.Second, Whole: 10 * time.Minute}

// Results of fetches that no host has a part in, or that only the asker can tell.
const (
	lookupFailed githost.Result = "lookup"      // no host has the name
	notOurs      githost.Result = "not ours"    // the host has refused an object by name
	certificate  githost.Result = "certificate" // the host speaks no TLS
	forbidden    githost.Result = "forbidden"   // the URL is none that may be asked
	storeFailed  githost.Result = "store"       // the own repository is not there
)

// A fetchEnd is how a fetch ended.
type fetchEnd struct {
	result     githost.Result // githost.Done if the answer was taken
	missing    []repo.OID     // of the wanted objects, what the repository does not have
	denied     []repo.OID     // what the host has refused by name, if the result is notOurs
	retryAfter time.Duration
}

// A fetch is one under way.
type fetch struct {
	into   repo.ID
	oids   []repo.OID
	done   func(now instant.Instant, end fetchEnd)
	host   *gitHost // nil if no host has the name
	path   string
	number uint64 // at the host
	record int

	due  instant.Instant // when it ends, and how
	end  fetchEnd
	plan githost.Plan
}

// startFetch carries out a fetch as the live fetcher does: it asks the host that the URL names, in virtual time, and
// keeps what comes if it is whole. Done is called once, by the engine, when the fetch has ended; never if the server is
// gone by then. The caller holds the lock, and gives no id twice.
func (t *Target) startFetch(now instant.Instant, id uint64, into repo.ID, url string, oids []repo.OID, done func(instant.Instant, fetchEnd)) {
	f := &fetch{into: into, oids: slices.Clone(oids), done: done, due: now}
	t.fetches[id] = f
	authority, path, ok := place(url)
	f.host, f.path = t.hosts[authority], path
	switch {
	case !ok:
		f.end.result = forbidden
	case f.host == nil:
		f.end.result = lookupFailed
	case strings.HasPrefix(url, "https://"):
		f.end.result, f.host = certificate, nil // the hosts of a target speak plain HTTP
	default:
		f.number, f.plan = f.host.model.Ask(now, path, oids)
		f.record = f.host.begin(now, path, oids, f.plan)
		f.due, f.end.result = f.plan.Ending(now, timeouts)
		f.end.retryAfter = f.plan.RetryAfter
	}
}

// cancelFetch ends a fetch early; one that has ended is none of its business.
func (t *Target) cancelFetch(now instant.Instant, id uint64) {
	t.endFetch(now, id, "canceled")
}

// endFetch ends a fetch now, in place of the end that was to come.
func (t *Target) endFetch(now instant.Instant, id uint64, result githost.Result) {
	if f := t.fetches[id]; f != nil {
		f.due, f.end = now, fetchEnd{result: result}
	}
}

// A fetchTimer wakes a target when the next fetch ends.
type fetchTimer struct{ target *Target }

// next is the fetch that ends first.
func (w fetchTimer) next() (id uint64, f *fetch) {
	for _, other := range slices.Sorted(maps.Keys(w.target.fetches)) {
		if g := w.target.fetches[other]; f == nil || g.due < f.due {
			id, f = other, g
		}
	}
	return id, f
}

// Deadline implements sim.Timer.
func (w fetchTimer) Deadline() (instant.Instant, bool) {
	if _, f := w.next(); f != nil {
		return f.due, true
	}
	return 0, false
}

// Fire implements sim.Timer: one fetch ends.
func (w fetchTimer) Fire(now instant.Instant) {
	t := w.target
	id, f := w.next()
	delete(t.fetches, id)
	f.leave(now)
	if f.end.result == githost.Done {
		f.end.result, f.end.denied = t.take(f, f.plan)
	}
	missing, err := t.backend.Missing(f.into, f.oids)
	if err != nil {
		missing = f.oids
	}
	f.end.missing = missing
	f.done(now, f.end)
}

// dropFetches forgets all fetches, because the server that has asked is gone.
func (t *Target) dropFetches(now instant.Instant) {
	for _, f := range t.fetches {
		f.leave(now)
	}
	clear(t.fetches)
}

func (f *fetch) leave(now instant.Instant) {
	if f.host != nil {
		f.host.model.End(now, f.number)
		f.host.end(now, f.record)
	}
}

// take keeps what an answer brings. A host that lacks an object of those that were asked for names it and sends nothing,
// as git does.
func (t *Target) take(f *fetch, plan githost.Plan) (result githost.Result, denied []repo.OID) {
	var objects []gitstore.Object
	switch plan.Mode { //nolint:exhaustive // of those that lie comes nothing
	case githost.Cheats:
		objects = append(objects, gitstore.NewBlob([]byte("nobody has asked for this\n")))
	case githost.Serves, githost.Drips:
		for _, oid := range f.oids {
			if !f.host.gives(f.path, oid, plan) {
				return notOurs, []repo.OID{oid}
			}
		}
		objects = f.host.reached(f.path, plan.Objects)
	}
	var pack bytes.Buffer
	if err := gitstore.WritePack(&pack, objects); err != nil {
		panic("simtarget: invariant: write pack to memory: " + err.Error())
	}
	taking, err := t.backend.Take(cancel{}, f.into, f.oids, &pack)
	switch {
	case err != nil:
		return storeFailed, nil
	case taking.Refused != "":
		return githost.BadData, nil
	}
	return githost.Done, nil
}

// gives reports whether the host hands an object out: one that it has, and that it may be asked for.
func (h *gitHost) gives(path string, oid repo.OID, plan githost.Plan) bool {
	if slices.Contains(plan.Lacks, oid) {
		return false
	}
	old := h.behavior.Version == 1 || h.behavior.Version < 0 // then branches are asked for instead
	r := h.repositories[path]
	return !h.behavior.TipsOnly || old || r != nil && slices.Contains(r.tips, oid)
}

// reached returns what there is of the objects that the tips reach, in the order of a walk.
func (h *gitHost) reached(path string, tips []repo.OID) []gitstore.Object {
	r := h.repositories[path]
	if r == nil {
		return nil
	}
	var out []gitstore.Object
	seen := map[repo.OID]bool{}
	for todo := slices.Clone(tips); len(todo) > 0; {
		oid := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		object, there := r.objects[oid]
		if !there || seen[oid] {
			continue
		}
		seen[oid] = true
		out = append(out, object)
		todo = append(todo, object.Links()...)
	}
	return out
}
