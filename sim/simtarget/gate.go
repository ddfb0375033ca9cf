package simtarget

import (
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitserve"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// gate takes one push through the core. Nothing is under way beside it, so the answer comes while the schedule is
// emptied, or never.
type gate struct{ target *Target }

// Offer implements gitserve.Gate. It fails with target.ErrIdle if the core will not answer.
func (g gate) Offer(id repo.ID, commands []gitproto.Command, shape gitproto.Shape) (gitserve.Admission, error) {
	t := g.target
	t.push = pushes{last: t.push.last + 1, repo: id}
	t.host.Step(t.engine.Now(), core.PushOffered{Push: t.push.last, Repo: id, Commands: commands, Shape: shape})
	t.engine.Settle()
	if !t.push.answered {
		return gitserve.Admission{}, target.ErrIdle
	}
	return gitserve.Admission{Admitted: t.push.ruling.Accepted(), Reason: t.push.ruling.Reason}, nil
}

// Done implements gitserve.Gate. It fails with target.ErrClosed if the server ends here.
func (g gate) Done(report gitstore.Report) error {
	t := g.target
	if t.fuse {
		t.reboot()
		return target.ErrClosed
	}
	done := core.PushDone{Push: t.push.last, Report: report}
	if !report.Whole() {
		done.Disk = t.host.OnDisk(t.push.repo)
	}
	t.host.Step(t.engine.Now(), done)
	t.engine.Settle()
	return nil
}
