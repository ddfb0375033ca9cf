package livetarget

import (
	"context"
	"fmt"

	"github.com/graspkit/graspkit/conformance/hosts"
	"github.com/graspkit/graspkit/conformance/target"
)

// ReachbackNone is the Options.Reachback of a server that cannot reach this machine although its URL is on loopback.
const ReachbackNone = "none"

var _ target.Hosts = (*Target)(nil)

// newHosts returns where fake hosts are started, nil if the server cannot reach them.
func (t *Target) newHosts(reachback string) *hosts.Hosts {
	switch {
	case reachback == ReachbackNone, reachback == "" && !t.Loopback():
		return nil
	case reachback == "":
		return hosts.New(hosts.Options{Clock: t.clock})
	}
	return hosts.New(hosts.Options{Clock: t.clock, Listen: "0.0.0.0", Public: reachback})
}

// Reachback reports whether the server can reach hosts on this machine: it is on loopback, or Options.Reachback says
// how. Whether it is willing to is another question.
func (t *Target) Reachback() bool { return t.hosts != nil }

// NewHost starts a fake git host. The caller closes it.
func (t *Target) NewHost(ctx context.Context) (target.GitHost, error) {
	if t.hosts == nil {
		return nil, fmt.Errorf("start git host: the server cannot reach this machine: %w", target.ErrUnsupported)
	}
	return t.hosts.NewHost(ctx)
}
