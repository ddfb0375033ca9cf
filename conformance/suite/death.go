package suite

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
)

// A target that is dead, or hangs, behind a check that ran alone was ended by that check: that is a finding of it. Behind
// checks that ran side by side it is said who they were. Where the target comes back, or can be started again, the run goes on.
const (
	breakAfter  = 3  // checks in a row without any answer after which the target is asked whether it lives
	controls    = 3  // questions without an answer before a target counts as dead
	restartsMax = 12 // starts of a target that died, in one run: each of those that end it does so twice
)

// enter and leave keep the account of the checks under way.
func (r *run) enter(check string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(r.underway, check) {
		r.underway = append(r.underway, check)
	}
}

func (r *run) leave(check string) (beside []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if at := slices.Index(r.underway, check); at >= 0 {
		r.underway = slices.Delete(r.underway, at, at+1)
	}
	return slices.Clone(r.underway)
}

// rest lets a check wait without its place. One that attacks has to leave the target alive before somebody else may act: what
// ends it from then on is not its doing. queue performs the wait for its place behind that.
func (r *run) rest(a appointment, lives func() bool, wait func(), queue func(resume func())) {
	if a.check.Has("hostile") {
		if !lives() {
			wait()
			return
		}
		r.leave(a.check.ID)
		defer r.enter(a.check.ID)
	}
	a.place.rest(wait, queue)
}

// watch looks after a check whether the target lives: after every hostile one, after some in a row that got no answer, and
// after every one without an answer that is tried again.
func (r *run) watch(ctx context.Context, w *world, result *CheckResult) {
	beside := r.leave(w.check.ID)
	r.mu.Lock()
	switch {
	case result.dead:
		r.inARow++
	case result.Verdict != DependencyFail:
		r.inARow = 0
	}
	hostile := w.check.Has("hostile") && w.steps > 0
	ask := r.down == "" && (r.inARow >= breakAfter || hostile || result.dead && w.again)
	if ask {
		r.inARow = 0
	}
	answered := r.answered
	r.mu.Unlock()
	if !ask {
		return
	}
	gone, back := r.lifeless(ctx)
	if gone == nil && result.dead && len(beside) == 0 {
		if why := r.runsAway(ctx); why != "" {
			r.convict(w, result, why)
			r.renew(ctx)
			return
		}
	}
	if gone == nil || ctx.Err() != nil { // who is interrupted has not seen anything end
		return
	}
	if _, limited := gone.(client.RateLimited); limited && len(beside) > 0 {
		return // it is full, and may be so of us
	}
	why := gone.String() + r.howItEnded()
	alone := answered && len(beside) == 0 && w.steps > 0
	if back {
		r.restarted(w, result, gone, alone)
		return
	}
	if alone && !w.again && lostConnection(gone) && r.startsAgain() && r.revive(ctx) {
		result.shaken = true // what was sent before may have ended it: alone, with a target that is new, it shows
		return
	}
	if alone && hostile {
		r.convict(w, result, why) // others have to be served meanwhile
	}
	if r.comesBack(ctx, gone, append(beside, w.check.ID)) {
		return
	}
	if alone && !hostile {
		r.convict(w, result, why)
	} else if len(beside) > 0 {
		why += "; under way were " + latest(append(beside, w.check.ID))
	}
	if r.revive(ctx) {
		return
	}
	if alone {
		why += "; it answered before " + w.check.ID + ", which ran alone, and not behind it"
	}
	why += r.stillThere(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.down == "" {
		r.down = why
	}
}

// stillThere says of a target whose relay answers nobody that it is there all the same, if it is: full, or stuck, and not dead.
func (r *run) stillThere(ctx context.Context) string {
	o := r.client.Get(ctx, "/", http.Header{"Accept": {"application/nostr+json"}})
	if _, is := o.(client.HTTPAnswer); !is {
		return ""
	}
	return "; it answers over HTTP all the same, so it is full or stuck, and not dead"
}

// restarted looks at a target that was away and is back already, as one is that somebody starts again whenever it dies. Who was
// under way is tried again, alone; where that ends it once more, the end is a finding.
func (r *run) restarted(w *world, result *CheckResult, gone client.Observation, alone bool) {
	if !lostConnection(gone) {
		return
	}
	if alone && w.again {
		r.convict(w, result, gone.String()+"; it was back soon")
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended++ // who is under way is disturbed
	result.shaken = true
}

// convict makes the end of the target a finding of the check.
func (r *run) convict(w *world, result *CheckResult, why string) {
	end := violated("the target answered before this check, and not behind it: %s", why)
	again := r.settle(w, end)
	again.Took = result.Took
	*result = again
}

// lifeless asks the target something harmless, several times; it returns what came instead of a proper answer, if anything did,
// and whether a proper one came behind it.
func (r *run) lifeless(ctx context.Context) (gone client.Observation, back bool) {
	for range controls {
		o := r.control(ctx)
		if o == nil {
			r.mu.Lock()
			r.answered = true
			r.mu.Unlock()
			return gone, gone != nil
		}
		gone = o
		if r.client.Wait(ctx, time.Second) != nil {
			break
		}
	}
	return gone, false
}

// control asks the relay for nothing; it returns what came instead of a proper answer, or nil.
func (r *run) control(ctx context.Context) client.Observation { return r.controlBy(ctx, r.client) }

// controlBy is control by a client that may be more patient.
func (r *run) controlBy(ctx context.Context, by *client.Client) client.Observation {
	if r.lighthouse.dead() {
		if r.mute(ctx) {
			return nil
		}
		return client.Silence{Awaited: "any answer"}
	}
	relay, o := by.Relay(ctx)
	if _, limited := o.(client.RateLimited); limited && r.welcome() {
		return nil // who asks for a slower pace lives
	}
	if o != nil {
		return o
	}
	defer relay.Close()
	if _, o = relay.Query(ctx, client.Filter{Limit: new(int)}); o != nil && client.Inconclusive(o) && !r.mute(ctx) {
		return o
	}
	return nil
}

// startsAgain reports whether a target that died can be started again in real time.
func (r *run) startsAgain() bool {
	_, is := r.target.(target.Restarter)
	return is && !r.movable()
}

// revive starts a target that died again, if it can be, and if nobody else has done so meanwhile.
func (r *run) revive(ctx context.Context) bool {
	r.reviving.Lock()
	defer r.reviving.Unlock()
	if r.startsAgain() && r.control(ctx) == nil {
		return true
	}
	return r.startAgain(ctx)
}

// renew starts a target again that lives, and is not as it was.
func (r *run) renew(ctx context.Context) bool {
	r.reviving.Lock()
	defer r.reviving.Unlock()
	return r.startAgain(ctx)
}

func (r *run) startAgain(ctx context.Context) bool {
	restarter, is := r.target.(target.Restarter)
	r.mu.Lock()
	r.revived++
	again := r.revived <= restartsMax
	r.mu.Unlock()
	if !is || !again {
		return false
	}
	r.lighthouse.close()
	r.mu.Lock()
	r.ended++ // who is under way is disturbed, and what they made may be lost
	r.mu.Unlock()
	_ = restarter.Restart(ctx) // a restart of what has died is none; whether there is a server is seen
	if !r.answersAgain(ctx) {
		return false
	}
	if r.startsAgain() {
		r.lighthouse.seeTo(ctx)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.livesAgain++
	return true
}

// startMax is how long a server that was started again may take until it answers: one that has much reads it first.
const startMax = 2 * time.Minute

// answersAgain waits for a server that was started: a front may answer for it (502) before it is there itself.
func (r *run) answersAgain(ctx context.Context) bool {
	movable := r.movable()
	since := r.target.Now()
	for r.control(ctx) != nil {
		if movable || r.target.Now().Sub(since) >= startMax || r.client.Wait(ctx, time.Second) != nil {
			return false
		}
	}
	return true
}
