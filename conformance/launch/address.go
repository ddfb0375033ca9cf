package launch

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
)

// The ports of servers lie below those that systems give to whoever wants just any (from 32768 on Linux, from 49152
// elsewhere): while a server is down between two lives, nobody is given its port by chance.
const (
	firstPort = 20_000
	ports     = 12_000
	portTries = 100
)

// FreeAddress returns a loopback host:port that nobody listens on at the moment.
func FreeAddress(ctx context.Context) (string, error) {
	l, err := ListenFree(ctx)
	if err != nil {
		return "", err
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		return "", fmt.Errorf("free port: %w", err)
	}
	return addr, nil
}

// ListenFree listens on a loopback port that was free and that is given to nobody by chance when it is free again.
func ListenFree(ctx context.Context) (net.Listener, error) {
	var listening net.ListenConfig
	var busy error
	for range portTries {
		port := strconv.Itoa(firstPort + rand.IntN(ports))
		l, err := listening.Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", port))
		if err == nil {
			return l, nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		busy = err
	}
	return nil, fmt.Errorf("free port: none of %d was: %w", portTries, busy)
}
