package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/livetarget"
)

// origin is what the server of a journey is called, so that a restart on another port keeps its announcements.
const origin = "http://grasp.example"

// git runs the installed git in a folder and returns what it said.
func git(t testing.TB, dir string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_TERMINAL_PROMPT=0", "LC_ALL=C",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return strings.TrimSpace(out.String()), errs.String(), err
}

func mustGit(t testing.TB, dir string, args ...string) string {
	t.Helper()
	stdout, stderr, err := git(t, dir, args...)
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, stderr)
	}
	return stdout
}

func talk(t *testing.T, s *serving) *client.Relay {
	t.Helper()
	return talkWith(t, s, client.Options{})
}

func talkWith(t *testing.T, s *serving, opts client.Options) *client.Relay {
	t.Helper()
	live, err := livetarget.New(s.url, livetarget.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, o := client.New(live, opts).Relay(t.Context())
	if o != nil {
		t.Fatalf("connect: %v", o)
	}
	t.Cleanup(r.Close)
	return r
}

func publish(t *testing.T, r *client.Relay, ev *nostr.Event) {
	t.Helper()
	if ok, is := r.Publish(t.Context(), ev).(client.OKFrame); !is || !ok.Accepted {
		t.Fatalf("publish kind %d: got %v, want OK true", ev.Kind, ok)
	}
}

func ids(t *testing.T, r *client.Relay) string {
	t.Helper()
	events, o := r.Query(t.Context(), client.Filter{Kinds: []int{30617, 30618}})
	if o != nil {
		t.Fatalf("query: %v", o)
	}
	var list []string
	for _, ev := range events {
		list = append(list, ev.ID)
	}
	return strings.Join(list, " ")
}

// Stock git against the command: clone; push of a signed state; refused push of an unsigned ref with the reason on stderr
// and refs unchanged; and the same again after an orderly end on the same data, where an orphan repository is gone.
func TestStockGitAgainstServe(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git installed")
	}
	data, work := filepath.Join(t.TempDir(), "made", "by", "the", "server"), t.TempDir()
	s := begin(t, "--data", data, "--url", origin)
	r := talk(t, s)
	owner := client.NewKey("journey", "owner")
	const at = 1_760_000_000
	announcement := client.Announce(owner, client.AnnounceOpts{
		Identifier: "demo", Clone: []string{origin + "/" + owner.Npub + "/demo.git"}, Relays: []string{"ws://grasp.example"},
		CreatedAt: at,
	})
	publish(t, r, announcement)
	remote := func(s *serving) string { return s.url + "/" + owner.Npub + "/demo.git" }
	if _, stderr, err := git(t, work, "clone", remote(s), "empty"); err != nil || !strings.Contains(stderr, "empty repository") {
		t.Errorf("clone of the held repository: got %v and %q, want git's warning about an empty one", err, stderr)
	}
	mustGit(t, work, "init", "--quiet", "--initial-branch=main")
	mustGit(t, work, "commit", "--quiet", "--allow-empty", "--message", "first")
	tip := mustGit(t, work, "rev-parse", "HEAD")
	state := client.StateEvent(owner, "demo", [][2]string{{"refs/heads/main", tip}}, "refs/heads/main", at+1)
	publish(t, r, state)
	mustGit(t, work, "push", "--quiet", remote(s), "main")
	want := state.ID + " " + announcement.ID
	if got := ids(t, r); got != want {
		t.Errorf("served after the push: got %s, want %s", got, want)
	}
	check := func(s *serving) {
		refs := mustGit(t, work, "ls-remote", "--symref", remote(s))
		_, stderr, err := git(t, work, "push", remote(s), "main:evil")
		if err == nil || !strings.Contains(stderr, "refs/heads/evil would exist") {
			t.Errorf("push of an unsigned ref: got %v and %q, want a refusal with its reason", err, stderr)
		}
		if after := mustGit(t, work, "ls-remote", "--symref", remote(s)); after != refs || !strings.Contains(refs, tip) {
			t.Errorf("refs after the refusal: got %q, want %q", after, refs)
		}
	}
	check(s)

	s.end(t)
	orphan := filepath.Join(data, "git", owner.Npub, "orphan.git")
	mustGit(t, work, "init", "--quiet", "--bare", orphan)
	again := begin(t, "--data", data, "--url", origin)
	if got := ids(t, talk(t, again)); got != want {
		t.Errorf("served after the restart: got %s, want %s", got, want)
	}
	check(again)
	clone := filepath.Join(t.TempDir(), "copy")
	mustGit(t, work, "clone", "--quiet", remote(again), clone)
	if got := mustGit(t, clone, "rev-parse", "--abbrev-ref", "HEAD") + " " + mustGit(t, clone, "rev-parse", "HEAD"); got != "main "+tip {
		t.Errorf("clone: got %s, want main %s", got, tip)
	}
	if _, err := os.Stat(orphan); !os.IsNotExist(err) {
		t.Errorf("the orphan repository is still there: %v", err)
	}
}
