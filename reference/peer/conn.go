package peer

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/fetch"
	"github.com/graspkit/graspkit/reference/relay"
)

// A conn is one connection or attempt. One goroutine dials and reads, one writes and one asks whether the relay is there.
type conn struct {
	peers  *Peers
	id     core.PeerID
	url    string
	hear   Hear
	ctx    context.Context //nolint:containedctx // it is the life of the connection
	cancel context.CancelCauseFunc

	waits atomic.Uint64 // frames that were waited for
	idle  atomic.Bool   // the goroutine that reads waits for a frame, and not for who hears
	large bool          // of that goroutine: it has a larger frame

	ready chan struct{} // told when there is something to send, or hung

	wire atomic.Pointer[fetch.Wire]

	mu      sync.Mutex // guards what follows
	queue   []relay.ClientMessage
	sending bool // a message, or the farewell
	opened  bool
	hung    bool      // we ended it
	due     time.Time // when the attempt or the farewell has taken too long; zero if there is neither
}

// run is the whole life of a connection. It returns why it has ended.
func (c *conn) run() error {
	socket, err := c.dial()
	if err != nil {
		return err
	}
	defer socket.CloseNow() //nolint:errcheck // closed already in every orderly end
	c.mu.Lock()
	c.opened, c.due = true, time.Time{}
	c.mu.Unlock()
	if err := c.hear(c.ctx, core.PeerOpened{Peer: c.id}); err != nil {
		return err
	}
	var others sync.WaitGroup
	others.Go(func() { c.write(socket) })
	others.Go(func() { c.ask(socket) })
	err = c.read(socket)
	c.cancel(err)
	others.Wait()
	return err
}

// dial makes the connection. No redirect is followed.
func (c *conn) dial() (*websocket.Conn, error) {
	to, err := url.Parse(c.url)
	if err != nil || to.Scheme != "ws" && to.Scheme != "wss" || to.Hostname() == "" || to.User != nil {
		return nil, failed(core.PeerForbidden, "%.200q is no URL of a relay", c.url)
	}
	c.mu.Lock()
	c.due = c.peers.options.Clock.Now().Add(c.peers.options.Timeouts.Dial)
	c.mu.Unlock()
	defer c.limit(c.peers.options.Timeouts.Dial, "the handshake")()
	client := &http.Client{
		Transport:     c.peers.transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	socket, answer, err := websocket.Dial(context.WithValue(c.ctx, connKey{}, c), to.String(), &websocket.DialOptions{ //nolint:bodyclose // Dial has read it
		HTTPClient: client, HTTPHeader: http.Header{"User-Agent": {"graspkit"}}, CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil {
		return nil, dialFailure(err, answer != nil)
	}
	socket.SetReadLimit(int64(c.peers.options.Limits.Frame))
	return socket, nil
}

// limit ends the connection when something takes too long. What it returns says that it is over.
func (c *conn) limit(d time.Duration, what string) (over func()) {
	timer := c.peers.options.Clock.AfterFunc(d, func() { c.cancel(failed(core.PeerTimedOut, "%s took too long", what)) })
	return func() { timer.Stop() }
}

// hangUp ends the connection: with a farewell if it is open.
func (c *conn) hangUp() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hung {
		return
	}
	c.hung = true
	if !c.opened {
		c.cancel(errHungUp)
		return
	}
	c.queue = nil
	c.due = c.peers.options.Clock.Now().Add(c.peers.options.Timeouts.End)
	signal(c.ready)
	c.peers.options.Clock.AfterFunc(c.peers.options.Timeouts.End, func() { c.cancel(errHungUp) })
}

// ask asks a relay that says nothing whether it is there, and ends the connection if it is not. While somebody hears what it
// said nothing is read, and no answer either.
func (c *conn) ask(socket *websocket.Conn) {
	ticker := c.peers.options.Clock.Ticker(c.peers.options.Timeouts.Quiet)
	defer ticker.Stop()
	for {
		before := c.waits.Load()
		select {
		case <-ticker.C:
		case <-c.ctx.Done():
			return
		}
		if !c.idle.Load() || c.waits.Load() != before {
			continue
		}
		ctx, cancel := context.WithCancel(c.ctx)
		timer := c.peers.options.Clock.AfterFunc(c.peers.options.Timeouts.Ping, cancel)
		err := socket.Ping(ctx)
		timer.Stop()
		cancel()
		if err != nil && c.idle.Load() && c.waits.Load() == before {
			c.cancel(failed(core.PeerTimedOut, "the relay does not answer: %w", err))
			return
		}
	}
}

// tell is the last that is heard of a connection.
func (c *conn) tell(failure core.PeerFailure, err error) {
	attrs := []slog.Attr{slog.String("url", c.url), slog.String("end", failure.String())}
	if err != nil {
		attrs = append(attrs, slog.Any("error", err))
	}
	c.peers.options.Logger.LogAttrs(context.Background(), slog.LevelDebug, "connection to a relay ended", attrs...)
	_ = c.hear(context.Background(), core.PeerClosed{Peer: c.id, Failure: failure}) // who hears has ended
}

func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
