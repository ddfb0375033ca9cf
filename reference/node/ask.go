package node

import (
	"context"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// put hands an item to the core's goroutine, waiting while the inbox is full.
func (n *Node) put(ctx context.Context, it item) error {
	select {
	case <-n.done:
		return ErrStopped
	default:
	}
	select {
	case n.inbox <- it:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-n.done:
		return ErrStopped
	}
}

// do runs call on the core's goroutine, after everything that came before has been carried out.
func (n *Node) do(ctx context.Context, call func()) error {
	done := make(chan struct{})
	if err := n.put(ctx, item{call: call, done: done}); err != nil {
		return err
	}
	return n.await(ctx, done)
}

func (n *Node) await(ctx context.Context, done <-chan struct{}) error {
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-n.done:
		return ErrStopped
	}
}

// Repository tells what is at an ID. It waits for the inputs that came before, so it never shows what is not durable.
// After the end of the node, or of ctx, nothing is there.
func (n *Node) Repository(ctx context.Context, id repo.ID) (web.Repository, error) {
	var found web.Repository
	answer := make(chan web.Repository, 1)
	if err := n.do(ctx, func() { answer <- n.machine.Repository(id) }); err != nil {
		return found, err
	}
	return <-answer, nil
}

// Deadline is the next instant at which the core does something by itself. Inputs that came before have been carried
// out, and a deadline that has come already has been acted on.
func (n *Node) Deadline(ctx context.Context) (instant.Instant, bool, error) {
	type deadline struct {
		at  instant.Instant
		set bool
	}
	answer := make(chan deadline, 1)
	err := n.do(ctx, func() {
		at, set := n.machine.Deadline()
		answer <- deadline{at, set}
	})
	if err != nil {
		return 0, false, err
	}
	d := <-answer
	return d.at, d.set, nil
}

// Sync is a barrier. It returns when all inputs that came before, and everything that they caused, have been carried
// out, but for pushes that run, and what the node had to send is written to the sockets. A client that reads nothing
// can delay it until ctx ends, unless its end of the connection, as host:port, is among those that are not waited for.
func (n *Node) Sync(ctx context.Context, unawaited ...string) error {
	if err := n.quiet(ctx, nil); err != nil {
		return err
	}
	return n.await(ctx, n.conns.written(unawaited))
}

// quiet waits until the core waits for nothing but the end of pushes, in one repository if one is given.
func (n *Node) quiet(ctx context.Context, in *repo.ID) error {
	quiet := make(chan struct{})
	if err := n.put(ctx, item{quiet: quiet, in: in}); err != nil {
		return err
	}
	return n.await(ctx, quiet)
}
