package suite

import (
	"fmt"

	"github.com/graspkit/graspkit/conformance/client"
)

// unansweredBeside looks after a push that has to succeed and got no answer while others were under way. That shows nothing by itself;
// that it was not done either, and the same push is answered soon once the others are away, does: who does one after the other at a slow
// pace owes nobody an answer.
func (w *world) unansweredBeside(away func()) outcome {
	p := w.git.pushed
	silent, is := p.answer.(client.Silence)
	if !is || p.beside == "" {
		return outcome{}
	}
	done := w.movedAsAsked(p.before)
	away()
	start := w.run.target.Now()
	if out := w.push(p.actor, p.rows, nil); !out.held() {
		return out
	}
	report, is := w.git.pushed.answer.(client.PushReport)
	if took := w.run.target.Now().Sub(start); done || !is || !report.Accepted() || took*overTimes > silent.After {
		return inconclusive("push beside "+p.beside, silent)
	}
	return violated("a push beside %s is not done and not answered within %v, and it is done soon once they are away", p.beside, silent.After)
}

// pushesBesideBegun judges that a push to a repository of its own succeeds while others that were begun do not go on.
func (w *world) pushesBesideBegun(actor string, rows [][]string) outcome {
	if out := w.push(actor, rows, nil); !out.held() {
		return out
	}
	w.git.pushed.beside = fmt.Sprintf("%d pushes to another repository that were begun and do not go on", len(w.git.bare))
	return w.unansweredBeside(func() {
		for _, leave := range w.git.bare {
			leave()
		}
		w.git.bare = nil
	}).then(w.succeeded)
}
