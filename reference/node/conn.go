package node

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
)

// ErrSlowClient is returned by Next when the client has read too slowly for too long.
var ErrSlowClient = errors.New("node: the client reads too slowly")

// A Conn is one connected client. One goroutine calls Receive, one calls Next; Close is called once, when both have
// ended.
type Conn struct {
	n       *Node
	id      core.ConnID
	address *address     // nil if it is not known
	socket  string       // host:port at the client's end, "" if it is not known
	events  relay.Bucket // guarded by the lock of addresses

	mu    sync.Mutex // guards what follows
	queue []relay.ServerMessage
	taken bool  // the message that Next gave out last may not be written yet
	end   error // why nothing is queued any more: io.EOF or ErrSlowClient

	ready chan struct{} // told when there is something for Next
	room  chan struct{} // told when the queue is short again, or ended

	unwritten int // messages queued or being written; guarded by the lock of connections
}

// Connect registers a client of whom nobody knows where it comes from. It fails with ErrTooManyConnections or ErrStopped.
func (n *Node) Connect(ctx context.Context) (*Conn, error) { return n.ConnectFrom(ctx, "", "") }

// ConnectFrom is Connect for a client that shares with the others that come from the same address, and whose end of the
// connection is socket, as host:port; each may be "". It fails with ErrCrowdedAddress as well.
func (n *Node) ConnectFrom(ctx context.Context, address, socket string) (*Conn, error) {
	select {
	case <-n.stopping:
		return nil, ErrStopped
	default:
	}
	c := &Conn{n: n, id: core.ConnID(n.ids.conn.Add(1)), socket: socket, ready: make(chan struct{}, 1), room: make(chan struct{}, 1)}
	place, ok := n.addresses.enter(address)
	if !ok {
		n.refuse(ctx, "connection_refused_address", slog.String("address", address))
		return nil, ErrCrowdedAddress
	}
	c.address = place
	if !n.conns.add(c) {
		n.addresses.leave(place)
		n.refuse(ctx, "connection_refused", slog.Int("open", n.conns.max))
		return nil, ErrTooManyConnections
	}
	if err := n.put(ctx, item{input: core.ConnOpened{Conn: c.id, Challenge: challenge()}}); err != nil {
		n.conns.remove(c)
		n.addresses.leave(place)
		return nil, err
	}
	n.counts.add("connection_opened")
	return c, nil
}

// Receive takes one text frame of the client. It verifies signatures on the caller's goroutine and waits while the
// node is busy. After a REQ it waits until most of the answer has been written, so that a client which asks faster than
// it reads is held back and not cut off; in a reconciliation, whose answers are long, until all of it has.
func (c *Conn) Receive(ctx context.Context, frame []byte) error {
	c.n.counts.add("message_received")
	msg := relay.Decode(frame)
	in := core.Message{Conn: c.id, Msg: msg}
	switch m := msg.(type) {
	case relay.Event:
		if !c.n.addresses.take(c) {
			return c.tooFast(ctx, m)
		}
		in.SigOK = c.n.verified.check(m)
	case relay.Auth:
		if !c.n.addresses.take(c) {
			return c.tooFast(ctx, relay.Event(m))
		}
		in.SigOK = c.n.verified.check(relay.Event(m))
	}
	fair := 0
	switch msg.(type) {
	case relay.Req:
		fair = queuedFair
	case relay.NegOpen, relay.NegMessage:
	default:
		return c.n.put(ctx, item{input: in})
	}
	answered := make(chan struct{})
	if err := c.n.put(ctx, item{input: in, done: answered}); err != nil {
		return err
	}
	if err := c.n.await(ctx, answered); err != nil {
		return err
	}
	for c.crowded(fair) {
		if err := c.n.await(ctx, c.room); err != nil {
			return err
		}
	}
	return nil
}

// tooFast answers an event that is not looked at, in its turn.
func (c *Conn) tooFast(ctx context.Context, m relay.Event) error {
	c.n.counts.add("event_too_fast")
	reply := relay.OK{ID: m.Event.ID, Text: relay.TextTooFast}
	return c.n.put(ctx, item{input: core.Message{Conn: c.id, Msg: relay.Malformed{Reply: reply}}})
}

// crowded reports whether more messages wait for the client than is fair.
func (c *Conn) crowded(fair int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.end == nil && len(c.queue) > fair
}

// ReceiveBinary takes a frame that is no text, which no NIP-01 message is. The client is told.
func (c *Conn) ReceiveBinary(ctx context.Context) error {
	c.n.counts.add("binary_received")
	reply := relay.Notice{Text: "invalid: binary messages are not processed by this relay"}
	return c.n.put(ctx, item{input: core.Message{Conn: c.id, Msg: relay.Malformed{Reply: reply}}})
}

// Next waits for the next frame to send and returns it. Asking for it says that the frame before has been written. At
// the end it returns io.EOF (close the connection in order), ErrSlowClient (cut it off), or the error of ctx.
func (c *Conn) Next(ctx context.Context) ([]byte, error) {
	for {
		msg, err := c.take()
		if err != nil {
			return nil, err
		}
		if msg != nil {
			return relay.Encode(msg), nil
		}
		select {
		case <-c.ready:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (c *Conn) take() (relay.ServerMessage, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.taken {
		c.taken = false
		c.n.conns.wrote(c, 1)
	}
	switch {
	case errors.Is(c.end, ErrSlowClient):
		return nil, c.end
	case len(c.queue) > 0:
		msg := c.queue[0]
		c.queue[0] = nil
		c.queue = c.queue[1:]
		c.taken = true
		if len(c.queue) == queuedFair || len(c.queue) == 0 {
			signal(c.room)
		}
		return msg, nil
	default:
		c.queue = nil
		return nil, c.end
	}
}

// Close says that the client is gone. The core hears of it after everything that Receive took.
func (c *Conn) Close() {
	c.n.conns.remove(c)
	c.n.addresses.leave(c.address)
	c.finish(io.EOF)
	c.mu.Lock()
	c.drop()
	c.mu.Unlock()
	_ = c.n.put(context.Background(), item{input: core.ConnClosed{Conn: c.id}}) // ErrStopped: nobody left to hear it
}

// drop forgets what is queued. The lock is held.
func (c *Conn) drop() {
	unwritten := len(c.queue)
	if c.taken {
		unwritten++
	}
	c.queue, c.taken = nil, false
	c.n.conns.wrote(c, unwritten)
}

// push queues a message and reports whether the client could take it.
func (c *Conn) push(msg relay.ServerMessage) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.end != nil {
		return true
	}
	total := c.n.conns.queued()
	if len(c.queue) >= QueuedMax || total >= QueuedTotalMax && len(c.queue) >= queuedFair {
		c.end = ErrSlowClient
		c.drop()
		signal(c.ready)
		signal(c.room)
		return false
	}
	c.queue = append(c.queue, msg)
	c.n.conns.wrote(c, -1)
	signal(c.ready)
	return true
}

// finish ends the queue, once. What is in it is still written if the end is io.EOF.
func (c *Conn) finish(end error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.end == nil {
		c.end = end
	}
	signal(c.ready)
	signal(c.room)
}

// signal wakes who waits, or who will.
func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// send and hangUp carry out the effects of a connection. A client that is gone already is none of their business.
func (n *Node) send(e core.Send) {
	c := n.conns.get(e.Conn)
	if c == nil || c.push(e.Msg) {
		return
	}
	n.counts.add("connection_too_slow")
	n.log.LogAttrs(context.Background(), slog.LevelWarn, "client too slow", slog.Uint64("conn", uint64(e.Conn)))
}

func (n *Node) hangUp(id core.ConnID) {
	if c := n.conns.get(id); c != nil {
		c.finish(io.EOF)
	}
}
