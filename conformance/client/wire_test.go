package client_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/graspkit/graspkit/conformance/client"
)

// However a body travels, the server reads the same bytes, under the headers that git would send.
func TestWire(t *testing.T) {
	var encoding string
	var length int64
	var body []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		encoding, length = r.Header.Get("Content-Encoding"), r.ContentLength
		in := io.Reader(r.Body)
		if encoding == "gzip" {
			z, err := gzip.NewReader(in)
			if err != nil {
				t.Error(err)
				return
			}
			in = z
		}
		var err error
		if body, err = io.ReadAll(in); err != nil {
			t.Error(err)
		}
		w.WriteHeader(http.StatusForbidden)
	}))
	defer server.Close()
	c := clientOf(t, server.URL, client.Options{})
	const sent = "0000 and no pack"
	for name, test := range map[string]struct {
		wire     client.Wire
		encoding string
		chunked  bool
	}{
		"plain":      {client.Wire{}, "", false},
		"gzip":       {client.Wire{Gzip: true}, "gzip", false},
		"chunked":    {client.Wire{Chunked: true}, "", true},
		"everything": {client.Wire{Gzip: true, Chunked: true, Continue: true}, "gzip", true},
	} {
		o := c.Push(t.Context(), "/npub/x.git", client.PushOpts{RawBody: []byte(sent), Wire: test.wire})
		if answer, ok := o.(client.HTTPAnswer); !ok || answer.Status != http.StatusForbidden {
			t.Errorf("%s: got %v, want 403", name, o)
		}
		if encoding != test.encoding || (length < 0) != test.chunked || string(body) != sent {
			t.Errorf("%s: got encoding %q, length %d, body %q", name, encoding, length, body)
		}
	}
}
