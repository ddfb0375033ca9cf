package legal

import (
	"slices"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
)

// A releasesLater core hears of the end of a push some time after its client, as who releases what was held by a job behind the push. What
// was served stays served until then. The next push, and the next event, find the job done.
type releasesLater struct {
	core.Machine
	lag time.Duration
	due []endDue
}

type endDue struct {
	at instant.Instant
	in core.PushDone
}

// Step implements core.Machine.
func (r *releasesLater) Step(now instant.Instant, in core.Input, out *core.Effects) {
	switch in := in.(type) {
	case core.PushDone:
		r.due = append(r.due, endDue{now.Add(r.lag), in})
		return
	case core.PushForgone: // its client has gone, behind its end: that is known already
		if slices.ContainsFunc(r.due, func(d endDue) bool { return d.in.Push == in.Push }) {
			return
		}
	case core.PushAsked, core.PushOffered:
		r.end(now, len(r.due), out)
	case core.Message:
		if _, is := in.Msg.(relay.Event); is {
			r.end(now, len(r.due), out)
		}
	}
	ended := 0
	for ended < len(r.due) && r.due[ended].at <= now {
		ended++
	}
	r.end(now, ended, out)
	r.Machine.Step(now, in, out)
}

// end lets the core inside hear of the first ends.
func (r *releasesLater) end(now instant.Instant, n int, out *core.Effects) {
	first := r.due[:n:n]
	r.due = r.due[n:]
	for _, d := range first {
		r.Machine.Step(now, d.in, out)
	}
}

// Deadline implements core.Machine.
func (r *releasesLater) Deadline() (instant.Instant, bool) {
	at, is := r.Machine.Deadline()
	if len(r.due) > 0 && (!is || r.due[0].at < at) {
		return r.due[0].at, true
	}
	return at, is
}

// Idle implements core.Machine.
func (r *releasesLater) Idle() bool { return len(r.due) == 0 && r.Machine.Idle() }
