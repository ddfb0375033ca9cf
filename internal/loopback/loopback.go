// Package loopback finds addresses on this machine for servers that tests start, end and start again. It starts none, and holds none.
package loopback

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync/atomic"
)

// Where addresses are looked for: below the ports that the machine gives to clients, so that one is still free when a server comes back.
const (
	first = 20_000
	ports = 10_000
	tries = 1_000
)

var last atomic.Int64

// Free is an address, 127.0.0.1:port, at which nobody listens. Of two processes each begins to look elsewhere.
func Free(ctx context.Context) (string, error) {
	var listening net.ListenConfig
	for range tries {
		addr := fmt.Sprintf("127.0.0.1:%d", first+(int64(os.Getpid())*97+last.Add(1))%ports)
		if l, err := listening.Listen(ctx, "tcp", addr); err == nil {
			_ = l.Close() // its port is the server's now
			return addr, nil
		}
	}
	return "", errors.New("loopback: no port is free")
}
