package livetarget

import (
	"context"
	"fmt"

	"github.com/graspkit/graspkit/conformance/target"
)

// ReachbackNone is the Options.Reachback of a server that cannot reach this machine although its URL is on loopback.
const ReachbackNone = "none"

const (
	thisMachine = "127.0.0.1"
	everywhere  = "0.0.0.0"
)

var (
	_ target.Hosts  = (*Target)(nil)
	_ target.Relays = (*Target)(nil)
)

// reachable finds out whether and how the server reaches this machine, and what starts fakes there.
func (t *Target) reachable(opts Options) {
	listen, public := everywhere, opts.Reachback
	unsupported := fmt.Errorf("the server cannot reach this machine: %w", target.ErrUnsupported)
	t.newHost = func(context.Context) (target.GitHost, error) { return nil, unsupported }
	t.newRelay = func(context.Context) (target.FakeRelay, error) { return nil, unsupported }
	switch {
	case public == ReachbackNone, public == "" && !t.Loopback():
		return
	case public == "":
		listen, public = thisMachine, thisMachine
	}
	t.reached = opts.NewHost != nil || opts.NewRelay != nil
	if opts.NewHost != nil {
		t.newHost = func(ctx context.Context) (target.GitHost, error) { return opts.NewHost(ctx, listen, public) }
	}
	if opts.NewRelay != nil {
		t.newRelay = func(ctx context.Context) (target.FakeRelay, error) { return opts.NewRelay(ctx, listen, public) }
	}
}

// Reachback reports whether the server can reach hosts on this machine: it is on loopback, or Options.Reachback says
// how. Whether it is willing to is another question.
func (t *Target) Reachback() bool { return t.reached }

// NewHost starts a fake git host. The caller closes it.
func (t *Target) NewHost(ctx context.Context) (target.GitHost, error) {
	host, err := t.newHost(ctx)
	if err != nil {
		return nil, fmt.Errorf("start git host: %w", err)
	}
	return host, nil
}

// NewRelay starts a fake relay. The caller closes it.
func (t *Target) NewRelay(ctx context.Context) (target.FakeRelay, error) {
	r, err := t.newRelay(ctx)
	if err != nil {
		return nil, fmt.Errorf("start relay: %w", err)
	}
	return r, nil
}
