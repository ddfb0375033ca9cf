package gitspool

import (
	"errors"
	"io"
	"sync"
)

// Relay hands what produce writes on to w. Produce need not wait for w: what w has not taken yet is in a spool. It waits only
// while the pool or the disk is full. Relay returns when both have ended, with how many bytes w has taken and what either has failed at;
// once w has failed, writes of produce fail with io.ErrClosedPipe.
func (p *Pool) Relay(w io.Writer, produce func(w io.Writer) error) (taken int64, produced, sent error) {
	r := &relay{spool: p.Open()}
	r.change.L = &r.mu
	var producer sync.WaitGroup
	producer.Go(func() {
		produced = produce(r)
		r.finish()
	})
	taken, sent = r.copyTo(w)
	r.abandon()
	producer.Wait()
	return taken, produced, errors.Join(sent, r.spool.Close())
}

// A relay is between two goroutines.
type relay struct {
	mu     sync.Mutex // guards all below
	change sync.Cond
	spool  *Spool
	read   int64  // bytes of the spool that were read
	direct []byte // is read behind the spool, and its writer waits for that
	ended  bool   // nothing is written any more
	gone   bool   // nothing is read any more
}

// Write implements io.Writer, for one goroutine.
func (r *relay) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.gone {
		return 0, io.ErrClosedPipe
	}
	defer r.change.Signal()
	n, err := r.spool.Write(b)
	if err == nil {
		return n, nil
	}
	// The pool is full, or the disk: that is no reason to give up.
	r.direct = b[n:]
	r.change.Signal()
	for len(r.direct) > 0 && !r.gone {
		r.change.Wait()
	}
	written := len(b) - len(r.direct)
	r.direct = nil
	if written < len(b) {
		return written, io.ErrClosedPipe
	}
	return written, nil
}

// Read implements io.Reader, for another goroutine.
func (r *relay) Read(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		switch {
		case r.read < r.spool.Len():
			n, err := r.spool.ReadAt(b, r.read)
			if errors.Is(err, io.EOF) {
				err = nil
			}
			r.read += int64(n)
			if r.read == r.spool.Len() {
				err = errors.Join(err, r.spool.reset())
				r.read = 0
			}
			return n, err
		case len(r.direct) > 0:
			n := copy(b, r.direct)
			r.direct = r.direct[n:]
			r.change.Signal()
			return n, nil
		case r.ended:
			return 0, io.EOF
		}
		r.change.Wait()
	}
}

// relayBuffer is how much is read at once.
const relayBuffer = 32 << 10

// copyTo copies until nothing more is written, or w has failed.
func (r *relay) copyTo(w io.Writer) (taken int64, err error) {
	buffer := make([]byte, relayBuffer)
	for {
		n, err := r.Read(buffer)
		if n > 0 {
			m, failed := w.Write(buffer[:n])
			taken += int64(m)
			if failed != nil {
				return taken, failed
			}
		}
		if errors.Is(err, io.EOF) {
			return taken, nil
		}
		if err != nil {
			return taken, err
		}
	}
}

func (r *relay) finish() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = true
	r.change.Signal()
}

func (r *relay) abandon() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gone = true
	r.change.Signal()
}
