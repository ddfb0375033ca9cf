package invariant

import (
	"time"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// leftWithin is how long a server may go on asking for what speaks of a repository that nobody here announces any more: what it had
// begun to ask for it may ask for to its end, at the pace of the relay.
const leftWithin = 2 * time.Hour

// asksAbout takes the repositories and the events that a request names. One of which no announcement counts here is of nobody's interest,
// nor is one that is not served.
func (m *Monitor) asksAbout(t *talk, filters []relay.Filter) {
	for _, f := range filters {
		for _, tag := range f.Tags {
			for _, value := range tag.Values {
				if id, is := repo.ParseCoordinate(value); is {
					m.asksFor(t, id)
					m.asksForHeld(t, id)
				} else if tag.Letter == 'e' || tag.Letter == 'E' || tag.Letter == 'q' {
					m.asksForAnswers(t, value)
				}
			}
		}
	}
}

// asksFor takes one of them. How long it has been unwanted counts from the first request that names it since.
func (m *Monitor) asksFor(t *talk, id repo.ID) {
	x := &m.traffic
	if len(m.book.authorizing(id.Owner, id.Identifier)) > 0 {
		delete(x.unwanted, id)
		return
	}
	since, known := x.unwanted[id]
	if !known {
		x.unwanted[id] = m.step.now
		return
	}
	if !m.met(m.step.now.Sub(since) <= leftWithin, "INV-41") {
		m.violated("INV-41", "asked-for-nobody", "%s is asked for what speaks of %s, which nobody announces here, %v after that was so", t.url, id.Coordinate(), m.step.now.Sub(since))
	}
}

// announces takes an announcement that is served or held now: its repository may be asked for.
func (t *traffic) announces(id repo.ID) { delete(t.unwanted, id) }

func newUnwanted() map[repo.ID]instant.Instant { return map[repo.ID]instant.Instant{} }
