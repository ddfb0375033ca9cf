package invariant

import (
	"cmp"
	"slices"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/queue"
)

// A Hunt is what a monitor is told of the hunt of its server. Of the settings zero stands for the default.
type Hunt struct {
	UserDelay  time.Duration // from an event of a user to the first request; 180 s
	SyncDelay  time.Duration // from an event of a peer; 500 ms
	Concurrent int           // requests under way at one host; 5
	Rate       int           // requests that start at one host in a minute; 30
	Bound      time.Duration // by when whatever needs data has been asked for
	Flush      time.Duration // how much later than its order a request may leave
}

// What the requirements say of hunts (REF-HUNT-02, REF-HUNT-05, REF-HUNT-08, REF-HUNT-09, REF-HUNT-24, REF-HUNT-25).
const (
	huntUserDelay  = 180 * time.Second
	huntSyncDelay  = 500 * time.Millisecond
	huntConcurrent = 5
	huntRate       = 30
	huntWindow     = time.Minute
	huntBackoffMax = 120 * time.Second
	huntFetchLife  = 10 * time.Minute
	huntPause      = time.Minute
	huntPauseMax   = 10 * time.Minute
	huntBrokenLife = 12 * time.Hour
	// huntSlack is how long a server may take to see what a repository lacks.
	huntSlack = 2 * time.Second
	// huntEnds is how long a server may take to see what has come otherwise.
	huntEnds = 5 * time.Second
)

// pursuit is the hunt of a server as its inputs and effects show it.
type pursuit struct {
	Hunt
	quarries map[string]*quarry
	remotes  map[string]*remote
	busy     []*remote // in the order of their first request
	flights  map[core.FetchID]*flight
	asked    map[question]bool
	begun    []*flight            // in order; the first is the oldest that may be open
	wanted   queue.Queue[*quarry] // by when what must have been asked for
	owed     []*entry             // that could be released when all trouble ceased,
	healed   instant.Instant      // which was then
	touched  map[string]bool      // identifiers that this step has changed: true if what they need may be something else now
	fresh    map[string]instant.Instant
	synced   map[string]bool // events of peers that are not answered yet
	oids     []repo.OID      // of the last answer of needed
	sources  []*entry
}

type question struct{ identifier, url string }

// A flight is a fetch that was started and has not ended.
type flight struct {
	id    core.FetchID
	into  repo.ID
	url   string
	at    *remote
	begun instant.Instant
	asked bool // the request has left
	left  bool // and is over at the host
	ended bool
}

// A quarry is an identifier whose repository the monitor can judge by itself: one that a single key has announced.
type quarry struct {
	identifier string
	needs      bool
	hosts      []string        // of the URLs where its data may be, sorted
	waiting    int             // held events
	open       int             // fetches
	due        instant.Instant // a request must be under way by then, if a host has capacity; never while one is
	first      bool            // due because something new has come
	wish       instant.Instant // due by something new that has come and is not looked at yet
	met        instant.Instant // since when nothing is needed
	asked      instant.Instant // when it was last asked for, or came to need something
	looked     bool            // and looked at again whenever it is touched
}

// Hunts tells the monitor that its server hunts. It is called before the first step.
func (m *Monitor) Hunts(h Hunt) {
	h.UserDelay = cmp.Or(h.UserDelay, huntUserDelay)
	h.SyncDelay = cmp.Or(h.SyncDelay, huntSyncDelay)
	h.Concurrent = cmp.Or(h.Concurrent, huntConcurrent)
	h.Rate = cmp.Or(h.Rate, huntRate)
	m.hunt = &pursuit{Hunt: h, remotes: map[string]*remote{}, synced: map[string]bool{}}
	m.hunt.begin()
}

// begin forgets what a restart makes the server forget.
func (p *pursuit) begin() {
	for _, g := range p.begun {
		if !g.asked {
			g.at.undo(g.begun)
		}
	}
	p.quarries, p.flights, p.asked = map[string]*quarry{}, map[core.FetchID]*flight{}, map[question]bool{}
	p.touched, p.fresh = map[string]bool{}, map[string]instant.Instant{}
	p.begun, p.wanted = nil, queue.Queue[*quarry]{}
	clear(p.synced)
	for _, x := range p.busy {
		x.restart()
	}
}

// touch notes that what identifiers need may have changed.
func (p *pursuit) touch(identifiers ...string) {
	if p == nil {
		return
	}
	for _, identifier := range identifiers {
		p.touched[identifier] = true
	}
}

// turn notes that a fetch for an identifier has begun or ended.
func (p *pursuit) turn(identifier string) {
	if !p.touched[identifier] {
		p.touched[identifier] = false
	}
}

// touchEntry notes that an event has come or gone.
func (p *pursuit) touchEntry(e *entry) {
	if p != nil {
		p.touch(e.identifiers()...)
	}
}

// identifiers lists the identifiers of repositories that an event is about.
func (e *entry) identifiers() []string {
	switch {
	case e.announcement != nil:
		return []string{e.announcement.ID.Identifier}
	case e.state != nil:
		return []string{e.state.Identifier}
	case e.pull != nil:
		var list []string
		for _, id := range e.pull.Repos {
			list = append(list, id.Identifier)
		}
		slices.Sort(list)
		return slices.Compact(list)
	}
	return nil
}

// arrived notes that something new is held.
func (p *pursuit) arrived(now instant.Instant, e *entry) {
	if p == nil {
		return
	}
	delay := p.UserDelay
	if p.synced[e.event.ID] {
		delay = p.SyncDelay
	}
	p.due(now.Add(delay), e)
}

// due notes by when what an event is about is to be asked for. An announcement alone starts no hunt (REF-HUNT-07), and
// neither does a state that declares nothing.
func (p *pursuit) due(at instant.Instant, e *entry) {
	if e.announcement != nil || e.state != nil && len(e.state.Refs) == 0 {
		return
	}
	for _, identifier := range e.identifiers() {
		if known, ok := p.fresh[identifier]; !ok || at < known {
			p.fresh[identifier] = at
		}
		p.touch(identifier)
	}
}

// pursue brings the account of what this step has touched up to date, and checks what must hold after it.
func (m *Monitor) pursue() {
	p := m.hunt
	if p == nil {
		return
	}
	m.refresh()
	m.unused()
	m.unended()
	m.unasked()
	for _, event := range m.step.answered {
		delete(p.synced, event)
	}
}
