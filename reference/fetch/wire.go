package fetch

import (
	"net"
	"sync/atomic"
)

// A Wire counts the bytes of a connection, and knows whether somebody waits for more: whoever does has dealt with all that
// came before. By that a driver of a clock finds out whether anything is on its way.
type Wire struct {
	net.Conn
	read, wrote atomic.Int64
	reading     atomic.Bool
}

// NewWire returns a connection that is counted.
func NewWire(c net.Conn) *Wire { return &Wire{Conn: c} }

// Read implements net.Conn.
func (w *Wire) Read(p []byte) (int, error) {
	w.reading.Store(true)
	n, err := w.Conn.Read(p)
	w.reading.Store(false) // before the count, so that nobody sees the new bytes and still a reader that waits
	w.read.Add(int64(n))
	return n, err
}

// Write implements net.Conn.
func (w *Wire) Write(p []byte) (int, error) {
	n, err := w.Conn.Write(p)
	w.wrote.Add(int64(n))
	return n, err
}

// Count is how many bytes have come and gone, and whether somebody waits for more.
func (w *Wire) Count() (read, wrote int64, waits bool) {
	return w.read.Load(), w.wrote.Load(), w.reading.Load()
}
