package core

import (
	"maps"
	"slices"

	"github.com/graspkit/graspkit/reference/hunt"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// huntOrders gives the orders that are due.
func (s *Server) huntOrders(now instant.Instant, out *Effects) {
	x := &s.hunting
	for o, ok := x.queue.Next(now); ok; o, ok = x.queue.Next(now) {
		if o.Cancel {
			out.add(CancelFetch{Fetch: o.Fetch.ID})
			continue
		}
		x.budgets.spend(now, o, out)
		x.targets[o.Fetch.ID] = o.Fetch
		out.add(Note{Fact: FetchStarted, Repo: o.Fetch.Target, Reason: o.Fetch.URL, Count: len(o.Fetch.OIDs)})
		out.add(StartFetch{Fetch: o.Fetch.ID, Repo: o.Fetch.Target, URL: o.Fetch.URL, OIDs: o.Fetch.OIDs})
	}
}

// fetchDone takes over what a fetch has brought: as after a push, every event whose own objects are there is released,
// with the authority of that instant (REF-HUNT-17, REF-HUNT-18).
func (s *Server) fetchDone(now instant.Instant, in FetchDone, out *Effects) {
	x := &s.hunting
	f, open := x.targets[in.Fetch]
	if !open {
		panic("core: invariant: a fetch ended that was not open")
	}
	delete(x.targets, in.Fetch)
	missing := slices.Clone(in.Missing)
	slices.Sort(missing)
	var got []repo.OID
	if in.Got {
		got = slices.DeleteFunc(slices.Clone(f.OIDs), func(oid repo.OID) bool {
			_, lacks := slices.BinarySearch(missing, oid)
			return lacks
		})
	}
	n := Note{Fact: FetchEnded, Repo: f.Target, Count: len(got)}
	if len(got) == 0 {
		n.Reason = fetchReasons[in.Failure]
	}
	out.add(n)
	x.queue.Done(now, in.Fetch, hunt.Result{Got: in.Got, Missing: missing, Failure: in.Failure, RetryAfter: in.RetryAfter})
	if len(got) > 0 {
		x.brought(f.Target, got)
	}
	r := s.repositories[f.Target]
	if len(got) == 0 || r == nil || !r.there() || !s.hosted(f.Target) || s.closing {
		return
	}
	r.data = true
	s.siblings.gained(f.Target)
	s.brought(now, r)
	s.littered(now, r) // what it was fetched for may run out before it is used
	s.look(now, r, nil, out)
	s.lookAtAll(now, f.Target.Identifier, out)
}

// huntAsked notes what a look has found in its repository. Its end, at which all is noted, may wait for objects to be copied and for refs
// to move, and what is there by then is not asked for meanwhile.
func (s *Server) huntAsked(l *look) {
	if s.hunting.queue == nil || l.repo.id.IsContribution() {
		return
	}
	s.huntFound(l.repo, slices.DeleteFunc(l.wanted(), func(oid repo.OID) bool {
		_, lacks := slices.BinarySearch(l.missing, oid)
		return lacks
	}))
}

// huntFound notes that objects, sorted, are in a repository by now.
func (s *Server) huntFound(r *repository, got []repo.OID) {
	if len(got) > 0 {
		s.hunting.brought(r.id, got)
		s.hunting.touch(r.id.Identifier)
	}
}

// brought notes that objects, sorted, have come into a repository.
func (x *hunting) brought(into repo.ID, got []repo.OID) {
	lacks := x.lacks[into]
	for _, event := range slices.Sorted(maps.Keys(lacks)) {
		lacks[event] = slices.DeleteFunc(lacks[event], func(oid repo.OID) bool {
			_, is := slices.BinarySearch(got, oid)
			return is
		})
	}
}

// huntDeadline is the instant of the next thing that the hunt does by itself.
func (s *Server) huntDeadline() (instant.Instant, bool) {
	if s.hunting.queue == nil || s.closing {
		return 0, false
	}
	return s.hunting.queue.Deadline()
}

// huntEnds cancels everything, for the server stops.
func (s *Server) huntEnds(now instant.Instant, out *Effects) {
	x := &s.hunting
	if x.queue == nil {
		return
	}
	for _, id := range slices.Sorted(maps.Keys(x.targets)) {
		x.queue.Remove(now, x.targets[id].Identifier)
	}
	for o, ok := x.queue.Next(now); ok && o.Cancel; o, ok = x.queue.Next(now) {
		out.add(CancelFetch{Fetch: o.Fetch.ID})
	}
}

// Hunted reports whether the data of an identifier is being hunted (INV-09).
func (s *Server) Hunted(identifier string) bool {
	return s.hunting.queue != nil && s.hunting.queue.Hunted(identifier)
}
