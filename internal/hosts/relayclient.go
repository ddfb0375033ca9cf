package hosts

import (
	"context"
	"net"
	"net/http"
	"sync"

	"github.com/coder/websocket"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/sim/relayhost"
)

// outboxMax is how many messages of a relay one connection may be behind; then it is cut off.
const outboxMax = 1 << 18

// A relayClient is one WebSocket connection at a fake relay: who asks there.
type relayClient struct {
	relay *Relay
	id    relayhost.ConnID
	ws    *websocket.Conn
	stop  context.CancelFunc

	// Guarded by the lock of the relay.
	outbox []relayhost.Said
	busy   bool          // one is being sent
	wake   chan struct{} // closed when the outbox is not as it was
}

// serve takes a connection and hands on its messages until it ends.
func (r *Relay) serve(w http.ResponseWriter, req *http.Request) {
	ws, err := websocket.Accept(w, req, &websocket.AcceptOptions{InsecureSkipVerify: true, CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		return // it has been answered
	}
	defer func() { _ = ws.CloseNow() }() // it may have ended by itself
	ws.SetReadLimit(2 * relay.MessageBytesMax)
	ctx, stop := context.WithCancel(context.WithoutCancel(req.Context()))
	defer stop()
	c := &relayClient{relay: r, ws: ws, stop: stop, wake: make(chan struct{})}
	opening := relayhost.Refused
	r.do(func(now instant.Instant) (said []relayhost.Said) {
		if r.closed {
			return nil
		}
		r.last++
		c.id = r.last
		said, opening = r.model.Open(now, c.id, nil)
		if opening == relayhost.Taken {
			r.conns[c.id] = c
			r.over.Add(1)
		}
		return said
	})
	if opening != relayhost.Taken {
		return
	}
	defer r.over.Done()
	var writing sync.WaitGroup
	writing.Go(func() { c.write(ctx) })
	c.read(ctx)
	stop()
	writing.Wait()
	r.do(func(now instant.Instant) []relayhost.Said {
		delete(r.conns, c.id)
		r.model.Close(now, c.id)
		return nil
	})
}

func (c *relayClient) read(ctx context.Context) {
	for {
		_, frame, err := c.ws.Read(ctx)
		if err != nil {
			return
		}
		msg := relay.Decode(frame)
		c.relay.do(func(now instant.Instant) []relayhost.Said { return c.relay.model.Message(now, c.id, msg, nil) })
	}
}

// give puts what the relay says into the outbox. The lock is held.
func (c *relayClient) give(said relayhost.Said) {
	if len(c.outbox) >= outboxMax {
		c.stop()
		return
	}
	c.outbox = append(c.outbox, said)
	close(c.wake)
	c.wake = make(chan struct{})
}

// write sends what is in the outbox, each when it is time.
func (c *relayClient) write(ctx context.Context) {
	defer c.stop()
	r := c.relay
	for ctx.Err() == nil {
		r.mu.Lock()
		wake := c.wake
		c.busy = false
		if len(c.outbox) == 0 {
			r.mu.Unlock()
			select {
			case <-wake:
			case <-ctx.Done():
			}
			continue
		}
		said := c.outbox[0]
		if wait := said.At.Sub(r.now()); wait > 0 {
			timer := r.clock.Timer(wait)
			moved := said.At <= r.now() // before there was a timer
			r.mu.Unlock()
			if !moved {
				select {
				case <-timer.C:
				case <-ctx.Done():
				}
			}
			timer.Stop()
			continue
		}
		c.outbox = c.outbox[1:]
		c.busy = true
		r.mu.Unlock()
		if said.Msg == nil || c.ws.Write(ctx, websocket.MessageText, relay.Encode(said.Msg)) != nil {
			return
		}
	}
}

// A gate is the listener of a relay: it resets connections while the relay refuses them.
type gate struct {
	net.Listener
	relay *Relay
}

// Accept implements net.Listener.
func (g *gate) Accept() (net.Conn, error) {
	for {
		c, err := g.Listener.Accept()
		if err != nil {
			return nil, err
		}
		s := &sock{Conn: c, relay: g.relay, thawed: make(chan struct{}), done: make(chan struct{})}
		if g.relay.admit(s) {
			return s, nil
		}
		reset(c)
	}
}

// admit notes a connection, and reports whether it is taken. Of one that is not, the model is told here, for no handshake
// will come.
func (r *Relay) admit(s *sock) bool {
	defer r.all.tell()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	mode := r.model.Mode(r.now())
	if mode == relayhost.Refuses || mode == relayhost.Freezes {
		r.last++
		r.model.Open(r.now(), r.last, nil)
	}
	if mode == relayhost.Refuses {
		return false
	}
	s.frozen = mode == relayhost.Freezes
	r.socks[s] = struct{}{}
	return true
}

// thaw ends the connections that have been half open: who comes back knows nothing of them. The lock is held.
func (r *Relay) thaw(now instant.Instant) {
	if r.model.Mode(now) == relayhost.Freezes {
		return
	}
	for s := range r.socks {
		if s.frozen {
			s.melt.Do(func() { close(s.thawed) })
		}
	}
}

// A sock is a connection of which nothing is read while the relay is frozen, so that not even a ping is answered.
type sock struct {
	net.Conn
	counts counts
	relay  *Relay
	frozen bool          // something came that nobody reads, for good; guarded by the lock of the relay
	melt   sync.Once     // closes thawed
	thawed chan struct{} // the relay is back, and ends what was frozen
	done   chan struct{}
	once   sync.Once
}

// Read implements net.Conn.
func (s *sock) Read(p []byte) (int, error) {
	n, err := s.counts.read(s.Conn, p)
	if err != nil {
		return n, err
	}
	s.relay.mu.Lock()
	s.frozen = s.frozen || s.relay.model.Mode(s.relay.now()) == relayhost.Freezes
	frozen := s.frozen
	s.relay.mu.Unlock()
	if !frozen {
		return n, nil
	}
	select {
	case <-s.thawed:
		reset(s.Conn)
	case <-s.relay.closing:
	case <-s.done:
	}
	return 0, net.ErrClosed
}

// Write implements net.Conn.
func (s *sock) Write(p []byte) (int, error) {
	n, err := s.Conn.Write(p)
	s.counts.wrote.Add(int64(n))
	return n, err
}

// Close implements net.Conn.
func (s *sock) Close() error {
	s.once.Do(func() { close(s.done) })
	s.relay.mu.Lock()
	delete(s.relay.socks, s)
	s.relay.mu.Unlock()
	return s.Conn.Close()
}

// reset ends a connection with a reset instead of in order; where that cannot be, the end is orderly.
func reset(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close() // the asker sees it, whatever Close says
}
