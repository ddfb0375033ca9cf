package livetarget

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/graspkit/graspkit/conformance/target"
)

// closeGrace is how long Close waits for the peer to answer the close frame.
const closeGrace = 300 * time.Millisecond

// errTooMany is returned by Dial when no connection of those allowed is closed in time.
var errTooMany = errors.New("livetarget: too many connections")

// Dial opens a WebSocket connection to the relay. A handshake that is answered by something else is an
// error that names the status. Where as many are open as are allowed, it waits for one of them to be closed: the limit is ours,
// and says nothing about the server.
func (t *Target) Dial(ctx context.Context) (target.Conn, error) {
	select {
	case t.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("dial: %d open: %w", cap(t.slots), errTooMany)
	}
	var socket net.Conn
	transport := t.transport.Clone()
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		var err error
		socket, err = t.transport.DialContext(ctx, network, address)
		return socket, err
	}
	//nolint:bodyclose // the library owns the body of a handshake, failed or not
	ws, resp, err := websocket.Dial(ctx, t.ServiceURL()+"/", &websocket.DialOptions{
		HTTPClient:      &http.Client{Transport: transport, CheckRedirect: noRedirect},
		CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil {
		<-t.slots
		if resp != nil && resp.StatusCode != http.StatusSwitchingProtocols {
			return nil, fmt.Errorf("WebSocket handshake answered with HTTP %d: %w", resp.StatusCode, err)
		}
		return nil, reachability(err)
	}
	ws.SetReadLimit(MaxMessageBytes)
	c := &conn{
		t: t, ws: ws, socket: socket,
		inbox: make(chan []byte, MaxInbox), closing: make(chan struct{}),
	}
	go c.read(context.WithoutCancel(ctx))
	return c, nil
}

func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// A conn is one relay connection. One goroutine reads from the socket, because a read that is canceled
// would end the connection; Close ends that goroutine and waits for it.
type conn struct {
	t         *Target
	ws        *websocket.Conn
	socket    net.Conn      // below ws; closing it ends whatever ws waits for
	inbox     chan []byte   // closed by read, when nothing more comes
	closing   chan struct{} // closed by Close
	readErr   error         // why read ended; written before inbox is closed
	closeOnce sync.Once
}

// read moves messages to the inbox until the connection ends. A full inbox makes it wait, and so the
// peer; once closing, messages are dropped.
func (c *conn) read(ctx context.Context) {
	defer close(c.inbox)
	for {
		_, msg, err := c.ws.Read(ctx)
		if err != nil {
			c.readErr = err
			return
		}
		select {
		case c.inbox <- msg:
		case <-c.closing:
		}
	}
}

// Send writes one text message.
func (c *conn) Send(ctx context.Context, msg []byte) error {
	if err := c.ws.Write(ctx, websocket.MessageText, msg); err != nil {
		if ctx.Err() != nil {
			return fmt.Errorf("send: %w", err)
		}
		return fmt.Errorf("send: %w: %w", target.ErrClosed, err)
	}
	return nil
}

// Recv returns the next message. Without a deadline it waits for the quiet time of the target, with one
// until then; both end in ErrIdle. It returns the cause of ctx if that is canceled.
func (c *conn) Recv(ctx context.Context) ([]byte, error) {
	select { // what is there already comes before any deadline
	case msg, ok := <-c.inbox:
		return c.received(msg, ok)
	default:
	}
	var quiet <-chan time.Time
	if _, bounded := ctx.Deadline(); !bounded {
		timer := c.t.clock.Timer(c.t.quiet)
		defer timer.Stop()
		quiet = timer.C
	}
	select {
	case msg, ok := <-c.inbox:
		return c.received(msg, ok)
	case <-quiet:
		return nil, target.ErrIdle
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return nil, target.ErrIdle
		}
		return nil, context.Cause(ctx)
	}
}

func (c *conn) received(msg []byte, ok bool) ([]byte, error) {
	if !ok {
		return nil, fmt.Errorf("%w: %w", target.ErrClosed, c.readErr)
	}
	return msg, nil
}

// Close says goodbye and ends the connection, after a short grace even if the peer does not answer.
func (c *conn) Close() error {
	return c.end(func() {
		// The peer may have gone already, or may not answer: neither is a fault of ours.
		hurry := c.t.clock.AfterFunc(closeGrace, func() { _ = c.socket.Close() })
		_ = c.ws.Close(websocket.StatusNormalClosure, "")
		hurry.Stop()
	})
}

// Drop implements target.Dropper.
func (c *conn) Drop() error {
	return c.end(func() {
		if tcp, is := c.socket.(*net.TCPConn); is {
			_ = tcp.SetLinger(0) // a reset in place of an orderly end
		}
		_ = c.socket.Close()
		_ = c.ws.CloseNow() // what the library has for it, as well
	})
}

func (c *conn) end(hangUp func()) error {
	c.closeOnce.Do(func() {
		close(c.closing)
		hangUp()
		for range c.inbox { // waits for the reader and drops what it had read
		}
		<-c.t.slots
	})
	return nil
}
