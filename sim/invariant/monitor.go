package invariant

import (
	"maps"
	"slices"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/queue"
)

// A Monitor watches one server. It must see every step from the first on, in order.
type Monitor struct {
	Violations []Violation

	server   string
	life     time.Duration
	enabled  map[string]bool
	checked  map[string]int
	book     book
	acked    map[string]*nostr.Event // events whose OK true has left the server, by id
	pending  map[string]*entry       // events that were given and not answered yet, by id
	heard    map[string]*entry       // states and pull requests that other relays have said, by id
	hearsays map[string][]*entry     // the states of heard, by identifier
	offers   map[core.PushID]*offer
	orders   map[core.RequestID]core.Effect
	fetches  map[core.FetchID]core.StartFetch
	trails   []*trail
	ends     queue.Queue[*entry] // held entries, by when they must be gone
	ahead    time.Duration       // of the instants, by the time of day
	step     step
	ledger   ledger
	limits   Limits
	traffic  traffic
	club     *club    // nil if the service is no private one
	hunt     *pursuit // nil if the hunt of the server is not judged
}

// step is what one step did, for the checks at its end.
type step struct {
	now      instant.Instant
	accepted []string        // answered OK true
	refused  []string        // answered OK false
	kept     string          // the event of the message under way, if it was kept before: a spoilt copy of it is refused, and it stays
	said     *nostr.Event    // the event of the message under way
	left     []departure     // dropped or no longer stored
	first    []*entry        // newly stored at an address where nothing was stored
	recorded []*entry        // held, or held with another deadline
	answered []string        // no longer pending after this step
	requests []*nostr.Event  // stored requests for deletions
	moved    core.UpdateRefs // that has just been carried out
	placed   *offer          // the push to a place for contributions that has just ended
	by       string          // who caused the step: the author of a published event, or "somebody" who pushes
}

type departure struct {
	entry *entry
	drop  bool // from purgatory, else from the store
	alone bool // a state that nobody authorized at that moment; later in the step somebody may
}

// Limits are what a server may hold in the second phase, and how many deletions it remembers; zero is no limit that the monitor
// knows.
type Limits struct{ Held, HeldBytes, Tombstones int }

// Limit tells what the server is set to.
func (m *Monitor) Limit(l Limits) { m.limits = l }

// New returns a monitor of a server that keeps held events for life and checks the invariants named by ids; nil stands
// for all. The service is what announcements list the server as.
func New(server string, service repo.Service, life time.Duration, ids []string) *Monitor {
	if ids == nil {
		ids = slices.Concat(All(), FamilyIDs())
	}
	m := &Monitor{
		server: server, life: life, enabled: map[string]bool{}, checked: map[string]int{}, book: newBook(service),
		acked: map[string]*nostr.Event{},
		heard: map[string]*entry{}, hearsays: map[string][]*entry{}, pending: map[string]*entry{}, offers: map[core.PushID]*offer{}, orders: map[core.RequestID]core.Effect{},
		ledger:  newLedger(),
		traffic: newTraffic(),
		fetches: map[core.FetchID]core.StartFetch{},
	}
	for _, id := range ids {
		m.enabled[id] = true
	}
	return m
}

// Reciprocal makes a listed key a maintainer only if it lists back. It is called before the first step.
func (m *Monitor) Reciprocal() { m.book.reciprocal = true }

// Checked says how often an invariant was put to the test. A run in which it never was proves nothing about it.
func (m *Monitor) Checked(id string) int { return m.checked[id] }

// Stepped takes over one step and checks what must always hold.
func (m *Monitor) Stepped(now instant.Instant, in core.Input, effects []core.Effect) {
	s := &m.step
	*s = step{
		now: now, accepted: s.accepted[:0], refused: s.refused[:0], left: s.left[:0],
		first: s.first[:0], recorded: s.recorded[:0], answered: s.answered[:0], requests: s.requests[:0],
	}
	clear(m.book.replaced)
	m.input(in)
	for _, e := range effects {
		m.effect(e)
	}
	m.finish()
}

func (m *Monitor) input(in core.Input) {
	m.guests(in)
	switch in := in.(type) {
	case core.Started:
		m.started(in)
	case core.Message:
		m.message(in)
	case core.PushAsked:
		m.step.by = somebody
		m.offers[in.Push] = &offer{PushOffered: core.PushOffered(in)}
	case core.PushForgone:
		m.step.by = somebody
		if o := m.offers[in.Push]; o != nil && o.admitted {
			m.follow(o)
		} else {
			m.letGo(o)
		}
		delete(m.offers, in.Push)
	case core.PushOffered:
		m.step.by = somebody
		if o := m.offers[in.Push]; o == nil || !o.expected {
			m.offers[in.Push] = &offer{PushOffered: in}
		}
	case core.PushDone:
		m.step.by = somebody
		m.pushDone(in)
	case core.RepositoryDone:
		m.arrived(in.Request)
		m.orderDone(in)
	case core.ObjectFacts:
		m.arrived(in.Request)
		m.copied(in)
	case core.FetchDone:
		m.fetched(in)
	case core.Synced:
		m.synced(in.Event)
	case core.PeerSaid:
		m.hears(in)
		m.peerSaid(in)
	case core.PeerOpened, core.PeerClosed:
		m.hears(in)
	case core.ClockSet:
		m.clockSet(in.Ahead)
	case core.Shutdown:
		m.ledger.ending = true
	}
}

// somebody is whoever pushes: git knows no keys.
const somebody = "somebody"

// message takes over what a client says. An event that authenticates one is answered at once and kept nowhere.
func (m *Monitor) message(in core.Message) {
	switch msg := in.Msg.(type) {
	case relay.Event:
		if m.book.entries[msg.Event.ID] != nil {
			m.step.kept = msg.Event.ID
		}
		if !msg.IDOK || !in.SigOK {
			return
		}
		m.step.by, m.step.said = msg.Event.PubKey, msg.Event
		if m.book.entries[msg.Event.ID] == nil {
			m.given(msg.Event)
		}
	case relay.Auth:
		m.pending[msg.Event.ID] = m.book.read(msg.Event)
		m.step.answered = append(m.step.answered, msg.Event.ID)
	}
}

// Acknowledged notes that an OK true has left the server: from now on the event outlives a crash.
func (m *Monitor) Acknowledged(id string) {
	if e := m.book.entries[id]; e != nil {
		m.acked[id] = e.event
	}
}

// started begins anew with what survived.
func (m *Monitor) started(in core.Started) {
	orderly := m.ledger.ending
	m.restarted(in)
	gone, fallen, before := m.book.gone, m.book.requests.fallen, m.book.repositories
	m.book = m.book.anew()
	m.book.found = foundAt(in)
	m.book.gone, m.book.requests.fallen = gone, fallen
	clear(m.pending)
	clear(m.offers)
	clear(m.orders)
	clear(m.fetches)
	clear(m.traffic.talks)
	clear(m.traffic.urls)
	clear(m.traffic.until)
	m.traffic.ends(orderly)
	clear(m.traffic.lost)
	m.ends, m.trails, m.ahead = queue.Queue[*entry]{}, nil, 0
	if m.hunt != nil {
		m.hunt.begin()
	}
	for _, ev := range in.Stored {
		e := m.book.read(ev)
		e.stored = true
		m.traffic.serves(e)
		m.book.add(e)
		m.book.requests.add(ev)
		if e.announcement != nil || e.state != nil {
			m.book.replaceable[e.address()], m.book.top[e.address()] = e, ev
		}
	}
	m.recallRequests()
	for _, h := range in.Held {
		e := m.book.read(h.Event)
		e.soft = h.Soft
		e.promised, e.latest = h.Deadline, max(h.Deadline, m.step.now+1)
		m.book.add(e)
		m.book.held[h.Event.ID] = e
		m.watch(e)
		if m.hunt != nil {
			m.hunt.due(m.step.now.Add(huntEnds), e)
		}
	}
	m.book.found = nil
	for _, r := range in.Repositories {
		view := newRepositoryView()
		if m.ledger.unread[r.ID] && before[r.ID] != nil {
			view.follows(before[r.ID])
		} else {
			for _, ref := range r.Refs.Refs {
				m.named(ref.Name)
			}
			view.take(r.Refs)
		}
		view.holdsRefs()
		m.book.repositories[r.ID] = view
	}
	for _, id := range slices.Sorted(maps.Keys(m.acked)) {
		m.must(m.book.entries[id] != nil || m.book.gone[id] != "" || m.overtaken(m.book.read(m.acked[id])),
			"INV-10", "acknowledged-lost", "event %s was answered OK true and did not survive", id)
	}
}

func (m *Monitor) effect(e core.Effect) {
	m.ordered(e)
	m.placed(e)
	m.archives(e)
	m.leaks(e)
	m.trailed(e)
	switch e := e.(type) {
	case core.Record:
		m.record(e)
	case core.Note:
		switch e.Fact { //nolint:exhaustive // the others are not about the answer to an event
		case core.PeerGave, core.EventHeld, core.EventStored, core.EventReleased, core.EventRefused, core.EventDuplicate, core.EventReplaced:
			m.answered(e)
		}
	case core.Send:
		m.sent(e)
	case core.PushExpected:
		m.pushExpected(e.Push)
	case core.PushAdmitted:
		m.pushAnswered(e.Push, true, "")
	case core.PushRefused:
		m.pushAnswered(e.Push, false, e.Ruling.Prefix)
	case core.CreateRepository:
		m.orders[e.Request] = e
	case core.ReadRefs:
		m.orders[e.Request] = e
	case core.UpdateRefs:
		m.orders[e.Request] = e
		m.mayMove(e)
	case core.CopyObjects:
		m.orders[e.Request] = e
		m.mayCopy(e)
	case core.TidyRepository:
		m.orders[e.Request] = e
		m.mayTidy(e)
	case core.RemoveRepository:
		m.orders[e.Request] = e
		m.mayRemove(e.Repo)
	case core.StartFetch:
		m.mayFetch(e)
	case core.DialPeer:
		m.dials(e)
	case core.HangUp:
		m.leavesRelay(e)
	case core.SendPeer:
		m.says(e)
	}
}

func (m *Monitor) sent(e core.Send) {
	switch msg := e.Msg.(type) {
	case relay.OK:
		if msg.Accepted {
			m.step.accepted = append(m.step.accepted, msg.ID)
		} else {
			m.step.refused = append(m.step.refused, msg.ID)
		}
	case relay.EventFor:
		served := m.book.entries[msg.Event.ID]
		if !m.met(served != nil && served.stored || ephemeral(msg.Event.Kind), "INV-03") {
			m.violated("INV-03", "unserved-event-sent", "event %s was sent to %q and is not stored", msg.Event.ID, msg.Sub)
		}
	}
}

func ephemeral(kind int) bool { return kind >= 20000 && kind < 30000 }

// orderDone takes over what an order has changed.
func (m *Monitor) orderDone(in core.RepositoryDone) {
	order := m.orders[in.Request]
	delete(m.orders, in.Request)
	switch order.(type) {
	case core.CreateRepository, core.RemoveRepository:
		m.ledger.failed[repositoryOf(order)] = !in.OK
	}
	if !in.OK {
		m.onDisk(repositoryOf(order), in.Disk)
		return
	}
	switch o := order.(type) {
	case core.CreateRepository:
		m.hunt.touch(o.Repo.Identifier)
		if m.book.repositories[o.Repo] == nil {
			m.book.repositories[o.Repo] = newRepositoryView()
		}
	case core.RemoveRepository:
		if view := m.book.repositories[o.Repo]; view != nil && len(view.refs) > 0 { // an empty one is made again (INV-01)
			m.mayRemove(o.Repo)
		}
		delete(m.ledger.unread, o.Repo)
		m.hunt.touch(o.Repo.Identifier)
		delete(m.book.repositories, o.Repo)
	case core.ReadRefs:
		m.onDisk(o.Repo, in.Disk)
	case core.TidyRepository:
		m.hunt.touch(o.Repo.Identifier)
		if view := m.book.repositories[o.Repo]; view != nil {
			view.tidied(o.Keep)
		}
	case core.UpdateRefs:
		m.step.moved = o
		if view := m.book.repositories[o.Repo]; view != nil {
			m.move(view, o.Commands)
			if o.Head != "" {
				view.head = o.Head
			}
		}
	}
}

// onDisk takes over what the host has found behind something that failed.
func (m *Monitor) onDisk(id repo.ID, disk *core.OnDisk) {
	view := m.book.repositories[id]
	delete(m.ledger.unread, id)
	switch {
	case disk == nil:
		m.ledger.unread[id] = true
	case view == nil:
	case disk.There:
		before := maps.Clone(view.refs)
		view.take(disk.Refs)
		view.leaves(before, m.step.now)
	default:
		m.hunt.touch(id.Identifier)
		delete(m.book.repositories, id)
	}
}

// repositoryOf is the repository that an order is for.
func repositoryOf(order core.Effect) repo.ID {
	switch o := order.(type) {
	case core.CreateRepository:
		return o.Repo
	case core.RemoveRepository:
		return o.Repo
	case core.ReadRefs:
		return o.Repo
	case core.UpdateRefs:
		return o.Repo
	case core.TidyRepository:
		return o.Repo
	}
	return repo.ID{}
}
