package suite

import (
	"slices"
	"time"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/features"
)

// outlivedAfter is how long a check may take, without what it waits for by its text, until what it has waiting may have been discarded
// meanwhile, as it may be after half an hour (G01-PURG-11).
const outlivedAfter = spec.PurgatoryLife - 5*time.Minute

// outlived reports whether a check took so long: at a server that takes its time over every answer, or where others had its place while
// it waited. What it has seen says nothing then; it is worth another try, alone.
func (w *world) outlived() bool {
	return !w.run.movable() && (w.run.now().Sub(w.began)-w.check.Wait() >= outlivedAfter || w.expiredUnawaited())
}

// expiredUnawaited reports whether an event expired while something was looked for that had to come before.
func (w *world) expiredUnawaited() bool {
	return w.sent.expires > 0 && !w.sent.expiryAwaited && w.run.target.Now().Unix() >= w.sent.expires &&
		slices.ContainsFunc(w.check.Steps, func(s features.Step) bool { return s.Text == expirationPasses })
}

// unlessOutlived keeps the server from being accused of that.
func (w *world) unlessOutlived(end outcome) outcome {
	if end.verdict != Fail && len(w.violations) == 0 || !w.outlived() {
		return end
	}
	reason := end.reason
	if reason == "" {
		reason = w.violations[0].reason
	}
	w.violations = nil
	return outcome{verdict: Inconclusive, step: end.step, reason: "it took so long here that what waited may have been discarded, or have expired, meanwhile: " + reason}
}
