package suite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// A bound of the text is judged by the steps that carry it, and by nobody else. Everything else that has to come is waited
// for until nobody would wait any longer: a server that sweeps every half minute breaks one rule, not all of them.
const (
	patienceMax = time.Minute
	// patienceSettles is the same in waits for one answer, so that who hurries these hurries all.
	patienceSettles = 12
	// A server whose ways are known is waited for by what they are: so many waits that were rewarded make them known, and
	// so many times the slowest of them is waited, but no less than a share of the longest wait.
	patienceKnown = 20
	patienceTimes = 4
	patienceShare = 4
	// On a server that never shows anything, each check would wait in vain. So once so many waits have run out, and none has
	// ever been rewarded, the others are cut short and decide nothing.
	vainMax     = 2
	patienceMin = 200 * time.Millisecond
	cutAfter    = 10 // short waits in vain after which the next ones are shorter yet
	cutShare    = 20 // the shortest, as a share of patienceMin
)

// A waits is the outcome of the run's waits of one kind so far.
type waits struct {
	rewarded int           // that brought what was waited for
	slowest  time.Duration // of them
	slow     int           // of them, that took roomSlow or longer
	vain     int           // long ones that ran out
	cut      int           // those that were cut short since
	last     time.Time     // when the last one was rewarded
}

// long is how long is waited for what has no bound of its own.
func (r *run) long() time.Duration {
	if r.movable() {
		return patienceMax
	}
	return min(patienceSettles*r.client.Settle(), patienceMax*time.Duration(r.cfg.slowness()))
}

// patience is how long to wait: for the bound that is judged, or for as long as things take here if none is. It returns
// whether that is all of it.
func (r *run) patience(of *waits, judged time.Duration) (time.Duration, bool) {
	movable := r.movable()
	long := r.long()
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.bereft && !movable: // what was served before is gone, and nothing of this check is worth a long wait
		return lossAgain, false
	case movable && judged > 0:
		return judged, true
	case movable:
		return long, true
	case of.rewarded == 0 && r.dark: // a server that could not be brought to show one repository is not waited for again
		return patienceMin / cutShare, false
	case of.rewarded == 0 && of.vain >= vainMax:
		of.cut++
		return patienceMin / time.Duration(min(1+of.cut/cutAfter, cutShare)), false
	case judged > 0:
		return judged, true
	case of.rewarded >= patienceKnown:
		return min(long, max(long/patienceShare, patienceTimes*of.slowest)), true
	}
	return long, true
}

// came files a wait that was rewarded after some time.
func (r *run) came(of *waits, after time.Duration) {
	now := r.target.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	of.rewarded++
	of.slowest, of.last = max(of.slowest, after), now
	if after >= roomSlow {
		of.slow++
	}
}

// A server whose first answers take long is given longer for the others, up to a bound.
const (
	slowest     = 9 * time.Second // answer that is waited for at the start; what is slower is no service, unless --slowness says so
	slowTimes   = 3               // as long as the slowest of those is waited
	settleShare = 2               // an answer is slow that takes this share of the usual wait
)

// answeredAfter files how long an answer to the first events took, before anybody else asks anything.
func (r *run) answeredAfter(took time.Duration) {
	slow := took > r.client.Settle()/settleShare || r.client.Settle() == slowest
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answers = max(r.answers, took)
	if r.movable() || !slow {
		return
	}
	r.allowed = max(r.allowed, slowTimes*took)
	r.client.Allow(max(r.client.Settle(), r.allowed))
	r.measured = slices.DeleteFunc(r.measured, func(fact string) bool { return strings.HasPrefix(fact, slowFact) })
	r.measured = append(r.measured, fmt.Sprintf("%s%v, and each is waited for %v", slowFact, r.answers.Round(10*time.Millisecond), r.allowed.Round(10*time.Millisecond)))
}

// growsSlow files, behind a check whose time ran out, how long its slowest answer took, and reports whether that was not known when it
// began: a server may be quick at first, and slow under what it has been told since. Checks have more time from then on.
func (r *run) growsSlow(w *world) bool {
	if took := min(w.client.Slowest(), slowest); took >= time.Second {
		r.answeredAfter(took)
	}
	return r.slowness() > w.slow
}

// slowness is how long answers take as far as is known.
func (r *run) slowness() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.answers
}

// ranOut reports whether the time that a check had is over, and nobody has ended it.
func (w *world) ranOut() bool {
	return errors.Is(context.Cause(w.ctx), context.DeadlineExceeded)
}

// slowFact begins what is said of slow answers.
const slowFact = "answers: they take "

// while is a time within which something short has to be done, by a server that answers as slowly as this one.
func (r *run) while(d time.Duration) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if met, _ := r.pace.Told(); len(met) > 0 {
		d += slowerBy
	}
	if r.answers >= time.Second {
		d += answersWithin * r.answers
	}
	return d + gitsOfMoment*r.git
}

// answersWithin is how many answers something short takes at most, and slowerBy how much longer it takes at a slower pace.
const (
	answersWithin = 10
	slowerBy      = 2 * time.Minute
)

// takesLong is how much more time a check has where things take long.
func (r *run) takesLong() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	more := longReleases*r.releases.slowest + gitsOfCheck*r.git + answersOfCheck*r.lag
	if r.rooms.slowest >= roomSlow {
		more += roomLongest
	}
	if r.allowed > 0 || r.answers >= time.Second {
		more += answersOfCheck * r.answers
	}
	if met, _ := r.pace.Told(); len(met) > 0 {
		more += paceLongest
	}
	return more
}

// answersOfCheck is how many answers a check waits for at most.
const answersOfCheck = 100

// paceLongest is how much longer a check may take where things have to be done at a slower pace.
const paceLongest = 10 * time.Minute

// paceLeast is how long a run waits, in each lane, for a server that asks for a slower pace, whatever its time budget.
const paceLeast = 2 * time.Hour

// paceBudget bounds the waits for a slower pace of all lanes together.
func (c Config) paceBudget() time.Duration {
	return max(paceLeast, c.TimeBudget) * time.Duration(c.parallel())
}

// longReleases is how many releases a check waits for at most.
const longReleases = 8

// ranOut files a wait in vain. That of a bound says nothing of what would have come after it.
func (r *run) ranOut(of *waits, judged time.Duration) {
	if judged > 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	of.vain++
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

// servedWithin waits until an event is served: for the bound, if one is judged, or else for as long as it takes.
func (r *run) servedWithin(ctx context.Context, c *client.Client, relay *client.Relay, ev *nostr.Event, judged time.Duration) outcome {
	bound, whole := r.patience(&r.releases, judged)
	start := r.target.Now()
	found, o := c.Poll(ctx, bound, func() (bool, client.Observation) {
		events, o := relay.Query(ctx, client.Filter{IDs: []string{ev.ID}})
		return holds(events, ev), o
	})
	if late, is := o.(client.Late); is && !found {
		r.came(&r.releases, late.After)
		found = judged == 0
	}
	switch {
	case found:
		r.came(&r.releases, r.target.Now().Sub(start))
		return outcome{}
	case o != nil:
		out := unable("query for "+describe(ev), o)
		if bad, is := o.(client.BadAnswer); is && bad.Phase == "frame" { // and everybody who asks for such an event is told so
			r.accuseOf(restsOnQueries, out.reason)
			return out.dueTo(restsOnQueries)
		}
		return out
	}
	r.ranOut(&r.releases, judged)
	return inVain(whole, "%s is not served within %v", describe(ev), bound.Round(100*time.Millisecond)).dueTo(restsOnServed(ev))
}

// restsOnServed is the requirement by which an accepted event comes to be served.
func restsOnServed(ev *nostr.Event) string {
	switch ev.Kind {
	case client.KindAnnouncement, client.KindState, client.KindPullRequest, client.KindUpdate:
		return restsOnRelease
	}
	return restsOnQueries
}
