package gitstore

import (
	"bufio"
	"compress/zlib"
	"errors"
	"fmt"
	"io"

	"github.com/go-git/go-git/v5/plumbing"
)

// A Spool keeps bytes outside memory, such as a file: what is written is appended, and what was written can be read.
type Spool interface {
	io.Writer
	io.ReaderAt
}

// What of a pack stays in memory beside a spool.
const (
	keepObjectMax = 1 << 20  // bytes of one object
	keepTotalMax  = 32 << 20 // bytes of all objects and deltas of a pack
)

// A spoolError says that the spool failed and not the pack.
type spoolError struct{ err error }

func (e *spoolError) Error() string { return "spool of a pack: " + e.err.Error() }
func (e *spoolError) Unwrap() error { return e.err }

// A packed object knows where it lies in the pack that is in the spool.
type packed struct {
	order int // of resolving: the base of a delta comes before it
	at    span
	size  int64         // of the inflated entry: of the object, or of the delta
	delta bool          // the entry is a delta
	base  plumbing.Hash // of what
}

// A span is where an entry's deflated bytes lie in the pack.
type span struct{ from, to int64 }

func (s span) reader(spool Spool) *io.SectionReader {
	return io.NewSectionReader(spool, s.from, s.to-s.from)
}

// inflated returns a reader of the inflated bytes of a span.
func (s span) inflated(spool Spool) (io.ReadCloser, error) {
	r, err := zlib.NewReader(bufio.NewReader(s.reader(spool)))
	if err != nil {
		return nil, &spoolError{err}
	}
	return r, nil
}

// keeps reports whether so many bytes more may stay in memory, and counts them.
func (p *packReader) keeps(size int64) bool {
	if p.spool == nil {
		return true
	}
	if size > keepObjectMax || size > keepTotalMax-p.kept {
		return false
	}
	p.kept += size
	return true
}

// whole reads an entry that is no delta.
func (p *packReader) whole(kind ObjectType, size int64) (*stored, error) {
	if p.keeps(size) {
		data, err := p.inflate(size)
		if err != nil {
			return nil, err
		}
		s := newStored(kind, data)
		if p.once != nil {
			s = p.once(s)
		}
		return s, nil
	}
	hasher := plumbing.NewHasher(kind, size)
	at := span{from: p.stream.offset}
	if err := p.inflateTo(hasher, size); err != nil {
		return nil, err
	}
	at.to = p.stream.offset
	s := &stored{Object: Object{Type: kind}, hash: hasher.Sum(), size: size}
	spool := p.spool
	s.reopen = func() (io.ReadCloser, error) { return at.inflated(spool) }
	return s, nil
}

// delta reads an entry that is a delta.
func (p *packReader) delta(e *packEntry, size int64) (err error) {
	if p.keeps(size) {
		e.delta, err = p.inflate(size)
		return err
	}
	return p.inflateTo(io.Discard, size)
}

// deltaOf returns the delta of an entry that was not resolved yet.
func (p *packReader) deltaOf(e packEntry) ([]byte, error) {
	if e.delta != nil || e.size == 0 {
		p.kept -= int64(len(e.delta))
		return e.delta, nil
	}
	r, err := e.at.inflated(p.spool)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, &spoolError{err}
	}
	return data, nil
}

// patched makes an object of the result of a delta.
func (p *packReader) patched(kind ObjectType, data []byte) (*stored, error) {
	s := newStored(kind, data)
	if p.keeps(s.size) {
		return s, nil
	}
	if _, err := p.spool.Write(data); err != nil {
		return nil, &spoolError{err}
	}
	at := span{p.spooled, p.spooled + s.size}
	p.spooled, s.Data = at.to, nil
	spool := p.spool
	s.reopen = func() (io.ReadCloser, error) { return io.NopCloser(at.reader(spool)), nil }
	return s, nil
}

// contentOf returns the content of the base of a delta.
func contentOf(base object) ([]byte, error) {
	if s, ok := base.EncodedObject.(*stored); ok && s.reopen == nil {
		return s.Data, nil
	}
	data, err := readAll(base)
	if err != nil {
		return nil, &spoolError{fmt.Errorf("base of a delta: %w", err)}
	}
	return data, nil
}

var errSpool = errors.New("it takes fewer bytes than it was given")

// spoolWriter hands the bytes of a pack on to a spool and tells its errors from those of the sender.
type spoolWriter struct{ spool io.Writer }

func (w spoolWriter) Write(b []byte) (int, error) {
	n, err := w.spool.Write(b)
	if err == nil && n < len(b) {
		err = errSpool
	}
	if err != nil {
		return n, &spoolError{err}
	}
	return n, nil
}
