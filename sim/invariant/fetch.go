package invariant

import (
	"slices"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/repo"
)

// mayFetch is INV-04 for fetches: nothing is asked of another host for a repository unless a state of its maintainer set
// declares it, or it is the commit of a pull request for it.
func (m *Monitor) mayFetch(f core.StartFetch) {
	m.fetches[f.Fetch] = f
	m.count("INV-04", len(f.OIDs))
	here := m.declaredWith(f.Repo, nil)
	rest := slices.DeleteFunc(slices.Clone(f.OIDs), func(oid repo.OID) bool { return here[oid] })
	if len(rest) > 0 { // which mostly is nothing, and costs a look at all that relays have said
		declared, set := m.declared(f.Repo), m.book.serving(f.Repo)
		proposed := func(e *entry) bool { return names(e.pull, f.Repo.Identifier, set) }
		for _, oid := range rest {
			if !declared[oid] && !slices.ContainsFunc(m.book.proposals[proposal{f.Repo.Identifier, oid}], proposed) {
				m.violated("INV-04", "fetched-unasked", "object %s into %s of %s", short(oid), f.Repo.Identifier, f.Repo.Owner)
			}
		}
	}
	m.startFetch(f)
}

// fetched takes over what a fetch has brought.
func (m *Monitor) fetched(in core.FetchDone) {
	f := m.fetches[in.Fetch]
	delete(m.fetches, in.Fetch)
	m.endFetch(in)
	view := m.book.repositories[f.Repo]
	if !in.Got || view == nil {
		return
	}
	m.hunt.touch(f.Repo.Identifier)
	missing := slices.Sorted(slices.Values(in.Missing))
	for _, oid := range f.OIDs {
		if _, lacks := slices.BinarySearch(missing, oid); !lacks {
			view.objects[oid] = true
		}
	}
}
