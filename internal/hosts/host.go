package hosts

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/githost"
)

// Limits of a host.
const (
	readHeaderMax = 10 * time.Second // for the header of a request, in real time
	headerMax     = 64 << 10         // bytes of it
	bodyMax       = 16 << 20         // bytes of the body of a request
)

// A Host is one fake git host.
type Host struct {
	all     *Hosts
	clock   clock.Clock
	url     string
	server  *http.Server
	closing chan struct{}
	served  chan struct{} // closed when Serve has returned
	once    sync.Once

	mu           sync.Mutex // guards what follows
	idle         *sync.Cond // on mu: open is empty
	closed       bool
	model        *githost.Host
	latest       instant.Instant // that the model has been told
	repositories map[string]*repository
	behavior     target.HostBehavior // for what the model leaves open: versions, tips, bytes in a second
	open         []*exchange
	fresh        int // connections whose first request has not been read
	requests     []target.HostRequest
	forgotten    int // requests that are not kept any more
}

var _ target.GitHost = (*Host)(nil)

// A repository is what was put at one path. What of it is there at an instant the model says.
type repository struct {
	refs    []target.GitRef
	holding *client.Holding
}

// now is the instant that the model is told: that of the clock, which may be set back where instants never go. The lock
// is held, or nobody knows of the host yet.
func (h *Host) now() instant.Instant {
	h.latest = max(h.latest, instant.Instant(h.clock.Now().UnixNano()))
	return h.latest
}

// URL implements target.GitHost.
func (h *Host) URL() string { return h.url }

// Put implements target.GitHost.
func (h *Host) Put(path string, refs []target.GitRef, objects []target.GitObject) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.repositories[path]
	if r == nil {
		r = &repository{holding: client.NewHolding()}
		h.repositories[path] = r
	}
	r.refs = slices.Clone(refs)
	h.model.Put(h.now(), path)
	for _, oid := range r.holding.Put(objects...) {
		h.model.Put(h.now(), path, repo.OID(oid))
	}
}

// Drop implements target.GitHost.
func (h *Host) Drop(path string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.repositories, path)
	h.model.Drop(path)
}

// Behave implements target.GitHost.
func (h *Host) Behave(b target.HostBehavior) error {
	if err := b.Validate(); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.model.Trouble(h.now(), githost.Troubles(b, 0)...); err != nil {
		return fmt.Errorf("host behavior: %w", err)
	}
	h.behavior = b
	return nil
}

// ask tells the model of a request and returns how it goes.
func (h *Host) ask(e *exchange, path string, wants []string) githost.Plan {
	oids := make([]repo.OID, len(wants))
	for i, want := range wants {
		oids[i] = repo.OID(want)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	var plan githost.Plan
	e.asked, plan = h.model.Ask(h.now(), path, oids)
	return plan
}

// refuses reports whether the host takes no connection now.
func (h *Host) refuses() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.model.Refuses(h.now())
}

// Requests implements target.GitHost.
func (h *Host) Requests() []target.HostRequest {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.requests)
}

// Close implements target.GitHost.
func (h *Host) Close() error {
	var err error
	h.once.Do(func() {
		close(h.closing)
		err = h.server.Close()
		<-h.served
		h.mu.Lock()
		h.closed = true
		for len(h.open) > 0 {
			h.idle.Wait()
		}
		h.mu.Unlock()
		h.all.forget(h)
	})
	return err
}

func (h *Host) serve(l net.Listener) {
	defer close(h.served)
	if err := h.server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		_ = l.Close() // the host is gone for those who ask, and that is all that happens
	}
}

// discard is a logger for what net/http says of broken connections.
func discard() *log.Logger { return log.New(io.Discard, "", 0) }

// record notes a request, or, without an exchange, a connection that none came by. It reports whether the host is there
// to answer.
func (h *Host) record(q target.HostRequest, e *exchange) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if e != nil {
		h.greeted(e.conn)
	}
	if h.closed {
		return false
	}
	if len(h.requests) >= target.HostRequestsMax {
		half := target.HostRequestsMax / 2
		h.requests = append(h.requests[:0], h.requests[half:]...)
		h.forgotten += half
	}
	q.At = h.clock.Now()
	if e == nil {
		q.Ended = q.At
	} else {
		e.number = h.forgotten + len(h.requests)
		h.open = append(h.open, e)
	}
	h.requests = append(h.requests, q)
	return true
}

// amend changes the record of an exchange, if it is still kept.
func (h *Host) amend(e *exchange, change func(*target.HostRequest)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if i := e.number - h.forgotten; i >= 0 {
		change(&h.requests[i])
	}
}

func (h *Host) over(e *exchange) {
	h.amend(e, func(q *target.HostRequest) { q.Ended = h.clock.Now() })
	h.mu.Lock()
	if e.asked != 0 {
		h.model.End(h.now(), e.asked)
	}
	h.open = slices.DeleteFunc(h.open, func(other *exchange) bool { return other == e })
	if len(h.open) == 0 {
		h.idle.Broadcast()
	}
	h.mu.Unlock()
	h.all.tell()
}

// A listener resets connections while the host refuses them, and counts the bytes of the others.
type listener struct {
	net.Listener
	host *Host
}

// Accept implements net.Listener.
func (l *listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if !l.host.refuses() {
			return &conn{Conn: c}, nil
		}
		l.host.record(target.HostRequest{}, nil)
		if tcp, ok := c.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0) // a reset instead of an orderly end; without it the end is orderly
		}
		_ = c.Close() // the asker sees it, whatever Close says
	}
}

// connState counts the connections whose first request has not been read.
func (h *Host) connState(c net.Conn, state http.ConnState) {
	counted, ok := c.(*conn)
	if !ok {
		panic("hosts: invariant: a connection that is not of the listener")
	}
	if state != http.StateNew && state != http.StateClosed {
		return
	}
	h.mu.Lock()
	if state == http.StateNew {
		counted.fresh = true
		h.fresh++
	} else {
		h.greeted(counted)
	}
	h.mu.Unlock()
	h.all.tell()
}

// greeted says that nobody waits for the first request of a connection any more. The lock is held.
func (h *Host) greeted(c *conn) {
	if c.fresh {
		c.fresh = false
		h.fresh--
	}
}

// A conn counts the bytes that are sent.
type conn struct {
	net.Conn
	wrote atomic.Int64
	fresh bool // no request has been read; guarded by host.mu
}

// Write implements net.Conn.
func (c *conn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.wrote.Add(int64(n))
	return n, err
}

// connKey is the key of the connection in the context of a request.
type connKey struct{}
