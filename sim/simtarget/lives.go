package simtarget

import (
	"context"
	"time"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/fault"
)

var (
	_ target.Pauser  = (*Target)(nil)
	_ target.Breaker = (*Target)(nil)
)

// Restart implements target.Restarter.
func (t *Target) Restart(ctx context.Context) error { return t.RestartAfter(ctx, 0) }

// RestartAfter implements target.Pauser.
func (t *Target) RestartAfter(ctx context.Context, down time.Duration) error {
	return t.revive(ctx, func() {
		t.stop()
		t.engine.RunUntil(t.engine.Now().Add(max(down, 0)))
	})
}

// RestartFailing implements target.Breaker: the server that fails is given what survived, and ends before it has carried
// out anything that needs the disk.
func (t *Target) RestartFailing(ctx context.Context) error {
	return t.revive(ctx, func() {
		t.stop()
		t.node.Boot(t.engine.Now())
		t.node.Crash()
	})
}

// Kill implements target.Killer: what the server knew and its journal does not is lost.
func (t *Target) Kill(ctx context.Context) error { return t.revive(ctx, t.node.Crash) }

// BreakAfterRefs implements target.Breaker.
func (t *Target) BreakAfterRefs(ctx context.Context) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.fuse = true
	return canceled(ctx)
}

// revive ends a life by a function and begins a new one.
func (t *Target) revive(ctx context.Context, end func()) (err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	defer t.mourn(&err)
	if err := canceled(ctx); err != nil {
		return err
	}
	end()
	t.reboot()
	return nil
}

// heard ends the server between the refs of a push and what is told of them, if that was asked for.
func (t *Target) heard(p sim.Point) {
	if t.fuse && p.Kind == fault.AtRefs {
		t.node.Crash()
	}
}

// stop ends the server in order.
func (t *Target) stop() {
	t.node.Stop(t.engine.Now())
	t.engine.Settle()
	t.node.Crash()
}

// reboot ends what is left of a server and starts another one.
func (t *Target) reboot() {
	t.fuse = false
	t.node.Crash()
	for _, c := range t.conns {
		c.closed = true
	}
	clear(t.conns)
	t.boot()
}
