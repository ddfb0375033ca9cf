package fetch_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/graspkit/graspkit/reference/fetch"
	"github.com/graspkit/graspkit/reference/gitlock"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitserve"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	ours   = repo.ID{Owner: "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", Identifier: "ours"}
	theirs = repo.ID{Owner: ours.Owner, Identifier: "theirs"}
)

// objectsOf makes a commit with one file, and what belongs to it; the commit is the last.
func objectsOf(name string, parents ...repo.OID) []gitstore.Object {
	blob := gitstore.NewBlob([]byte(name))
	tree := gitstore.NewTree(gitstore.Entry{Name: "f", OID: blob.OID()})
	return []gitstore.Object{blob, tree, gitstore.NewCommit(tree.OID(), parents, 1_600_000_000, name)}
}

func tip(objects []gitstore.Object) repo.OID { return objects[len(objects)-1].OID() }

// A host serves a repository of a memory store, below /r.git, as far as handle lets it.
type host struct {
	*httptest.Server
	store *gitlock.Backend
	// handle answers a request itself, or returns false.
	handle func(w http.ResponseWriter, r *http.Request) bool
	// version is the highest protocol version that is spoken.
	version string
	// change rewrites an answer of git before it is sent.
	change func(path string, body []byte) []byte

	mu   sync.Mutex // guards seen
	seen []*http.Request
}

func newHost(t *testing.T) *host {
	t.Helper()
	h := &host{store: gitlock.New(gitstore.NewMemory(gitstore.Limits{}), 0), version: "version=2"}
	if err := h.store.Create(theirs); err != nil {
		t.Fatal(err)
	}
	h.Server = httptest.NewServer(h)
	t.Cleanup(h.Close)
	return h
}

func (h *host) url() string { return h.URL + "/r.git" }

func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.seen = append(h.seen, r)
	h.mu.Unlock()
	if h.handle != nil && h.handle(w, r) {
		return
	}
	version := r.Header.Get("Git-Protocol")
	if version == "version=2" {
		version = h.version
	}
	var out bytes.Buffer
	var err error
	switch r.URL.Path {
	case "/r.git/info/refs":
		w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
		err = gitserve.Advertise(r.Context(), h.store, theirs, gitproto.UploadPackService, version, &out)
	case "/r.git/git-upload-pack":
		w.Header().Set("Content-Type", "application/x-git-upload-pack-result")
		err = gitserve.UploadPack(r.Context(), h.store, theirs, version, r.Body, &out)
	default:
		http.NotFound(w, r)
		return
	}
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	body := out.Bytes()
	if h.change != nil {
		body = h.change(r.URL.Path, body)
	}
	_, _ = w.Write(body)
}

func (h *host) requests() []*http.Request {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]*http.Request(nil), h.seen...)
}

// put pushes objects to a ref of the host.
func (h *host) put(t *testing.T, ref string, objects ...gitstore.Object) {
	t.Helper()
	push(t, h.store, theirs, ref, objects...)
}

func push(t *testing.T, store gitstore.Backend, id repo.ID, ref string, objects ...gitstore.Object) {
	t.Helper()
	var pack bytes.Buffer
	if err := gitstore.WritePack(&pack, objects); err != nil {
		t.Fatal(err)
	}
	refs, err := store.Refs(id)
	if err != nil {
		t.Fatal(err)
	}
	commands := []gitproto.Command{{Old: refs.At(ref), New: tip(objects), Ref: ref}}
	report, err := store.Receive(t.Context(), id, gitstore.Push{Commands: commands}, &pack)
	if err != nil || !report.Results[0].OK {
		t.Fatal(report, err)
	}
}

// own returns a store with our repository.
func own(t *testing.T) *gitlock.Backend {
	t.Helper()
	store := gitlock.New(gitstore.NewMemory(gitstore.Limits{}), 0)
	if err := store.Create(ours); err != nil {
		t.Fatal(err)
	}
	return store
}

func newFetcher(t *testing.T, options fetch.Options) *fetch.Fetcher {
	t.Helper()
	if options.Backend == nil {
		options.Backend = own(t)
	}
	options.Spool = t.TempDir()
	f := fetch.New(options)
	t.Cleanup(f.Close)
	return f
}

// fetched carries one fetch out.
func fetched(t *testing.T, f *fetch.Fetcher, url string, oids ...repo.OID) fetch.Result {
	t.Helper()
	done := make(chan fetch.Result, 2)
	f.Start(1, fetch.Request{Repo: ours, URL: url, OIDs: oids}, func(r fetch.Result) { done <- r })
	result := <-done
	for f.InFlight() > 0 {
		<-f.Changed()
	}
	if len(done) > 0 {
		t.Error("done was called twice")
	}
	return result
}

// answering makes a host that answers everything alike.
func answering(t *testing.T, status int, header map[string]string, body string) *host {
	t.Helper()
	h := newHost(t)
	h.handle = func(w http.ResponseWriter, _ *http.Request) bool {
		for name, value := range header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
		return true
	}
	return h
}

func pkt(text string) string { return fmt.Sprintf("%04x%s", len(text)+4, text) }
