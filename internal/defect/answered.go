package defect

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// Sizes beyond which some mistakes show.
const (
	pipe     = 64 << 10
	megabyte = 1 << 20
)

// answeredDefects are mistakes in how pushes and fetches are answered.
func answeredDefects() []Defect {
	onPush := func(name string, change func(sent []byte, a *reply)) Defect {
		return Defect{Name: name, Front: replies(func(r *http.Request, sent []byte, a *reply) {
			if pushed(r) {
				change(sent, a)
			}
		})}
	}
	cut := func(a *reply) { a.body.Reset(); a.cut = true }
	failed := func(a *reply) { a.becomes(http.StatusInternalServerError, "the server failed") }
	shallow := func(sent []byte) bool {
		return bytes.HasPrefix(sent, []byte("0034shallow ")) || bytes.HasPrefix(sent, []byte("0035shallow "))
	}
	return []Defect{
		// From a shallow clone.
		{Name: "shallow-pushes-cut", Front: gate(func(_ http.ResponseWriter, r *http.Request) bool {
			if pushed(r) && shallow(bodyOf(r)) {
				panic(http.ErrAbortHandler)
			}
			return false
		})},
		{Name: "shallow-pushes-fail", Front: gate(func(w http.ResponseWriter, r *http.Request) bool {
			return pushed(r) && shallow(bodyOf(r)) && fails(w)
		})},
		{Name: "accepted-shallow-pushes-cut", Backend: func(b gitstore.Backend) gitstore.Backend { return shallowless{backend{b}} }},
		onPush("shallow-pushes-unanswered", func(sent []byte, a *reply) {
			if shallow(sent) {
				a.becomes(http.StatusOK, "")
			}
		}),

		// Larger than what most tests send.
		{Name: "pushes-above-a-megabyte-cut", Front: gate(func(_ http.ResponseWriter, r *http.Request) bool {
			if pushed(r) && len(bodyOf(r)) > megabyte {
				panic(http.ErrAbortHandler)
			}
			return false
		})},
		{Name: "pushes-above-a-megabyte-fail", Front: gate(func(w http.ResponseWriter, r *http.Request) bool {
			return pushed(r) && len(bodyOf(r)) > megabyte && fails(w)
		})},
		{Name: "fetches-above-a-megabyte-cut", Front: replies(func(r *http.Request, _ []byte, a *reply) {
			if fetched(r) && a.body.Len() > megabyte {
				a.body.Truncate(megabyte)
				a.cut = true
			}
		})},

		// Done, and answered as if it were not.
		onPush("done-pushes-fail", func(_ []byte, a *reply) {
			if a.took() {
				failed(a)
			}
		}),
		onPush("done-pushes-cut", func(_ []byte, a *reply) {
			if a.took() {
				cut(a)
			}
		}),
		onPush("done-pushes-unanswered", func(_ []byte, a *reply) {
			if a.took() {
				a.becomes(http.StatusOK, "")
			}
		}),
		onPush("reports-torn", func(_ []byte, a *reply) {
			if a.took() {
				a.body.Truncate(a.body.Len() / 2)
				a.cut = true
			}
		}),

		// Beyond what fits into a pipe.
		onPush("large-broken-packs-fail", func(sent []byte, a *reply) {
			if len(sent) > pipe && a.refused() && !a.took() {
				failed(a)
			}
		}),
		onPush("long-refusals-cut", func(_ []byte, a *reply) {
			if a.body.Len() > pipe && a.refused() {
				cut(a)
			}
		}),
		{Name: "long-negotiations-block", Front: gate(func(_ http.ResponseWriter, r *http.Request) bool {
			if fetched(r) && len(bodyOf(r)) > pipe {
				panic(http.ErrAbortHandler)
			}
			return false
		})},
		{Name: "long-acknowledgments-block", Front: replies(func(r *http.Request, sent []byte, a *reply) {
			acks, _, _ := bytes.Cut(a.body.Bytes(), []byte("PACK"))
			if fetched(r) && len(sent) > pipe && len(acks) > pipe {
				cut(a)
			}
		})},
		{Name: "places-of-fetches-kept-by-who-left", Front: places(4)},
		{Name: "sixteen-places-of-fetches-kept-by-who-left", Front: places(16)},
		{Name: "packs-in-memory", Body: func(service gitproto.Service, r io.Reader) io.Reader {
			if service != gitproto.ReceivePackService {
				return r
			}
			whole, err := io.ReadAll(r) // the mistake: all of it, several times over
			copies := make([][]byte, 0, inMemory)
			for range inMemory {
				copies = append(copies, bytes.Clone(whole))
			}
			return io.MultiReader(bytes.NewReader(copies[0]), failingReader{err})
		}},
		{Name: "fetches-in-memory", Front: replies(func(r *http.Request, _ []byte, a *reply) {
			if fetched(r) {
				_ = bytes.Repeat(a.body.Bytes(), inMemory)
			}
		})},
		{Name: "bombs-in-memory", Front: gate(func(_ http.ResponseWriter, r *http.Request) bool {
			if atGit(r) && r.Header.Get("Content-Encoding") == "gzip" {
				_ = bodyOf(r)
			}
			return false
		})},

		// Refused in a form that stock git cannot read.
		onPush("refusals-out-of-band", func(_ []byte, a *reply) {
			if !a.refused() {
				return
			}
			if report, ok := unbanded(a.body.Bytes()); ok {
				a.becomes(http.StatusOK, report)
			}
		}),
		onPush("refusals-without-end", func(_ []byte, a *reply) {
			if a.refused() {
				a.body.Truncate(len(bytes.TrimSuffix(a.body.Bytes(), []byte("0000"))))
			}
		}),
		onPush("refusals-as-text", func(_ []byte, a *reply) {
			if a.refused() {
				a.becomes(http.StatusOK, "error: the push does not match the state\n")
			}
		}),

		// Without leave for the pages of others to read.
		onPush("cors-missing-on-accepted-pushes", func(_ []byte, a *reply) {
			if a.took() {
				withoutCORS(a.header)
			}
		}),
		{Name: "cors-missing-on-the-landing-page", Answer: atRoot},
		{Name: "cors-missing-on-refused-fetches", Front: replies(func(r *http.Request, _ []byte, a *reply) {
			if fetched(r) && bytes.Contains(a.body.Bytes(), []byte("ERR ")) {
				withoutCORS(a.header)
			}
		})},
		onPush("cors-missing-on-probes", func(sent []byte, a *reply) {
			if string(sent) == "0000" {
				withoutCORS(a.header)
			}
		}),
	}
}

// shallowless ends the connection when a push from a shallow clone is to be carried out.
type shallowless struct{ backend }

var errShallow = errors.New("a shallow clone")

func (s shallowless) Receive(c gitstore.Cancel, id repo.ID, p gitstore.Push, pack io.Reader) (gitstore.Report, error) {
	if len(p.Shallow) > 0 {
		return gitstore.Report{}, errShallow
	}
	return s.Backend.Receive(c, id, p, pack)
}

// inMemory is how many copies of a pack the mistake keeps.
const inMemory = 8

// fails answers that the server has failed.
func fails(w http.ResponseWriter) bool {
	http.Error(w, "the server failed", http.StatusInternalServerError)
	return true
}

func withoutCORS(h http.Header) {
	for name := range h {
		if strings.HasPrefix(name, "Access-Control-") {
			h.Del(name)
		}
	}
}

// unbanded takes a report out of its side-band.
func unbanded(body []byte) (string, bool) {
	lines := gitproto.NewReader(bytes.NewReader(body), int64(len(body))+4)
	var report strings.Builder
	for {
		p, err := lines.Next()
		if err != nil || p.Kind != gitproto.DataPacket {
			return report.String(), report.Len() > 0
		}
		if len(p.Data) > 0 && p.Data[0] == gitproto.PackBand {
			report.Write(p.Data[1:])
		}
	}
}

// A failingReader is empty, and then fails.
type failingReader struct{ err error }

// Read implements io.Reader.
func (f failingReader) Read([]byte) (int, error) {
	if f.err != nil {
		return 0, fmt.Errorf("read body: %w", f.err)
	}
	return 0, io.EOF
}

// atRoot takes the leave of pages from the landing page.
func atRoot(q web.Request, r web.Route) web.Route {
	if q.Path != "/" || r.Kind != web.KindRespond || isDocument(&r.Response) || q.Method == http.MethodOptions {
		return r
	}
	return answer(func(page *web.Response) {
		for _, name := range []string{"Access-Control-Allow-Origin", "Access-Control-Allow-Methods", "Access-Control-Allow-Headers"} {
			drop(page, name)
		}
	})(q, r)
}

// places lets so many fetches of a repository be answered at once; all others wait. A client that leaves in the middle of an answer keeps
// its place.
func places(n int) func(http.Handler) http.Handler {
	var taken sync.Map // of a repository, a channel of so many places
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			id, is := repositoryOf(r)
			if !is || !fetched(r) {
				next.ServeHTTP(w, r)
				return
			}
			bodyOf(r) // that a client leaves shows behind its request
			of, _ := taken.LoadOrStore(id, make(chan struct{}, n))
			places, _ := of.(chan struct{})
			select {
			case places <- struct{}{}:
			case <-r.Context().Done():
				return
			}
			next.ServeHTTP(w, r)
			if r.Context().Err() == nil { // the mistake: whatever the answer came to, the place is free
				<-places
			}
		})
	}
}
