package fetch_test

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

	"github.com/graspkit/graspkit/reference/fetch"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

// The installed git serves what is fetched, over its own HTTP program where it is there.
func TestStockGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git installed")
	}
	dir := t.TempDir()
	run := func(args ...string) string {
		cmd := exec.Command(git, args...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "HOME="+dir,
			"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	work, bare := filepath.Join(dir, "work"), filepath.Join(dir, "r.git")
	run("init", "--quiet", "--initial-branch=main", work)
	var tips []repo.OID
	for i := range 20 {
		if err := os.WriteFile(filepath.Join(work, "file"), bytes.Repeat(fmt.Appendf(nil, "line %d\n", i), 1000+i), 0o644); err != nil {
			t.Fatal(err)
		}
		run("-C", work, "add", "file")
		run("-C", work, "commit", "--quiet", "-m", fmt.Sprint(i))
		tips = append(tips, repo.OID(run("-C", work, "rev-parse", "HEAD")))
	}
	run("clone", "--quiet", "--bare", work, bare)
	run("-C", bare, "repack", "-adq")
	for _, test := range []struct {
		name   string
		config []string
		strip  bool // the host speaks version 0
		want   repo.OID
		common repo.OID // what is here before
		other  fetch.Failure
	}{
		{"version 2", nil, false, tips[19], "", fetch.None},
		{"version 2, an ancestor", nil, false, tips[3], "", fetch.None},
		{"version 0", nil, true, tips[19], "", fetch.None},
		{"version 0, an ancestor by the branch", nil, true, tips[3], "", fetch.None},
		{"version 0, an ancestor by id", []string{"uploadpack.allowAnySHA1InWant=true"}, true, tips[3], "", fetch.None},
		{"version 2, on common history", nil, false, tips[19], tips[3], fetch.None},
		{"version 0, on common history", []string{"uploadpack.allowAnySHA1InWant=true"}, true, tips[19], tips[3], fetch.None},
		{"an object that is not there", nil, false, tip(objectsOf("none")), "", fetch.NotOurs},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := httptest.NewServer(stock(t, git, bare, test.config, test.strip))
			defer server.Close()
			store := own(t)
			f := newFetcher(t, fetch.Options{Backend: store, AllowLocal: true})
			if test.common != "" {
				// What is here is told to the host, and left out by it.
				if got := fetched(t, f, server.URL+"/r.git", test.common); got.Failure != fetch.None {
					t.Fatalf("common history: got %+v", got)
				}
				command := gitproto.Command{Old: repo.ZeroOID, New: test.common, Ref: "refs/heads/main"}
				if err := store.Update(ours, []gitproto.Command{command}, ""); err != nil {
					t.Fatal(err)
				}
			}
			got := fetched(t, f, server.URL+"/r.git", test.want)
			if got.Failure != test.other || (len(got.Missing) == 0) != (test.other == fetch.None) {
				t.Errorf("got %+v, want %q", got, test.other)
			}
		})
	}
}

// stock serves a bare repository by git upload-pack.
func stock(t *testing.T, git, bare string, config []string, strip bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var args []string
		for _, setting := range config {
			args = append(args, "-c", setting)
		}
		args = append(args, "upload-pack", "--stateless-rpc")
		advertise := r.Method == http.MethodGet
		if advertise {
			args = append(args, "--advertise-refs")
		}
		cmd := exec.CommandContext(r.Context(), git, append(args, bare)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "HOME="+bare)
		if protocol := r.Header.Get("Git-Protocol"); !strip && protocol != "" {
			cmd.Env = append(cmd.Env, "GIT_PROTOCOL="+protocol)
		}
		cmd.Stdin = r.Body
		out, err := cmd.Output()
		if err != nil {
			t.Logf("git: %v", err)
		}
		if advertise {
			w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
			_, _ = w.Write([]byte(pkt("# service=git-upload-pack\n") + "0000"))
		} else {
			w.Header().Set("Content-Type", "application/x-git-upload-pack-result")
		}
		_, _ = w.Write(out)
	})
}
