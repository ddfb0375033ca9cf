package peer_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/coder/websocket"
	"github.com/nbd-wtf/go-nostr"
	"golang.org/x/net/dns/dnsmessage"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/peer"
	"github.com/graspkit/graspkit/reference/relay"
)

// Nobody is connected to whose URL or address is none of the public ones (SEC-02).
func TestForbidden(t *testing.T) {
	url := listen(t, func(c net.Conn) { t.Errorf("a connection was made from %v", c.RemoteAddr()) })
	_, port, _ := strings.Cut(strings.TrimPrefix(url, "ws://"), ":")
	p := peer.New(peer.Options{})
	defer p.Close()
	for id, url := range []string{
		url, "ws://localhost:" + port, "ws://[::ffff:127.0.0.1]:" + port, "wss://0.0.0.0:" + port, "ws://10.0.0.1/", "ws://169.254.169.254/",
		"ws://[fe80::1]/", "http://example.com/", "file:///etc/passwd", "ws://user:secret@example.com/", "ws:opaque", "ws://", "",
		"ws://example.com/\x7f",
	} {
		if got := dial(t, p, core.PeerID(id), url).ends(); got != core.PeerForbidden {
			t.Errorf("%q: got %q, want forbidden", url, got)
		}
	}
}

// Why there is no connection is told in the words of the core.
func TestDialFailures(t *testing.T) {
	gone, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone.Close()
	answer := func(text string) string {
		return listen(t, func(c net.Conn) {
			_, _ = http.ReadRequest(bufio.NewReader(c))
			_, _ = io.WriteString(c, text)
			c.Close()
		})
	}
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	there := relayOf(t, func(context.Context, *websocket.Conn) { t.Error("a redirect was followed") })
	sent := httptest.NewServer(http.RedirectHandler("http"+strings.TrimPrefix(there, "ws"), http.StatusFound))
	defer sent.Close()
	ws := func(url string) string { return "ws" + strings.TrimPrefix(url, "http") }
	for id, c := range []struct {
		name, url string
		want      core.PeerFailure
	}{
		{"nobody listens", "ws://" + gone.Addr().String(), core.PeerUnreachable},
		{"closed at once", listen(t, func(c net.Conn) { c.Close() }), core.PeerUnreachable},
		{"a web server", ws(plain.URL), core.PeerNoRelay},
		{"a redirect", ws(sent.URL), core.PeerNoRelay},
		{"another protocol", answer("SSH-2.0-x\r\n"), core.PeerNoRelay},
		{"a wrong handshake", answer("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
			"Sec-WebSocket-Accept: x\r\n\r\n"), core.PeerNoRelay},
		{"an endless header", answer("HTTP/1.1 101 Switching Protocols\r\nX: " + strings.Repeat("x", 100_000)), core.PeerUnreachable},
		{"an unknown authority", ws(secure.URL), core.PeerNoTrust},
		{"no TLS", "wss" + strings.TrimPrefix(plain.URL, "http"), core.PeerNoTrust},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := dial(t, newPeers(t, peer.Options{}), core.PeerID(id), c.url).ends(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// A name that leads nowhere is no fault of the moment. That our own name server is out of order is: it would be all relays at once.
func TestNoName(t *testing.T) {
	for code, want := range map[dnsmessage.RCode]core.PeerFailure{
		dnsmessage.RCodeNameError: core.PeerNoName, dnsmessage.RCodeServerFailure: core.PeerUnreachable,
	} {
		p := newPeers(t, peer.Options{Resolver: &net.Resolver{PreferGo: true, Dial: nameServer(t, code)}})
		if got := dial(t, p, 1, "wss://nowhere.invalid").ends(); got != want {
			t.Errorf("%v: got %q, want %q", code, got, want)
		}
	}
}

// nameServer answers every question with a code, over a stream.
func nameServer(t *testing.T, code dnsmessage.RCode) func(context.Context, string, string) (net.Conn, error) {
	return func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			var length [2]byte
			if _, err := io.ReadFull(theirs, length[:]); err != nil {
				t.Errorf("question: %v", err)
				return
			}
			question := make([]byte, binary.BigEndian.Uint16(length[:]))
			if _, err := io.ReadFull(theirs, question); err != nil {
				t.Errorf("question: %v", err)
				return
			}
			var m dnsmessage.Message
			if err := m.Unpack(question); err != nil {
				t.Errorf("question: %v", err)
				return
			}
			m.Response, m.RCode, m.Additionals = true, code, nil
			answer, err := m.AppendPack([]byte{0, 0})
			if err != nil {
				t.Errorf("answer: %v", err)
				return
			}
			binary.BigEndian.PutUint16(answer, uint16(len(answer)-2)) //nolint:gosec // a short message
			_, _ = theirs.Write(answer)                               // who asked may be gone
		}()
		return ours, nil
	}
}

// What takes for ever has an end: each part of a connection has its time.
func TestTimeouts(t *testing.T) {
	soon := 50 * time.Millisecond
	open := func(then func(c net.Conn)) func(c net.Conn) {
		return func(c net.Conn) {
			if err := shakeHands(c); err != nil {
				t.Error(err)
				return
			}
			then(c)
			_, _ = io.Copy(io.Discard, c)
		}
	}
	for _, c := range []struct {
		name     string
		timeouts peer.Timeouts
		serve    func(c net.Conn)
	}{
		{"no handshake", peer.Timeouts{Dial: soon}, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }},
		{"half a handshake", peer.Timeouts{Dial: soon}, func(c net.Conn) {
			_, _ = http.ReadRequest(bufio.NewReader(c))
			_, _ = io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: ")
			_, _ = io.Copy(io.Discard, c)
		}},
		{"an endless page", peer.Timeouts{Dial: soon}, func(c net.Conn) {
			_, _ = http.ReadRequest(bufio.NewReader(c))
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nx")
			_, _ = io.Copy(io.Discard, c)
		}},
		{"no answer to a ping", peer.Timeouts{Quiet: soon, Ping: soon}, open(func(net.Conn) {})},
		{"half the header of a frame", peer.Timeouts{Quiet: soon, Ping: soon}, open(func(c net.Conn) { _, _ = c.Write([]byte{0x81}) })},
		{"half a frame", peer.Timeouts{Frame: soon}, open(func(c net.Conn) { _, _ = c.Write([]byte{0x81, 10, '['}) })},
		{"half a large frame", peer.Timeouts{Frame: soon}, open(func(c net.Conn) {
			_, _ = c.Write(append([]byte{0x81, 127, 0, 0, 0, 0, 0, 16, 0, 0}, make([]byte, 100_000)...))
		})},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPeers(t, peer.Options{Timeouts: c.timeouts})
			got := dial(t, p, 1, listen(t, c.serve)).ends()
			if got != core.PeerTimedOut {
				t.Errorf("got %q, want a relay that is too slow", got)
			}
		})
	}
}

// A relay that takes nothing of what it is sent is disconnected after a while.
func TestStalledReader(t *testing.T) {
	url := relayOf(t, func(ctx context.Context, _ *websocket.Conn) { <-ctx.Done() })
	p := newPeers(t, peer.Options{Timeouts: peer.Timeouts{Frame: 50 * time.Millisecond}})
	c := dial(t, p, 1, url).opens()
	long := relay.Req{Sub: "a", Filters: []relay.Filter{{IDs: []string{strings.Repeat("x", 1<<20)}}}}
	for range 30 { // what the system takes is less
		p.Send(core.SendPeer{Peer: 1, Msg: long})
	}
	if got := c.ends(); got != core.PeerTimedOut {
		t.Errorf("got %q, want a relay that is too slow", got)
	}
}

// What is no WebSocket, or beyond the limits, ends the connection, and no memory is taken for it.
func TestGarbage(t *testing.T) {
	frame := func(header ...byte) func(c net.Conn) {
		return func(c net.Conn) {
			for {
				if _, err := c.Write(append(header, make([]byte, 1000)...)); err != nil {
					return
				}
			}
		}
	}
	for _, c := range []struct {
		name  string
		serve func(c net.Conn)
	}{
		{"no frames", frame([]byte("HTTP/1.1 200 OK\r\n")...)},
		{"a frame of 2^62 bytes", frame(0x81, 127, 0x40, 0, 0, 0, 0, 0, 0, 0)},
		{"a frame of -1 bytes", frame(0x81, 127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)},
		{"a message without an end", func(c net.Conn) {
			_, _ = c.Write([]byte{0x01, 0})
			frame(0x00, 126, 1000>>8, 1000&0xff)(c)
		}},
		{"a compressed frame", frame(0xc1, 126, 1000>>8, 1000&0xff)},
		{"a long ping", frame(0x89, 126, 1000>>8, 1000&0xff)},
		{"the end without a farewell", func(c net.Conn) { c.Close() }},
		{"a complaint", func(c net.Conn) { _, _ = c.Write([]byte{0x88, 2, 1008 >> 8, 1008 & 0xff}) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			url := listen(t, func(conn net.Conn) {
				if err := shakeHands(conn); err != nil {
					t.Error(err)
				}
				c.serve(conn)
			})
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if got := dial(t, newPeers(t, peer.Options{}), 1, url).opens().ends(); got != core.PeerUnreachable {
				t.Errorf("got %q, want a connection that broke", got)
			}
			runtime.ReadMemStats(&after)
			if taken := after.TotalAlloc - before.TotalAlloc; taken > 32<<20 {
				t.Errorf("%d bytes were allocated", taken)
			}
		})
	}
}

// listenOnce says when somebody connects, and says nothing to them.
func listenOnce(t *testing.T, dialed chan<- struct{}) string {
	t.Helper()
	return listen(t, func(c net.Conn) {
		close(dialed)
		_, _ = io.Copy(io.Discard, c)
	})
}

// waited is a clock that tells how long somebody waits.
type waited struct {
	*clock.Mock
	timers chan time.Duration
}

func (w waited) Timer(d time.Duration) *clock.Timer {
	timer := w.Mock.Timer(d)
	w.timers <- d
	return timer
}

// A relay that sends events without a pause is heard at the pace of a client, and what it says beside them is not.
func TestEventsHaveAPace(t *testing.T) {
	const every = time.Minute
	url := relayOf(t, func(ctx context.Context, socket *websocket.Conn) {
		ev := nostr.Event{Kind: 1, Tags: nostr.Tags{}}
		if err := ev.Sign(strings.Repeat("01", 32)); err != nil {
			t.Error(err)
		}
		event := `["EVENT","l1",` + ev.String() + `]`
		for _, text := range []string{event, event, `["NOTICE","x"]`, event, `["NOTICE","y"]`} {
			_ = socket.Write(ctx, websocket.MessageText, []byte(text))
		}
		_, _, _ = socket.Read(ctx)
	})
	c := waited{clock.NewMock(), make(chan time.Duration, 1)}
	p := newPeers(t, peer.Options{Clock: c, Limits: peer.Limits{Events: relay.Pace{Burst: 2, Every: every}}})
	one := dial(t, p, 1, url).opens()
	for _, want := range []bool{true, true, false} {
		if _, is := one.next().(core.PeerSaid).Msg.(relay.EventFor); is != want {
			t.Fatalf("got an event %t, want %t", is, want)
		}
	}
	if d := <-c.timers; d != every {
		t.Errorf("waits for %v, want %v", d, every)
	}
	select {
	case in := <-one.heard:
		t.Fatalf("got %#v before its time", in)
	default:
	}
	c.Add(every)
	if _, is := one.next().(core.PeerSaid).Msg.(relay.EventFor); !is {
		t.Error("the third event has not come")
	}
}

// A relay that says something else without a pause, of which nothing becomes an event, is heard at a pace, too: each message would
// cost a little, and there may be hundreds of relays.
func TestNoticesHaveAPace(t *testing.T) {
	const every = time.Minute
	url := relayOf(t, func(ctx context.Context, socket *websocket.Conn) {
		for _, text := range []string{`["NOTICE","x"]`, `["AUTH","y"]`, `["NOTICE","z"]`} {
			_ = socket.Write(ctx, websocket.MessageText, []byte(text))
		}
		_, _, _ = socket.Read(ctx)
	})
	c := waited{clock.NewMock(), make(chan time.Duration, 1)}
	p := newPeers(t, peer.Options{Clock: c, Limits: peer.Limits{Others: relay.Pace{Burst: 2, Every: every}}})
	one := dial(t, p, 1, url).opens()
	for range 2 {
		one.next()
	}
	if d := <-c.timers; d != every {
		t.Errorf("waits for %v, want %v", d, every)
	}
	select {
	case in := <-one.heard:
		t.Fatalf("got %#v before its time", in)
	default:
	}
	c.Add(every)
	if said, is := one.next().(core.PeerSaid); !is || said.Msg == nil {
		t.Error("the third message has not come")
	}
}

// A relay that sends much in few messages is heard at a pace, too.
func TestBytesHaveAPace(t *testing.T) {
	const every = time.Minute
	url := relayOf(t, func(ctx context.Context, socket *websocket.Conn) {
		for range 3 { // a piece and a little more, with what is around it
			_ = socket.Write(ctx, websocket.MessageText, []byte(`["NOTICE","`+strings.Repeat("x", 70<<10)+`"]`))
		}
		_, _, _ = socket.Read(ctx)
	})
	c := waited{clock.NewMock(), make(chan time.Duration, 1)}
	p := newPeers(t, peer.Options{Clock: c, Limits: peer.Limits{Pieces: relay.Pace{Burst: 2, Every: every}}})
	one := dial(t, p, 1, url).opens()
	for range 2 {
		one.next()
	}
	if d := <-c.timers; d != every {
		t.Errorf("waits for %v, want %v", d, every)
	}
	select {
	case in := <-one.heard:
		t.Fatalf("got %#v before its time", in)
	default:
	}
	c.Add(every)
	if said, is := one.next().(core.PeerSaid); !is || said.Msg == nil {
		t.Error("the third message has not come")
	}
}
