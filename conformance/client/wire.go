package client

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"time"
)

// A Wire says how the body of a git request travels. The zero value sends it as it is, with its length.
type Wire struct {
	Gzip     bool // compressed, as git compresses long requests
	Cut      bool // compressed, and the second half of that is not sent
	Chunked  bool // in chunks without a length, as git sends long packs
	Continue bool // behind Expect: 100-continue

	// What a judge of pushes that stands in front of git may know them by, said otherwise.
	Query string // behind the path, with its question mark
	Type  string // the content type instead of git's, or NoType

	// Hold is called when half of the body has been taken, and the rest is sent once it returns; with an error the client hangs up
	// there. It is called again where the request is sent anew.
	Hold func() error
	// HoldMax is how long Hold may take. The answer is waited for that much longer, for a server owes none before it has everything.
	HoldMax time.Duration

	more  time.Duration // for the answer, beyond what every exchange is given
	token string        // of the header Authorization, or ""
}

// Crumbs are how a body without a length begins: in pieces that are shorter than what a request is read by, each a chunk,
// so that commands and requests are cut anywhere.
const (
	crumbled = 256 // bytes that come so
	crumb    = 7
)

// crumbs hands out a body in such pieces first, and then as it is asked for.
func crumbs(body io.ReadCloser) io.ReadCloser {
	return &crumbling{ReadCloser: body, left: crumbled}
}

type crumbling struct {
	io.ReadCloser
	left int
}

func (c *crumbling) Read(b []byte) (int, error) {
	if c.left > 0 {
		b = b[:min(len(b), crumb)]
		c.left -= len(b)
	}
	return c.ReadCloser.Read(b)
}

// NoType leaves the header Content-Type out.
const NoType = "none"

const (
	transferEncoding = "Transfer-Encoding"
	chunked          = "chunked"
)

// apply sets the headers of the wire and returns the body as it travels.
func (w Wire) apply(header http.Header, body payload) payload {
	if w.Chunked {
		header.Set(transferEncoding, chunked)
	}
	if w.Continue {
		header.Set("Expect", "100-continue")
	}
	if w.token != "" {
		header.Set("Authorization", w.token)
	}
	if w.Gzip || w.Cut {
		header.Set("Content-Encoding", "gzip")
		packed := Gzip(body.start(body.size()))
		if w.Cut {
			packed = packed[:len(packed)/2]
		}
		body = payload{head: packed}
	}
	body.hold = w.Hold
	return body
}

// Gzip compresses a body. The same bytes give the same result.
func Gzip(body []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, err := z.Write(body)
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		panic(fmt.Sprintf("client: invariant: compress to memory: %v", err))
	}
	return out.Bytes()
}
