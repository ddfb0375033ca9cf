package httpd

import (
	"bytes"
	"net"
	"strings"

	"github.com/graspkit/graspkit/reference/web"
)

// A corsListener adds the CORS headers to the answers that net/http gives by itself, before any handler, to requests
// that it cannot read: every response carries them (G01-CORS-01).
type corsListener struct {
	net.Listener
	head string // header lines
}

// Accept waits for the next connection.
func (l corsListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &corsConn{Conn: c, head: l.head}, nil
}

type corsConn struct {
	net.Conn
	head string
}

// ownHead is what follows the status line of an answer that net/http makes by itself. Answers of handlers have a date.
const ownHead = "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"

// ownExpect begins the answer to an Expect that nobody knows, which net/http gives by itself, too, but dates. No handler gives it.
const ownExpect = "HTTP/1.1 417 "

// ownAnswerMax is above the longest such answer. Each comes in one Write.
const ownAnswerMax = 512

// Write adds the headers where they are missing.
func (c *corsConn) Write(p []byte) (int, error) {
	if len(p) > ownAnswerMax || !bytes.HasPrefix(p, []byte("HTTP/1.")) {
		return c.Conn.Write(p)
	}
	line := bytes.Index(p, []byte("\r\n"))
	if line < 0 || !bytes.HasPrefix(p[line:], []byte(ownHead)) && !bytes.HasPrefix(p, []byte(ownExpect)) {
		return c.Conn.Write(p)
	}
	whole := string(p[:line]) + "\r\n" + c.head + strings.TrimPrefix(string(p[line:]), "\r\n")
	if _, err := c.Conn.Write([]byte(whole)); err != nil {
		return 0, err
	}
	return len(p), nil
}

func corsHead(headers []web.Header) string {
	var b strings.Builder
	for _, h := range headers {
		b.WriteString(h.Name + ": " + h.Value + "\r\n")
	}
	return b.String()
}
