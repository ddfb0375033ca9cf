package simtarget

import (
	"bytes"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/githost"
)

// A spot is a repository at a fake host, as one fetch of the server reaches it.
type spot struct {
	host   *gitHost
	path   string
	record int
}

// nothing is what a URL leads to where nobody can be asked.
type nothing core.FetchFailure

// Ask implements sim.Place.
func (n nothing) Ask(now instant.Instant, x *sim.Exchange) {
	x.EndsAt(now, sim.Ended(core.FetchFailure(n)))
}

// Over implements sim.Place.
func (nothing) Over(instant.Instant, *sim.Exchange) {}

// locate finds what a URL leads to.
func (t *Target) locate(url string) sim.Place {
	authority, path, ok := place(url)
	switch host := t.hosts[authority]; {
	case !ok:
		return nothing(core.FetchForbidden)
	case host == nil:
		return nothing(core.FetchNoName)
	case strings.HasPrefix(url, "https://"):
		return nothing(core.FetchNoTrust) // the hosts of a target speak plain HTTP
	default:
		return &spot{host: host, path: path}
	}
}

// Ask implements sim.Place.
func (s *spot) Ask(now instant.Instant, x *sim.Exchange) {
	var plan githost.Plan
	x.Number, plan = s.host.model.Ask(now, s.path, x.OIDs)
	s.record = s.host.begin(now, s.path, x.OIDs, plan)
	due, result := sim.Ending(now, plan)
	x.EndsAt(due, func(instant.Instant) core.FetchDone { return s.ended(x, plan, result) })
}

// Over implements sim.Place.
func (s *spot) Over(now instant.Instant, x *sim.Exchange) {
	s.host.model.End(now, x.Number)
	s.host.end(now, s.record)
}

// ended says what has come of a fetch that was waited for, as the live fetcher does: what is missing is what the store lacks.
func (s *spot) ended(x *sim.Exchange, plan githost.Plan, result githost.Result) core.FetchDone {
	failure, failed := sim.FailureOf(result)
	if failed {
		return core.FetchDone{Failure: failure, RetryAfter: plan.RetryAfter}
	}
	if end, kept := s.take(x, plan); !kept {
		return end
	}
	missing, err := s.host.target.backend.Missing(x.Into, x.OIDs)
	if err != nil || len(missing) == len(x.OIDs) {
		return core.FetchDone{Failure: core.FetchNotFound}
	}
	return core.FetchDone{Got: true, Missing: missing}
}

// take keeps what an answer brings, or says why not. A host that lacks an object of those that were asked for names it and
// sends nothing, as git does.
func (s *spot) take(x *sim.Exchange, plan githost.Plan) (end core.FetchDone, kept bool) {
	var objects []gitstore.Object
	switch plan.Mode { //nolint:exhaustive // of those that lie comes nothing
	case githost.Cheats:
		objects = append(objects, gitstore.NewBlob([]byte("nobody has asked for this\n")))
	case githost.Serves, githost.Drips:
		for _, oid := range x.OIDs {
			if !s.host.gives(s.path, oid, plan) {
				return core.FetchDone{Failure: core.FetchNotOurs, Missing: []repo.OID{oid}}, false
			}
		}
		objects = s.host.reached(s.path, plan.Objects)
	}
	var pack bytes.Buffer
	if err := gitstore.WritePack(&pack, objects); err != nil {
		panic("simtarget: invariant: write pack to memory: " + err.Error())
	}
	taking, err := s.host.target.backend.Take(cancel{}, x.Into, x.OIDs, &pack)
	switch {
	case err != nil:
		return core.FetchDone{Failure: core.FetchLocalError}, false
	case taking.Refused != "":
		return core.FetchDone{Failure: core.FetchBadData}, false
	}
	return core.FetchDone{}, true
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
