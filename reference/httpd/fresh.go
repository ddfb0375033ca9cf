package httpd

import (
	"net"
	"net/http"
	"sync"
)

// A fresh knows the connections on which no request has come yet. At the end of a server they are closed at once: left
// alone, each would delay it by the five seconds that net/http gives them.
type fresh struct {
	mu    sync.Mutex
	conns map[net.Conn]struct{} // nil once the end has begun
}

// changed is a http.Server.ConnState.
func (f *fresh) changed(c net.Conn, to http.ConnState) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case to != http.StateNew:
		delete(f.conns, c)
	case f.conns == nil:
		_ = c.Close() // accepted too late
	default:
		f.conns[c] = struct{}{}
	}
}

// close begins the end.
func (f *fresh) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for c := range f.conns {
		_ = c.Close() // nobody waits for it
	}
	f.conns = nil
}
