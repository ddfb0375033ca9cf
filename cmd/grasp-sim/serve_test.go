package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/internal/cli"
)

// A serving is a run of the command.
type serving struct {
	url    string
	stop   context.CancelFunc
	code   chan int
	stderr said
}

// said is what a server writes, and can be read while it does.
type said struct {
	mu   sync.Mutex
	text bytes.Buffer // guarded by mu
}

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func serveRoot() *cobra.Command {
	root := &cobra.Command{Use: "grasp-sim"}
	root.AddCommand(serveCommand())
	return root
}

// begin runs serve and waits for its line.
func begin(t *testing.T, args ...string) *serving {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s := &serving{stop: cancel, code: make(chan int, 1)}
	r, w := io.Pipe()
	go func() {
		code := cli.Run(ctx, serveRoot(), append([]string{"serve", "--addr", "127.0.0.1:0"}, args...), strings.NewReader(""), w, &s.stderr)
		_ = w.Close()
		s.code <- code
	}()
	line, err := bufio.NewReader(r).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "listening ")
	if err != nil || !ok {
		t.Fatalf("first line: got %q (%v), exit code %d, stderr %s", line, err, <-s.code, s.stderr.String())
	}
	s.url = url
	t.Cleanup(func() { s.end(t) })
	return s
}

// end stops the server as a signal does and checks that it ended in order. Again is harmless.
func (s *serving) end(t *testing.T) {
	t.Helper()
	s.stop()
	select {
	case code := <-s.code:
		s.code <- 0
		if code != 0 {
			t.Errorf("exit code: got %d, want 0; stderr %s", code, s.stderr.String())
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the server does not end")
	}
}

func status(t *testing.T, url string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.StatusCode
}

// document reads the relay information document.
func (s *serving) document(t *testing.T, into any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "application/nostr+json")
	resp, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(into); err != nil {
		t.Fatal(err)
	}
}

// The document says which build serves it, under go run as well.
func TestServeTellsItsVersion(t *testing.T) {
	var document struct {
		Version string `json:"version"`
	}
	begin(t, "--memory").document(t, &document)
	if document.Version == "" {
		t.Error("got no version")
	}
}

func TestServeInMemory(t *testing.T) {
	s := begin(t, "--memory")
	if got := status(t, s.url+"/"); got != http.StatusOK {
		t.Errorf("landing page: got %d, want 200", got)
	}
}

func TestServeOnTheSameDataAgain(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git installed")
	}
	dir := t.TempDir()
	for range 2 {
		s := begin(t, "--data", dir)
		if got := status(t, s.url+"/"); got != http.StatusOK {
			t.Errorf("landing page: got %d, want 200", got)
		}
		code, _, stderr := try("serve", "--addr", "127.0.0.1:0", "--data", dir)
		if code != 3 || !strings.Contains(stderr, "another server is running on it") {
			t.Errorf("second server: got %d and %q, want 3 and the reason", code, stderr)
		}
		s.end(t)
	}
	for _, name := range []string{"events.db", "git"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// try runs a command that is to fail.
func try(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = cli.Run(context.Background(), serveRoot(), args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

func TestServeSaysWhatIsWrong(t *testing.T) {
	var listening net.ListenConfig
	taken, err := listening.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	damaged := filepath.Join(dir, "damaged")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(damaged, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(damaged, "events.db"), []byte("no journal"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		args []string
		code int
		want []string // on stderr
	}{
		{"no place", nil, 2, []string{"--data DIR or --memory"}},
		{"two places", []string{"--memory", "--data", dir}, 2, []string{"exclude each other"}},
		{"unknown backend", []string{"--data", dir, "--backend", "tape"}, 2, []string{`"tape"`, "exec or disk", "memory"}},
		{"disk in memory", []string{"--memory", "--backend", "disk"}, 2, []string{"--data DIR instead of --memory"}},
		{"backend of the other kind", []string{"--memory", "--backend", "exec"}, 2, []string{"--data DIR instead of --memory"}},
		{"bad address", []string{"--memory", "--addr", "7334"}, 2, []string{`--addr "7334"`, "127.0.0.1:7334"}},
		{"every address", []string{"--memory", "--addr", ":0"}, 2, []string{"give --url"}},
		{"bad URL", []string{"--memory", "--url", "ftp://x"}, 2, []string{`--url "ftp://x"`, "https://"}},
		{"bad level", []string{"--memory", "--log-level", "loud"}, 2, []string{`--log-level "loud"`}},
		{"no life in purgatory", []string{"--memory", "--purgatory-life", "0"}, 2, []string{"--purgatory-life", "30m"}},
		{"unknown flag", []string{"--memry"}, 2, []string{"--memry", "--help"}},
		{"port in use", []string{"--memory", "--addr", taken.Addr().String()}, 3, []string{"the port is in use", "hint", "--addr"}},
		{"no such address", []string{"--memory", "--addr", "192.0.2.1:0"}, 3, []string{"192.0.2.1:0", "hint"}},
		{"below a file", []string{"--data", filepath.Join(file, "none")}, 3, []string{"data directory", "not a directory"}},
		{
			"port of the metrics in use",
			[]string{"--memory", "--addr", "127.0.0.1:0", "--metrics", taken.Addr().String()},
			3,
			[]string{"--metrics", "the port is in use", "another port with --metrics"},
		},
		{"a file", []string{"--data", file}, 3, []string{"it is a file"}},
		{"damaged journal", []string{"--data", damaged}, 3, []string{"events.db", "damaged", "nothing was touched"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			code, stdout, stderr := try(append([]string{"serve"}, test.args...)...)
			if code != test.code || stdout != "" {
				t.Errorf("got code %d and stdout %q, want %d and nothing", code, stdout, test.code)
			}
			for _, want := range test.want {
				if !strings.Contains(stderr, want) {
					t.Errorf("stderr %q lacks %q", stderr, want)
				}
			}
		})
	}
}

func TestServeNeedsAWritableDirectory(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := try("serve", "--data", dir)
	if code != 3 || !strings.Contains(stderr, "no permission to write") {
		t.Errorf("got %d and %q, want 3 and the reason", code, stderr)
	}
}

// Without a git binary a server keeps repositories by itself, and says so; if it was asked for git, it does not start.
func TestServeWithoutGit(t *testing.T) {
	t.Setenv("PATH", "")
	dir := t.TempDir()
	s := begin(t, "--data", dir)
	s.end(t)
	if stderr := s.stderr.String(); !strings.Contains(stderr, "repositories are kept without one") {
		t.Errorf("got stderr %q, want a warning", stderr)
	}
	code, _, stderr := try("serve", "--data", dir, "--backend", "exec")
	if code != 3 || !strings.Contains(stderr, "no usable git") || !strings.Contains(stderr, "--backend disk") {
		t.Errorf("got %d and %q, want 3 and the reason", code, stderr)
	}
}
