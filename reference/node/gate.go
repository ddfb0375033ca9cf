package node

import (
	"context"
	"errors"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitserve"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// A push is one that was handed to the core and has not ended.
type push struct {
	answer chan policy.Ruling // one answer to what was handed over last
}

var _ gitserve.Gate = (*Gate)(nil)

// textCutOff is the outcome of a push that was admitted and never came to an end.
const textCutOff = "the push was cut off"

// A Gate takes one push through the core. One goroutine uses it. It is a gitserve.Gate.
type Gate struct {
	n        *Node
	gone     <-chan struct{} // closed when the client is gone
	id       core.PushID
	in       repo.ID
	commands []gitproto.Command
	shape    gitproto.Shape
	expected bool // its pack may come
	admitted bool // it is being carried out
}

// Gate returns the gate for one push, whose client is gone when ctx ends. The caller must Close it.
func (n *Node) Gate(ctx context.Context) *Gate {
	return &Gate{n: n, gone: ctx.Done(), id: core.PushID(n.ids.push.Add(1))}
}

// Offer shows the commands of the push to the core, before its pack, and waits for the ruling. It fails with ErrStopped, or
// with context.Canceled when the client is gone; the pack is then not to come.
func (g *Gate) Offer(id repo.ID, commands []gitproto.Command, shape gitproto.Shape) (gitserve.Admission, error) {
	select {
	case <-g.n.stopping:
		return gitserve.Admission{}, ErrStopped
	default:
	}
	g.in, g.commands, g.shape = id, commands, shape
	admission, err := g.judged(core.PushAsked{Push: g.id, Repo: id, Commands: commands, Shape: shape})
	g.expected = admission.Admitted
	return admission, err
}

// Ready has the core judge the push again, whose pack is here. It fails as Offer does.
func (g *Gate) Ready() (gitserve.Admission, error) {
	if !g.expected {
		return gitserve.Admission{}, errors.New("node: the push was not expected")
	}
	g.expected = false
	admission, err := g.judged(core.PushOffered{Push: g.id, Repo: g.in, Commands: g.commands, Shape: g.shape})
	g.admitted = admission.Admitted
	return admission, err
}

// judged hands the core a push and waits for its ruling.
func (g *Gate) judged(in core.Input) (gitserve.Admission, error) {
	p := &push{answer: make(chan policy.Ruling, 1)}
	if err := g.n.put(context.Background(), item{input: in, push: p}); err != nil {
		return gitserve.Admission{}, err
	}
	select {
	case ruling := <-p.answer:
		return gitserve.Admission{Admitted: ruling.Accepted(), Reason: ruling.Reason}, nil
	case <-g.gone:
		_ = g.n.put(context.Background(), item{input: core.PushForgone{Push: g.id}}) // ErrStopped: the push ended with the node
		return gitserve.Admission{}, context.Canceled
	case <-g.n.done:
		return gitserve.Admission{}, ErrStopped
	}
}

// Done reports the end of a push that was admitted, and waits until what the core makes of it has been carried out. For
// the orders in this repository that follow from it, it waits settleWait at most; what goes on elsewhere is nothing to it.
// One whose pack has not come ends at once.
func (g *Gate) Done(report gitstore.Report) error {
	switch {
	case g.expected:
		g.expected = false
		return g.n.put(context.Background(), item{input: core.PushForgone{Push: g.id}})
	case !g.admitted:
		return errors.New("node: the push was not admitted")
	}
	g.admitted = false
	done := make(chan struct{})
	in := core.PushDone{Push: g.id, Report: report}
	if !report.Whole() {
		in.Disk = g.n.onDisk(g.in)
	}
	if err := g.n.put(context.Background(), item{input: in, done: done}); err != nil {
		return err
	}
	if err := g.n.await(context.Background(), done); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), settleWait)
	defer cancel()
	if err := g.n.quiet(ctx, &g.in); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

// Close ends a push that was expected or admitted and has not been reported done, as one that moved nothing.
func (g *Gate) Close() {
	if g.admitted || g.expected {
		_ = g.Done(cutOff(g.commands)) // ErrStopped: nobody left to hear it
	}
}

func cutOff(commands []gitproto.Command) gitstore.Report {
	report := gitstore.Report{Unpack: textCutOff}
	for _, c := range commands {
		report.Results = append(report.Results, gitstore.Result{Ref: c.Ref, Reason: textCutOff})
	}
	return report
}

// pushLet answers a push that may come, or go on.
func (n *Node) pushLet(id core.PushID) { n.answerPush(id, policy.Ruling{Decision: policy.Accept}) }

func (n *Node) pushRefused(e core.PushRefused) {
	n.answerPush(e.Push, e.Ruling)
	delete(n.loop.pushes, e.Push)
}

// answerPush hands over a ruling. One that was forgone meanwhile is waited for by nobody.
func (n *Node) answerPush(id core.PushID, ruling policy.Ruling) {
	if p := n.loop.pushes[id]; p != nil {
		p.answer <- ruling
	}
}
