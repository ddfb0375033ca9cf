package suite

import (
	"context"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
)

// thatPull is the label of the pull request that steps about restarts speak of.
const thatPull = "that pull request"

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
		define(`that pull request of the commit (\w+) waits`, func(w *world, a []string, _ [][]string) outcome {
			return w.publish(w.draftPull(a[0])).then(w.accepted).then(w.waits).asSetup()
		}),
		define(`the commit (\w+) was pushed for that pull request, which is not published`, func(w *world, a []string, _ [][]string) outcome {
			w.draftPull(a[0])
			return w.pushPull(a[0]).then(w.succeeded).asSetup()
		}),
		define(`the commit (\w+) is pushed for that pull request`, func(w *world, a []string, _ [][]string) outcome {
			return w.pushPull(a[0])
		}),
		define(`that pull request is published`, func(w *world, _ []string, _ [][]string) outcome {
			return w.publish(w.event(thatPull)).then(w.accepted)
		}),
		define(`that pull request is served`, func(w *world, _ []string, _ [][]string) outcome {
			return w.served(w.event(thatPull))
		}),
		define(`the ref of that pull request is at the commit (\w+)`, func(w *world, a []string, _ [][]string) outcome {
			return w.refsFollow("owner", [][]string{{w.pullRef(), a[0]}})
		}),
		define(`the ref of that pull request is gone`, func(w *world, _ []string, _ [][]string) outcome {
			return w.refsFollow("owner", [][]string{{w.pullRef(), deletion}})
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

// draftPull makes the pull request to the owner's repository.
func (w *world) draftPull(commit string) *nostr.Event {
	owner := w.key("owner").Pubkey
	tags := [][]string{
		{"a", client.RepoAddress(owner, w.identifier)},
		{"p", owner},
		{"subject", w.identifier},
		{"c", w.history.oid(commit)},
		{"clone", w.client.CloneURL(owner, w.identifier)},
	}
	ev := client.Build(w.key("contributor"), client.KindPullRequest, append(tags, w.run.markers()...), w.run.purpose(), w.tick())
	w.remember(thatPull, "", ev)
	return ev
}

func (w *world) pullRef() string { return "refs/nostr/" + w.event(thatPull).ID }

// pushPull pushes a commit to the ref of the pull request, and judges nothing.
func (w *world) pushPull(commit string) outcome {
	return w.push("owner", [][]string{{w.pullRef(), commit}}, nil)
}
