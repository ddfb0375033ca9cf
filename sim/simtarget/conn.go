package simtarget

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/web"
	"github.com/graspkit/graspkit/sim/kernel"
)

// inboxMax is how many messages a client may leave unread; then it is cut off, as a slow client is.
const inboxMax = 65_536

// conn is one connection, seen from the client.
type conn struct {
	target *Target
	id     core.ConnID
	inbox  [][]byte
	closed bool // by the server
	done   bool // by the client
}

// Dial implements target.Target: a handshake at the root of the service.
func (t *Target) Dial(ctx context.Context) (_ target.Conn, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	defer t.mourn(&err)
	if err := t.absent(canceled(ctx)); err != nil {
		return nil, err
	}
	handshake := http.Header{"Connection": {"Upgrade"}, "Upgrade": {"websocket"}}
	route := t.route(web.Request{Method: http.MethodGet, Path: t.web.Service.Base + "/", Header: handshake.Get})
	if route.Kind != web.KindWebSocket {
		return nil, fmt.Errorf("handshake was answered %d: %w", route.Response.Status, target.ErrNoAnswer)
	}
	t.last++
	c := &conn{target: t, id: t.last}
	t.conns[c.id] = c
	t.node.Step(t.engine.Now(), core.ConnOpened{Conn: c.id, Challenge: t.challenge(c.id)})
	t.engine.Settle()
	return c, nil
}

// Send implements target.Conn. A frame over the limit ends the connection, as WebSocket has it (status 1009).
func (c *conn) Send(ctx context.Context, msg []byte) (err error) {
	t := c.target
	t.mu.Lock()
	defer t.mu.Unlock()
	defer t.mourn(&err)
	if err := canceled(ctx); err != nil {
		return err
	}
	if c.closed || c.done {
		return fmt.Errorf("send: %w", target.ErrClosed)
	}
	if len(msg) > relay.MessageBytesMax {
		c.leave()
		c.closed = true
		return nil
	}
	in := core.Message{Conn: c.id, Msg: relay.Decode(msg)}
	switch m := in.Msg.(type) {
	case relay.Event:
		in.SigOK = t.verify(m)
	case relay.Auth:
		in.SigOK = t.verify(relay.Event(m))
	}
	t.node.Step(t.engine.Now(), in)
	t.engine.Settle()
	return nil
}

// Recv implements target.Conn. What can come is there already, so an empty inbox is idle for certain.
func (c *conn) Recv(ctx context.Context) ([]byte, error) {
	t := c.target
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := canceled(ctx); err != nil {
		return nil, err
	}
	switch {
	case len(c.inbox) > 0:
		msg := c.inbox[0]
		c.inbox = c.inbox[1:]
		return msg, nil
	case c.closed || c.done:
		return nil, fmt.Errorf("receive: %w", target.ErrClosed)
	}
	return nil, target.ErrIdle
}

// Close implements target.Conn.
func (c *conn) Close() (err error) {
	t := c.target
	t.mu.Lock()
	defer t.mu.Unlock()
	defer t.mourn(&err)
	if !c.done && !c.closed {
		c.leave()
	}
	c.done = true
	return nil
}

// challenge is what the client of a connection authenticates with: another one for every connection of every seed.
func (t *Target) challenge(id core.ConnID) string {
	key := kernel.NewKey(t.opts.Seed, "simtarget/challenge").With(uint64(id))
	return strconv.FormatUint(key.Uint64(), 16)
}

// leave tells the server that the connection is gone.
func (c *conn) leave() {
	t := c.target
	delete(t.conns, c.id)
	t.node.Step(t.engine.Now(), core.ConnClosed{Conn: c.id})
	t.engine.Settle()
}

// Sent implements sim.Clients.
func (t *Target) Sent(_ instant.Instant, id core.ConnID, msg relay.ServerMessage) {
	c := t.conns[id]
	if c == nil {
		return
	}
	if len(c.inbox) >= inboxMax {
		c.closed = true
		delete(t.conns, id)
		t.engine.At(t.engine.Now(), uint64(id), &cutOff{t, id})
		return
	}
	c.inbox = append(c.inbox, relay.Encode(msg))
}

// cutOff is the task that tells the server of a client that was cut off.
type cutOff struct {
	target *Target
	id     core.ConnID
}

// Run implements sim.Task.
func (c *cutOff) Run(now instant.Instant) { c.target.node.Step(now, core.ConnClosed{Conn: c.id}) }

// Closed implements sim.Clients.
func (t *Target) Closed(_ instant.Instant, id core.ConnID) {
	if c := t.conns[id]; c != nil {
		c.closed = true
		delete(t.conns, id)
	}
}

// PushExpected implements sim.Clients.
func (t *Target) PushExpected(_ instant.Instant, id core.PushID) { t.pushLet(id) }

// PushAdmitted implements sim.Clients.
func (t *Target) PushAdmitted(_ instant.Instant, id core.PushID) { t.pushLet(id) }

// PushRefused implements sim.Clients.
func (t *Target) PushRefused(_ instant.Instant, id core.PushID, ruling policy.Ruling) {
	if id == t.push.id {
		t.push.answered, t.push.ruling = true, ruling
	}
}

func (t *Target) pushLet(id core.PushID) {
	if id == t.push.id {
		t.push.answered, t.push.ruling = true, policy.Ruling{Decision: policy.Accept}
	}
}
