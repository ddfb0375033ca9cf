package suite

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
)

// A bareConn is a connection to the service below HTTP and WebSocket, for what no library sends. It ends with its check, and
// what is awaited on it ends with its time.
type bareConn struct {
	net.Conn
	in   *bufio.Reader
	host string // of the service, as requests name it
	base string // the path of the service
}

// bareFor opens a bare connection that ends after a time, with what else is to be done with it.
func (w *world) bareFor(life time.Duration, with ...func(net.Conn) net.Conn) (*bareConn, outcome) {
	dialer, is := w.run.target.(target.RawDialer)
	if !is {
		return nil, blocked("the target has no bare connections", "judge a server by its URL")
	}
	u, err := url.Parse(w.run.target.ServiceURL())
	if err != nil {
		return nil, harnessError("service URL: %v", err)
	}
	conn, err := dialer.DialRaw(w.ctx)
	if err != nil {
		return nil, inconclusive("connect", client.TransportError{Phase: "dial", Text: err.Error(), Err: err})
	}
	for _, change := range with {
		conn = change(conn)
	}
	waiting, cancel := context.WithTimeout(w.ctx, life)
	stop := context.AfterFunc(waiting, func() { _ = conn.Close() })
	w.git.bare = append(w.git.bare, func() {
		stop()
		cancel()
		_ = conn.Close()
	})
	return &bareConn{conn, bufio.NewReader(conn), u.Host, strings.TrimSuffix(u.EscapedPath(), "/")}, outcome{}
}

// write sends bytes as they are.
func (c *bareConn) write(data []byte) outcome {
	if _, err := c.Write(data); err != nil {
		return inconclusive("send", client.TransportError{Phase: "send", Text: err.Error(), Err: err})
	}
	return outcome{}
}

// interimMost is how many answers may come before the final one (RFC 9110, section 15.2).
const interimMost = 10

// upgrade asks for a WebSocket, with these lines of the header that ask for it. Status and header are those of the answer.
func (c *bareConn) upgrade(lines ...string) (status int, header http.Header, out outcome) {
	head := fmt.Sprintf("GET %s/ HTTP/1.1\r\nHost: %s\r\n%s\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
		c.base, c.host, strings.Join(lines, "\r\n"))
	if out := c.write([]byte(head)); !out.held() {
		return 0, nil, out
	}
	for range interimMost {
		answer, err := http.ReadResponse(c.in, nil)
		if err != nil {
			return 0, nil, inconclusive("upgrade", client.TransportError{Phase: "recv", Text: err.Error(), Err: err})
		}
		_ = answer.Body.Close() // of an answer that is not read on
		if interim := answer.StatusCode < http.StatusOK && answer.StatusCode != http.StatusSwitchingProtocols; !interim {
			return answer.StatusCode, answer.Header, outcome{}
		}
	}
	return 0, nil, inconclusive("upgrade", client.BadAnswer{Phase: "upgrade", Text: "nothing but interim answers"})
}

// The opcodes of frames (RFC 6455, section 5.2).
const (
	frameGoesOn = 0x0
	frameText   = 0x1
	frameBytes  = 0x2
	frameClose  = 0x8
	framePing   = 0x9
	framePong   = 0xa
)

// frame is one masked frame; last tells whether a message ends with it.
func frame(opcode byte, last bool, payload []byte) []byte {
	const final, masked, short = 0x80, 0x80, 125
	if last {
		opcode |= final
	}
	head := []byte{opcode, masked | byte(min(len(payload), short))}
	if len(payload) > short {
		head = binary.BigEndian.AppendUint16([]byte{opcode, masked | 126}, uint16(len(payload)))
	}
	mask := [4]byte{1, 2, 3, 4}
	head = append(head, mask[:]...)
	for i, b := range payload {
		head = append(head, b^mask[i%len(mask)])
	}
	return head
}

// oddFrames is what breaks the rules of WebSocket, or what a relay has no use for.
func oddFrames(what string) []byte {
	const reserved, control = 0x5, 0xb
	text := frame(frameText, true, []byte(`["REQ","x",{"limit":0}]`))
	switch what {
	case "a frame of bytes":
		return frame(frameBytes, true, []byte(`["REQ","x",{"limit":0}]`))
	case "an empty frame of bytes":
		return frame(frameBytes, true, nil)
	case "an empty frame of text":
		return frame(frameText, true, nil)
	case "a frame that goes on with nothing":
		return frame(frameGoesOn, true, []byte("x"))
	case "a message inside another":
		return append(frame(frameText, false, []byte(`["REQ"`)), text...)
	case "a frame of an unknown sort":
		return frame(reserved, true, []byte("x"))
	case "a control frame of an unknown sort":
		return frame(control, true, nil)
	case "a ping in pieces":
		return frame(framePing, false, []byte("x"))
	case "a ping that is too long":
		return frame(framePing, true, make([]byte, 126))
	case "a frame without a mask":
		return []byte{0x81, 2, '[', ']'}
	case "a frame with reserved bits":
		text[0] |= 0x70
		return text
	case "a huge frame that never ends":
		return append([]byte{0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, 1, 2, 3, 4)
	case "a frame of negative length":
		return append([]byte{0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, 1, 2, 3, 4)
	case "a frame that never ends":
		return text[:len(text)-4]
	case "no frame":
		return []byte("GET / HTTP/1.1\r\n\r\n")
	}
	panic("suite: invariant: unknown frame " + what)
}

// bareSocket is bareFor, upgraded to a WebSocket.
func (w *world) bareSocket(life time.Duration, with ...func(net.Conn) net.Conn) (*bareConn, outcome) {
	conn, out := w.bareFor(life, with...)
	if !out.held() {
		return nil, out
	}
	status, _, out := conn.upgrade("Connection: Upgrade", "Upgrade: websocket")
	if !out.held() {
		return nil, out
	}
	if status != http.StatusSwitchingProtocols {
		return nil, unlessInconclusive("upgrade", client.HTTPAnswer{Status: status}).dueTo(restsOnRelay)
	}
	return conn, outcome{}
}

// sendFrames sends frames on a connection of their own, and a ping behind them: what comes back, be it the answer to that or
// the end, shows that they were read. Behind a frame that never ends the sender hangs up.
func (w *world) sendFrames(what string) outcome {
	conn, out := w.bareSocket(w.client.Settle(), w.client.Recorded)
	if !out.held() {
		return out
	}
	frames := oddFrames(what)
	whole := !strings.HasSuffix(what, "that never ends")
	if whole {
		frames = append(frames, frame(framePing, true, nil)...)
	}
	if _, err := conn.Write(frames); err != nil {
		w.note("the connection ended: %v", err) // the server may hang up at once
		return outcome{}
	}
	if half, is := conn.Conn.(interface{ CloseWrite() error }); is && !whole {
		_ = half.CloseWrite() // who has hung up already has read it
	}
	if got, err := conn.in.ReadByte(); err != nil {
		w.note("the connection ended: %v", err)
	} else {
		w.note("the answer begins with %#x", got)
	}
	return outcome{}
}
