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

// A push is one that was offered to the core and has not ended.
type push struct {
	answer    chan policy.Ruling // one answer
	admitted  bool               // belongs to the core's goroutine, as does abandoned
	abandoned bool
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
	admitted bool
}

// Gate returns the gate for one push, whose client is gone when ctx ends. The caller must Close it.
func (n *Node) Gate(ctx context.Context) *Gate {
	return &Gate{n: n, gone: ctx.Done(), id: core.PushID(n.ids.push.Add(1))}
}

// Offer shows the commands of the push to the core and waits for its ruling. It fails with ErrStopped, or with
// context.Canceled when the client is gone; the push is then not admitted.
func (g *Gate) Offer(id repo.ID, commands []gitproto.Command, shape gitproto.Shape) (gitserve.Admission, error) {
	select {
	case <-g.n.stopping:
		return gitserve.Admission{}, ErrStopped
	default:
	}
	p := &push{answer: make(chan policy.Ruling, 1)}
	offered := core.PushOffered{Push: g.id, Repo: id, Commands: commands, Shape: shape}
	if err := g.n.put(context.Background(), item{input: offered, push: p}); err != nil {
		return gitserve.Admission{}, err
	}
	select {
	case ruling := <-p.answer:
		g.admitted, g.in, g.commands = ruling.Accepted(), id, commands
		return gitserve.Admission{Admitted: g.admitted, Reason: ruling.Reason}, nil
	case <-g.gone:
		_ = g.n.put(context.Background(), item{abandons: g.id}) // ErrStopped: the push ended with the node
		return gitserve.Admission{}, context.Canceled
	case <-g.n.done:
		return gitserve.Admission{}, ErrStopped
	}
}

// Done reports the end of a push that was admitted, and waits until what the core makes of it has been carried out. For
// the orders in this repository that follow from it, it waits settleWait at most; what goes on elsewhere is nothing to it.
func (g *Gate) Done(report gitstore.Report) error {
	if !g.admitted {
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

// Close ends a push that was admitted and has not been reported done, as one that moved nothing.
func (g *Gate) Close() {
	if g.admitted {
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

// abandon notes that nobody waits for the answer to an offer any more. A push that was admitted meanwhile ends.
func (n *Node) abandon(id core.PushID) {
	p := n.loop.pushes[id]
	if p == nil {
		return
	}
	p.abandoned = true
	if p.admitted {
		n.endAbandoned(id)
	}
}

func (n *Node) endAbandoned(id core.PushID) {
	n.loop.own = append(n.loop.own, item{input: core.PushDone{Push: id, Report: cutOff(nil)}})
}

func (n *Node) pushAdmitted(e core.PushAdmitted) {
	p := n.loop.pushes[e.Push]
	if p == nil {
		panic("node: invariant: a push was admitted that was not offered")
	}
	p.admitted = true
	p.answer <- policy.Ruling{Decision: policy.Accept}
	if p.abandoned {
		n.endAbandoned(e.Push)
	}
}

func (n *Node) pushRefused(e core.PushRefused) {
	p := n.loop.pushes[e.Push]
	if p == nil {
		panic("node: invariant: a push was refused that was not offered")
	}
	delete(n.loop.pushes, e.Push)
	p.answer <- e.Ruling
}
