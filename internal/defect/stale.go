package defect

import (
	"bytes"
	"net/http"
	"strings"
	"sync"
)

// staleAnswers is how many advertisements a worker answers by one that it has made.
const staleAnswers = 20

// staleDefects are mistakes of servers of several processes, each of which knows something for itself.
func staleDefects() []Defect {
	return []Defect{{Name: "advertisements-kept-by-one-of-two-workers", Front: func(next http.Handler) http.Handler {
		return &keepingWorker{next: next, kept: map[string]*keptAnswer{}, turns: map[string]int{}}
	}}}
}

// A keepingWorker answers every second advertisement of a repository by one that it has made before.
type keepingWorker struct {
	next http.Handler

	mu    sync.Mutex
	turns map[string]int         // guarded by mu; requests by what is asked for
	kept  map[string]*keptAnswer // guarded by mu; likewise
}

// A keptAnswer is an answer that is given so many times more.
type keptAnswer struct {
	header http.Header
	body   bytes.Buffer
	status int
	left   int // guarded by the mu of the worker
}

// ServeHTTP implements http.Handler.
func (k *keepingWorker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet || !strings.HasSuffix(r.URL.Path, "/info/refs") {
		k.next.ServeHTTP(w, r)
		return
	}
	asked := r.URL.String() + " " + r.Header.Get("Git-Protocol")
	k.mu.Lock()
	k.turns[asked]++
	second, answer := k.turns[asked]%2 == 0, k.kept[asked]
	if second && answer != nil {
		if answer.left--; answer.left == 0 {
			delete(k.kept, asked)
		}
	}
	k.mu.Unlock()
	if !second {
		k.next.ServeHTTP(w, r)
		return
	}
	if answer == nil {
		answer = &keptAnswer{header: http.Header{}, status: http.StatusOK, left: staleAnswers}
		if k.next.ServeHTTP(answer, r); answer.status == http.StatusOK {
			k.mu.Lock()
			k.kept[asked] = answer
			k.mu.Unlock()
		}
	}
	for name, values := range answer.header {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.status)
	_, _ = w.Write(answer.body.Bytes()) // who has left needs none
}

// Header implements http.ResponseWriter.
func (a *keptAnswer) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *keptAnswer) WriteHeader(status int) { a.status = status }

// Write implements http.ResponseWriter.
func (a *keptAnswer) Write(p []byte) (int, error) { return a.body.Write(p) } //nolint:wrapcheck // a buffer has no errors
