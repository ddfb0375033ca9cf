package suite

import (
	"context"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/target"
)

// On a server that never shows anything, each check would wait in vain for as long as the text allows. So
// once some waits have run out, and none has ever been rewarded, the others are cut short and decide
// nothing.
const (
	vainSetups   = 2 // waits in vain before those of preconditions are cut
	vainVerdicts = 6 // waits in vain before those that would be violations are cut
	patienceMin  = 200 * time.Millisecond
)

// A wait is the outcome of the run's waits so far.
type waits struct {
	rewarded bool // something was waited for and came
	vain     int  // waits that ran out
}

// patience is how long to wait for something that the text bounds by bound, and whether that is all of
// it.
func (r *run) patience(bound time.Duration, setup bool) (time.Duration, bool) {
	if _, movable := r.target.(target.ClockAdvancer); movable {
		return bound, true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	limit := vainVerdicts
	if setup {
		limit = vainSetups
	}
	if !r.waited.rewarded && r.waited.vain >= limit {
		return patienceMin, false
	}
	return bound, true
}

// waitEnded files the end of a wait.
func (r *run) waitEnded(rewarded bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if rewarded {
		r.waited.rewarded = true
		return
	}
	r.waited.vain++
}

// inVain is the outcome of a wait that ran out: a violation, if it was a whole one.
func inVain(whole bool, format string, args ...any) outcome {
	out := violated(format, args...)
	if !whole {
		out.verdict = DependencyFail
		out.reason += " (not waited for to the end: nothing ever came on this server)"
	}
	return out
}

// servedWithin waits until an event is served, for as long as a release may take.
func (r *run) servedWithin(ctx context.Context, c *client.Client, relay *client.Relay, ev *nostr.Event, setup bool) outcome {
	bound, whole := r.patience(spec.ReleaseWithin, setup)
	found, o := c.Poll(ctx, bound, func() (bool, client.Observation) {
		events, o := relay.Query(ctx, client.Filter{IDs: []string{ev.ID}})
		return holds(events, ev), o
	})
	if _, late := o.(client.Late); late && setup {
		found = true // the bound is judged where it is what is judged
	}
	if found || o == nil {
		r.waitEnded(found)
	}
	switch {
	case found:
		return outcome{}
	case o != nil:
		return unable("query for "+describe(ev), o)
	}
	return inVain(whole, "%s is not served within %v", describe(ev), bound).dueTo(restsOnServed(ev))
}

// restsOnServed is the requirement by which an accepted event comes to be served.
func restsOnServed(ev *nostr.Event) string {
	switch ev.Kind {
	case client.KindAnnouncement, client.KindState, client.KindPullRequest, client.KindUpdate:
		return restsOnRelease
	}
	return restsOnQueries
}
