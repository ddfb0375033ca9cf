package suite

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
)

// A server that does one large thing at a time may answer nobody meanwhile, and one that died may be started again by
// whoever looks after it. For so long it is waited for, in real time and in waits for one answer, before it counts as dead.
const (
	absentMax     = time.Minute
	absentSettles = 12
	absentPause   = 2 * time.Second
	// absentSlowness is how many times as long an answer is waited for meanwhile: who is full of what the checks have sent has that to
	// work through first.
	absentSlowness = 4
)

// comesBack waits for a target that gave no answer. Meanwhile no check begins. Those that were under way, and those that got
// no answer, are tried again alone: which of them it was shows then, and an answer is waited for longer than the target was
// away. Where the clock moves by our word waiting changes nothing, and a process that is gone and can be started again is.
func (r *run) comesBack(ctx context.Context, gone client.Observation, underway []string) bool {
	movable := r.movable()
	_, restartable := r.target.(target.Restarter)
	if _, silent := gone.(client.Silence); movable || restartable && !silent {
		return false
	}
	r.mu.Lock()
	if waited := r.absent; waited != nil {
		r.mu.Unlock()
		return r.present(ctx, waited)
	}
	back := make(chan struct{})
	r.absent = back
	r.ended++ // who is under way is disturbed
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		close(back)
		r.absent = nil
	}()
	opts := r.clientOptions()
	opts.Slowness = absentSlowness * r.cfg.slowness()
	patient := client.New(r.target, opts)
	since := r.target.Now()
	for r.target.Now().Sub(since) < max(absentMax, absentSettles*r.client.Settle()) {
		if r.client.Wait(ctx, absentPause) != nil {
			return false
		}
		if r.controlBy(ctx, patient) != nil {
			continue
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.ended++
		r.absence = max(r.absence, awayTimes*(r.target.Now().Sub(since)+controls*(r.client.Settle()+absentPause)))
		r.measured = append(r.measured, fmt.Sprintf("%s%s: it answered again, and what got no answer was tried again",
			absenceFact, latest(underway)))
		return true
	}
	return false
}

// awayTimes is how many times as long as a target was away an answer is waited for afterwards: the absence was noticed some time
// after it began.
const awayTimes = 2

// absenceFact begins what is said of an absence.
const absenceFact = "silence: the target answered nobody for a while, under way were "

// latest names the checks that began last, which most things are due to.
func latest(underway []string) string {
	if len(underway) == 0 {
		return "none"
	}
	if len(underway) <= latestMax {
		return strings.Join(underway, ", ")
	}
	return fmt.Sprintf("%s and %d others", strings.Join(underway[len(underway)-latestMax:], ", "), len(underway)-latestMax)
}

const latestMax = 10

// present waits until a target is back that somebody waits for, and reports whether it is.
func (r *run) present(ctx context.Context, back <-chan struct{}) bool {
	if back != nil {
		select {
		case <-back:
		case <-ctx.Done():
			return false
		}
	}
	return r.isDown() == ""
}

// awaitPresence waits until nobody waits for the target to come back.
func (r *run) awaitPresence(ctx context.Context) {
	r.mu.Lock()
	back := r.absent
	r.mu.Unlock()
	r.present(ctx, back)
}

// awaitReturn waits for a target that may have ended a moment ago.
func (r *run) awaitReturn(ctx context.Context) {
	if gone, back := r.lifeless(ctx); gone != nil && !back {
		r.comesBack(ctx, gone, nil)
	}
}

// wasAway is for how long a target that has given no answer for a while may do so again, zero if it always gave one.
func (r *run) wasAway() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.absence
}
