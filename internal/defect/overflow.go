package defect

import (
	"bufio"
	"bytes"
	"net"
	"net/http"
	"sync"
)

// roomForFrames is how many messages wait for a client of a relay that loses what is more, and roomAtAll how many if it loses some sorts only.
const (
	roomForFrames = 256
	roomAtAll     = 1 << 16
)

// overflowDefects are mistakes by which what a client does not take at once is lost.
func overflowDefects() []Defect {
	losing := func(name string, loses func(message []byte) bool) Defect {
		return Defect{Name: name, Front: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Upgrade") != "" {
					w = overflowing{w, loses}
				}
				next.ServeHTTP(w, r)
			})
		}}
	}
	return []Defect{
		losing("answers-to-late-readers-lost", func([]byte) bool { return true }),
		losing("events-to-late-readers-lost", func(message []byte) bool { return bytes.Contains(message[:min(len(message), 20)], []byte(`["EVENT"`)) }),
	}
}

// An overflowing answer lends a connection that has room for so many messages; of the others it loses some.
type overflowing struct {
	http.ResponseWriter
	loses func(message []byte) bool
}

// Hijack implements http.Hijacker.
func (o overflowing) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(o.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	x := &outbox{Conn: conn, waiting: make(chan []byte, roomAtAll), loses: o.loses, closed: make(chan struct{})}
	go x.send()
	return x, bufio.NewReadWriter(rw.Reader, bufio.NewWriter(x)), nil
}

// An outbox takes everything at once: what finds no room in it may be lost.
type outbox struct {
	net.Conn
	waiting chan []byte // whole frames
	loses   func(message []byte) bool
	part    []byte // of the frame that is being written, as far as it has come
	closing sync.Once
	closed  chan struct{}
}

func (x *outbox) send() {
	for {
		select {
		case f := <-x.waiting:
			if _, err := x.Conn.Write(f); err != nil {
				_ = x.Close() // who reads hears of it
			}
		case <-x.closed:
			return
		}
	}
}

// Write implements net.Conn.
func (x *outbox) Write(p []byte) (int, error) {
	x.part = append(x.part, p...)
	for {
		size, whole := wholeFrame(x.part)
		if !whole {
			return len(p), nil
		}
		if whole := x.part[:size:size]; len(x.waiting) < roomForFrames || !x.loses(whole) {
			x.waiting <- whole
		}
		x.part = append([]byte(nil), x.part[size:]...)
	}
}

// Close implements net.Conn.
func (x *outbox) Close() error {
	x.closing.Do(func() { close(x.closed) })
	return x.Conn.Close() //nolint:wrapcheck // it is that of the connection
}

// wholeFrame is how long the first frame of a server is, with its head, if it is whole.
func wholeFrame(b []byte) (size int, whole bool) {
	for n := 2; n <= len(b) && n <= 10; n++ {
		if rest, known := frameSize(b[:n]); known {
			size = n + int(rest)
			return size, len(b) >= size
		}
	}
	return 0, false
}
