package simtarget

import (
	"errors"
	"io"
)

// bodyMax is the largest request body, packed or not.
const bodyMax = 64 << 20

// A body is the body of one request, read to its end before anything of it is looked at. As it is read again, what was
// read is let go: a large push is not held beside what it brought.
type body struct {
	chunks [][]byte
	size   int64
}

// Sizes of chunks in bytes: each is twice as large as the one before.
const (
	chunkMin = 512
	chunkMax = 1 << 20
)

// read takes in all of a body, up to a byte more than the largest may have.
func (b *body) read(from io.Reader) error {
	from = io.LimitReader(from, bodyMax+1)
	var chunk []byte // the rest of the last one
	for size := chunkMin; ; {
		if len(chunk) == 0 {
			chunk = make([]byte, size)
			b.chunks = append(b.chunks, chunk[:0])
			size = min(2*size, chunkMax)
		}
		n, err := from.Read(chunk)
		last := &b.chunks[len(b.chunks)-1]
		*last, chunk = (*last)[:len(*last)+n], chunk[n:]
		b.size += int64(n)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	for len(b.chunks) > 0 && len(b.chunks[0]) == 0 {
		b.chunks = b.chunks[1:]
	}
	if len(b.chunks) == 0 {
		return 0, io.EOF
	}
	n := copy(p, b.chunks[0])
	if b.chunks[0] = b.chunks[0][n:]; len(b.chunks[0]) == 0 {
		b.chunks[0] = nil
	}
	return n, nil
}
