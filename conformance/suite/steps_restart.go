package suite

import (
	"context"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
)

// restartSteps end the server and look for what it had.
func restartSteps() []step {
	return []step{
		{
			text: `the server is down for {number} minutes`,
			role: act, sees: serverLife, needs: []string{"clock"},
			doc: "the server is down for this time",
			run: func(w *world, a []string, _ [][]string) outcome {
				pauser, is := w.run.target.(target.Pauser)
				return w.revived(is, func(ctx context.Context) error {
					return pauser.RestartAfter(ctx, time.Duration(number(a[0]))*time.Minute)
				})
			},
		},
		{
			text: `the {actor} announced the repository, which waits`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "the announcement was accepted and waits; a server that holds none is not judged",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.announce(announcing{actor: a[0]}).then(w.accepted).then(w.isHeld)
			},
		},
		{
			text: `the owner sends the announcement once more`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "sends the last announcement again, whatever came in between",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.publish(w.event("announcement")) },
		},
		{
			text: `what waits is known after a restart, or nothing is here`,
			role: setUp, sees: reports, cost: cost{pushes: 1}, within: refsWithin,
			doc: "a push of the last state succeeds; a server that keeps nothing that waits is not judged",
			run: func(w *world, _ []string, _ [][]string) outcome {
				out := w.pushTwin("owner", refsOf(w.git.state))
				if out.verdict == Fail {
					return notApplicable("what waits is lost at a restart: %s", out.reason)
				}
				return out
			},
		},
		{
			text: `the server restarts after a start that fails`,
			role: act, sees: serverLife, needs: []string{"clock"},
			doc: "the server fails at a start, and starts again",
			run: func(w *world, _ []string, _ [][]string) outcome {
				breaker, is := w.run.target.(target.Breaker)
				return w.revived(is, func(ctx context.Context) error { return breaker.RestartFailing(ctx) })
			},
		},
		{
			text: `the server crashes`,
			role: act, sees: serverLife, needs: []string{"kill"},
			doc: "the server is killed and starts again",
			run: func(w *world, _ []string, _ [][]string) outcome {
				killer, is := w.run.target.(target.Killer)
				return w.revived(is, func(ctx context.Context) error { return killer.Kill(ctx) })
			},
		},
		{
			text: `the server will crash as soon as a push has moved its refs`,
			role: setUp, sees: serverLife, needs: []string{"clock"},
			doc: "the server will be killed between refs and journal",
			run: func(w *world, _ []string, _ [][]string) outcome {
				breaker, is := w.run.target.(target.Breaker)
				return w.revived(is, func(ctx context.Context) error { return breaker.BreakAfterRefs(ctx) })
			},
		},
	}
}

// revived does something to the life of the target, if it has the power for it; every connection of the run ends.
func (w *world) revived(can bool, do func(context.Context) error) outcome {
	if !can {
		return blocked("the target's server cannot be ended like this", "judge the simulated or the served reference")
	}
	w.close()
	w.run.lighthouse.close()
	w.ending()
	defer w.ending() // who begins meanwhile is disturbed as well
	if err := do(w.ctx); err != nil {
		return inconclusive("the end of the server", client.TransportError{Phase: "restart", Text: err.Error(), Err: err})
	}
	w.back()
	w.lookForLoss()
	return outcome{}
}

// back waits, after a start, until a server behind a front answers as well; whether it lives is judged by what comes next.
func (w *world) back() {
	if !w.run.movable() {
		w.run.answersAgain(w.ctx)
	}
}

// ending counts the beginning, and the end, of an end of the server.
func (w *world) ending() {
	w.ended++
	w.run.mu.Lock()
	defer w.run.mu.Unlock()
	w.run.ended++
}
