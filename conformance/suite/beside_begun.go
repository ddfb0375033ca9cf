package suite

import "github.com/graspkit/graspkit/conformance/client"

// pushesBesideBegun judges that a push to a repository of its own succeeds while others that were begun do not go on. That it gets no answer
// shows nothing by itself; that it has its effect once those who began the others have left does.
func (w *world) pushesBesideBegun(actor string, rows [][]string) outcome {
	beside := w.push(actor, rows, nil).then(w.succeeded)
	_, silent := w.git.pushed.answer.(client.Silence)
	if beside.verdict != Inconclusive || !silent {
		return beside
	}
	waiting := len(w.git.bare)
	for _, leave := range w.git.bare {
		leave()
	}
	w.git.bare = nil
	if without := w.push(actor, rows, nil).then(func() outcome { return w.hasExactly(rows) }); !without.held() {
		return beside
	}
	return violated("a push is not answered while %d pushes to another repository that were begun do not go on, and it is done once those have left: %s", waiting, beside.reason)
}
