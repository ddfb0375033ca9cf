package servetarget

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/graspkit/graspkit/conformance/target"
)

var (
	_ target.Restarter = (*Target)(nil)
	_ target.Killer    = (*Target)(nil)
	_ target.Pauser    = (*Target)(nil)
	_ target.Breaker   = (*Target)(nil)
)

// Restart stops the server in an orderly way and starts it again on the same data. No time passes.
func (t *Target) Restart(ctx context.Context) error { return t.RestartAfter(ctx, 0) }

// RestartAfter is Restart with some time between stop and start. A negative one sets the clock back.
func (t *Target) RestartAfter(ctx context.Context, down time.Duration) error {
	if err := t.stop(ctx); err != nil {
		return err
	}
	t.advancing.Lock()
	t.clock.Set(t.clock.Now().Add(down))
	t.advancing.Unlock()
	return t.revive(ctx)
}

// RestartFailing is Restart with a start in between that loads everything and then ends without taking a client.
func (t *Target) RestartFailing(ctx context.Context) error {
	if err := t.stop(ctx); err != nil {
		return err
	}
	l, err := listen(ctx, t.addr)
	if err != nil {
		return err
	}
	failing, err := t.start(l)
	if err != nil {
		return fmt.Errorf("the start that shall fail: %w", err)
	}
	failing.kill()
	return t.revive(ctx)
}

// Kill ends the server without warning and starts it again on what survived. Nothing that it does after its death leaves a
// trace: see mortal.
func (t *Target) Kill(ctx context.Context) error {
	t.current().kill()
	return t.revive(ctx)
}

// BreakAfterRefs lets the next push be the last thing that the server does: see target.Breaker.
func (t *Target) BreakAfterRefs(context.Context) error {
	t.current().life.fuse.Store(true)
	return nil
}

// stop ends the server in order.
func (t *Target) stop(ctx context.Context) error {
	if err := t.settle(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, stopWait)
	defer cancel()
	if err := t.current().stop(ctx); err != nil {
		return fmt.Errorf("stop: %w", err)
	}
	return nil
}

// revive begins a new life, and lets the server do what it does by itself then.
func (t *Target) revive(ctx context.Context) error {
	l, err := listen(ctx, t.addr)
	if err != nil {
		return err
	}
	s, err := t.start(l)
	if err != nil {
		return fmt.Errorf("start again: %w", err)
	}
	t.mu.Lock()
	t.server = s
	t.mu.Unlock()
	return t.settle(ctx)
}

// kill ends a server without warning. Its sockets are cut, and its goroutines, which cannot be, end on their own.
func (s *server) kill() {
	s.life.die()
	at, once := context.WithCancel(context.Background())
	once()
	_ = errors.Join(s.stop(at)) // of course it did not end well
}
