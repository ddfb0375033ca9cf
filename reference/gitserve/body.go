package gitserve

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
)

// A TooLargeError is returned by the reader of Body once the body, unpacked, is longer than Limit bytes.
type TooLargeError struct {
	Limit int64
}

// Error says what the limit is.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("gitserve: the body is larger than %d bytes", e.Limit)
}

// ErrEncoding is returned by Body for a Content-Encoding that the server does not read, and for a body that is not
// what it claims to be.
var ErrEncoding = errors.New("gitserve: unsupported or broken content encoding")

// Body returns the body of a request as the client meant it: gzip is unpacked, no encoding and identity are taken as
// they are (G01-PUSH-23), in whatever case they are written. Reading more than limit bytes gives a *TooLargeError.
func Body(contentEncoding string, r io.Reader, limit int64) (io.Reader, error) {
	switch strings.ToLower(contentEncoding) { // RFC 9110, 8.4.1
	case "", "identity":
	case "gzip", "x-gzip":
		unpacked, err := gzip.NewReader(r)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrEncoding, err)
		}
		r = unpacked
	default:
		return nil, fmt.Errorf("%w: %.40q", ErrEncoding, contentEncoding)
	}
	return &body{r: r, limit: limit, left: limit}, nil
}

type body struct {
	r           io.Reader
	limit, left int64
}

func (b *body) Read(p []byte) (int, error) {
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.r.Read(p)
	if int64(n) > b.left {
		return 0, &TooLargeError{Limit: b.limit}
	}
	b.left -= int64(n)
	return n, err
}
