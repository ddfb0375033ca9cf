package core

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/eventstore"
	"github.com/graspkit/graspkit/reference/negentropy"
	"github.com/graspkit/graspkit/reference/relay"
)

// A question about events is answered in the step that asks it, if it costs little, as nearly all do. One that costs more is
// searched for outside: the shell is given the events as they are, which never change, and may look through them beside the
// core. Its subscription is open meanwhile, and what becomes stored waits behind the answer.

// Limits of questions.
const (
	SearchAtOnce = 10_000     // units of eventstore.Search, in one step
	SearchMax    = 20_000_000 // units at all
	// SearchesMax is how many questions of one connection may wait; one of them is searched for at a time.
	SearchesMax = relay.SubscriptionsMax
	// SearchingMax is how many are searched for at a time in all: for each the lists that it is about are kept as they were.
	SearchingMax = 8
	// SearchLater is how many events may become stored and wait for one answer.
	SearchLater = 5_000
)

// A purpose says what a question is for.
type purpose uint8

const (
	forEvents purpose = iota // a REQ
	forCount                 // a COUNT
	forSet                   // a NEG-OPEN
)

// A Question is what is to be found among events that do not change. Find may be called anywhere.
type Question struct {
	events  eventstore.Search
	purpose purpose
	most    int // units
}

// A Found answers a Question.
type Found struct {
	events []*nostr.Event  // at most one more than ReconcileMax where a set is asked for
	set    *negentropy.Set // of events, unless they are too many
	count  int
	done   bool // it did not cost too much
}

// Find looks for what is asked for.
func (q Question) Find() Found {
	var f Found
	switch q.purpose {
	case forEvents:
		f.events, f.done = q.events.Events(q.most)
	case forCount:
		f.count, f.done = q.events.Count(q.most)
	case forSet:
		if f.events, f.done = q.events.Events(q.most); len(f.events) <= ReconcileMax {
			f.set = setOf(f.events)
		}
	}
	return f
}

// A search is a question of a connection that is answered outside.
type search struct {
	conn     ConnID
	sub      string
	purpose  purpose
	filters  []*relay.Matcher
	message  []byte // of a NEG-OPEN
	reserved int    // bytes of the filters and the message, where no subscription counts them

	running bool
	dropped bool           // nobody waits for it any more
	later   []*nostr.Event // became stored since it runs
	flooded bool           // more than SearchLater of them
}

// searches are those that are not answered.
type searches struct {
	of   map[ConnID][]*search // the first one runs, or is the next of this connection
	open map[RequestID]*search
	turn []ConnID // connections of which one could run and none does, in order
}

func newSearches() searches {
	return searches{of: map[ConnID][]*search{}, open: map[RequestID]*search{}}
}

// find answers a question at once, or has it searched for.
func (s *Server) find(session *relay.Session, x *search, out *Effects) {
	at := Question{events: s.searched(x), purpose: x.purpose, most: s.cfg.SearchAtOnce}
	if found := at.Find(); found.done {
		s.found(session, x, found, out)
		return
	}
	waiting := s.searches.of[x.conn]
	if len(waiting) >= SearchesMax {
		s.notFound(session, x, "rate-limited: too many large questions of this connection wait for their answers", out)
		return
	}
	if x.purpose != forEvents {
		x.reserved = len(x.message)
		for _, m := range x.filters {
			x.reserved += m.Filter.Bytes()
		}
		session.Reserve(x.reserved)
	}
	s.searches.of[x.conn] = append(waiting, x)
	if len(waiting) == 0 {
		s.searches.turn = append(s.searches.turn, x.conn)
		s.nextSearches(out)
	}
}

// nextSearches begins with as many as may run.
func (s *Server) nextSearches(out *Effects) {
	for len(s.searches.open) < SearchingMax && len(s.searches.turn) > 0 {
		conn := s.searches.turn[0]
		s.searches.turn = s.searches.turn[1:]
		s.run(s.searches.of[conn][0], out)
	}
}

// searched is what a question asks of the store as it is.
func (s *Server) searched(x *search) eventstore.Search {
	if x.purpose == forSet {
		return s.store.SearchAll(x.filters, ReconcileMax+1)
	}
	return s.store.Search(x.filters)
}

func (s *Server) run(x *search, out *Effects) {
	x.running = true
	s.requests++
	s.searches.open[s.requests] = x
	out.add(SearchEvents{Request: s.requests, Question: Question{s.searched(x).Frozen(), x.purpose, s.cfg.SearchMax}})
}

// eventsFound answers the client, and begins with the next question of the same connection.
func (s *Server) eventsFound(in EventsFound, out *Effects) {
	x := s.searches.open[in.Request]
	if x == nil {
		panic("core: invariant: an answer to no question")
	}
	delete(s.searches.open, in.Request)
	if rest := s.searches.of[x.conn][1:]; len(rest) == 0 {
		delete(s.searches.of, x.conn)
	} else {
		s.searches.of[x.conn] = rest
		s.searches.turn = append(s.searches.turn, x.conn)
	}
	s.nextSearches(out)
	if x.dropped {
		return
	}
	session := s.conns[x.conn]
	session.Free(x.reserved)
	switch {
	case !in.Found.done:
		s.notFound(session, x, "error: the filters make too many events be looked at; ask for ids, authors or tags that few have", out)
	case x.flooded:
		s.notFound(session, x, "error: too many events came while the stored ones were looked for; ask again", out)
	default:
		s.found(session, x, in.Found, out)
	}
}

// found answers a question.
func (s *Server) found(session *relay.Session, x *search, f Found, out *Effects) {
	switch x.purpose {
	case forEvents:
		for _, ev := range f.events {
			if !x.running || s.store.Get(ev.ID) == ev {
				out.add(Send{x.conn, relay.EventFor{Sub: x.sub, Event: ev}})
			}
		}
		out.add(Send{x.conn, relay.EOSE{Sub: x.sub}})
		for _, ev := range x.later {
			if s.store.Get(ev.ID) == ev || eventstore.IsEphemeral(ev.Kind) {
				out.add(Send{x.conn, relay.EventFor{Sub: x.sub, Event: ev}})
			}
		}
	case forCount:
		out.add(Send{x.conn, relay.Counted{Sub: x.sub, Count: f.count}})
	case forSet:
		s.beginReconciliation(session, x, f, out)
	}
}

// notFound says why a question has no answer.
func (s *Server) notFound(session *relay.Session, x *search, reason string, out *Effects) {
	if x.purpose == forSet {
		out.add(Send{x.conn, relay.NegError{Sub: x.sub, Text: reason}})
		return
	}
	if x.purpose == forEvents {
		session.Close(x.sub)
	}
	out.add(Send{x.conn, relay.Closed{Sub: x.sub, Text: reason}})
}

// waits keeps an event that has just become stored behind the answer that a subscription waits for, if it does.
func (x *searches) waits(conn ConnID, sub string, ev *nostr.Event) bool {
	of := x.of[conn]
	at := slices.IndexFunc(of, func(x *search) bool { return x.sub == sub && x.purpose == forEvents && !x.dropped })
	if at < 0 {
		return false
	}
	switch waiting := of[at]; {
	case !waiting.running: // it will be found
	case len(waiting.later) < SearchLater:
		waiting.later = append(waiting.later, ev)
	default:
		waiting.flooded = true
	}
	return true
}

// dropSearches drops the questions of a connection for which a condition holds. One that runs is over when its answer comes.
func (s *Server) dropSearches(conn ConnID, session *relay.Session, which func(*search) bool) {
	of := s.searches.of[conn]
	if len(of) == 0 {
		return
	}
	s.searches.of[conn] = slices.DeleteFunc(of, func(x *search) bool {
		if x.dropped || !which(x) {
			return false
		}
		x.dropped, x.later = true, nil
		session.Free(x.reserved)
		return !x.running
	})
	if len(s.searches.of[conn]) == 0 {
		delete(s.searches.of, conn)
		s.searches.turn = slices.DeleteFunc(s.searches.turn, func(other ConnID) bool { return other == conn })
	}
}

// dropSearch drops what a connection has asked for under an id.
func (s *Server) dropSearch(conn ConnID, session *relay.Session, sub string, kind purpose) {
	s.dropSearches(conn, session, func(x *search) bool { return x.sub == sub && x.purpose == kind })
}
