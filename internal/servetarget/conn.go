package servetarget

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/graspkit/graspkit/conformance/target"
)

// Limits of a connection.
const (
	messageBytesMax = 4 << 20 // one message of the server
	inboxMax        = 1 << 16 // messages that wait for Recv
	closeWait       = time.Second
	answerWait      = 4 * time.Millisecond // for an answer that is on its way, before anybody asks whether there will be one
)

var errInboxFull = errors.New("servetarget: too many messages that nobody has received")

// A conn is one relay connection. One goroutine reads from the socket, from Dial to Close.
//
// A ping is answered in line by whoever reads at the other end, so a pong of the server says that it has read what was
// sent before the ping; and as the server writes in order, that what it wrote before is in the inbox.
type conn struct {
	t     *Target
	ws    *websocket.Conn
	stop  context.CancelFunc
	sent  atomic.Bool   // something was sent since the last flush
	flush sync.Mutex    // one flush at a time: who comes second waits for the pong of the first
	ended chan struct{} // closed when the reader has ended
	once  sync.Once
	news  chan struct{} // told when there is something to take

	mu    sync.Mutex // guards what follows
	inbox [][]byte
	err   error // why nothing more comes
}

// Dial opens a connection to the relay.
func (t *Target) Dial(ctx context.Context) (target.Conn, error) {
	ws, resp, err := websocket.Dial(ctx, "ws://"+t.addr+"/", &websocket.DialOptions{ //nolint:bodyclose // the library does
		CompressionMode: websocket.CompressionDisabled,
		HTTPClient:      &http.Client{Transport: &http.Transport{DisableKeepAlives: true}},
	})
	if err != nil {
		if resp != nil && resp.StatusCode != http.StatusSwitchingProtocols {
			return nil, fmt.Errorf("WebSocket handshake answered with HTTP %d: %w", resp.StatusCode, err)
		}
		return nil, fmt.Errorf("%w: %w", target.ErrUnreachable, err)
	}
	ws.SetReadLimit(messageBytesMax)
	reading, stop := context.WithCancel(context.Background())
	c := &conn{t: t, ws: ws, stop: stop, ended: make(chan struct{}), news: make(chan struct{}, 1)}
	t.mu.Lock()
	t.conns[c] = struct{}{}
	t.mu.Unlock()
	go c.read(reading)
	return c, nil
}

// read moves messages to the inbox until the connection ends.
func (c *conn) read(ctx context.Context) {
	defer close(c.ended)
	for {
		_, msg, err := c.ws.Read(ctx)
		c.mu.Lock()
		switch {
		case err != nil:
			c.err = err
		case len(c.inbox) == inboxMax:
			c.err = errInboxFull
		default:
			c.inbox = append(c.inbox, msg)
		}
		err = c.err
		c.mu.Unlock()
		select {
		case c.news <- struct{}{}:
		default: // it is known
		}
		if err != nil {
			return
		}
	}
}

// Send writes one message.
func (c *conn) Send(ctx context.Context, msg []byte) error {
	err := c.ws.Write(ctx, websocket.MessageText, msg)
	c.sent.Store(true) // not before: a flush in between would ask too early
	if err != nil {
		if ctx.Err() != nil {
			return fmt.Errorf("send: %w", err)
		}
		return fmt.Errorf("send: %w: %w", target.ErrClosed, err)
	}
	return nil
}

// Recv returns the next message, or ErrIdle once the server has handled everything that was sent on any connection and
// what it wrote has been read.
func (c *conn) Recv(ctx context.Context) ([]byte, error) {
	if msg, ok, err := c.take(); ok || err != nil {
		return msg, err
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil, context.Cause(ctx)
	}
	if msg, ok, err := c.answered(ctx); ok || err != nil {
		return msg, err
	}
	// A deadline of ctx is about silence in the time of somebody else's server. Here silence is known in a moment.
	asking, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleWait)
	defer cancel()
	if err := c.t.settle(asking); err != nil {
		return nil, err
	}
	c.ping(asking)
	if msg, ok, err := c.take(); ok || err != nil {
		return msg, err
	}
	return nil, target.ErrIdle
}

// answered is the next message if something was sent to which it may be the answer, and it comes in a moment, as most do: nobody has
// to ask the server then what else there is.
func (c *conn) answered(ctx context.Context) (msg []byte, ok bool, err error) {
	if !c.sent.Load() {
		return nil, false, nil
	}
	waiting, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerWait)
	defer cancel()
	for {
		select {
		case <-c.news: // perhaps of one that was taken before
			if msg, ok, err := c.take(); ok || err != nil {
				return msg, ok, err
			}
		case <-waiting.Done():
			return nil, false, nil
		}
	}
}

// take returns the oldest message, or why there will be none.
func (c *conn) take() (msg []byte, ok bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.inbox) > 0 {
		msg = c.inbox[0]
		c.inbox = c.inbox[1:]
		return msg, true, nil
	}
	if c.err != nil {
		return nil, false, fmt.Errorf("%w: %w", target.ErrClosed, c.err)
	}
	return nil, false, nil
}

// heard waits until the server has read what was sent.
func (c *conn) heard(ctx context.Context) {
	c.flush.Lock()
	defer c.flush.Unlock()
	if c.sent.Swap(false) {
		c.ping(ctx)
	}
}

// ping waits for an answer of whoever reads at the other end, or for the end of the connection.
func (c *conn) ping(ctx context.Context) {
	asking, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { // a ping that was sent when nobody reads any more has no answer
		select {
		case <-c.ended:
			cancel()
		case <-asking.Done():
		}
	}()
	if err := c.ws.Ping(asking); err == nil || ctx.Err() != nil {
		return
	}
	select { // the connection has ended; the reader knows why
	case <-c.ended:
	case <-ctx.Done():
	}
}

// Close says goodbye and waits for the reader. A second call is harmless.
func (c *conn) Close() error {
	return c.end(func() error { return c.ws.Close(websocket.StatusNormalClosure, "") })
}

// Drop implements target.Dropper.
func (c *conn) Drop() error { return c.end(c.ws.CloseNow) }

func (c *conn) end(hangUp func() error) error {
	c.once.Do(func() {
		c.t.mu.Lock()
		delete(c.t.conns, c)
		c.t.mu.Unlock()
		hurry, cancel := context.WithTimeout(context.Background(), closeWait)
		defer cancel()
		stop := context.AfterFunc(hurry, c.stop)
		defer stop()
		_ = hangUp() // the server may have gone before
		c.stop()
		<-c.ended
	})
	return nil
}
