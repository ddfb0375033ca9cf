package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var ngitDir = flag.String("ngit", "", "let ngit and git-remote-nostr of this `folder` contribute")

// An ngit is somebody who works with that command line, in a home of their own and with no service but those of the test.
type ngit struct {
	t      *testing.T
	env    []string
	secret string
}

func newNgit(t *testing.T, relayURL, secret string) *ngit {
	t.Helper()
	home := t.TempDir()
	config := filepath.Join(home, "gitconfig")
	if err := os.WriteFile(config, []byte("[nostr]\n\tsecret-storage = git-config\n\trepo-relay-only = true\n\tskill-reminders = false\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := []string{
		"PATH=" + *ngitDir + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_DATA_HOME=" + home,
		"NGIT_CACHE_DIR=" + filepath.Join(home, "cache"), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + config, "GIT_TERMINAL_PROMPT=0", "LC_ALL=C",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
	}
	for _, set := range []string{"GRASP_DEFAULT", "RELAY_DEFAULT", "RELAY_ANNOUNCEMENT_INDEXER", "RELAY_BLASTER", "RELAY_SIGNER_FALLBACK"} {
		env = append(env, "NGIT_"+set+"_SET="+relayURL)
	}
	return &ngit{t, env, secret}
}

// run runs a command in a folder, and returns what it prints.
func (n *ngit) run(dir, name string, args ...string) string {
	n.t.Helper()
	if name == "ngit" {
		name, args = filepath.Join(*ngitDir, name), append(args, "--nsec", n.secret, "--defaults")
	}
	cmd := exec.CommandContext(n.t.Context(), name, args...)
	cmd.Dir, cmd.Env = dir, n.env
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		n.t.Fatalf("%s %s: %v\n%s%s", filepath.Base(name), strings.Join(args, " "), err, out, errs.String())
	}
	return strings.TrimSpace(string(out))
}

// An established command line does the whole of it, where somebody has one: it publishes a repository, sends a pull request of a key
// without any through /prs/, of the server that has the repository or of another one, and lists, merges and pushes it, which tells
// the state and the status (G06-PUSH-01, G06-EV-01, G01-PUSH-01).
func TestContributorWithNgit(t *testing.T) {
	if *ngitDir == "" {
		t.Skip("it needs a command line that has to be built: -args -ngit FOLDER, see docs/clients.md")
	}
	for _, servers := range []int{1, 2} {
		t.Run(fmt.Sprint("servers ", servers), func(t *testing.T) {
			one := spawn(t, "--memory", "--contributors")
			two := one
			if servers == 2 {
				two = spawn(t, "--memory", "--contributors")
			}
			relayURL := strings.Replace(one.url, "http", "ws", 1)
			watches, contributor := personAt(t, one.url, 1001), personAt(t, one.url, 1002)
			m, c := newNgit(t, relayURL, watches.secret), newNgit(t, relayURL, contributor.secret)
			upstream, fork := t.TempDir(), filepath.Join(t.TempDir(), "fork")
			m.run(upstream, "git", "init", "--quiet", "--initial-branch=main")
			m.run(upstream, "git", "commit", "--quiet", "--allow-empty", "--message", "first")
			m.run(upstream, "ngit", "account", "login", "--local", "--offline")
			m.run(upstream, "ngit", "init", "--name", "demo", "--identifier", "demo", "--description", "d", "--grasp-server", relayURL)

			c.run(upstream, "git", "clone", "--quiet", m.run(upstream, "git", "remote", "get-url", "origin"), fork)
			c.run(fork, "git", "checkout", "--quiet", "-b", "better")
			if err := os.WriteFile(filepath.Join(fork, "better"), []byte("better\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			c.run(fork, "git", "add", "better")
			c.run(fork, "git", "commit", "--quiet", "--message", "better")
			tip := c.run(fork, "git", "rev-parse", "HEAD")
			c.run(fork, "ngit", "send", "HEAD~1", "--force-pr", "--subject", "better", "--description", "d", "--git-server", strings.Replace(two.url, "http", "ws", 1))
			found := watches.query(1618)
			if len(found) != 1 || found[0].PubKey != contributor.pubkey() {
				t.Fatalf("pull requests: got %v, want one of the contributor", found)
			}
			place := two.url + "/prs/" + contributor.npub + "/demo.git"
			if clone := found[0].Tags.Find("clone"); !slices.Contains(clone, place) {
				t.Errorf("clone tag: got %v, want %s", clone, place)
			}
			if ref := "refs/nostr/" + found[0].ID; mustGit(t, upstream, "ls-remote", place) != tip+"\t"+ref {
				t.Errorf("refs of %s: want %s at %s", place, ref, tip)
			}

			if list := m.run(upstream, "ngit", "pr", "list"); !strings.Contains(list, found[0].ID) {
				t.Errorf("list: got %s, want %s", list, found[0].ID)
			}
			m.run(upstream, "ngit", "pr", "merge", found[0].ID)
			m.run(upstream, "git", "push", "--quiet", "origin", "main")
			merged := mustGit(t, upstream, "rev-parse", "HEAD")
			if parents := mustGit(t, upstream, "rev-parse", "HEAD^2"); parents != tip {
				t.Errorf("merged: got %s, want %s", parents, tip)
			}
			path := one.url + "/" + watches.npub + "/demo.git"
			if got := mustGit(t, upstream, "ls-remote", path, "refs/heads/main"); got != merged+"\trefs/heads/main" {
				t.Errorf("main: got %q, want the merge %s", got, merged)
			}
			await(t, "the status", func() bool { return len(watches.query(1631)) == 1 })
		})
	}
}
