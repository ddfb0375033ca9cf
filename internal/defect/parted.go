package defect

import (
	"bufio"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
)

// partedDefects are mistakes with subscriptions of clients that have left without a word: a server learns that nothing can be sent to them
// when it tries. With those who say goodbye it is careful.
func partedDefects() []Defect {
	return []Defect{
		// The loop over all clients ends with the first one that nothing can be sent to.
		whoLeft("who-left-cuts-off-others", func(ev *nostr.Event, left core.ConnID, effects []core.Effect) []core.Effect {
			return slices.DeleteFunc(effects, func(e core.Effect) bool {
				send, _ := e.(core.Send)
				m, is := send.Msg.(relay.EventFor)
				return is && m.Event.ID == ev.ID && send.Conn > left
			})
		}),
		whoLeft("who-left-fails-publishers", func(ev *nostr.Event, _ core.ConnID, effects []core.Effect) []core.Effect {
			for n, e := range effects {
				send, _ := e.(core.Send)
				if ok, is := send.Msg.(relay.OK); is && ok.ID == ev.ID {
					effects[n] = core.Send{Conn: send.Conn, Msg: relay.OK{ID: ok.ID, Text: "error: broken pipe"}}
				}
			}
			return effects
		}),
	}
}

// whoLeft spoils what follows from a new event that somebody wanted who has left meanwhile, and forgets him then.
func whoLeft(name string, spoil func(ev *nostr.Event, left core.ConnID, effects []core.Effect) []core.Effect) Defect {
	var wordless atomic.Int32 // connections that ended so, and of which the core has not heard
	return Defect{
		Name: name,
		Front: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Upgrade") != "" {
					w = &parting{ResponseWriter: w, wordless: &wordless}
				}
				next.ServeHTTP(w, r)
			})
		},
		Filter: func() Filter {
			var open, parted []opened
			return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
				if gone, is := i.(core.ConnClosed); is && wordless.Load() > 0 {
					wordless.Add(-1)
					parted = append(parted, slices.DeleteFunc(slices.Clone(open), func(o opened) bool { return o.conn != gone.Conn })...)
				}
				open = follow(open, i)
				effects = slices.Clone(effects)
				for _, e := range slices.Clone(effects) {
					r, is := e.(core.Record)
					if !is || r.Op != core.OpStore {
						continue
					}
					at := slices.IndexFunc(parted, func(o opened) bool { return wants(o.filters, r.Event) })
					if at < 0 {
						continue
					}
					left := parted[at].conn
					effects = spoil(r.Event, left, effects)
					parted = slices.DeleteFunc(parted, func(o opened) bool { return o.conn == left })
				}
				return effects
			}}
		},
	}
}

// A parting answer lends a connection whose end it counts, if no close of the client came before.
type parting struct {
	http.ResponseWriter
	wordless *atomic.Int32
}

// Hijack implements http.Hijacker.
func (p *parting) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	ends := &parted{wordless: p.wordless}
	tapped := &lending{ResponseWriter: p.ResponseWriter, see: func(head []byte) {
		if head[0] == closeFrame {
			ends.said.Store(true)
		}
	}}
	conn, rw, err := tapped.Hijack()
	if err != nil {
		return nil, nil, err
	}
	ends.Conn = conn
	return ends, rw, nil
}

type parted struct {
	net.Conn
	said     atomic.Bool // goodbye
	once     sync.Once
	wordless *atomic.Int32
}

// Close implements net.Conn.
func (p *parted) Close() error {
	p.once.Do(func() {
		if !p.said.Load() {
			p.wordless.Add(1)
		}
	})
	return p.Conn.Close() //nolint:wrapcheck // it is that of the connection
}
