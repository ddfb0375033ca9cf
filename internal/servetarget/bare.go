package servetarget

import (
	"context"
	"net"
)

// A bareConn is a connection whose bytes are the caller's. Whether anybody reads from it nobody knows, so the server is at rest
// though it has something to write there.
type bareConn struct {
	*net.TCPConn
	t *Target
}

// DialRaw opens a TCP connection to the server.
func (t *Target) DialRaw(ctx context.Context) (net.Conn, error) {
	raw, err := t.live.DialRaw(ctx)
	if err != nil {
		return nil, err
	}
	tcp, is := raw.(*net.TCPConn)
	if !is {
		panic("servetarget: the server has no TLS")
	}
	c := &bareConn{TCPConn: tcp, t: t}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.bare[c] = struct{}{}
	return c, nil
}

// Close ends the connection. The server waits for it again until it knows.
func (c *bareConn) Close() error {
	c.t.mu.Lock()
	delete(c.t.bare, c)
	c.t.mu.Unlock()
	return c.TCPConn.Close()
}

// bareEnds are our ends of the bare connections that are open.
func (t *Target) bareEnds() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var ends []string
	for c := range t.bare {
		ends = append(ends, c.LocalAddr().String())
	}
	return ends
}
