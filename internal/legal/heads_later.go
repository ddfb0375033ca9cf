package legal

import (
	"slices"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// A headsLater core points HEAD of a repository some time after it could have, as who leaves that to a job behind the push.
type headsLater struct {
	core.Machine
	lag   time.Duration
	fresh string // the branch that HEAD of a new repository names, "" for the one of the core inside
	due   []headDue
}

type headDue struct {
	at instant.Instant
	id repo.ID
	to string
}

// jobs is the number of every order that the job gives: the core inside never comes so far, and hears of none.
const jobs = core.RequestID(1) << 62

// Step implements core.Machine.
func (h *headsLater) Step(now instant.Instant, in core.Input, out *core.Effects) {
	if done, is := in.(core.RepositoryDone); is && done.Request == jobs {
		return
	}
	first := len(out.List)
	h.Machine.Step(now, in, out)
	for i, e := range out.List[first:] {
		switch e := e.(type) {
		case core.UpdateRefs:
			if e.Head != "" {
				h.forget(e.Repo)
				h.due = append(h.due, headDue{now.Add(h.lag), e.Repo, e.Head})
				e.Head = ""
				out.List[first+i] = e
			}
		case core.CreateRepository:
			if h.fresh != "" {
				h.due = append([]headDue{{now, e.Repo, h.fresh}}, h.due...)
			}
		case core.RemoveRepository:
			h.forget(e.Repo)
		}
	}
	for len(h.due) > 0 && h.due[0].at <= now {
		out.List = append(out.List, core.UpdateRefs{Request: jobs, Repo: h.due[0].id, Head: h.due[0].to})
		h.due = h.due[1:]
	}
}

func (h *headsLater) forget(id repo.ID) {
	h.due = slices.DeleteFunc(h.due, func(d headDue) bool { return d.id == id })
}

// Deadline implements core.Machine.
func (h *headsLater) Deadline() (instant.Instant, bool) {
	at, is := h.Machine.Deadline()
	if len(h.due) > 0 && (!is || h.due[0].at < at) {
		return h.due[0].at, true
	}
	return at, is
}

// Idle implements core.Machine.
func (h *headsLater) Idle() bool { return len(h.due) == 0 && h.Machine.Idle() }
