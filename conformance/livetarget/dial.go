package livetarget

import (
	"context"
	"fmt"
	"net"

	"github.com/graspkit/graspkit/conformance/target"
)

// loopbacks are the addresses of this machine, in the order in which they are tried.
var loopbacks = []string{"127.0.0.1", "::1"}

// dial opens a TCP connection. No resolver is asked for a name below localhost, as browsers and curl do it: most do not know one,
// and one that does must not send what is written to this machine anywhere else.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	dialer := net.Dialer{Timeout: connectTimeout}
	host, port, err := net.SplitHostPort(address)
	if err != nil || !target.BelowLocalhost(host) {
		return dialer.DialContext(ctx, network, address)
	}
	var failed error
	for _, at := range loopbacks {
		conn, err := dialer.DialContext(ctx, network, net.JoinHostPort(at, port))
		if err == nil {
			return conn, nil
		}
		if failed != nil {
			err = fmt.Errorf("%w; %w", failed, err)
		}
		failed = err
	}
	return nil, failed
}
