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
	t.push = pushes{id: t.push.id + 1}
	t.push.offer = core.PushOffered{Push: t.push.id, Repo: id, Commands: commands, Shape: shape}
	admission, err := g.judged(core.PushAsked(t.push.offer))
	t.push.expected = admission.Admitted
	return admission, err
}

// Ready implements gitserve.Gate. It fails as Offer does.
func (g gate) Ready() (gitserve.Admission, error) {
	g.target.push.expected = false
	return g.judged(g.target.push.offer)
}

// judged hands the core a push and takes its ruling.
func (g gate) judged(in core.Input) (gitserve.Admission, error) {
	t := g.target
	t.push.answered = false
	t.node.Step(t.engine.Now(), in)
	t.engine.Settle()
	if !t.push.answered {
		return gitserve.Admission{}, target.ErrIdle
	}
	return gitserve.Admission{Admitted: t.push.ruling.Accepted(), Reason: t.push.ruling.Reason}, nil
}

// Done implements gitserve.Gate. It fails with target.ErrClosed if the server ends here.
func (g gate) Done(report gitstore.Report) error {
	t := g.target
	if t.push.expected {
		t.push.expected = false
		t.node.Step(t.engine.Now(), core.PushForgone{Push: t.push.id})
		t.engine.Settle()
		return nil
	}
	if !t.node.PushEnded(t.engine.Now(), t.push.offer.Repo, core.PushDone{Push: t.push.id, Report: report}) {
		t.reboot()
		return target.ErrClosed
	}
	t.engine.Settle()
	return nil
}
