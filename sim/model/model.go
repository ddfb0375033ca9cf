// Package model is a second, naive account of a GRASP server, written from the protocol and from the rules of this project,
// and a judge of a simulated one: given the same inputs it says at every step what may be seen. It uses sets and loops and
// nothing that is clever. It shares types of values with the server and calls no function of it; its constants are its own.
//
// Where the text says what must be, the model has one answer; where it leaves something open (how long the shell takes, which
// of several reasons of a refusal is told first), it has a set of answers. What the journal is told is taken for a claim: the
// model says whether it may be made now, and whether one is missing. Of notes only one is read: nobody but the server knows when it
// judges again what it has heard.
package model

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/invariant"
	"github.com/graspkit/graspkit/sim/queue"
)

// The constants of the protocol and of this project's rules, with where they stand.
const (
	purgatoryLife = 30 * time.Minute   // G01-PURG-11
	softLife      = 24 * time.Hour     // REF-PURG-02
	expiredLife   = 7 * 24 * time.Hour // REF-PURG-10
	refLife       = 20 * time.Minute   // of a pushed refs/nostr ref without its event (REF-PURG-08)
	settleLife    = 3 * time.Minute    // within which a server tries again what its disk refused
	queryMost     = 500                // events of an answer to a filter without a limit
	limitMost     = 5000               // events of any answer: a larger limit may be cut
	setMost       = 256                // keys of a maintainer set (G01-MNT-10)
	storedMost    = 100_000
	heldMost      = 10_000
	heldKeyMost   = 500
	waitingMost   = 64    // who waits for one answer, or for one repository
	arrivingMost  = 4_096 // events that wait for their answer
	namedMost     = 20    // repositories that a pull request names
	refsMost      = 5000  // refs that a state declares
)

// A Config is what a model must know of its server besides what the server is given.
type Config struct {
	Server     string // in what it reports
	Host, Base string // of the service
	Life       time.Duration
	Rules      Rules
	Stored     int // limits that are set; zero is the usual one
	Held       int
	HeldPerKey int
	Expired    int
	Limits     Limits
	Hunt       Hunt
}

// A Model watches one server through all of its lives. It must see every step from the first on, in order.
type Model struct {
	Differences []invariant.Violation
	// Missing returns which of the objects a repository lacks at this moment: a fact of the world. Nil leaves out what depends
	// on objects. A repository that cannot be looked at lacks all of them.
	Missing func(id repo.ID, oids []repo.OID) ([]repo.OID, error)

	cfg  Config
	now  instant.Instant
	step step

	entries map[string]*entry // arriving, held and stored, by event id
	served  []*entry          // stored, newest first
	latest  map[address]*entry
	floors  map[address]*entry // the last version that was served and deleted
	tombs   tombs
	expired map[string]instant.Instant
	rooms   map[string]*room
	names   []string // of rooms, sorted
	held    int      // entries in purgatory
	active  load     // in the first phase of it, or waiting for an answer
	soft    load     // in the second
	stored  load
	coming  int // events that wait for their answer

	guesses    guesses
	announcing load             // announcements that do
	announcers []*entry         // in the order of their arrival
	activeOf   map[string]*load // by author

	due     queue.Queue[*entry]
	clients clients
	work    work
	journal journal
	marks   marks
	hunt    hunt
	heard   map[string]hearsay // what other servers have said and this one may take at any time, by id
	narrow  bool               // it is set to less room than is usual,
	roomy   instant.Instant    // and when it last came to have more
	acked   map[string]*entry  // whose OK true has left
	oks     []*entry           // whose OK true has not left yet, in order
	checks  int
	members []string // of a private service, sorted
}

// New returns a model of a server that has not been started.
func New(cfg Config) *Model {
	if cfg.Life == 0 {
		cfg.Life = purgatoryLife
	}
	or := func(n *int, usual int) {
		if *n == 0 {
			*n = usual
		}
	}
	l := cfg.Limits
	narrow := cfg.Stored+cfg.Held+cfg.HeldPerKey+l.HeldBytes+l.HeldBytesPerKey+l.StoredBytes > 0
	or(&cfg.Stored, storedMost)
	or(&cfg.Held, heldMost)
	or(&cfg.HeldPerKey, heldKeyMost)
	or(&cfg.Expired, expiredMost)
	m := &Model{cfg: cfg, journal: newJournal(), marks: newMarks(), hunt: newHunt(cfg.Hunt), acked: map[string]*entry{}, heard: map[string]hearsay{}, narrow: narrow}
	m.forget()
	m.floors, m.tombs, m.expired = map[address]*entry{}, newTombs(), map[string]instant.Instant{}
	return m
}

// forget empties what a life of the server knows.
func (m *Model) forget() {
	m.entries, m.served, m.latest = map[string]*entry{}, nil, map[address]*entry{}
	m.rooms, m.names = map[string]*room{}, nil
	m.held, m.active, m.soft, m.stored, m.coming, m.announcing, m.activeOf = 0, load{}, load{}, load{}, 0, load{}, map[string]*load{}
	m.announcers, m.guesses = nil, guesses{of: map[string]*load{}}
	m.due, m.clients, m.work = queue.Queue[*entry]{}, newClients(), newWork()
}

// peerGave is the fact that an event which another server has said before is judged again.
const peerGave core.Fact = "peer_gave"

// step is what one step did, for the judgement at its end.
type step struct {
	in       core.Input
	first    bool        // of a life
	moved    *repository // where an order has just moved refs,
	refs     []repo.Ref  // which were these before,
	head     string      // and HEAD was here
	wants    []want      // answers that are due
	stores   []string
	holds    []string
	expects  []core.PushID // pushes that are let come or admitted
	dropDue  []*entry
	unstore  []*entry
	gone     []string // identifiers that have lost an announcement
	lost     []*entry // announcements that have gone, or been withdrawn
	answered []*entry // states and pull requests whose answer came
	liveDue  []delivery
	live     []delivery
	question *question
	turn     *turn    // of a reconciliation
	proves   *client  // has to be told what it has to sign
	shut     []shut   // what has to be closed before somebody who is no member
	touched  []string // identifiers
	extend   []*entry // what a push of this step gives a whole life
	floored  []address
	crowded  []*entry    // that had to leave its second phase for others
	ranOut   []*entry    // whose time has run out
	forgets  []core.Mark // what has to be remembered of requests that are served no more
	vanishes []*entry    // requests to vanish that were stored
}

// differ reports a difference: what the server did, and what the model says.
func (m *Model) differ(id, code, format string, args ...any) {
	m.Differences = append(m.Differences, invariant.Violation{
		ID: id, Code: "model-" + code, At: m.now, Server: m.cfg.Server, Detail: fmt.Sprintf(format, args...) + m.step.behind(),
	})
}

// behind says what the step was an answer to.
func (s *step) behind() string {
	if s.in == nil {
		return ", at rest"
	}
	return fmt.Sprintf(", behind %s", strings.TrimPrefix(fmt.Sprintf("%T", s.in), "core."))
}

// Stepped takes over one step and judges it.
func (m *Model) Stepped(now instant.Instant, in core.Input, effects []core.Effect) {
	if len(m.Differences) > 0 {
		return // the first difference is the one that tells something
	}
	m.now = now
	m.checks++
	m.begin(effects)
	m.step.in = in
	_, first := in.(core.Started)
	if !first {
		m.overslept()
	}
	m.work.over = nil
	if m.work.searches == 0 {
		m.work.passed = nil
	}
	var taken []int
	if !first {
		taken = m.runsOut(effects)
	}
	m.input(in)
	for at, e := range effects {
		if len(taken) > 0 && taken[0] == at {
			taken = taken[1:]
			continue
		}
		m.effect(e)
	}
	m.end()
}

func (m *Model) begin(effects []core.Effect) {
	s := &m.step
	*s = step{
		wants: s.wants[:0], stores: s.stores[:0], holds: s.holds[:0], expects: s.expects[:0], dropDue: s.dropDue[:0],
		unstore: s.unstore[:0], gone: s.gone[:0], lost: s.lost[:0], answered: s.answered[:0], liveDue: s.liveDue[:0], live: s.live[:0],
		touched: s.touched[:0], extend: s.extend[:0], floored: s.floored[:0], ranOut: s.ranOut[:0], forgets: s.forgets[:0],
		vanishes: s.vanishes[:0], crowded: s.crowded[:0],
	}
	for _, e := range effects {
		switch e := e.(type) {
		case core.Record:
			switch e.Op { //nolint:exhaustive // the others say nothing of what comes to be
			case core.OpStore:
				s.stores = append(s.stores, e.ID)
			case core.OpHold:
				s.holds = append(s.holds, e.ID)
			}
		case core.PushExpected:
			s.expects = append(s.expects, e.Push)
		case core.PushAdmitted:
			s.expects = append(s.expects, e.Push)
		}
	}
}

func (m *Model) input(in core.Input) {
	switch in := in.(type) {
	case core.Started:
		m.started(in)
	case core.ConnOpened:
		m.clients.open(in.Conn, in.Challenge)
		if m.cfg.Rules.Private { // it is told at once what to sign (G08-02)
			m.step.proves = m.clients.byConn[in.Conn]
		}
	case core.ConnClosed:
		m.clients.leave(in.Conn)
	case core.Message:
		m.message(in)
	case core.Synced:
		m.arrive(0, in.Event, true, true)
	case core.PeerSaid:
		m.hears(in)
	case core.PushAsked:
		m.pushAsked(in.Push, in.Repo, in.Commands, in.Shape.Certificate)
	case core.PushOffered:
		m.pushOffered(in)
	case core.PushForgone:
		m.pushEnds(in.Push)
	case core.PushDone:
		m.pushDone(in)
	case core.ObjectFacts:
		m.factsCome(in)
	case core.RepositoryDone:
		m.orderDone(in.Request, in.OK, in.Disk)
	case core.EventsFound:
		m.work.searches--
	case core.FetchDone:
		m.fetchDone(in.Fetch)
		m.brings(in)
	case core.MembersRead:
		m.membersRead(in)
	case core.ClockSet:
		m.work.ahead = in.Ahead
	case core.Shutdown:
		m.work.closing = true
		m.clients = newClients()
	}
}

func (m *Model) effect(e core.Effect) {
	switch e := e.(type) {
	case core.Record:
		m.record(e)
	case core.Note:
		if e.Fact == peerGave { // said before, and judged again now
			m.judgesAgain(e.Event)
		}
	case core.Send:
		m.sent(e.Conn, e.Msg)
	case core.CloseConn:
		m.clients.leave(e.Conn)
	case core.PushExpected:
		m.pushTaken(e.Push, false)
	case core.PushAdmitted:
		m.pushTaken(e.Push, true)
	case core.PushRefused:
		m.pushRefused(e.Push, e.Ruling.Prefix, e.Ruling.Requirement)
	case core.AskObjects:
		m.mayAsk(e)
		m.ordered(e.Request, order{repo: e.Repo, asks: true})
	case core.CopyObjects:
		m.ordered(e.Request, order{repo: e.Repo, copies: true})
	case core.ReadRefs:
		m.ordered(e.Request, order{repo: e.Repo, reads: true})
	case core.CreateRepository:
		m.ordered(e.Request, order{repo: e.Repo, creates: true})
	case core.RemoveRepository:
		m.ordered(e.Request, order{repo: e.Repo, removes: true})
	case core.UpdateRefs:
		m.ordered(e.Request, order{repo: e.Repo, commands: e.Commands, head: e.Head, moves: true})
		m.mayMove(e)
	case core.TidyRepository:
		m.ordered(e.Request, order{repo: e.Repo, tidies: true})
	case core.StartFetch:
		m.fetchStarted(e.Fetch, e.Repo)
		m.asks(e)
	case core.CancelFetch:
		m.canceled(e.Fetch)
	case core.SearchEvents:
		m.work.searches++
		m.searched()
	}
}

// end judges what the whole step came to.
func (m *Model) end() {
	m.unanswered()
	m.undelivered()
	m.turnEnds()
	m.shutsOut()
	m.unproved()
	for _, e := range m.step.dropDue {
		if e.phase == held {
			m.differ("INV-12", "not-dropped", "event %s has to leave purgatory in this step and stays", e.ev.ID)
		}
	}
	for _, e := range m.step.unstore {
		if e.phase == stored {
			m.differ("N09-01", "not-unstored", "event %s has to leave the store in this step and stays", e.ev.ID)
		}
	}
	m.deserted()
	m.overdue()
	m.extended()
	m.softened()
	m.judgeMarks()
	m.hunted()
	for _, identifier := range m.step.touched {
		m.settled(identifier)
	}
}

// touch notes that something has happened in a room, which may have come to rest by it.
func (m *Model) touch(identifier string) {
	if r := m.rooms[identifier]; r != nil {
		r.looked, r.placed = 0, false
	}
	if !slices.Contains(m.step.touched, identifier) {
		m.step.touched = append(m.step.touched, identifier)
	}
}

// Quiet judges what must hold while nothing is under way.
func (m *Model) Quiet(now instant.Instant) {
	if len(m.Differences) > 0 {
		return
	}
	m.now = now
	m.step = step{}
	for _, name := range m.names {
		m.settled(name)
	}
	m.lateRefs()
	m.overdue()
}

// Acknowledged notes that an OK true has left the server: the event outlives a crash from now on.
func (m *Model) Acknowledged(id string) {
	at := slices.IndexFunc(m.oks, func(e *entry) bool { return e.ev.ID == id })
	if at < 0 {
		return
	}
	if e := m.oks[at]; e.phase == held || e.phase == stored {
		m.acked[id] = e
	}
	m.oks = slices.Delete(m.oks, at, at+1)
}

// newer is the one comparator: the later created_at, then the lower id (REF-PURG-21).
func newer(a, b *nostr.Event) bool {
	if a.CreatedAt != b.CreatedAt {
		return a.CreatedAt > b.CreatedAt
	}
	return a.ID < b.ID
}
