package model

import (
	"maps"
	"slices"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

// An order is something that the shell was asked to do.
type order struct {
	repo     repo.ID
	asks     bool
	creates  bool
	removes  bool
	moves    bool
	copies   bool
	reads    bool
	tidies   bool
	commands []gitproto.Command
	head     string
	looking  []string // rooms beside the own one in which somebody waits for it
}

// A push is one push from its first mention to its end.
type push struct {
	repo        repo.ID
	commands    []gitproto.Command
	certificate bool
	counts      bool // it counts as under way
	pinned      []*entry
}

// declares reports whether a push is about branches or tags.
func (p *push) declares() bool {
	return len(p.commands) == 0 || slices.ContainsFunc(p.commands, func(c gitproto.Command) bool { return isDeclarable(c.Ref) })
}

// work is what is under way.
type work struct {
	orders   map[core.RequestID]order
	pushes   map[core.PushID]*push
	order    []core.PushID // of pushes, in the order of their arrival
	fetches  map[core.FetchID]string
	searches int
	expiring []*entry
	late     []*entry
	over     []*entry // whose answer came in this step
	passed   []*entry // ephemeral ones that came while a question was searched for: they may follow its answer
	closing  bool
	ahead    time.Duration // of the time of day to the instants
}

func newWork() work {
	return work{orders: map[core.RequestID]order{}, pushes: map[core.PushID]*push{}, fetches: map[core.FetchID]string{}}
}

// requests are the numbers of the orders that are not answered, sorted.
func (w *work) requests() []core.RequestID { return slices.Sorted(maps.Keys(w.orders)) }

// busy reports whether an order for a repository is not answered.
func (w *work) busy(id repo.ID) bool {
	for _, request := range w.requests() {
		if w.orders[request].repo == id {
			return true
		}
	}
	return false
}

// ends notes an event that came to nothing: others may wait for the same answer.
func (w *work) ends(e *entry) { w.over = append(w.over, e) }

func (w *work) ended(id string) *entry {
	for _, e := range w.over {
		if e.ev.ID == id {
			return e
		}
	}
	return nil
}

func (m *Model) ordered(id core.RequestID, o order) {
	m.mayOrder(o)
	if o.asks && isPlace(o.repo) { // for the repositories that its pull requests are for
		for _, p := range m.room(o.repo.Identifier).pulls {
			o.looking = append(o.looking, p.identifiers()...)
		}
	}
	for _, identifier := range o.looking {
		m.room(identifier).orders++
	}
	m.work.orders[id] = o
	m.room(o.repo.Identifier).orders++ // also where only packs are tidied: what comes waits until that has been given up
}

func (m *Model) factsCome(in core.ObjectFacts) {
	o := m.work.orders[in.Request]
	m.orderDone(in.Request, !o.copies || len(in.Missing) == 0, nil)
}

// orderDone takes over what became of an order.
func (m *Model) orderDone(id core.RequestID, ok bool, disk *core.OnDisk) {
	o, known := m.work.orders[id]
	if !known {
		return
	}
	delete(m.work.orders, id)
	r, x := m.room(o.repo.Identifier), m.repository(o.repo)
	m.touch(o.repo.Identifier)
	r.orders--
	r.sure = nil
	for _, identifier := range o.looking {
		m.room(identifier).orders--
		m.touch(identifier)
	}
	if !ok {
		m.fails(r, x, disk == nil && !o.copies)
	}
	switch {
	case !ok, o.reads:
		m.onDisk(x, disk)
	case o.creates:
		x.there, x.unread, x.refs, x.births, x.head = true, false, nil, nil, headNew
	case o.removes:
		x.there, x.unread, x.refs, x.births, x.head = false, false, nil, nil, ""
	case o.moves:
		m.step.moved, m.step.refs, m.step.head = x, slices.Clone(x.refs), x.head
		for _, c := range o.commands {
			x.move(c.Ref, c.New, m.now)
		}
		if o.head != "" {
			x.head = o.head
		}
	}
}

// headNew is where HEAD of a new repository points, as after git init: nobody has said anything yet.
const headNew = "refs/heads/master"

// fails notes that something went wrong in a repository, and whether even its refs could not be read since.
func (m *Model) fails(r *room, x *repository, unread bool) {
	r.failed, r.everFailed, r.sure = m.now, true, nil
	x.unread = x.unread || unread
}

// ailing reports whether an order failed in a room a short while ago: as long as that is so the server tries again, and owes
// nothing before one has succeeded.
func (m *Model) ailing(r *room) bool { return r.everFailed && m.now < after(r.failed, settleLife) }

// onDisk takes over what the shell has found where something went wrong.
func (m *Model) onDisk(x *repository, disk *core.OnDisk) {
	if disk == nil {
		return
	}
	x.there, x.head, x.unread = disk.There, disk.Refs.Head, false
	for _, ref := range slices.Clone(x.refs) {
		if !slices.Contains(disk.Refs.Refs, ref) {
			x.move(ref.Name, "", m.now)
		}
	}
	for _, ref := range disk.Refs.Refs {
		if x.at(ref.Name) != ref.OID {
			x.move(ref.Name, ref.OID, m.now)
		}
	}
}

func (m *Model) fetchStarted(id core.FetchID, to repo.ID) {
	m.work.fetches[id] = to.Identifier
	m.room(to.Identifier).fetches++
}

func (m *Model) fetchDone(id core.FetchID) {
	if identifier, known := m.work.fetches[id]; known {
		delete(m.work.fetches, id)
		m.room(identifier).fetches--
		m.touch(identifier)
	}
}

func (m *Model) pushAsked(id core.PushID, to repo.ID, commands []gitproto.Command, certificate bool) {
	m.work.pushes[id] = &push{repo: to, commands: commands, certificate: certificate, counts: true}
	m.work.order = append(m.work.order, id)
	m.room(to.Identifier).pushing++
	m.room(to.Identifier).sure = nil
}

func (m *Model) pushOffered(in core.PushOffered) {
	p := m.work.pushes[in.Push]
	if p == nil {
		m.pushAsked(in.Push, in.Repo, in.Commands, in.Shape.Certificate)
		return
	}
	p.commands, p.certificate, p.counts = in.Commands, in.Shape.Certificate, true
	m.room(p.repo.Identifier).pushing++
	m.room(p.repo.Identifier).sure = nil
}

// pushEnds forgets a push.
func (m *Model) pushEnds(id core.PushID) {
	p := m.work.pushes[id]
	if p == nil {
		return
	}
	delete(m.work.pushes, id)
	m.work.order = slices.DeleteFunc(m.work.order, func(x core.PushID) bool { return x == id })
	if p.counts {
		m.room(p.repo.Identifier).pushing--
	}
	m.touch(p.repo.Identifier)
}

func (m *Model) pushDone(in core.PushDone) {
	p := m.work.pushes[in.Push]
	if p == nil {
		m.differ("INV-22", "push-from-nowhere", "a push ended that was not admitted")
		return
	}
	x := m.repository(p.repo)
	whole := in.Report.Unpack == "ok"
	for i, c := range p.commands {
		if i < len(in.Report.Results) && in.Report.Results[i].OK {
			x.move(c.Ref, c.New, m.now)
		} else {
			whole = false
		}
	}
	if !whole {
		m.onDisk(x, in.Disk)
		if in.Disk == nil {
			m.fails(m.room(p.repo.Identifier), x, true)
		}
	}
	r := m.room(p.repo.Identifier)
	waits := func(e *entry) bool { return e.phase == arriving }
	if m.pushEnds(in.Push); r.orders+r.pushing+r.fetches == 0 && !slices.ContainsFunc(slices.Concat(r.states, r.pulls), waits) {
		r.sure, r.sureOf = p.pinned, p.repo
	}
}
