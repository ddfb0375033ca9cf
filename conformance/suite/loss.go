package suite

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
)

// A server that loses at a restart what it has served breaks one rule, and every check that looks behind a restart sees it in another
// way. So the lighthouse is looked for behind each: where that is gone, these checks say nothing of their own.

const (
	// lossWithin is how long behind a start a repository that was served is looked for, and lossAgain how long once one was lost so.
	lossWithin = 10 * time.Second
	lossAgain  = 2 * time.Second
)

// lookForLoss looks behind a restart for the lighthouse, if there was one.
func (w *world) lookForLoss() {
	w.restarted = true
	r := w.run
	r.mu.Lock()
	within := lossWithin
	if r.loses != "" {
		within = lossAgain
	}
	r.mu.Unlock()
	why := r.lighthouse.lost(w.ctx, within)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.loses == "" {
		r.loses = why
	}
	r.bereft = why != "" && !slices.Contains(w.check.Requirements, restsOnRepository)
}

// lost says that the lighthouse was served and is not any more, or "". It is made once more by whoever needs it next.
func (l *lighthouse) lost(ctx context.Context, within time.Duration) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.tried || !l.outcome.held() {
		return ""
	}
	relay, o := l.run.client.Relay(ctx)
	if o != nil {
		return ""
	}
	defer relay.Close()
	look := func() (bool, client.Observation) {
		events, o := relay.Query(ctx, client.Filter{Authors: []string{l.key.Pubkey}, Kinds: []int{client.KindAnnouncement}})
		return len(events) > 0, o
	}
	found, o := look()
	if !found && o == nil && !l.run.movable() {
		found, o = l.run.client.Poll(ctx, within, look)
	}
	if found || o != nil {
		return ""
	}
	l.tried = false
	return fmt.Sprintf("the announcement of %s was served, and is not served any more behind a restart", l.path())
}

// unlessLost is the outcome of a check that has restarted a server which loses everything then.
func (w *world) unlessLost(o outcome) outcome {
	w.run.mu.Lock()
	why := w.run.loses
	w.run.bereft = w.run.bereft && !w.restarted
	w.run.mu.Unlock()
	rests := o.verdict == Fail || o.verdict == SetupFail || o.verdict == DependencyFail || len(w.violations) > 0
	if why == "" || !w.restarted || !rests || !w.run.judgesRepositories || slices.Contains(w.check.Requirements, restsOnRepository) {
		return o
	}
	w.violations = nil
	return outcome{verdict: DependencyFail, cause: restsOnRepository, reason: why, step: o.step}
}

// accuseOfLoss makes what was lost a violation of the row that the others wait for, unless a check of that has seen it.
func (r *run) accuseOfLoss(checks []CheckResult) {
	seen := slices.ContainsFunc(checks, func(c CheckResult) bool {
		return slices.ContainsFunc(c.Findings, func(f Finding) bool { return f.ID == restsOnRepository && f.Verdict.Violated() })
	})
	if r.loses != "" && !seen {
		r.accuseOf(restsOnRepository, r.loses)
	}
}
