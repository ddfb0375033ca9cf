package httpd_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/graspkit/graspkit/reference/gitlock"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/gitturn"
	"github.com/graspkit/graspkit/reference/repo"
)

// placing is a store of which each fetch and each push takes a place and keeps it, and that knows who was late.
type placing struct {
	gitstore.Backend

	places *gitturn.Places
	mu     sync.Mutex // guards what follows
	taken  int
	late   int
}

func (p *placing) take(c gitstore.Cancel) {
	ctx, is := c.(context.Context)
	if !is {
		return
	}
	late, _, err := p.places.Take(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil {
		p.taken++
	}
	if late {
		p.late++
	}
}

func (p *placing) UploadPack(c gitstore.Cancel, id repo.ID, version int, r io.Reader, w io.Writer) error {
	p.take(c)
	return p.Backend.UploadPack(c, id, version, r, w) //nolint:wrapcheck // it is the store's
}

// Who asks for git is known to the store by the address, so that no address has all places (see gitturn).
func TestStoresKnowWhoAsks(t *testing.T) {
	store := &placing{Backend: gitlock.New(gitstore.NewMemory(gitstore.Limits{}), 0), places: gitturn.New(100, 100)}
	s := serve(t, setup{backend: store})
	place := hosted(t, s, "demo")
	for range gitturn.LateFrom + 2 {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, place.url+"/git-upload-pack", strings.NewReader("0014command=ls-refs\n0000"))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("X-Forwarded-For", "192.0.2.1") // this machine may be a proxy
		request.Header.Set("Git-Protocol", "version=2")
		request.Header.Set("Content-Type", "application/x-git-upload-pack-request")
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		if err := answer.Body.Close(); err != nil || answer.StatusCode != http.StatusOK {
			t.Fatalf("fetch: got %d, %v, want 200", answer.StatusCode, err)
		}
	}
	store.mu.Lock()
	defer store.mu.Unlock()
	if store.taken != gitturn.LateFrom+2 || store.late != 2 {
		t.Errorf("got %d places taken, %d of them late, want %d and two", store.taken, store.late, gitturn.LateFrom+2)
	}
}
