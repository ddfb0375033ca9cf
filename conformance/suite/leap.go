package suite

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/features"
)

// The clock of a live server may be moved by whoever looks after it: a wait of half an hour is a leap then. A leap is believed
// when an issue has expired by it and another one, which expires a little later, has not. That shows what the server thinks the
// time is; whether its timers follow is shown once, by an announcement that is discarded. Still a server may have timers of other
// kinds. So what is seen to be wrong behind a leap is no violation: it is to be seen again in real time.

const (
	leapSlack = time.Minute      // between the two issues: a leap is by no more than this too far, and takes no longer
	leapSeen  = 10 * time.Second // within which the first one is gone
	leapRest  = 5 * time.Second  // that pass in real time behind a leap, for what is looked after once in a while
	// canaryLeap is how long an announcement without git data has to be gone, and canarySeen how long that may take to be seen.
	canaryLeap = 36 * time.Minute
	canarySeen = time.Minute
)

// A leaping is what a run has found out about the clock of a live server.
type leaping struct {
	once    sync.Once
	outcome outcome
	rest    time.Duration // that passes behind each leap; set once the outcome is known
}

// errLeap is what a wait ends with that was to be a leap, and was none.
var errLeap = errors.New("suite: the clock was not moved")

// leaps reports whether a check waits by leaps: longer than there is time for, on a server whose clock can be moved, without
// anybody of ours who lives in real time, and without a new life, which may begin at any time of day.
func (r *run) leaps(c features.Check) bool {
	_, can := r.target.(target.ClockStepper)
	if r.movable() || !can || c.Wait() <= r.cfg.TimeBudget {
		return false
	}
	for _, other := range []string{"restart", "kill", "clock", "stall", "reachback", "relays"} {
		if r.registry.needs(c, other) {
			return false
		}
	}
	return true
}

// fallsDue holds if a leap was seen to let things fall due. It is found out once, before the first check that leaps.
func (r *run) fallsDue(ctx context.Context) outcome {
	r.leap.once.Do(func() {
		r.leap.outcome = r.proveLeap(ctx)
		if r.leap.outcome.verdict == Blocked {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.measured = append(r.measured, r.leap.outcome.reason)
		}
	})
	return r.leap.outcome
}

// proveLeap leaps over the life of an announcement without git data.
func (r *run) proveLeap(ctx context.Context) outcome {
	if out := r.lighthouse.ready(ctx); !out.held() {
		return out
	}
	if r.lighthouse.holding(ctx, client.KindAnnouncement) != holdingYes {
		return noLeap("the server holds no announcement, by which it would be seen that things fall due")
	}
	key, identifier := client.NewKey(r.cfg.Seed, "canary"), r.name("canary")
	relay, o := r.client.Relay(ctx)
	if o != nil {
		return unlessInconclusive("connect", o).asTwin()
	}
	ev := client.Announce(key, client.AnnounceOpts{
		Identifier: identifier, Description: r.purpose(), Relays: []string{r.client.RelayURL()}, CreatedAt: r.base(),
		Clone: []string{r.client.CloneURL(key.Pubkey, identifier)}, Extra: r.markers(),
	})
	out := accepted("publish "+describe(ev), relay.Publish(ctx, ev), true)
	relay.Close()
	if !out.held() {
		return out.asTwin()
	}
	path := r.client.RepoPath(key.Pubkey, identifier)
	bound, _ := r.patience(&r.rooms, 0)
	there, o := r.client.Poll(ctx, bound, func() (bool, client.Observation) {
		o := r.client.Advertise(ctx, path, client.UploadPack, 0)
		_, is := o.(client.Advert)
		return is, o
	})
	if !there {
		return unlessInconclusive("repository of an announcement", o).asTwin()
	}
	if out := r.leapBy(ctx, canaryLeap); !out.held() {
		return out
	}
	start := r.target.Now()
	gone, o := r.client.Poll(ctx, canarySeen, func() (bool, client.Observation) {
		o := r.client.Advertise(ctx, path, client.UploadPack, 0)
		answer, is := o.(client.HTTPAnswer)
		return is && nothingThere(answer), o
	})
	if !gone && client.Inconclusive(o) {
		return inconclusive("repository behind a step of the clock", o)
	}
	if !gone {
		return noLeap(fmt.Sprintf("the clock was moved by %v, and the repository of an announcement without git data was there %v later: nothing fell due",
			canaryLeap, canarySeen))
	}
	r.leap.rest = min(canarySeen, max(leapRest, 2*r.target.Now().Sub(start)))
	r.mu.Lock()
	defer r.mu.Unlock()
	r.measured = append(r.measured, fmt.Sprintf("clock: moved by a command; issues expire by it, and what waits falls due within %v", r.leap.rest))
	return outcome{}
}

// noLeap is the outcome of a check that would wait by leaps where there are none.
func noLeap(why string) outcome {
	return blocked("clock: it cannot be moved: "+why, "--time-budget 36m, or a --clock-cmd that moves the clock with all that falls due by it")
}

// leapBy moves the clock, and holds if it was seen to have moved by so much and no more.
func (r *run) leapBy(ctx context.Context, d time.Duration) outcome {
	stepper, is := r.target.(target.ClockStepper)
	if !is {
		return harnessError("the target's clock cannot be moved")
	}
	if out := r.lighthouse.ready(ctx); !out.held() {
		return out
	}
	start := r.target.Now()
	ends := r.lighthouse.expiring(start.Add(d))
	stays := r.lighthouse.expiring(start.Add(d + leapSlack))
	if out := r.shown(ctx, ends, stays); !out.held() {
		return out
	}
	if err := stepper.Step(ctx, d); err != nil {
		return noLeap(err.Error())
	}
	relay, o := r.client.Relay(ctx)
	if o != nil {
		return unlessInconclusive("connect behind a step of the clock", o).asTwin()
	}
	defer relay.Close()
	var left, over bool
	_, o = r.client.Poll(ctx, leapSeen, func() (bool, client.Observation) {
		events, o := relay.Query(ctx, client.Filter{IDs: []string{ends.ID, stays.ID}})
		over, left = !holds(events, ends), holds(events, stays)
		return o == nil && (over || !left), o
	})
	took := r.target.Now().Sub(start) - d
	_, late := o.(client.Late)
	switch {
	case o != nil && !late:
		return inconclusive("query behind a step of the clock", o)
	case took > leapSlack:
		return noLeap(fmt.Sprintf("the step took %v, want at most %v", took.Round(time.Second), leapSlack))
	case !left:
		return noLeap(fmt.Sprintf("a step of %v went too far: an issue that expires %v later is gone", d, leapSlack))
	case !over:
		return noLeap(fmt.Sprintf("a step of %v had no effect: an issue that has expired by it is still served", d))
	}
	return outcome{}
}

// shown publishes issues that expire, and holds once they are served.
func (r *run) shown(ctx context.Context, events ...*nostr.Event) outcome {
	relay, o := r.client.Relay(ctx)
	if o != nil {
		return unlessInconclusive("connect", o).asTwin()
	}
	defer relay.Close()
	for _, ev := range events {
		o := relay.Publish(ctx, ev)
		if reason, refused := client.Refusal(o); refused {
			return noLeap("an issue with an expiration, by which it would be seen, is refused: " + reason)
		}
		if out := accepted("publish "+describe(ev), o, true).then(func() outcome { return r.servedWithin(ctx, r.client, relay, ev, 0) }); !out.held() {
			return out.asTwin()
		}
	}
	return outcome{}
}

// expiring is an issue on the lighthouse that expires at some time.
func (l *lighthouse) expiring(at time.Time) *nostr.Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	plain := l.issue("what time is it here")
	tags := [][]string{{"expiration", strconv.FormatInt(at.Unix(), 10)}}
	for _, tag := range plain.Tags {
		tags = append(tags, tag)
	}
	return client.Build(l.key, plain.Kind, tags, plain.Content, int64(plain.CreatedAt))
}

// leapOver lets time pass for a check that leaps: at once if it is longer than the target waits.
func (w *world) leapOver(ctx context.Context, d time.Duration) error {
	if patient, is := w.run.target.(target.Patient); !is || d <= patient.Patience() {
		return w.run.target.Sleep(ctx, d)
	}
	if w.leap = w.run.leapBy(ctx, d); !w.leap.held() {
		return errLeap
	}
	w.leapt = true
	w.note("%v passed at once, by a step of the server's clock", d)
	return w.run.target.Sleep(ctx, w.run.leap.rest)
}

// reconsidered is the end of a check that has leapt: what is wrong may be due to timers that have not.
func (w *world) reconsidered(end outcome) outcome {
	if !w.leapt {
		return end
	}
	if len(w.violations) > 0 && end.verdict != Fail {
		end = w.violations[0]
	}
	w.violations = nil
	if end.verdict != Fail {
		return end
	}
	return outcome{verdict: Inconclusive, reason: "seen behind a step of the server's clock, which its timers may not follow (see it in real time by --time-budget): " + end.reason}
}
