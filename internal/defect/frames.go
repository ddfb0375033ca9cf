package defect

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"sync/atomic"

	"github.com/graspkit/graspkit/reference/core"
)

// Parts of the head of a frame (RFC 6455, section 5.2).
const (
	frameOpcode = 0x0f
	frameMasked = 0x80
	frameFinal  = 0x80

	binaryFrame = 0x02
	textFrame   = 0x01 // which does not end its message
	pingFrame   = 0x89
	pongFrame   = 0x8a
	closeFrame  = 0x88
	noFrame     = 0x8b // which ends a connection
)

// framesDefects are mistakes that frames which no library sends show.
func framesDefects() []Defect {
	other := func(from, to byte) func(http.Handler) http.Handler {
		return reframed(func() func(byte) byte {
			return func(first byte) byte {
				if first == from {
					return to
				}
				return first
			}
		})
	}
	return []Defect{
		binaryFramesKill(), oddFramesStun(),
		{Name: "frames-taken-for-messages", Front: other(textFrame, textFrame|frameFinal)},
		{Name: "early-pings-unanswered", Front: reframed(func() func(byte) byte {
			spoken := false
			return func(first byte) byte {
				if first == pingFrame && !spoken {
					return pongFrame
				}
				spoken = spoken || first&frameOpcode == textFrame
				return first
			}
		})},
		{Name: "pongs-end-connections", Front: other(pongFrame, noFrame)},
		{Name: "closes-unanswered", Front: other(closeFrame, pongFrame)},
		{Name: "pings-inside-messages-end-connections", Front: reframed(func() func(byte) byte {
			inside := false
			return func(first byte) byte {
				if first == pingFrame && inside {
					return noFrame
				}
				if first&frameOpcode < closeFrame&frameOpcode {
					inside = first&frameFinal == 0
				}
				return first
			}
		})},
	}
}

// binaryFramesKill answers nobody any more once a frame of bytes has come.
func binaryFramesKill() Defect {
	var dead atomic.Bool
	d := dying("binary-frames-kill", func(core.Input) bool { return dead.Load() }, func(*http.Request) bool { return dead.Load() })
	front := d.Front
	d.Front = func(next http.Handler) http.Handler {
		return front(tapped(next, func(head []byte) {
			if head[0]&frameOpcode == binaryFrame {
				dead.Store(true)
			}
		}))
	}
	return d
}

// oddFramesStun ends the connection that is opened next once an odd frame has come.
func oddFramesStun() Defect {
	var stunned atomic.Bool
	return Defect{Name: "odd-frames-stun", Front: func(next http.Handler) http.Handler {
		next = tapped(next, func(head []byte) {
			if oddFrame(head) {
				stunned.Store(true)
			}
		})
		return gate(func(_ http.ResponseWriter, r *http.Request) bool {
			if r.Header.Get("Upgrade") != "" && stunned.CompareAndSwap(true, false) {
				panic(http.ErrAbortHandler)
			}
			return false
		})(next)
	}}
}

// oddFrame reports whether a head is none of those that clients send: a whole text, a ping, a pong or a close.
func oddFrame(head []byte) bool {
	const text, whole, final, longest = 0x81, 0x88, 0x80, 125
	size := head[1] &^ frameMasked
	switch {
	case head[0]&final == 0 || head[1]&frameMasked == 0:
		return true
	case head[0] == text:
		return size == 0 || (len(head) == 10 && head[2] != 0)
	}
	return head[0] < whole || head[0] > whole+2 || size > longest
}

// tapped shows the heads of all frames that clients send.
func tapped(next http.Handler, see func(head []byte)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") != "" {
			w = &lending{ResponseWriter: w, see: see}
		}
		next.ServeHTTP(w, r)
	})
}

// reframed has the server read other first bytes of frames than clients send.
func reframed(swap func() func(first byte) byte) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Upgrade") != "" {
				w = &lending{ResponseWriter: w, see: func([]byte) {}, swap: swap}
			}
			next.ServeHTTP(w, r)
		})
	}
}

// A lending answer lends its connection to a tap.
type lending struct {
	http.ResponseWriter
	see  func(head []byte)
	swap func() func(first byte) byte // one for each connection; nil is none
}

// Hijack implements http.Hijacker.
func (l *lending) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(l.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	early, _ := rw.Peek(rw.Reader.Buffered()) // a client may send before its connection is lent
	t := &tap{Conn: conn, from: io.MultiReader(bytes.NewReader(bytes.Clone(early)), conn), see: l.see}
	if l.swap != nil {
		t.swap = l.swap()
	}
	return t, bufio.NewReadWriter(bufio.NewReader(t), rw.Writer), nil
}

// A tap follows the frames that a client sends by their heads.
type tap struct {
	net.Conn
	from io.Reader // what comes
	see  func(head []byte)
	swap func(first byte) byte // another first byte for a frame; nil leaves all as they are
	head []byte                // of the frame that is being read, as far as it has come
	rest uint64                // bytes of the frame behind its head
}

// Read implements net.Conn.
func (t *tap) Read(p []byte) (int, error) {
	n, err := t.from.Read(p)
	for read := p[:n]; len(read) > 0; {
		if t.rest > 0 {
			passed := min(t.rest, uint64(len(read)))
			t.rest, read = t.rest-passed, read[passed:]
			continue
		}
		if len(t.head) == 0 && t.swap != nil {
			read[0] = t.swap(read[0])
		}
		t.head, read = append(t.head, read[0]), read[1:]
		if size, whole := frameSize(t.head); whole {
			t.see(t.head)
			t.head, t.rest = t.head[:0], size
		}
	}
	const little = 1 << 10
	if errors.Is(err, io.EOF) && t.rest > 0 && t.rest < little {
		t.see([]byte{0, 0}) // of a frame that is cut short
		t.rest = 0
	}
	return n, err //nolint:wrapcheck // it is that of the connection
}

// frameSize is how many bytes follow the head of a frame, if that is whole.
func frameSize(head []byte) (size uint64, whole bool) {
	if len(head) < 2 {
		return 0, false
	}
	const long, longer = 126, 127
	if head[1]&frameMasked != 0 {
		size = 4
	}
	wide := 0 // bytes of the length
	switch short := head[1] &^ frameMasked; short {
	case long:
		wide = 2
	case longer:
		wide = 8
	default:
		return size + uint64(short), true
	}
	if len(head) < 2+wide {
		return 0, false
	}
	var length uint64
	for _, b := range head[2:] {
		length = length<<8 | uint64(b)
	}
	return size + length, true
}
