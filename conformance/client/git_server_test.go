package client_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/client"
)

// gitServer serves one bare repository at /repo.git through children of the installed git.
type gitServer struct {
	t   *testing.T
	dir string
}

// serveGit starts a server, or skips the test where git is missing.
func serveGit(t *testing.T) (*gitServer, *client.Client) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs the git binary")
	}
	s := &gitServer{t: t, dir: filepath.Join(t.TempDir(), "repo.git")}
	s.git("init", "--quiet", "--bare", "--initial-branch=main", s.dir)
	s.git("-C", s.dir, "config", "uploadpack.allowFilter", "true")
	s.git("-C", s.dir, "config", "uploadpack.allowAnySHA1InWant", "true")
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return s, clientOf(t, server.URL, client.Options{})
}

func (s *gitServer) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(s.t.Context(), "git", args...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "HOME="+filepath.Dir(s.dir))
	return cmd
}

// git runs git and returns its output; a failure ends the test.
func (s *gitServer) git(args ...string) string {
	s.t.Helper()
	out, err := s.command(args...).CombinedOutput()
	if err != nil {
		s.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func (s *gitServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	service := r.URL.Query().Get("service")
	advertise := r.Method == http.MethodGet && r.URL.Path == "/repo.git/info/refs"
	if !advertise {
		service = strings.TrimPrefix(r.URL.Path, "/repo.git/")
	}
	if service != client.UploadPack && service != client.ReceivePack {
		http.NotFound(w, r)
		return
	}
	args := []string{strings.TrimPrefix(service, "git-"), "--stateless-rpc"}
	if advertise {
		args = append(args, "--advertise-refs")
	}
	cmd := s.command(append(args, s.dir)...)
	if protocol := r.Header.Get("Git-Protocol"); protocol != "" {
		cmd.Env = append(cmd.Env, "GIT_PROTOCOL="+protocol)
	}
	cmd.Stdin = r.Body
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		s.t.Logf("git %s: %v", service, err)
	}
	if advertise {
		w.Header().Set("Content-Type", "application/x-"+service+"-advertisement")
		if r.Header.Get("Git-Protocol") != "version=2" {
			line := "# service=" + service + "\n"
			fmt.Fprintf(w, "%04x%s0000", len(line)+4, line)
		}
	} else {
		w.Header().Set("Content-Type", "application/x-"+service+"-result")
	}
	if _, err := w.Write(out.Bytes()); err != nil {
		s.t.Logf("answer: %v", err)
	}
}

const repoPath = "/repo.git"

// push pushes and expects that everything is accepted.
func (s *gitServer) push(c *client.Client, pack []byte, commands ...client.Command) {
	s.t.Helper()
	o := c.Push(s.t.Context(), repoPath, client.PushOpts{Commands: commands, Pack: pack})
	report, ok := o.(client.PushReport)
	if !ok || !report.Accepted() {
		s.t.Fatalf("Push: got %v, want everything accepted", o)
	}
	if report.BytesSent < len(pack) {
		s.t.Fatalf("Push: got %d bytes sent, want at least the pack's %d", report.BytesSent, len(pack))
	}
}
