package suite

import "github.com/graspkit/graspkit/conformance/target"

// markOf is the end of what the server of a target has written, if the target knows.
func markOf(t target.Target) target.LogMark {
	if logs, is := t.(target.Logs); is {
		return logs.Mark()
	}
	return 0
}

// logged is what the server has written since the check began; "" where nobody knows.
func (w *world) logged() string {
	if logs, is := w.run.target.(target.Logs); is && w.steps > 0 {
		return logs.Since(w.logMark)
	}
	return ""
}
