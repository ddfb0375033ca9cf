package gitstore

import (
	"bufio"
	"crypto/sha1"
	"errors"
	"fmt"
	"hash"
	"io"
)

// A packError says why a pack was refused, in words for the git user.
type packError struct{ what string }

func (e *packError) Error() string { return e.what }

func packErrorf(format string, args ...any) error {
	return &packError{what: fmt.Sprintf(format, args...)}
}

// A packStream reads the bytes of a pack: it counts them against a limit and sums them. It is a flate.Reader, so
// that inflating consumes no byte of the next entry.
type packStream struct {
	r       *bufio.Reader
	limit   int64
	offset  int64
	sum     hash.Hash
	spool   io.Writer // gets what is read; may be nil
	pending []byte    // read but not summed and spooled: doing that byte by byte is slow
}

const packBuffer = 32 << 10

func newPackStream(r io.Reader, limit int64, spool Spool) *packStream {
	s := &packStream{
		r: bufio.NewReaderSize(r, packBuffer), limit: limit, sum: sha1.New(),
	}
	if spool != nil {
		s.spool = spoolWriter{spool}
	}
	return s
}

func (s *packStream) ReadByte() (byte, error) {
	b, err := s.r.ReadByte()
	if err != nil {
		return 0, s.err(err)
	}
	if len(s.pending) == packBuffer {
		if err := s.flush(); err != nil {
			return 0, err
		}
	}
	s.pending = append(s.pending, b)
	return b, s.advance(1)
}

func (s *packStream) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if n > 0 {
		if err := errors.Join(s.flush(), s.take(p[:n])); err != nil {
			return 0, err
		}
		if over := s.advance(n); over != nil {
			return 0, over
		}
	}
	return n, s.err(err)
}

func (s *packStream) advance(n int) error {
	if s.offset += int64(n); s.offset > s.limit {
		return packErrorf("the pack is larger than %d bytes", s.limit)
	}
	return nil
}

func (s *packStream) err(err error) error {
	if errors.Is(err, io.EOF) {
		return packErrorf("the pack is cut off")
	}
	return err
}

// take sums and spools what was read.
func (s *packStream) take(p []byte) error {
	s.sum.Write(p)
	if s.spool == nil {
		return nil
	}
	_, err := s.spool.Write(p)
	return err
}

func (s *packStream) flush() error {
	err := s.take(s.pending)
	s.pending = s.pending[:0]
	return err
}

// full reads exactly len(p) bytes.
func (s *packStream) full(p []byte) error {
	_, err := io.ReadFull(s, p)
	return err
}

// trailer reads the checksum and compares it with what was read.
func (s *packStream) trailer() error {
	if err := s.flush(); err != nil {
		return err
	}
	want := s.sum.Sum(nil)
	got := make([]byte, len(want))
	if err := s.full(got); err != nil {
		return err
	}
	if string(got) != string(want) {
		return packErrorf("the pack's checksum does not match")
	}
	return nil
}
