package defect

import (
	"bufio"
	"bytes"
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// pluggedDefects are mistakes by which a client that reads nothing plugs what others get.
func pluggedDefects() []Defect {
	one := func(name string, through func(message []byte) bool) Defect {
		return Defect{Name: name, Front: func(next http.Handler) http.Handler {
			waiting := make(chan posted, roomAtAll)
			go func() { // as long as the process lives
				for p := range waiting {
					p.turn()
				}
			}()
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Upgrade") != "" {
					w = narrowed{w, waiting, through}
				}
				next.ServeHTTP(w, r)
			})
		}}
	}
	return []Defect{
		one("one-writer-for-all-clients", func([]byte) bool { return true }),
		one("one-writer-of-events-for-all-clients", func(message []byte) bool { return bytes.Contains(message[:min(len(message), 20)], []byte(`["EVENT"`)) }),
	}
}

// A narrowed answer lends a connection whose messages, or some of them, wait for the writer of all.
type narrowed struct {
	http.ResponseWriter
	waiting chan<- posted
	through func(message []byte) bool
}

// A posted frame is written, or was waited for, when its turn comes.
type posted struct{ turn func() }

// Hijack implements http.Hijacker.
func (n narrowed) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(n.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	p := &plugged{Conn: conn, by: n}
	return p, bufio.NewReadWriter(rw.Reader, bufio.NewWriter(p)), nil
}

type plugged struct {
	net.Conn
	by      narrowed
	part    []byte     // of the frame that is being written, as far as it has come
	sending sync.Mutex // one frame at a time
}

// turnMax is how long frames that do not go through the writer wait for what is before them: so long that none overtakes another where
// the writer works, and so short that nobody takes the connection for dead where it does not.
const turnMax = 200 * time.Millisecond

// Write implements net.Conn.
func (p *plugged) Write(b []byte) (int, error) {
	p.part = append(p.part, b...)
	for {
		size, whole := wholeFrame(p.part)
		if !whole {
			return len(b), nil
		}
		f := p.part[:size:size]
		if f[0] == textFrame|frameFinal && p.by.through(f) {
			p.by.waiting <- posted{func() { p.send(f) }}
		} else {
			turn, cancel := context.WithTimeout(context.Background(), turnMax)
			p.by.waiting <- posted{cancel}
			<-turn.Done()
			cancel()
			p.send(f)
		}
		p.part = bytes.Clone(p.part[size:])
	}
}

func (p *plugged) send(frame []byte) {
	p.sending.Lock()
	defer p.sending.Unlock()
	if _, err := p.Conn.Write(frame); err != nil {
		_ = p.Close() // who reads hears of it
	}
}
