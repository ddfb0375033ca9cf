package main

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/graspkit/graspkit/conformance/client"
)

// grasps are what the document of a server lists.
func grasps(t *testing.T, s *serving) []string {
	t.Helper()
	var document struct {
		Grasps []string `json:"supported_grasps"`
	}
	s.document(t, &document)
	return document.Grasps
}

// Somebody without a repository here pushes a commit below /prs/ with stock git and publishes the pull request; a maintainer
// fetches and merges it. With every store, over a death where there is something to come back to (G06-PUSH-01, G06-EV-01,
// G06-EV-04, G06-MIR-01).
func TestContributorWithoutARepository(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git installed")
	}
	for _, backend := range []string{backendMemory, backendDisk, backendExec} {
		t.Run(backend, func(t *testing.T) {
			data := filepath.Join(t.TempDir(), "data")
			args := []string{"--contributors", "--url", origin, "--backend", backend}
			if backend == backendMemory {
				args = append(args, "--memory")
			} else {
				args = append(args, "--data", data)
			}
			s := spawn(t, args...)
			if got := grasps(t, &s.serving); !slices.Contains(got, "GRASP-06") {
				t.Errorf("document: got %v, want GRASP-06 in it", got)
			}
			maintainer, contributor := client.NewKey("contributors", "maintainer"), client.NewKey("contributors", "contributor")
			r := talk(t, &s.serving)
			const at = 1_760_000_000
			path, place := "/"+maintainer.Npub+"/demo.git", "/prs/"+contributor.Npub+"/demo.git"
			publish(t, r, client.Announce(maintainer, client.AnnounceOpts{
				Identifier: "demo", Clone: []string{origin + path}, Relays: []string{"ws://grasp.example"}, CreatedAt: at,
			}))
			upstream := t.TempDir()
			mustGit(t, upstream, "init", "--quiet", "--initial-branch=main")
			mustGit(t, upstream, "commit", "--quiet", "--allow-empty", "--message", "first")
			first := mustGit(t, upstream, "rev-parse", "HEAD")
			publish(t, r, client.StateEvent(maintainer, "demo", [][2]string{{"refs/heads/main", first}}, "refs/heads/main", at+1))
			mustGit(t, upstream, "push", "--quiet", s.url+path, "main")

			// The place is empty to whoever asks, and nothing is made for it.
			if got := mustGit(t, upstream, "ls-remote", s.url+place); got != "" {
				t.Errorf("refs of a place that nobody has used: got %q, want none", got)
			}
			fork := filepath.Join(t.TempDir(), "fork")
			if _, stderr, err := git(t, upstream, "clone", s.url+place, fork); err != nil || !strings.Contains(stderr, "empty repository") {
				t.Errorf("clone of the place: got %v and %q, want git's warning about an empty one", err, stderr)
			}
			if _, err := os.Stat(filepath.Join(data, "git", "prs")); !os.IsNotExist(err) {
				t.Errorf("a place that was read is on the disk: %v", err)
			}

			mustGit(t, fork, "pull", "--quiet", s.url+path, "main")
			if err := os.WriteFile(filepath.Join(fork, "better"), []byte(strings.Repeat("better\n", 100)), 0o600); err != nil {
				t.Fatal(err)
			}
			mustGit(t, fork, "add", "better")
			mustGit(t, fork, "commit", "--quiet", "--message", "better")
			tip := mustGit(t, fork, "rev-parse", "HEAD")
			pr := client.Build(contributor, 1618, [][]string{
				{"a", "30617:" + maintainer.Pubkey + ":demo"}, {"subject", "better"}, {"c", tip}, {"clone", origin + place},
			}, "", at+2)
			ref := "refs/nostr/" + pr.ID
			for _, wrong := range []string{"HEAD:refs/heads/main", "HEAD:refs/nostr/" + pr.ID[1:], "HEAD:refs/tags/v1"} {
				_, stderr, err := git(t, fork, "push", s.url+place, wrong, "HEAD:"+ref)
				if err == nil || !strings.Contains(stderr, "only pushes to refs/nostr/<event-id>") {
					t.Errorf("push of %s: got %v and %q, want a refusal of all", wrong, err, stderr)
				}
			}
			if got := mustGit(t, fork, "ls-remote", s.url+place); got != "" {
				t.Errorf("refs behind refused pushes: got %q, want none", got)
			}
			mustGit(t, fork, "push", "--quiet", s.url+place, "HEAD:"+ref)
			publish(t, r, pr)

			if backend != backendMemory {
				s.signal(t, syscall.SIGKILL)
				s = spawn(t, args...)
				r = talk(t, &s.serving)
			}
			mustGit(t, upstream, "fetch", "--quiet", s.url+place, ref)
			if got := mustGit(t, upstream, "rev-parse", "FETCH_HEAD"); got != tip {
				t.Fatalf("fetched: got %s, want %s", got, tip)
			}
			await(t, "the copy in the announced repository", func() bool {
				return strings.Contains(mustGit(t, upstream, "ls-remote", s.url+path), tip+"\t"+ref)
			})
			mustGit(t, upstream, "merge", "--quiet", "--no-ff", "--message", "merge better", "FETCH_HEAD")
			merged := mustGit(t, upstream, "rev-parse", "HEAD")
			publish(t, r, client.StateEvent(maintainer, "demo", [][2]string{{"refs/heads/main", merged}}, "refs/heads/main", at+3))
			mustGit(t, upstream, "push", "--quiet", s.url+path, "main")
			publish(t, r, client.Build(maintainer, 1631, [][]string{{"e", pr.ID, "", "root"}}, "", at+4))
			events, o := r.Query(t.Context(), client.Filter{Kinds: []int{1618, 1631}})
			if o != nil || len(events) != 2 {
				t.Errorf("served: got %d events, %v, want the pull request and its status", len(events), o)
			}
			if got := mustGit(t, upstream, "ls-remote", s.url+place); got != tip+"\t"+ref {
				t.Errorf("refs of the place: got %q, want the one of the pull request", got)
			}
			if backend != backendMemory {
				if entries, err := os.ReadDir(filepath.Join(data, "git", "prs")); err != nil || len(entries) != 1 {
					t.Errorf("places on the disk: got %d, %v, want one signer's", len(entries), err)
				}
			}
		})
	}
}

// Without the setting there is nothing below /prs/, and nothing is listed.
func TestNoContributors(t *testing.T) {
	s := begin(t, "--memory")
	if got := grasps(t, s); slices.Contains(got, "GRASP-06") {
		t.Errorf("document: got %v", got)
	}
	key := client.NewKey("contributors", "nobody")
	if got := status(t, s.url+"/prs/"+key.Npub+"/demo.git/info/refs?service=git-upload-pack"); got != http.StatusNotFound {
		t.Errorf("below /prs/: got %d, want 404", got)
	}
}
