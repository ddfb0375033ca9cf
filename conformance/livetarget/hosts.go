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

var _ target.Hosts = (*Target)(nil)

// hostMaker returns what starts fake hosts, nil if the server cannot reach them.
func (t *Target) hostMaker(opts Options) func(ctx context.Context) (target.GitHost, error) {
	listen, public := everywhere, opts.Reachback
	switch {
	case opts.NewHost == nil, public == ReachbackNone, public == "" && !t.Loopback():
		return nil
	case public == "":
		listen, public = thisMachine, thisMachine
	}
	return func(ctx context.Context) (target.GitHost, error) { return opts.NewHost(ctx, listen, public) }
}

// Reachback reports whether the server can reach hosts on this machine: it is on loopback, or Options.Reachback says
// how. Whether it is willing to is another question.
func (t *Target) Reachback() bool { return t.newHost != nil }

// NewHost starts a fake git host. The caller closes it.
func (t *Target) NewHost(ctx context.Context) (target.GitHost, error) {
	if t.newHost == nil {
		return nil, fmt.Errorf("start git host: the server cannot reach this machine: %w", target.ErrUnsupported)
	}
	return t.newHost(ctx)
}
