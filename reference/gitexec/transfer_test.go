package gitexec_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/gitserve"
	"github.com/graspkit/graspkit/reference/gitstore"
)

// BenchmarkTransfer measures clones and pushes by the installed git against each store. Each operation is done in turn
// with bare git processes behind net/http, so that a busy machine slows down both: the column git-ms is their best time,
// store-ms the store's, and x/git says how many times as long the store takes.
func BenchmarkTransfer(b *testing.B) {
	for _, load := range []struct {
		name string
		make func(w *world)
	}{
		{"6k-objects", func(w *world) { history(w, 1500) }}, {"50MB", func(w *world) { megabytes(w, 50) }},
	} {
		if testing.Short() { // to see that it is measured, not what
			load.make = func(w *world) { history(w, 100) }
		}
		w := &world{t: b, dir: b.TempDir(), version: "2"}
		w.git("", "init", "-q", "source")
		load.make(w)
		for _, verb := range []string{"push", "clone"} {
			for _, backend := range backends {
				b.Run(load.name+"/"+verb+"/"+backend.name, func(b *testing.B) {
					w.t = b
					git, store := w.transfer(verb, plainGit(b)), w.transfer(verb, served(b, backend.open(b, b.TempDir())))
					best := [2]time.Duration{1 << 62, 1 << 62}
					for b.Loop() {
						best[0], best[1] = min(best[0], git()), min(best[1], store())
					}
					b.ReportMetric(0, "ns/op") // both together: of no interest
					b.ReportMetric(float64(best[0].Milliseconds()), "git-ms")
					b.ReportMetric(float64(best[1].Milliseconds()), "store-ms")
					b.ReportMetric(float64(best[1])/float64(best[0]), "x/git")
				})
			}
		}
	}
}

// A transferWorld makes empty repositories that can be pushed to and cloned, and returns their URLs.
type transferWorld func() string

// transfer returns an operation that pushes to a new repository, or clones one, and says how long that took.
func (w *world) transfer(verb string, fresh transferWorld) func() time.Duration {
	w.t.Helper()
	push := func(url string) time.Duration {
		start := time.Now()
		w.git("source", "push", "-q", url, "HEAD:refs/heads/main")
		return time.Since(start)
	}
	if verb == "push" {
		return func() time.Duration { return push(fresh()) }
	}
	url := fresh()
	push(url)
	return func() time.Duration {
		dir := w.t.TempDir()
		start := time.Now()
		w.git("", "clone", "-q", "--bare", url, dir)
		return time.Since(start)
	}
}

// served is a store of the server.
func served(tb testing.TB, backend gitstore.Backend) transferWorld {
	first, n := newWorld(tb, backend, "2", ""), 0
	return func() string {
		n++
		return first.aside(fmt.Sprint("fresh-", n)).url
	}
}

// plainGit is what a git process does with its defaults when its requests are handed to it.
func plainGit(tb testing.TB) transferWorld {
	root, n := tb.TempDir(), 0
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		name, suffix, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		service, args := suffix, []string{"--stateless-rpc"}
		if suffix == "info/refs" {
			service = r.URL.Query().Get("service")
			args = append(args, "--advertise-refs")
			out.Header().Set("Content-Type", "application/x-"+service+"-advertisement")
			_, _ = io.WriteString(out, pkt("# service="+service+"\n")+"0000")
		}
		if suffix != "info/refs" {
			out.Header().Set("Content-Type", "application/x-"+suffix+"-result")
		}
		body, err := gitserve.Body(r.Header.Get("Content-Encoding"), r.Body, 1<<30)
		if err != nil {
			http.Error(out, err.Error(), http.StatusBadRequest)
			return
		}
		args = append(append([]string{strings.TrimPrefix(service, "git-")}, args...), filepath.Join(root, name))
		c := exec.CommandContext(r.Context(), "git", args...)
		c.Env = slices.Concat(gitCommand(tb, "").Env, []string{"GIT_PROTOCOL=" + r.Header.Get("Git-Protocol")})
		c.Stdin, c.Stdout = body, out
		if err := c.Run(); err != nil {
			tb.Errorf("%s: %v", r.URL, err)
		}
	}))
	tb.Cleanup(server.Close)
	return func() string {
		n++
		name := fmt.Sprint("fresh-", n, ".git")
		if _, stderr, err := runGit(tb, root, "init", "-q", "--bare", name); err != nil {
			tb.Fatal(stderr)
		}
		return server.URL + "/" + name
	}
}

// history makes so many commits that change one file of forty each: about four objects a commit.
func history(w *world, commits int) {
	var b strings.Builder
	for i := range commits {
		content := strings.Repeat(fmt.Sprintf("%x\n", noise(uint64(i%40), 60)), 12) + fmt.Sprintln("version", i)
		fmt.Fprintf(&b, "commit refs/heads/main\ncommitter t <t@t> %d +0000\ndata 2\nc\n", 1_600_000_000+i)
		fmt.Fprintf(&b, "M 100644 inline folder-%d/file-%d\ndata %d\n%s\n", i%8, i%40, len(content), content)
	}
	w.imported(b.String())
}

// megabytes makes one commit of so many files that git by its defaults keeps the pack that they came in: a clone of
// loose objects would measure its search for deltas.
func megabytes(w *world, n int) {
	const files = 125
	size := n << 20 / files
	var b strings.Builder
	b.WriteString("commit refs/heads/main\ncommitter t <t@t> 1600000000 +0000\ndata 2\nc\n")
	for i := range files {
		fmt.Fprintf(&b, "M 100644 inline file-%d\ndata %d\n%s\n", i, size, noise(uint64(i), size))
	}
	w.imported(b.String())
}

// imported feeds a stream to git fast-import and packs the outcome.
func (w *world) imported(stream string) {
	w.t.Helper()
	c := gitCommand(w.t, filepath.Join(w.dir, "source"), "fast-import", "--quiet")
	c.Stdin = strings.NewReader(stream)
	if out, err := c.CombinedOutput(); err != nil {
		w.t.Fatalf("git fast-import: %v\n%s", err, out)
	}
	w.git("source", "gc", "-q")
}
