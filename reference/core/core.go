// Package core is the GRASP server as one state machine: Step takes an input at an instant and returns effects. It has
// no clock, randomness, goroutine or I/O; who owns a Server calls it from one goroutine and carries its effects out.
package core

import (
	"fmt"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/eventstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/purgatory"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// A Server is a GRASP server. It is not safe for concurrent use.
type Server struct {
	cfg          Config
	store        *eventstore.Store
	held         *purgatory.Purgatory
	placeholders *purgatory.Placeholders
	conns        map[ConnID]*relay.Session
	members      policy.Members // of a private service
	order        []ConnID       // open connections, in the order of their arrival
	audience     *relay.Audience

	announced   map[repo.ID]announced    // accepted announcements, held and stored
	owners      map[string][]repo.PubKey // by identifier: who has one, sorted
	authorities authorities
	states      map[repo.ID]*repo.State // stored state events, by author and identifier
	pulls       pullRequests

	tombstones      tombstones
	vanishings      vanishings
	expired         expiredIDs
	retries         []retry               // repositories for which an order has failed, by time
	retired         retirees              // repositories that are kept without an announcement that is served
	deletedVersions map[slot]*nostr.Event // deleted announcements and states: id and created_at
	siblings        siblings
	places          places // for contributions
	tidies          tidies
	hunting         hunting
	replicating     replicating
	searches        searches
	turn            uint64 // of reconciliations, counted to know which went on longest ago

	repositories map[repo.ID]*repository
	judging      map[string]*judging // events whose answer waits for a repository, by id
	awaiting     int                 // bytes of those that are not held yet, by repo.Size
	open         map[RequestID]request
	pushes       map[PushID]*pushing
	requests     RequestID

	started bool
	closing bool
	last    instant.Instant
	ahead   time.Duration // of the time of day to the instants
}

// An announced is an accepted announcement.
type announced struct {
	repo.Announcement
	stored  bool // served; else held
	vouched bool // does not list this service, nor is it archived here: no repository belongs to it
	soft    bool // held in the second phase: it has lost its repository
}

// New returns a server that waits for its Started input. It panics if the configuration is not valid.
func New(cfg Config) *Server {
	cfg = cfg.withDefaults()
	if err := cfg.Validate(); err != nil {
		panic("core: invariant: " + err.Error())
	}
	store := eventstore.New(cfg.StoredMax)
	store.LimitBytes(cfg.StoredBytesMax)
	s := &Server{
		cfg:             cfg,
		store:           store,
		held:            purgatory.New(),
		placeholders:    purgatory.NewPlaceholders(),
		conns:           map[ConnID]*relay.Session{},
		members:         cfg.Private.Members,
		audience:        relay.NewAudience(),
		announced:       map[repo.ID]announced{},
		owners:          map[string][]repo.PubKey{},
		authorities:     newAuthorities(),
		states:          map[repo.ID]*repo.State{},
		pulls:           newPullRequests(),
		tombstones:      newTombstones(),
		expired:         expiredIDs{until: map[string]instant.Instant{}},
		retired:         retirees{byOwner: map[repo.PubKey][]retiree{}},
		deletedVersions: map[slot]*nostr.Event{},
		siblings:        newSiblings(),
		places:          newPlaces(),
		hunting:         newHunting(cfg),
		searches:        newSearches(),
		repositories:    map[repo.ID]*repository{},
		judging:         map[string]*judging{},
		open:            map[RequestID]request{},
		pushes:          map[PushID]*pushing{},
	}
	s.replicating = newReplicating(s, cfg)
	return s
}

// Step feeds one input to the server at the instant now and appends the effects, in order, to out. It panics if
// instants go back, or if anything comes before Started.
func (s *Server) Step(now instant.Instant, in Input, out *Effects) {
	if now < s.last {
		panic(fmt.Sprintf("core: invariant: time went back from %d to %d", s.last, now))
	}
	s.last = now
	if _, first := in.(Started); first == s.started {
		panic("core: invariant: Started comes once and first")
	}
	begin := len(out.List)
	if in, set := in.(ClockSet); set {
		s.ahead = in.Ahead // before anything is judged by it
		s.clockOfHeld()
		s.replicateClock()
	}
	s.expire(now, out)
	switch in := in.(type) {
	case Started:
		s.start(now, in, out)
	case ConnOpened:
		s.connOpened(in, out)
	case ConnClosed:
		s.connClosed(in)
	case Message:
		s.message(now, in, out)
	case PushAsked:
		s.pushAsked(now, in, out)
	case PushForgone:
		s.pushForgone(now, in, out)
	case PushOffered:
		s.pushOffered(now, in, out)
	case PushDone:
		s.pushDone(now, in, out)
	case ObjectFacts:
		s.objectFacts(now, in, out)
	case EventsFound:
		s.eventsFound(in, out)
	case RepositoryDone:
		s.repositoryDone(now, in, out)
	case FetchDone:
		s.fetchDone(now, in, out)
	case PeerOpened, PeerSaid, PeerClosed:
		s.peerInput(now, in)
	case Synced:
		s.syncedArrived(now, in, out)
	case MembersRead:
		s.membersRead(in, out)
	case TimerFired, ClockSet:
	case Shutdown:
		s.shutdown(now, out)
	default:
		panic(fmt.Sprintf("core: invariant: unknown input %T", in))
	}
	s.followed(now, begin, out)
}

// followed has hunt and replication follow what a step has changed, and each what the other changes, until nothing does.
func (s *Server) followed(now instant.Instant, begin int, out *Effects) {
	if s.replicating.machine == nil {
		s.huntAfter(now, begin, out)
		return
	}
	for hunted := begin; ; {
		begin = s.replicateAfter(now, begin, out)
		s.huntAfter(now, hunted, out)
		if hunted = len(out.List); hunted == begin {
			return
		}
	}
}

// Deadline is the earliest instant at which Step must be called with TimerFired. There are no other timers.
func (s *Server) Deadline() (instant.Instant, bool) {
	earliest, set := s.held.Deadline()
	if at, ok := s.placeholders.Deadline(); ok && (!set || at < earliest) {
		earliest, set = at, true
	}
	if len(s.retries) > 0 && (!set || s.retries[0].at < earliest) {
		earliest, set = s.retries[0].at, true
	}
	if v := s.vanishings; len(v.list) > 0 && (!set || v.due < earliest) {
		earliest, set = v.due, true
	}
	if at, ok := s.tidyDeadline(); ok && (!set || at < earliest) {
		earliest, set = at, true
	}
	if at, ok := s.storedDeadline(); ok && (!set || at < earliest) {
		earliest, set = at, true
	}
	if at, ok := s.huntDeadline(); ok && (!set || at < earliest) {
		earliest, set = at, true
	}
	if at, ok := s.replicateDeadline(); ok && (!set || at < earliest) {
		earliest, set = at, true
	}
	return earliest, set
}

// Idle reports whether nothing of the repositories waits for an answer of the shell: no order, question about objects or
// push is open. A shell lets clients in once a started server is idle.
func (s *Server) Idle() bool { return len(s.open) == 0 && len(s.pushes) == 0 }

// Settled reports whether nothing goes on in a repository, nor waits to, but for pushes, and for what nobody waits for.
func (s *Server) Settled(id repo.ID) bool {
	r := s.repositories[id]
	return r == nil || (r.task == nil || r.phase == tidying) && len(r.queue) == 0 || r.pushes > 0
}

func (s *Server) shutdown(now instant.Instant, out *Effects) {
	s.closing = true
	out.add(Record{Op: OpMark, Mark: Mark{Kind: MarkRan, At: s.last}})
	s.huntEnds(now, out)
	s.replicateEnds(now, out)
	s.tidiesEnd(out)
	for _, conn := range s.order {
		s.dropSearches(conn, s.conns[conn], func(*search) bool { return true })
		out.add(CloseConn{conn})
	}
	clear(s.conns)
	s.order, s.audience = nil, relay.NewAudience()
	for _, id := range sortedPushes(s.pushes) {
		if p := s.pushes[id]; p.stage == stageAsked || p.stage == stageOffered && !p.expected {
			s.refusePush(p, ruleClosing, out)
		}
	}
}
