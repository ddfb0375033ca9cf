package peer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/coder/websocket"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
)

// read has frames heard until there are no more.
func (c *conn) read(socket *websocket.Conn) error {
	var buffer bytes.Buffer
	begun := c.peers.options.Clock.Now()
	taken, others, weight := bucket{begun: begun}, bucket{begun: begun}, bucket{begun: begun}
	unpaid := 0
	defer c.leaveLarger()
	for {
		c.waits.Add(1)
		c.idle.Store(true)
		kind, body, err := socket.Reader(c.ctx)
		c.idle.Store(false)
		if err != nil {
			return fmt.Errorf("read: %w", err)
		}
		in := core.PeerSaid{Peer: c.id}
		n := 0
		if in.Msg, in.Good, n, err = c.message(kind, body, &buffer); err != nil {
			return fmt.Errorf("read: %w", err)
		}
		limits := c.peers.options.Limits
		for unpaid += n; unpaid >= pieceBytes; unpaid -= pieceBytes {
			if err := c.pace(&weight, limits.Pieces, &c.peers.pieces); err != nil {
				return err
			}
		}
		if _, is := in.Msg.(relay.EventFor); is {
			err = c.pace(&taken, limits.Events, &c.peers.events)
		} else {
			err = c.pace(&others, limits.Others, &c.peers.others)
		}
		if err != nil {
			return err
		}
		if err := c.hear(c.ctx, in); err != nil {
			return err
		}
		c.leaveLarger()
		c.peers.notify()
	}
}

// bucket counts messages in the time that has passed: the time of day may be set back, and this never goes back.
type bucket struct {
	relay.Bucket
	begun time.Time
}

// pace waits with a message until the pace of the relay allows one, and then that of all: an event costs the check of a signature, and
// whatever else is said without end costs the time to read it.
func (c *conn) pace(taken *bucket, pace relay.Pace, all *turns) error {
	clock := c.peers.options.Clock
	for !taken.Take(instant.Instant(clock.Since(taken.begun)), pace) {
		timer := clock.Timer(pace.Every)
		select {
		case <-timer.C:
		case <-c.ctx.Done():
			timer.Stop()
			return context.Cause(c.ctx)
		}
	}
	return c.wait(all)
}

// message reads one frame, of so many bytes. The buffer is kept for the next one if it is small.
func (c *conn) message(kind websocket.MessageType, body io.Reader, buffer *bytes.Buffer) (msg relay.ServerMessage, idOK bool, n int, err error) {
	buffer.Reset()
	over := c.limit(c.peers.options.Timeouts.Frame, "a frame")
	_, err = io.CopyN(buffer, body, int64(c.peers.options.Limits.Small))
	over()
	if err == nil {
		if err := c.enterLarger(); err != nil {
			return nil, false, 0, err
		}
		larger := bytes.NewBuffer(bytes.Clone(buffer.Bytes()))
		defer c.limit(c.peers.options.Timeouts.Frame, "a large frame")()
		if _, err := io.Copy(larger, body); err != nil {
			return nil, false, 0, err
		}
		buffer = larger
	} else if !errors.Is(err, io.EOF) {
		return nil, false, 0, err
	}
	n = buffer.Len()
	if kind != websocket.MessageText {
		return relay.Unreadable{Reason: "a binary frame"}, false, n, nil
	}
	msg, idOK = relay.DecodeServer(buffer.Bytes())
	return msg, idOK, n, nil
}

// enterLarger waits until a larger frame may be received. It takes room until it has been heard, which may be a while after it has come.
func (c *conn) enterLarger() error {
	select {
	case c.peers.larger <- struct{}{}:
		c.large = true
		return nil
	case <-c.ctx.Done():
		return context.Cause(c.ctx)
	}
}

// leaveLarger says that nothing of a larger frame is there any more.
func (c *conn) leaveLarger() {
	if c.large {
		c.large = false
		<-c.peers.larger
	}
}

// push queues a message. A relay that is behind by too many is disconnected.
func (c *conn) push(msg relay.ClientMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.hung:
		return
	case len(c.queue) >= c.peers.options.Limits.Queue:
		c.queue = nil
		c.cancel(failed(core.PeerTimedOut, "the relay reads too slowly"))
		return
	}
	c.queue = append(c.queue, msg)
	signal(c.ready)
}

// next takes what is to be sent next, nil if that is nothing. The second value says that we hang up.
func (c *conn) next() (relay.ClientMessage, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sending = false
	if c.hung || len(c.queue) == 0 {
		c.queue = nil
		return nil, c.hung
	}
	c.sending = true
	msg := c.queue[0]
	c.queue[0] = nil
	c.queue = c.queue[1:]
	return msg, false
}

// write sends what is queued, and the farewell.
func (c *conn) write(socket *websocket.Conn) {
	for {
		msg, hung := c.next()
		switch {
		case hung:
			_ = socket.Close(websocket.StatusNormalClosure, "") // the relay may be gone before
			return
		case msg == nil:
			select {
			case <-c.ready:
			case <-c.ctx.Done():
				return
			}
			continue
		}
		over := c.limit(c.peers.options.Timeouts.Frame, "what is sent")
		err := socket.Write(c.ctx, websocket.MessageText, relay.EncodeClient(msg))
		over()
		if err != nil { // who reads knows better why, if it is told
			c.peers.options.Clock.AfterFunc(c.peers.options.Timeouts.End, func() { c.cancel(fmt.Errorf("write: %w", err)) })
			return
		}
	}
}
