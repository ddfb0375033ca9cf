package httpd

import (
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/benbjohnson/clock"
)

// A pace demands progress of a client: what it sends, or takes, must be worth the time that the server waits for it, at so many
// bytes a second. It may fall behind by stall, and never gets ahead: who was quick may not be slow for it. The time that the
// server itself takes does not count. Deadlines of http.Server, which are for whole requests, are replaced.
type pace struct {
	control     *http.ResponseController
	clock       clock.Clock
	floor       int64 // bytes a second
	stall       time.Duration
	sent, taken stretch
}

// A stretch is by how much a client is behind.
type stretch struct{ behind time.Duration }

func (s *stretch) add(n int, waited time.Duration, floor int64) {
	worth := time.Duration(n) * time.Second / time.Duration(floor)
	s.behind = max(0, s.behind+waited-worth)
}

// newPace takes over the deadlines of a request.
func (s *Server) newPace(w http.ResponseWriter) *pace {
	p := &pace{control: http.NewResponseController(w), clock: s.clock, floor: s.limits.Pace, stall: s.limits.Stall}
	p.freeReads()
	return p
}

// freeReads lifts the deadline of reads: net/http reads by itself to see whether the client is still there.
func (p *pace) freeReads() {
	_ = p.control.SetReadDeadline(time.Time{}) // not supported by a recorder, or the connection is gone
}

// free gives the last bytes of a request and of its answer their time. The next request sets deadlines of its own.
func (p *pace) free() {
	_ = p.control.SetReadDeadline(p.clock.Now().Add(lastWait))
	_ = p.control.SetWriteDeadline(p.clock.Now().Add(p.stall)) // not supported by a recorder, or the connection is gone
}

// read reads from the body, unless the client has been too slow.
func (p *pace) read(r io.Reader, b []byte) (int, error) {
	start := p.clock.Now()
	if err := supported(p.control.SetReadDeadline(start.Add(p.stall - p.sent.behind))); err != nil {
		return 0, err
	}
	n, err := r.Read(b)
	p.sent.add(n, p.clock.Now().Sub(start), p.floor)
	if errors.Is(err, io.EOF) {
		p.freeReads()
	}
	return n, err
}

// write writes to the client, unless it has been too slow.
func (p *pace) write(w io.Writer, b []byte) (int, error) {
	start := p.clock.Now()
	if err := supported(p.control.SetWriteDeadline(start.Add(p.stall - p.taken.behind))); err != nil {
		return 0, err
	}
	n, err := w.Write(b)
	p.taken.add(n, p.clock.Now().Sub(start), p.floor)
	return n, err
}

// supported drops the error of a writer without deadlines, such as a recorder in a test.
func supported(err error) error {
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}

// A pacedReader reads the body of a client at its pace.
type pacedReader struct {
	body io.Reader
	pace *pace
}

// Read reads from the body.
func (r pacedReader) Read(b []byte) (int, error) {
	n, err := r.pace.read(r.body, b)
	if err != nil && !errors.Is(err, io.EOF) {
		err = &bodyError{err}
	}
	return n, err
}

// A bodyError is that the body of a request could not be read: its sender is gone, or too slow, or does not write it as HTTP
// wants it. That is never the server's fault.
type bodyError struct{ err error }

// Error says what was wrong.
func (e *bodyError) Error() string { return "httpd: read body: " + e.err.Error() }

// Unwrap returns what net/http said.
func (e *bodyError) Unwrap() error { return e.err }
