package suite

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/features"
)

// An appointment is a check in its lane.
type appointment struct {
	index int
	check features.Check
	again bool   // it was turned away before
	place *place // that it takes; nil if it needs none
}

// number tells the names of an appointment's world from those of all others.
func (a appointment) number() int {
	if a.again {
		return a.index + againFrom
	}
	return a.index
}

// againFrom is more than there are checks.
const againFrom = 100_000

// runAll runs every check in its lane: those that wait in real time at once and side by side, the others
// a few at a time, and those that move the target's clock or may hurt it one at a time at the end, floods last. Behind all of them
// come those that end the server, for they end the connections of everybody. Each has its place in the results.
func (r *run) runAll(ctx context.Context, checks []appointment, results []CheckResult) {
	var leaping, parked, parallel, alone, floods, ending, endingLate []appointment
	movable := r.movable()
	r.reserve()
	for _, a := range checks {
		c := a.check
		if out := r.decide(c).then(func() outcome { return r.afford(c) }); !out.held() {
			results[a.index] = r.settle(newWorld(ctx, r, a), out)
			r.tellOver(a, results[a.index])
			continue
		}
		switch ends := r.registry.needs(c, "restart") || r.registry.needs(c, "kill"); {
		case r.leaps(c):
			leaping = append(leaping, a) // behind all others, who have no use for another time of day
		case !movable && ends && c.Wait() > 0:
			endingLate = append(endingLate, a)
		case !movable && ends:
			ending = append(ending, a)
		case !movable && (c.Wait() > 0 || r.waitsAside(c)):
			parked = append(parked, a)
		case c.Wait() > 0 || c.Has("serial") || c.Has("hostile"):
			if EstimateOf([]features.Check{c}).Events >= floodEvents || r.registry.needs(c, "weight") {
				floods = append(floods, a) // nobody is beside these, not even who rests
			} else {
				alone = append(alone, a)
			}
		default:
			parallel = append(parallel, a)
		}
	}
	file := func(a appointment, result CheckResult) {
		results[a.index] = result // each has a place of its own
		r.tellOver(a, result)
		if a.again || !r.isCrowded(result) {
			r.halt.hear(result)
		}
	}
	all := slices.Concat(parked, parallel, alone, floods, ending, endingLate)
	writes := func(a appointment) bool { // archives and private services have no use for it
		return !a.check.Has("read-only") && !ofPrivate(a.check) && !ofArchive(a.check)
	}
	if slices.ContainsFunc(slices.Concat(all, leaping), writes) && !r.halt.stopped() {
		r.lighthouse.ready(ctx) // first of all, for it tells how long things take here
	}
	var waiting sync.WaitGroup
	waiting.Go(func() { r.perform(ctx, parked, len(parked), file) })
	r.perform(ctx, r.placed(parallel, r.cfg.parallel(), movable), r.workers(r.cfg.parallel(), movable), file)
	r.perform(ctx, r.placed(alone, 1, movable), r.workers(1, movable), file)
	r.perform(ctx, floods, 1, file)
	waiting.Wait()
	again := func(lanes ...[]appointment) {
		some := slices.Concat(lanes...)
		lacks := func(a appointment) bool { return results[a.index].lacksRoom } // other results are of targets beside this one
		if slices.ContainsFunc(some, lacks) && !r.roomy.Load() && !r.halt.stopped() {
			r.makeRoom(ctx)
		}
		if those := r.crowded(some, results); len(those) > 0 && !r.halt.stopped() {
			r.awaitReturn(ctx)
			r.perform(ctx, those, 1, file)
		}
	}
	again(parked, parallel, alone, floods) // before what may end the target
	r.perform(ctx, ending, 1, file)
	r.perform(ctx, endingLate, 1, file)
	again(ending, endingLate)
	r.perform(ctx, leaping, 1, file)
}

// floodEvents is from how many events on a check floods the target: a server that makes room for one owner after the other is at
// work on them for long, and whoever comes behind waits for it.
const floodEvents = 200

// placed are checks that take one of some places each, where waiting takes time.
func (r *run) placed(lane []appointment, n int, movable bool) []appointment {
	if movable {
		return lane
	}
	all := newPlaces(n, r.narrow)
	for i := range lane {
		lane[i].place = &place{of: all}
	}
	return lane
}

// turnedAwayMax is how many handshakes the target may turn away for there being too many connections until it gets one check at a
// time: those of a check that waits for a further one are in the way of all others.
const turnedAwayMax = 8

// narrow reports whether the target gets one check at a time.
func (r *run) narrow() bool {
	return r.cfg.parallel() > 1 && (r.pace.TurnedAway() >= turnedAwayMax || r.pace.Hesitant())
}

// workers is how many checks are under way at a time, those that rest among them, where there are n places. Who wants one at a
// time gets that.
func (r *run) workers(n int, movable bool) int {
	if movable || r.cfg.parallel() == 1 {
		return n
	}
	return n + restingMax
}

// waitsAside reports whether a check that runs alone where it moves the clock may wait beside the others where nobody can
// move it: it attacks nobody, and more than one check at a time is welcome.
func (r *run) waitsAside(c features.Check) bool {
	return c.Has("serial") && !c.Has("hostile") && r.cfg.parallel() > 1
}

// crowded are the checks that were turned away or put off for there being too many at a time, those during which another one
// ended the server, those that it was away behind or that lost their connection, those of whose subscriptions it has ended one,
// those that took longer than what waits is kept, and those without an answer where it gave none for a while, or gave most of the
// others theirs: they are worth another try, alone.
func (r *run) crowded(all []appointment, results []CheckResult) []appointment {
	var again, silent []appointment
	answered := 0
	for _, a := range all {
		result := results[a.index]
		if result.Verdict == Pass || result.Verdict.Violated() {
			answered++
		}
		if crowded := r.isCrowded(result); crowded || result.dead && result.Verdict.Undecided() {
			a.again = true
			if crowded {
				again = append(again, a)
			} else {
				silent = append(silent, a)
			}
		}
	}
	if worldOf(r.target) != "sim" && r.mayWrite() && r.isDown() == "" && len(silent)*silentShare <= answered {
		again = append(again, silent...) // a busy machine is late with some answers
	}
	return again
}

// silentShare is how many times as many others got their answers where checks without one are tried again though the target was
// never away: who gives none to most is not late.
const silentShare = 10

func (r *run) isCrowded(result CheckResult) bool {
	r.mu.Lock()
	dead, absent := r.down != "", r.absence > 0
	r.mu.Unlock()
	paced := result.Verdict.Undecided() && result.paced
	disturbed := result.disturbed && (result.Verdict.Undecided() || result.Verdict.Violated())
	putOff := result.putOff && r.pace.Hesitant() && (result.Verdict.Undecided() || result.Verdict.Violated() || result.Verdict == Unsupported)
	closed := result.closed && (result.Verdict.Undecided() || result.Verdict.Violated()) // for what others do, it may be
	outlived := result.outlived && result.Verdict.Undecided()
	roomless := result.lacksRoom && result.Verdict == Unsupported && r.roomy.Load()
	broken := result.late && result.Verdict.Undecided() || roomless || closed || outlived || result.shaken || result.broken && result.Verdict.Undecided()
	return !dead && (paced || putOff || disturbed || broken || absent && result.dead && result.Verdict.Undecided())
}

// These bound one check in real time, without the waits that it asks for; the second one where the target's clock can be
// moved, so that real time says how busy this machine is and nothing else.
const (
	checkTimeout      = 5 * time.Minute
	checkTimeoutStill = 15 * time.Minute
)

// isLarge reports whether a check holds so much data that one such at a time is enough for this machine.
func isLarge(c features.Check) bool {
	return slices.ContainsFunc(c.Steps, func(s features.Step) bool {
		return slices.ContainsFunc(s.Table, func(row []string) bool {
			return slices.ContainsFunc(row, func(cell string) bool { return bulkFiles[cell]*bulkFileBytes >= largeCheck })
		})
	})
}

// largeCheck is from how many bytes on one commit makes a check large.
const largeCheck = 32 << 20

// begin starts a check, which is over at once where the target is dead or a condition does not hold.
func (r *run) begin(ctx context.Context, a appointment) *performance {
	r.awaitPresence(ctx)
	reaches := outcome{}
	if r.registry.needs(a.check, "reachback") && !r.registry.needs(a.check, "relays") && !r.halt.stopped() { // who never connects to a relay is seen to
		reaches = r.reaches(ctx) // takes time of its own
	}
	if r.leaps(a.check) {
		reaches = r.fallsDue(ctx)
	}
	done := func() {}
	if isLarge(a.check) {
		r.large.Lock()
		done = r.large.Unlock
	}
	a.place.take() // last of all: who has one waits for nobody but the target
	released := done
	done = func() { a.place.leave(); released() }
	limit, waits := checkTimeoutStill, time.Duration(0)
	if !r.movable() {
		waits = a.check.Wait()
		if r.leaps(a.check) {
			waits = 0
		}
		limit = a.check.Wait() + checkTimeout*time.Duration(r.cfg.slowness())
		limit += r.takesLong()
		if a.check.Wait() > 0 { // it begins before anybody knows how slowly things have to be done here
			limit += paceLongest
		}
	}
	outer := ctx
	ctx, given := allot(outer, limit, r.now)
	left := r.halt.enter(given.end)
	p := &performance{appointment: a, outer: outer, world: newWorld(ctx, r, a), cancel: func() { left(); given.end(); done() }}
	p.world.time = given
	switch down := r.isDown(); {
	case down != "":
		p.end, p.skipped = blockedDown(down), true
	case r.halt.stopped():
		p.end, p.skipped = blockedStopped(), true
	case outer.Err() != nil:
		p.end, p.skipped = outcome{verdict: Inconclusive, reason: "the run was interrupted before"}, true
	default:
		p.end = r.spentUp().then(func() outcome { return reaches }).then(p.world.hopelessly).then(func() outcome { return r.precondition(p.world) })
	}
	r.mu.Lock()
	p.world.endedAt = r.ended
	r.mu.Unlock()
	p.over = !p.end.held()
	r.enter(a.check.ID)
	r.tellBegun(a, waits)
	return p
}

// finish ends a check and settles what came of it.
func (p *performance) finish() CheckResult {
	w, r := p.world, p.world.run
	p.world = nil // whoever keeps the performance keeps no objects of git
	defer p.cancel()
	defer w.close()
	defer w.closeHosts()
	defer w.closeRelays()
	defer w.leaveGit()
	if p.skipped {
		r.leave(w.check.ID)
		return r.settle(w, p.end)
	}
	if w.steps > 0 {
		if p.end.verdict == Fail {
			w.showTwins(p.at)
		}
		p.end = w.unlessLost(w.unlessGitless(w.reconsidered(w.finish(p.end))))
		if dead := w.death(); !dead.held() {
			p.end = dead
		} else {
			w.tidy()
			w.vacate()
		}
		r.listen(w.check.ID)
	}
	if p.end.verdict.Undecided() && w.brokenOff() {
		p.end = blockedStopped()
	}
	late := w.ranOut() && p.outer.Err() == nil && r.growsSlow(w)
	outlived := w.outlived()
	result := r.settle(w, w.unlessOutlived(w.unlessPlacedLongAgo(p.end)))
	result.outlived, result.lacksRoom, result.late = outlived, w.lacksRoom, late
	result.Began, result.Took = w.began, r.now().Sub(w.began)
	result.closed = w.client.Closures() > 0
	r.mu.Lock()
	result.disturbed = r.ended-w.endedAt > w.ended
	r.spent = r.spent.Plus(result.Spent)
	r.mu.Unlock()
	if met, _ := r.pace.Told(); w.ctx.Err() != nil && (len(met) > 0 || r.slowRooms()) {
		result.paced = true // what it had to wait for took all its time
	}
	result.putOff = w.client.PutOff()
	r.watch(p.outer, w, &result)
	return result
}

func (r *run) now() time.Time {
	if r.cfg.Clock != nil {
		return r.cfg.Clock()
	}
	return r.target.Now()
}

func (r *run) isDown() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.down
}

// dead reports whether setting up the lighthouse got no answer.
func (l *lighthouse) dead() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.tried && l.outcome.dead
}

// welcome reports whether the target has ever taken an event of ours.
func (r *run) welcome() bool {
	r.mu.Lock()
	taken := r.taken
	r.mu.Unlock()
	return taken || r.lighthouse.lit()
}

// lit reports whether the lighthouse is served.
func (l *lighthouse) lit() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.tried && l.outcome.held()
}

// optionsOf are those of a check's client.
func (r *run) optionsOf(a appointment) client.Options {
	opts := r.clientOptions()
	opts.Shares = !a.again && r.cfg.parallel() > 1
	if a.again {
		opts.Settle = max(opts.Settle, r.wasAway())
	}
	return opts
}
