package defect

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

// A reply is a whole answer of a git endpoint on its way out.
type reply struct {
	status int
	header http.Header
	body   bytes.Buffer
	under  http.ResponseWriter
	cut    bool // the connection ends after what of the body is there
}

// Header implements http.ResponseWriter.
func (a *reply) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *reply) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write implements http.ResponseWriter.
func (a *reply) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(p)
}

// Flush keeps what is there.
func (a *reply) Flush() {}

// Unwrap lets deadlines of the connection be set.
func (a *reply) Unwrap() http.ResponseWriter { return a.under }

// becomes replaces the answer.
func (a *reply) becomes(status int, body string) {
	a.status = status
	a.body.Reset()
	a.body.WriteString(body)
}

// replies makes a Front that changes the answers of the git endpoints; sent is the body of the request, unpacked.
func replies(change func(r *http.Request, sent []byte, a *reply)) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !atGit(r) {
				next.ServeHTTP(w, r)
				return
			}
			sent := bodyOf(r)
			a := &reply{header: w.Header(), under: w}
			next.ServeHTTP(a, r)
			a.WriteHeader(http.StatusOK)
			change(r, sent, a)
			a.header.Del("Content-Length")
			w.WriteHeader(a.status)
			_, _ = w.Write(a.body.Bytes()) // a client that is gone hears nothing
			if a.cut {
				panic(http.ErrAbortHandler)
			}
		})
	}
}

// gate makes a Front that sees requests before the server does; what it answers itself, by returning true, the server
// never sees.
func gate(answer func(w http.ResponseWriter, r *http.Request) bool) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !answer(w, r) {
				next.ServeHTTP(w, r)
			}
		})
	}
}

// atGit tells requests for a git endpoint.
func atGit(r *http.Request) bool {
	return atService(r, gitproto.UploadPackService) || atService(r, gitproto.ReceivePackService) || strings.HasSuffix(r.URL.Path, "/info/refs")
}

// atService tells requests that a service is to carry out.
func atService(r *http.Request, service gitproto.Service) bool {
	return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/"+string(service))
}

// pushed tells pushes.
func pushed(r *http.Request) bool { return atService(r, gitproto.ReceivePackService) }

// fetched tells fetches.
func fetched(r *http.Request) bool { return atService(r, gitproto.UploadPackService) }

// bodyMax bounds what a mistake reads of a request, packed or not.
const bodyMax = 256 << 20

// bodyOf reads the body of a request, which can be read again, and unpacks what it returns.
func bodyOf(r *http.Request) []byte {
	if r.Body == nil {
		return nil
	}
	raw, _ := io.ReadAll(io.LimitReader(r.Body, bodyMax)) // what is cut off is the server's to judge
	r.Body = io.NopCloser(bytes.NewReader(raw))
	if r.Header.Get("Content-Encoding") != "gzip" {
		return raw
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil
	}
	body, _ := io.ReadAll(io.LimitReader(unpacked, bodyMax))
	return body
}

// sends replaces the body of a request.
func sends(r *http.Request, body []byte) {
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	r.Header.Del("Content-Encoding")
}

// repositoryOf is the repository that the path of a request names.
func repositoryOf(r *http.Request) (repo.ID, bool) {
	parts := strings.SplitN(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/", 3)
	if len(parts) < 2 {
		return repo.ID{}, false
	}
	owner, err := repo.ParseNpub(parts[0])
	if err != nil {
		return repo.ID{}, false
	}
	name, err := url.PathUnescape(parts[1])
	identifier, ok := strings.CutSuffix(name, ".git")
	return repo.ID{Owner: owner, Identifier: identifier}, ok && err == nil
}

// took reports whether an answer to a push says that a ref has moved.
func (a *reply) took() bool { return bytes.Contains(a.body.Bytes(), []byte("ok refs/")) }

// refused reports whether an answer to a push refuses something.
func (a *reply) refused() bool {
	return bytes.Contains(a.body.Bytes(), []byte("ng ")) || bytes.Contains(a.body.Bytes(), []byte("ERR "))
}
