package replicate

import (
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// Withdrawn says that the announcement of a repository that is served is of one that is elsewhere, and nobody here vouches for it: nothing is
// wanted of it any more.
func (m *Machine) Withdrawn(now instant.Instant, id repo.ID) { m.replace(now, id, nil) }

// Gone says that a repository has no announcement any more. One that was older did not count while there was that one, and may
// still be served elsewhere: it is asked for at every relay that is known, for the older one may have named others than the newer,
// or have come to be anywhere. No relay stays known for that.
func (m *Machine) Gone(now instant.Instant, id repo.ID) {
	old := m.repos[id]
	m.replace(now, id, nil)
	if old == nil {
		return
	}
	it := item{versions, old.key}
	for _, l := range m.byURL {
		if l.wanted[everything] == nil {
			continue // it is asked about participants alone
		}
		if l.wanted[it] == nil {
			l.asides++
			m.add(now, l, it)
			continue
		}
		m.freshen(now, l, it)
		m.touchAt(now, l)
	}
}
