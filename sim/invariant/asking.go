package invariant

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// How a relay is asked (INV-41): what is asked for the past gets one answer, behind which it is ended, and has half a minute for the next
// message of that and ten minutes for all of it; what it refuses is asked for again later each time; and what came while nobody listened is
// asked for from no later than that on.
const (
	answerWait = 30 * time.Second
	answerMost = 10 * time.Minute

	// refusedMost is how often one thing may be refused within an hour and asked for again: a minute after the first time, and each time
	// after twice as long (REF-SYNC-12). Three failures in a row that have nothing to do with each other are not told from that.
	refusedMost = 3 * 7
)

// An enquiry is a request for the past that is not ended yet.
type enquiry struct {
	at, said instant.Instant // when it was made, and when something last came in answer
	about    []string        // what is asked for
	events   int
	answered bool // its end has come
}

// enquiries are those of one connection.
type enquiries struct {
	open    map[string]*enquiry          // by subscription
	refused map[string][]instant.Instant // by what was asked for: when that was refused, within the last hour and since it last was not
	ended   []string                     // those that have been answered in this step
	barred  bool                         // the relay does not take who asks for somebody whom it answers
}

func newEnquiries() enquiries {
	return enquiries{open: map[string]*enquiry{}, refused: map[string][]instant.Instant{}}
}

// abouts names what a question asks for, each thing by itself.
func abouts(filters []relay.Filter) (list []string) {
	for _, f := range filters {
		switch {
		case f.IDs != nil:
			for _, id := range f.IDs {
				list = append(list, "id "+id)
			}
		case len(f.Tags) > 0:
			for _, tag := range f.Tags {
				for _, value := range tag.Values {
					list = append(list, string(tag.Letter)+" "+value)
				}
			}
		case f.Authors != nil:
			for _, key := range f.Authors {
				list = append(list, "author "+key)
			}
		default:
			for _, kind := range f.Kinds {
				list = append(list, "kind "+strconv.Itoa(kind))
			}
		}
	}
	return list
}

// asksPast takes a request for the past.
func (m *Monitor) asksPast(t *talk, sub string, filters []relay.Filter) {
	if slices.ContainsFunc(filters, func(f relay.Filter) bool { return slices.Equal(f.IDs, nobody) }) {
		return // whether it is there
	}
	now := m.step.now
	x := &enquiry{at: now, said: now, about: abouts(filters)}
	t.enquiries.open[sub] = x
	for _, about := range x.about {
		n := len(t.enquiries.refused[about])
		if !m.met(n <= refusedMost, "INV-41") {
			m.violated("INV-41", "refused-and-asked", "%s is asked for %s, which it has refused %d times within an hour", t.url, about, n)
		}
	}
	for _, f := range filters {
		deaf, once := m.traffic.deaf[t.url]
		if f.Since == nil || !once {
			continue
		}
		if from := deaf.at.Add(max(deaf.ahead, m.ahead)).Unix(); !m.met(*f.Since <= from, "INV-41") {
			m.violated("INV-41", "since-too-late", "%s is asked for what is dated since %d, and was not heard from %d on at the latest", t.url, *f.Since, from)
		}
	}
}

// A deafness is when something at a relay was perhaps not heard, and how far ahead the clock has been since it first was, at most.
type deafness struct {
	at    instant.Instant
	ahead time.Duration
}

// deafTo notes that something at a relay is perhaps not heard at the moment.
func (m *Monitor) deafTo(url string) {
	ahead := m.ahead
	if before, once := m.traffic.deaf[url]; once { // questions of that time may wait still
		ahead = max(ahead, before.ahead)
	}
	m.traffic.deaf[url] = deafness{m.step.now, ahead}
}

// staysDeafTo notes that a connection ended, or did not come, on which no answer was ended: what was not heard before it is not made up for, and
// is asked for from then on still.
func (m *Monitor) staysDeafTo(url string) {
	before, once := m.traffic.deaf[url]
	m.deafTo(url)
	if once {
		m.traffic.deaf[url] = deafness{before.at, m.traffic.deaf[url].ahead}
	}
}

// clockSet has the clock of the server be so far ahead.
func (m *Monitor) clockSet(ahead time.Duration) {
	m.ahead = ahead
	for _, url := range slices.Sorted(maps.Keys(m.traffic.deaf)) {
		deaf := m.traffic.deaf[url]
		m.traffic.deaf[url] = deafness{deaf.at, max(deaf.ahead, ahead)}
	}
}

// answersPast takes an event in answer to a request.
func (t *talk) answersPast(now instant.Instant, sub string) {
	if x := t.enquiries.open[sub]; x != nil {
		x.said = now
		x.events++
	}
}

// endsAnswer takes the end of an answer. The request is to be ended, too: what is new comes on other subscriptions.
func (t *talk) endsAnswer(sub string) {
	x := t.enquiries.open[sub]
	if x == nil {
		return
	}
	x.answered = true
	t.enquiries.ended = append(t.enquiries.ended, sub)
	for _, about := range x.about {
		delete(t.enquiries.refused, about)
	}
}

// refusesAnswer takes a refusal of a request for another reason than that too much was asked.
func (t *talk) refusesAnswer(now instant.Instant, sub string) {
	x := t.enquiries.open[sub]
	delete(t.enquiries.open, sub)
	if x == nil {
		return
	}
	for _, about := range x.about {
		list := slices.DeleteFunc(t.enquiries.refused[about], func(at instant.Instant) bool { return now.Sub(at) >= time.Hour })
		t.enquiries.refused[about] = append(list, now)
	}
}

// endsRequest takes the end of a request that the server decides: it has its answer, or the time for that is over.
func (m *Monitor) endsRequest(t *talk, sub string) {
	x := t.enquiries.open[sub]
	if x == nil {
		return
	}
	delete(t.enquiries.open, sub)
	if x.answered || m.traffic.twice[t.url] || t.wrong {
		return
	}
	now := m.step.now
	if !m.met(now.Sub(x.said) >= answerWait || now.Sub(x.at) >= answerMost || x.events >= pageMost, "INV-41") {
		m.violated("INV-41", "given-up-too-soon", "%s has said something in answer to %q %v ago, and that is ended", t.url, sub, now.Sub(x.said))
	}
}

// pageMost is how many events an answer may have, and be ended as it is.
const pageMost = 5_000

// answeredAndOpen checks, at the end of a step, that what has its answer was ended.
func (m *Monitor) answeredAndOpen() {
	for _, t := range m.traffic.said {
		for _, sub := range t.enquiries.ended {
			if t.ended || t.wrong {
				continue
			}
			if x := t.enquiries.open[sub]; !m.met(x == nil || !x.answered, "INV-41") {
				m.violated("INV-41", "answered-and-open", "%s has answered %q, which stays open", t.url, sub)
			}
		}
		t.enquiries.ended = t.enquiries.ended[:0]
	}
	m.traffic.said = nil
}

// asksBarred checks that a relay which does not take who asks is asked for nothing.
func (m *Monitor) asksBarred(t *talk) {
	if !m.met(!t.enquiries.barred, "INV-41") {
		m.violated("INV-41", "asked-though-barred", "%s is asked, and has refused who asks", t.url)
	}
}

// asksForHeld takes a repository that a request names by a coordinate. While its announcement waits for git data its states alone are wanted
// (D-8).
func (m *Monitor) asksForHeld(t *talk, id repo.ID) {
	if !m.met(m.traffic.served[id], "INV-41") {
		m.violated("INV-41", "asked-before-served", "%s is asked for what speaks of %s, whose announcement was never served", t.url, id.Coordinate())
	}
}

// serves notes that an announcement is served.
func (t *traffic) serves(e *entry) {
	if e.announcement != nil {
		t.served[e.announcement.ID] = true
	}
}

// asksForRunOut takes an event that the server asks for by its id. One that ran out here without its data is not fetched again (REF-PURG-09).
func (m *Monitor) asksForRunOut(t *talk, id string) {
	mark, is := m.ledger.marks[core.Mark{Kind: core.MarkExpired, Event: id}.Name()]
	if !m.met(!is || mark.Until <= m.step.now || m.book.entries[id] != nil, "INV-41") {
		m.violated("INV-41", "run-out-fetched-again", "%s is asked for %s, which ran out here without its data", t.url, id)
	}
}
