package suite

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
)

// A service is two servers in one, and the one that speaks git may be slow, or stand still, while the relay is quick. The first push of
// all shows how long git takes, and is waited for until nobody would wait any longer.
const (
	pushSlowest  = 45 * time.Second // what is slower is no service, unless --slowness says so
	gitTries     = 2                // advertisements that stay without an answer behind such a push
	gitsOfCheck  = 30               // answers of git that a check waits for at most
	gitsOfMoment = 4                // those within something short
)

// pushedAfter files how long the first push took, before anybody else asks anything.
func (r *run) pushedAfter(took time.Duration) {
	if r.movable() || took <= r.client.Settle()/settleShare {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.git = took
	r.client.AllowExchange(slowTimes * took)
	r.measured = append(r.measured, fmt.Sprintf("answers: a push takes %v, and each answer over HTTP is waited for %v",
		took.Round(10*time.Millisecond), (slowTimes*took).Round(10*time.Millisecond)))
}

// gitless is the outcome of a first push without an answer at a server whose relay gives answers meanwhile: one finding, of which
// everything is due that needs git.
func (r *run) gitless(ctx context.Context, relay *client.Relay, path string, pushed client.Observation) outcome {
	if !unanswered(pushed) && !lostConnection(pushed) {
		return outcome{}
	}
	requirement, why := restsOnRepository, "a push is not answered: "+pushed.String()
	for range gitTries {
		switch o := r.client.Advertise(ctx, path, client.ReceivePack, 0); {
		case !unanswered(o) && !lostConnection(o):
			requirement = restsOnPush
		default:
			why = "git is not answered: an advertisement: " + o.String() + "; a push: " + pushed.String()
		}
	}
	if _, o := relay.Query(ctx, client.Filter{Limit: new(int)}); o != nil || ctx.Err() != nil {
		return outcome{}
	}
	why += "; the relay answers meanwhile"
	r.accuseOf(requirement, why)
	r.mu.Lock()
	r.still = requirement
	r.mu.Unlock()
	return outcome{verdict: DependencyFail, cause: requirement, reason: why}
}

// ofGit are the sights that git has to give an answer for.
var ofGit = []sight{advertised, reports, fetched}

// stillness is the outcome of a check that needs an answer of git, where it is known that git gives none. What else is known to be wrong with
// git hides nothing.
func (w *world) stillness() outcome {
	if w.run.gitStill() == restsOnPush {
		return w.stillFor(reports)
	}
	return w.stillFor(ofGit...)
}

// unlessGitless is the outcome of a check that got no answer, where git is known to give none.
func (w *world) unlessGitless(o outcome) outcome {
	if o.verdict != Inconclusive || !o.dead {
		return o
	}
	if out := w.stillFor(append(slices.Clone(ofGit), pages)...); !out.held() {
		return out
	}
	return o
}

// stillFor is the outcome of a check with a step of one of these sights, where git is known to give no answer.
func (w *world) stillFor(sights ...sight) outcome {
	requirement := w.run.gitStill()
	if requirement == "" || !w.run.registry.some(w.check, func(s step) bool { return slices.Contains(sights, s.sees) }) {
		return outcome{}
	}
	return w.hopeless(requirement)
}

// gitStill is the requirement that git breaks which gives no answer, "" where it gives some.
func (r *run) gitStill() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.still
}
