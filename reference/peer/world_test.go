package peer_test

import (
	"bufio"
	"context"
	"crypto/sha1" //nolint:gosec // the handshake of WebSocket asks for it
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/peer"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newPeers returns peers that may go to this machine and are closed with the test.
func newPeers(t *testing.T, o peer.Options) *peer.Peers {
	t.Helper()
	o.AllowLocal = true
	p := peer.New(o)
	t.Cleanup(p.Close)
	return p
}

// A connection is what was heard of one attempt.
type connection struct {
	t     *testing.T
	peers *peer.Peers
	id    core.PeerID
	heard chan core.Input
}

// dial makes an attempt of which as many inputs are heard as the test takes, and a few more.
func dial(t *testing.T, p *peer.Peers, id core.PeerID, url string) *connection {
	t.Helper()
	c := &connection{t: t, peers: p, id: id, heard: make(chan core.Input, 8)}
	p.Dial(core.DialPeer{Peer: id, URL: url}, func(ctx context.Context, in core.Input) error {
		select {
		case c.heard <- in:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	})
	return c
}

// next is the next input.
func (c *connection) next() core.Input {
	c.t.Helper()
	select {
	case in := <-c.heard:
		return in
	case <-c.t.Context().Done():
		c.t.Fatal("nothing is heard")
		return nil
	}
}

// opens waits until the connection is open.
func (c *connection) opens() *connection {
	c.t.Helper()
	if in := c.next(); in != (core.PeerOpened{Peer: c.id}) {
		c.t.Fatalf("got %#v, want the connection to open", in)
	}
	return c
}

// ends passes over what is said and returns why the connection has ended.
func (c *connection) ends() core.PeerFailure {
	c.t.Helper()
	for {
		if closed, is := c.next().(core.PeerClosed); is {
			if closed.Peer != c.id {
				c.t.Errorf("got the end of %d, want that of %d", closed.Peer, c.id)
			}
			return closed.Failure
		}
	}
}

// A relay serves WebSocket connections with a function, which returns when the test is over at the latest. It returns the URL.
func relayOf(t *testing.T, serve func(ctx context.Context, socket *websocket.Conn)) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		socket, err := websocket.Accept(w, r, nil)
		if err != nil {
			t.Errorf("accept: %v", err)
			return
		}
		defer socket.CloseNow()
		socket.SetReadLimit(-1)
		serve(ctx, socket)
	}))
	t.Cleanup(func() {
		cancel()
		server.Close()
	})
	return "ws" + strings.TrimPrefix(server.URL, "http")
}

// listen serves bare connections with a function, and closes them when the test is over. It returns the URL.
func listen(t *testing.T, serve func(c net.Conn)) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	over := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			served := make(chan struct{})
			go func() {
				defer close(served)
				serve(c)
			}()
			<-over
			c.Close()
			<-served
		}
	}()
	t.Cleanup(func() {
		l.Close()
		close(over)
		<-done
	})
	return "ws://" + l.Addr().String()
}

// shakeHands does the part of a server in the handshake, on a bare connection.
func shakeHands(c net.Conn) error {
	r, err := http.ReadRequest(bufio.NewReader(c))
	if err != nil {
		return err
	}
	sum := sha1.Sum([]byte(r.Header.Get("Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")) //nolint:gosec // as above
	_, err = io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"+
		"Sec-WebSocket-Accept: "+base64.StdEncoding.EncodeToString(sum[:])+"\r\n\r\n")
	return err
}
