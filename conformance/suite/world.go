package suite

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/features"
)

// A world is everything that one check has: keys, repositories and a history of its own, connections, and what was seen
// last, by subject. It belongs to one goroutine.
type world struct {
	ctx    context.Context //nolint:containedctx // a world lives exactly as long as its context
	run    *run
	check  features.Check
	client *client.Client

	identifier string         // of the check's repository, the same for all actors
	base       string         // the identifier without the ending that a step gave it
	time       *allotted      // that the check has; nil before it begins
	began      time.Time      // the check
	slow       time.Duration  // how long answers took then, as far as was known
	start      int64          // seconds that the check's events are dated from
	ticks      int64          // the last date given out, counted from start
	logMark    target.LogMark // the end of the server's log when the check began
	actors     map[string]*actor

	sent   sent               // events
	relay  relaying           // connections to the relay
	git    gitting            // pushes and fetches
	stock  stockGit           // what the installed git does
	page   client.Observation // the answer to the last visit
	asked  string             // the path of that visit, as it was sent
	origin string             // of the page that visits come from; "" is none
	hosts  gitHosts           // of ours, that the target is to fetch from
	decoys decoys

	private private // at a service that is for members

	elsewhere otherRelays // of ours, that have what the target is to get
	leap      outcome     // of the last step of the clock
	lacksRoom bool        // an announcement was refused by policy, though others are taken
	leapt     bool        // time has passed by a step of the clock
	weight    int64       // bytes that the server held at most when it was weighed
	before    sighting    // what was to be seen before the act under way, if what is asked must change nothing

	violations []outcome // of named requirements
	pending    string    // a bad answer to something refusable, until the twin is judged
	notes      []string
	steps      int              // steps that ran
	shown      []int            // twins that held behind a violation, by their numbers
	ended      int              // how often it has ended the server
	restarted  bool             // it has started it again
	endedAt    int              // how often others had when it began
	flood      bool             // so many events that a request for a slower pace is an answer
	again      bool             // it was turned away before, and is somebody else now
	steady     int              // controls so far
	builds     bool             // the step under way makes what the check's own matter builds on
	insists    bool             // the step under way has to succeed, whether it is judged or not
	rooms      map[string]*room // by path; what the target has accepted to host
}

// sent are the events that a check has made, most of them published.
type sent struct {
	byLabel       map[string]*nostr.Event   // by label, such as "state" or `state "old"`
	last          *nostr.Event              // what was published last
	answer        client.Observation        // the answer to it
	again         func() outcome            // sends it once more
	tried         []tried                   // the last messages with faults
	announced     announcing                // the announcement made last
	posted        []*nostr.Event            // issues that were posted by their number
	dressing      dressing                  // what was posted in every dress
	expires       int64                     // when the issue that expires does
	expiryAwaited bool                      // and that has been waited for
	doomed        *nostr.Event              // what the last deletion request names
	forged        *forged                   // what was sent in spoilt forms
	taken         map[string]client.OKFrame // by id; answers that accepted an event
	shown         map[string]bool           // by id; events that were seen served
	states        []*nostr.Event            // states that were accepted, in order
	erased        bool                      // a request to erase something was accepted
	original      *nostr.Event              // the pull request that an update is of where the check has none
	doubt         refused                   // the first event that was refused by what may be a limit
}

// relaying is what a check does on connections to the relay.
type relaying struct {
	conn     *client.Relay // the actors' connection; nil until needed
	proved   *client.Relay // where somebody has authenticated, which another challenge may have followed
	watching bool          // conn has the subscriptions for barriers
	listener *client.Relay // the connection of "a listener"
	heard    []*nostr.Event

	asked      []*nostr.Event  // what the last query brought
	filters    []client.Filter // by which it asked, where a step looks at them
	open       string          // the subscription that steps speak of
	subscribed []*nostr.Event  // what it began with
	neg        reconciling     // the reconciliation that steps speak of
	pair       string          // how the ids of two subscriptions differ

	extra    []*client.Relay // connections for many subscriptions
	load     int             // subscriptions on the last of them
	lastOne  bool            // no further connection is to be had
	followed []following     // what is subscribed to on them
}

// gitting is what a check pushes and fetches.
type gitting struct {
	history        *history
	pushed, beside push // the last one, and the other one of two that were under way at once
	clone          cloned
	state          [][]string           // the state published last
	states         [][][]string         // all states, in order
	signed         []*nostr.Event       // the same, as they were published
	lowest         [][]string           // what the state with the lower id says
	tied           tie                  // two versions of one time
	many           [][]string           // the state of many branches
	bare           []func()             // closes the bare connections
	removed        bool                 // the repository did not answer behind a deletion
	arrived        bool                 // a push of the check has succeeded
	placed         map[string]time.Time // when the push of a ref below refs/nostr began, by name
	race           *race                // of several clients
}

func newWorld(ctx context.Context, r *run, a appointment) *world {
	c, index, opts := a.check, a.number(), r.optionsOf(a)
	var w *world
	if a.place != nil {
		lives := func() bool { return r.control(ctx) == nil }
		opts.Rest = func(wait func()) { r.rest(a, lives, wait, func(resume func()) { w.time.queue(resume) }) }
	}
	w = &world{
		ctx: ctx, run: r, check: c, again: a.again, identifier: r.name(fmt.Sprint(index)),

		began:   r.now(),
		slow:    r.slowness(),
		logMark: markOf(r.target),
		start:   r.base(),
		actors:  make(map[string]*actor),
		rooms:   make(map[string]*room),
		git:     gitting{history: newHistory(r.cfg.Seed, c.ID, r.bulk)},
		sent:    sent{byLabel: make(map[string]*nostr.Event), taken: make(map[string]client.OKFrame), shown: make(map[string]bool)},
	}
	if ofPrivate(c) {
		opts.Door = nil // it knocks itself
	}
	if r.leaps(c) {
		opts.Pass = w.leapOver
	}
	w.client = client.New(r.target, opts)
	return w
}

// close ends the connections of the check.
func (w *world) close() {
	for _, relay := range append(w.relay.extra, w.relay.conn, w.relay.listener) {
		if relay != nil {
			relay.Close()
		}
	}
	w.relay.conn, w.relay.listener, w.relay.extra = nil, nil, nil
	w.private.hangUp()
	for _, hangUp := range w.git.bare {
		hangUp()
	}
	w.git.bare = nil
}

// tick returns the next date: one second after the last one.
func (w *world) tick() int64 {
	w.ticks++
	return w.start + w.ticks
}

// dated returns the date that a step names, in seconds from the check's start; "" is the next one.
func (w *world) dated(seconds string) int64 {
	if seconds == "" {
		return w.tick()
	}
	n := number(seconds)
	w.ticks = max(w.ticks, n)
	return w.start + n
}

// connect returns the actors' connection. Where the check speaks of what is not served, it has
// subscriptions from the start that would show it.
func (w *world) connect() (*client.Relay, outcome) {
	if w.relay.conn != nil {
		return w.relay.conn, outcome{}
	}
	relay, o := w.client.Relay(w.ctx)
	if o != nil {
		return nil, unlessInconclusive("connect", o).dueTo(restsOnRelay)
	}
	if w.needsBarrier() {
		if out := w.watch(relay, w.allAuthors()); !out.held() {
			relay.Close()
			return nil, out
		}
		w.relay.watching = true
	}
	w.relay.conn = relay
	return relay, outcome{}
}

// The subscriptions that a connection has for barriers.
const (
	subWatch  = "watch"
	subBeacon = "beacon"
)

// beacons is the subscription in which the beacons of a barrier come: where a connection has two subscriptions at most, the one for the
// authors has two filters, so that there may be room for a query.
func (w *world) beacons() string {
	if w.roomOnConnection() <= 2 {
		return subWatch
	}
	return subBeacon
}

// watch opens live subscriptions for the authors' events and for beacons.
func (w *world) watch(relay *client.Relay, authors []string) outcome {
	of := map[string][]client.Filter{subWatch: {{Authors: authors, Limit: new(int)}}}
	of[w.beacons()] = append(of[w.beacons()], client.Filter{
		Authors: w.run.lighthouse.pubkeys(), Kinds: []int{client.KindIssue}, Limit: new(int),
	})
	for _, sub := range []string{subWatch, subBeacon} {
		if len(of[sub]) == 0 {
			continue
		}
		if _, o := relay.Subscribe(w.ctx, sub, of[sub]...); o != nil {
			return unable("subscribe", o)
		}
	}
	return outcome{}
}

// cameFor are the events that came to the subscription for the authors, without beacons.
func (w *world) cameFor(relay *client.Relay) ([]*nostr.Event, client.Observation) {
	events, o := relay.Live(w.ctx, subWatch)
	return w.withoutBeacons(events), o
}

func (w *world) withoutBeacons(events []*nostr.Event) []*nostr.Event {
	of := w.run.lighthouse.pubkeys()
	return slices.DeleteFunc(events, func(ev *nostr.Event) bool { return slices.Contains(of, ev.PubKey) })
}

func (w *world) allAuthors() []string {
	var authors []string
	for _, a := range actors() {
		authors = append(authors, w.key(a).Pubkey)
	}
	return authors
}

// needsBarrier reports whether a step of the check shows that something is not served.
func (w *world) needsBarrier() bool {
	return w.run.registry.some(w.check, func(s step) bool { return s.absent })
}

// query asks on the actors' connection.
func (w *world) query(filters ...client.Filter) ([]*nostr.Event, outcome) {
	if out := w.hopeless(restsOnQueries); !out.held() {
		return nil, out
	}
	relay, out := w.connect()
	if !out.held() {
		return nil, out
	}
	events, o := relay.Query(w.ctx, filters...)
	if o != nil {
		events, out = w.endless(o, filters)
	}
	return events, out
}

// unanswering is the outcome of a query that was answered by something else. A private service owes an answer to its members alone.
func (w *world) unanswering(o client.Observation) outcome {
	if closed, is := o.(client.ClosedFrame); is && closed.Prefix == "auth-required" && w.run.facts.grasps[graspPrivate] && w.run.entry.door == nil {
		return notApplicable("a private service answers its members alone: %v", o)
	}
	return unlessInconclusive("query", o)
}

// step performs one step and files its outcome; a panic is a fault of ours.
func (w *world) step(b bound, table [][]string) (out outcome) {
	defer func() {
		if fault := recover(); fault != nil {
			out = harnessError("%v\n%s", fault, debug.Stack())
		}
	}()
	w.steps++
	w.client.Recorder().Mark(w.steps)
	defer func() {
		if !out.held() {
			out.step = w.steps
		}
	}()
	if w.git.arrived && (b.step.role == act || b.step.role == setUp) { // never between an act and what is judged of it
		w.surround()
	}
	out = w.inRole(b.step, func() outcome { return b.step.run(w, b.words, table) })
	if !w.leap.held() {
		out, w.leap = w.leap, outcome{}
	}
	if out.verdict == Fail && b.step.role == assertion && b.step.sees != answers && !b.step.refuses {
		out = w.unlessShutOut(out)
	}
	if out.verdict == Fail || out.verdict == DependencyFail || out.verdict == SetupFail {
		out = w.unlessLimited(out)
		if tooFast(w.git.pushed.answer) {
			out = inconclusive("the push", w.git.pushed.answer)
		}
	}
	if out.verdict == Fail && w.ranOut() { // what was seen then is due to this end
		out = outcome{verdict: Inconclusive, broken: true, reason: "the time of the check ran out: " + out.reason}
	}
	if out.held() && b.step.unmoved {
		out = w.lookAfter()
	}
	if dead := w.death(); !dead.held() {
		return dead
	}
	if out.proceed {
		out.step = w.steps
		w.violations = append(w.violations, out)
		return outcome{}
	}
	return out
}

// death is a violation by a server that has ended by itself, whatever else came of the step: no message and no time that
// passes may do that to it.
func (w *world) death() outcome {
	for _, c := range []*client.Client{w.client, w.run.client} {
		if why := c.Death(); why != "" {
			return violated("%s", why)
		}
	}
	return outcome{}
}

// inRole does something in the role that a step gives it.
func (w *world) inRole(s step, do func() outcome) outcome {
	switch s.role {
	case setUp:
		return w.asPrecondition(do)
	case twin:
		out := do()
		if s.scores && out.verdict == Fail {
			return out
		}
		return w.twin(out)
	case control:
		return do().asTwin()
	case act, assertion, record:
	}
	return do()
}

// asPrecondition does what the check's own matter builds on.
func (w *world) asPrecondition(do func() outcome) outcome {
	before := w.builds
	w.builds = true
	defer func() { w.builds = before }()
	return do().asSetup()
}

// refused files a bad answer to something refusable until the twin is judged.
func (w *world) refusedBadly(what string, o client.Observation) outcome {
	w.pending = what + " was answered by " + o.String()
	return outcome{}
}

// twin files the outcome of an accepted twin: its proper answer makes a pending bad answer a violation.
func (w *world) twin(out outcome) outcome {
	if !out.held() {
		return out.asTwin()
	}
	if w.pending != "" {
		reason := w.pending
		w.pending = ""
		return violated("%s, but its accepted twin was answered properly", reason)
	}
	return outcome{}
}

// note records a fact.
func (w *world) note(format string, args ...any) {
	w.notes = append(w.notes, fmt.Sprintf(format, args...))
}
