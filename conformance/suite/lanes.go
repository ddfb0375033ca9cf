package suite

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/features"
)

// An appointment is a check in its lane.
type appointment struct {
	index int
	check features.Check
}

// runAll runs every check in its lane: those that wait in real time at once and side by side, the others
// a few at a time, and those that move the target's clock alone at the end.
func (r *run) runAll(ctx context.Context, checks []features.Check) []CheckResult {
	results := make([]CheckResult, len(checks))
	var parked, parallel, alone []appointment
	_, movable := r.target.(target.ClockAdvancer)
	for i, c := range checks {
		a := appointment{i, c}
		if out := r.decide(c); !out.held() {
			results[i] = r.settle(newWorld(ctx, r, c, i), out)
			continue
		}
		switch {
		case c.Wait() > 0 && !movable:
			parked = append(parked, a)
		case c.Wait() > 0 || c.Has("serial"):
			alone = append(alone, a)
		default:
			parallel = append(parallel, a)
		}
	}
	file := func(a appointment, result CheckResult) { results[a.index] = result } // each has a place of its own
	if slices.ContainsFunc(slices.Concat(parked, parallel, alone), func(a appointment) bool { return !a.check.Has("read-only") }) {
		r.lighthouse.ready(ctx) // first of all, for it tells how long things take here
	}
	var waiting sync.WaitGroup
	waiting.Go(func() { r.perform(ctx, parked, len(parked), file) })
	r.perform(ctx, parallel, r.cfg.parallel(), file)
	r.perform(ctx, alone, 1, file)
	waiting.Wait()
	return results
}

// These bound one check in real time, without the waits that it asks for; the second one where the target's clock can be
// moved, so that real time says how busy this machine is and nothing else.
const (
	checkTimeout      = 2 * time.Minute
	checkTimeoutStill = 15 * time.Minute
)

// begin starts a check, which is over at once where the target is dead or a condition does not hold.
func (r *run) begin(ctx context.Context, a appointment) *performance {
	reaches := outcome{}
	if r.registry.needs(a.check, "reachback") {
		reaches = r.reaches(ctx) // takes time of its own
	}
	limit := checkTimeoutStill
	if _, movable := r.target.(target.ClockAdvancer); !movable {
		limit = a.check.Wait() + checkTimeout*time.Duration(r.cfg.slowness())
		limit += r.takesLong()
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	p := &performance{appointment: a, world: newWorld(ctx, r, a.check, a.index), cancel: cancel, started: r.now()}
	if down := r.isDown(); down != "" {
		p.end, p.skipped = blockedDown(down), true
	} else {
		p.end = reaches.then(func() outcome { return r.precondition(p.world) })
	}
	p.over = !p.end.held()
	return p
}

// finish ends a check and settles what came of it.
func (p *performance) finish() CheckResult {
	w, r := p.world, p.world.run
	defer p.cancel()
	defer w.close()
	defer w.closeHosts()
	if p.skipped {
		return r.settle(w, p.end)
	}
	if w.steps > 0 {
		p.end = w.finish(p.end)
		r.listen(w.check.ID)
	}
	result := r.settle(w, p.end)
	result.Took = r.now().Sub(p.started)
	r.watch(w.ctx, result)
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

// breakAfter is the number of checks in a row without any answer after which the target is asked
// whether it lives.
const breakAfter = 3

// watch is the circuit breaker: a dead target is found out soon, and once.
func (r *run) watch(ctx context.Context, result CheckResult) {
	r.mu.Lock()
	if !result.dead {
		if result.Verdict != DependencyFail {
			r.inARow = 0
		}
		r.mu.Unlock()
		return
	}
	r.inARow++
	ask := r.inARow >= breakAfter && r.down == ""
	r.mu.Unlock()
	if !ask {
		return
	}
	why := r.control(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.inARow = 0
	if why != "" && r.down == "" {
		r.down = why
	}
}

// control asks the relay something harmless; it returns why there was no proper answer, or "".
func (r *run) control(ctx context.Context) string {
	if r.lighthouse.dead() {
		return "it stopped answering"
	}
	relay, o := r.client.Relay(ctx)
	if o != nil {
		return o.String()
	}
	defer relay.Close()
	if _, o = relay.Query(ctx, client.Filter{Limit: new(int)}); o != nil && client.Inconclusive(o) {
		return o.String()
	}
	return ""
}

// dead reports whether setting up the lighthouse got no answer.
func (l *lighthouse) dead() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.tried && l.outcome.dead
}
