package suite

import (
	"context"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
)

// restartSteps end the server and look for what it had.
func restartSteps() []definition {
	return []definition{
		define(`the server is down for {number} minutes`, func(w *world, a []string, _ [][]string) outcome {
			pauser, is := w.run.target.(target.Pauser)
			return w.revived(is, func(ctx context.Context) error {
				return pauser.RestartAfter(ctx, time.Duration(number(a[0]))*time.Minute)
			})
		}),
		define(`the server restarts after a start that fails`, func(w *world, _ []string, _ [][]string) outcome {
			breaker, is := w.run.target.(target.Breaker)
			return w.revived(is, func(ctx context.Context) error { return breaker.RestartFailing(ctx) })
		}),
		define(`the server crashes`, func(w *world, _ []string, _ [][]string) outcome {
			killer, is := w.run.target.(target.Killer)
			return w.revived(is, func(ctx context.Context) error { return killer.Kill(ctx) })
		}),
		define(`the server will crash as soon as a push has moved its refs`, func(w *world, _ []string, _ [][]string) outcome {
			breaker, is := w.run.target.(target.Breaker)
			return w.revived(is, func(ctx context.Context) error { return breaker.BreakAfterRefs(ctx) })
		}),
	}
}

// revived does something to the life of the target, if it has the power for it; every connection of the run ends.
func (w *world) revived(can bool, do func(context.Context) error) outcome {
	if !can {
		return blocked("the target's server cannot be ended like this", "judge the simulated or the served reference")
	}
	w.close()
	w.run.lighthouse.close()
	if err := do(w.ctx); err != nil {
		return inconclusive("the end of the server", client.TransportError{Phase: "restart", Text: err.Error(), Err: err})
	}
	return outcome{}
}
