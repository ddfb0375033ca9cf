package core

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/hunt"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// A HuntConfig is the settings of the hunt for the git data that held events wait for. Zero values of the others stand
// for the defaults.
type HuntConfig struct {
	On           bool          // without it the server waits for pushes
	UserDelay    time.Duration // from an event of a user to the first request; zero means UserDelay (REF-HUNT-02)
	SyncDelay    time.Duration // from an event of a peer; zero means SyncDelay
	Concurrent   int           // requests in flight at one host; zero means hunt.Concurrent
	Rate         int           // requests that start at one host within a minute; zero means hunt.Rate
	FetchLife    time.Duration // zero means hunt.FetchLife
	AllowPrivate bool          // URLs may name addresses that are not global
}

// Defaults of the delays.
const (
	UserDelay = 180 * time.Second
	SyncDelay = 500 * time.Millisecond
)

func (c HuntConfig) withDefaults() HuntConfig {
	c.UserDelay = cmp.Or(c.UserDelay, UserDelay)
	c.SyncDelay = cmp.Or(c.SyncDelay, SyncDelay)
	return c
}

func (c HuntConfig) validate() error {
	if c.UserDelay < 0 || c.SyncDelay < 0 {
		return errors.New("core: a delay of the hunt is negative")
	}
	return hunt.Config{Concurrent: c.Concurrent, Rate: c.Rate, FetchLife: c.FetchLife}.Validate()
}

// hunting joins the queue of package hunt to the server. What is held, released and dropped is read off the records of each
// step, so that nothing that does one of these has to think of it; what a repository lacks is noted by each look.
type hunting struct {
	queue   *hunt.Hunt                 // nil if the server does not hunt
	targets map[FetchID]hunt.Fetch     // open fetches
	held    map[string][]string        // by event id: the identifiers that a held event speaks of
	synced  map[string]bool            // events of peers whose answer is open
	restart map[string]bool            // identifiers whose restored events wait for the first look (REF-PURG-17)
	touched map[string]bool            // identifiers that need a look now
	fresh   map[string]time.Duration   // and for which something new has come, with its delay
	lacks   map[repo.ID]map[string]gap // by repository and event id
	looks   map[repo.ID]bool           // repositories that must be looked at: something waits for them that did not before
	looked  map[string][]repo.ID       // by event id: those that were looked at for it
	budgets budgets
}

// A gap is what of the objects of an event was missing when a repository was last looked at.
type gap []repo.OID

func newHunting(cfg Config) hunting {
	x := hunting{
		targets: map[FetchID]hunt.Fetch{}, held: map[string][]string{}, synced: map[string]bool{}, restart: map[string]bool{},
		touched: map[string]bool{}, fresh: map[string]time.Duration{}, lacks: map[repo.ID]map[string]gap{},
		looks: map[repo.ID]bool{}, looked: map[string][]repo.ID{}, budgets: newBudgets(),
	}
	if cfg.Hunt.On {
		x.queue = hunt.New(hunt.Config{
			Policy:     hunt.Policy{Own: cfg.Service, AllowPrivate: cfg.Hunt.AllowPrivate},
			Concurrent: cfg.Hunt.Concurrent, Rate: cfg.Hunt.Rate, FetchLife: cfg.Hunt.FetchLife,
		})
	}
	return x
}

// arrives notes that an event that is about to be judged comes from a peer.
func (x *hunting) arrives(event string) {
	if x.queue != nil {
		x.synced[event] = true
	}
}

// answered notes that an event is not judged any more.
func (x *hunting) answered(event string) { delete(x.synced, event) }

// survived notes what restored events wait for.
func (x *hunting) survived(events []HeldEvent) {
	if x.queue == nil {
		return
	}
	for _, h := range events {
		x.held[h.Event.ID] = identifiersOf(h.Event)
		for _, identifier := range x.held[h.Event.ID] {
			x.restart[identifier] = true
			x.touch(identifier)
		}
	}
}

// identifiersOf returns the identifiers of repositories that an event speaks of.
func identifiersOf(ev *nostr.Event) []string {
	switch ev.Kind {
	case policy.KindAnnouncement, policy.KindState:
		if identifier, ok := repo.Identifier(ev); ok {
			return []string{identifier}
		}
	case policy.KindPullRequest, policy.KindPullRequestUpdate:
		if pr, reason := repo.ParsePullRequest(ev); reason == "" {
			var list []string
			for _, id := range pr.Repos {
				list = append(list, id.Identifier)
			}
			return list
		}
	}
	return nil
}

// touch notes that the needs of identifiers may have changed.
func (x *hunting) touch(identifiers ...string) {
	if x.queue == nil {
		return
	}
	for _, identifier := range identifiers {
		x.touched[identifier] = true
	}
}

// huntAfter follows a step: what it has changed, told by its effects from the index begin on, and what is due now.
func (s *Server) huntAfter(now instant.Instant, begin int, out *Effects) {
	x := &s.hunting
	if x.queue == nil || s.closing {
		return
	}
	for begin < len(out.List) || len(x.touched) > 0 {
		for ; begin < len(out.List); begin++ {
			if r, is := out.List[begin].(Record); is {
				s.huntRecord(r)
			}
		}
		touched := slices.Sorted(maps.Keys(x.touched))
		clear(x.touched)
		for _, identifier := range touched {
			s.huntFor(now, identifier, out)
		}
		clear(x.fresh)
		looks := slices.SortedFunc(maps.Keys(x.looks), repo.ID.Compare)
		clear(x.looks)
		for _, id := range looks {
			s.look(now, s.repositories[id], nil, out)
		}
	}
	if s.Idle() {
		clear(x.restart) // everything has been looked at
	}
	s.huntOrders(now, out)
}

func (s *Server) huntRecord(r Record) {
	x := &s.hunting
	switch r.Op { //nolint:exhaustive // the others say nothing of held events
	case OpHold:
		x.held[r.ID] = identifiersOf(r.Event)
		x.touch(x.held[r.ID]...)
	case OpStore, OpDrop:
		x.touch(x.held[r.ID]...)
		delete(x.held, r.ID)
		delete(x.looked, r.ID)
		if r.Event != nil {
			x.touch(identifiersOf(r.Event)...)
		}
	}
}

// huntFresh notes that something new has come: an event that is held, or an announcement, which may name other hosts.
func (s *Server) huntFresh(ev *nostr.Event) {
	x := &s.hunting
	if x.queue == nil {
		return
	}
	delay := s.cfg.Hunt.UserDelay
	if x.synced[ev.ID] {
		delay = s.cfg.Hunt.SyncDelay
	}
	for _, identifier := range identifiersOf(ev) {
		x.touch(identifier)
		if known, ok := x.fresh[identifier]; !ok || delay < known {
			x.fresh[identifier] = delay
		}
	}
}
