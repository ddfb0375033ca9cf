package hosts

import (
	"net"
	"slices"
	"sync/atomic"
)

// counts are of the bytes of a connection.
type counts struct {
	came, wrote atomic.Int64
	reading     atomic.Bool // somebody waits for more, who has dealt with all that came
}

// read reads from a connection.
func (c *counts) read(from net.Conn, p []byte) (int, error) {
	c.reading.Store(true)
	n, err := from.Read(p)
	c.reading.Store(false) // before the count, so that nobody sees the new bytes and still a reader that waits
	c.came.Add(int64(n))
	return n, err
}

// An End is the relay's end of a connection on which the relay does nothing before bytes come or the clock moves.
type End struct {
	Remote      string // address of the asker's end, "127.0.0.1:40000"
	Read, Wrote int64  // bytes so far
	Frozen      bool   // it does not even read
}

// Ends lists the connections at the relays, and reports whether nothing goes on at any of them.
func (h *Hosts) Ends() (ends []End, all bool) {
	h.mu.Lock()
	relays := slices.Clone(h.relays)
	h.mu.Unlock()
	all = true
	for _, r := range relays {
		r.mu.Lock()
		now := r.now()
		at, ever := r.due()
		all = all && (!ever || at > now)
		for _, c := range r.conns {
			all = all && !c.busy && (len(c.outbox) == 0 || c.outbox[0].At > now)
		}
		for s := range r.socks {
			ends = append(ends, End{
				Remote: s.RemoteAddr().String(), Read: s.counts.came.Load(), Wrote: s.counts.wrote.Load(), Frozen: s.frozen,
			})
			all = all && (s.frozen || s.counts.reading.Load())
		}
		r.mu.Unlock()
	}
	return ends, all
}
