package httpd_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/gitexec"
	"github.com/graspkit/graspkit/reference/gitlock"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/node"
	"github.com/graspkit/graspkit/reference/repo"
)

// A place is an announced repository with its owner.
type place struct {
	t          *testing.T
	server     *served
	relay      *socket
	key        string
	url        string // clone URL
	identifier string
	clock      int64 // created_at of the owner's last event
	announced  nostr.Event
}

const ownerKey = "0000000000000000000000000000000000000000000000000000000000000007"

// hosted announces a repository.
func hosted(t *testing.T, s *served, identifier string) *place {
	t.Helper()
	p := &place{t: t, server: s, relay: s.dial(), key: ownerKey, identifier: identifier, clock: begun.Unix() - 1000}
	pub, err := nostr.GetPublicKey(p.key)
	if err != nil {
		t.Fatal(err)
	}
	p.url = "http://" + s.addr + repo.ID{Owner: repo.PubKey(pub), Identifier: identifier}.Path()
	p.announced = p.sign(30617, nostr.Tags{{"d", identifier}, {"clone", p.url}, {"relays", "ws://" + s.addr}})
	accepted, text := p.relay.publish(p.announced)
	if !accepted || !strings.HasPrefix(text, "purgatory:") {
		t.Fatalf("announcement: got %t %q, want true and purgatory:", accepted, text)
	}
	return p
}

func (p *place) sign(kind int, tags nostr.Tags) nostr.Event {
	p.t.Helper()
	p.clock++
	e := nostr.Event{Kind: kind, CreatedAt: nostr.Timestamp(p.clock), Tags: tags}
	if err := e.Sign(p.key); err != nil {
		p.t.Fatal(err)
	}
	return e
}

// declare publishes a state with the refs and HEAD at main, and returns it.
func (p *place) declare(refs ...string) nostr.Event {
	p.t.Helper()
	tags := nostr.Tags{{"d", p.identifier}, {"HEAD", "ref: refs/heads/main"}}
	for i := 0; i < len(refs); i += 2 {
		tags = append(tags, nostr.Tag{refs[i], refs[i+1]})
	}
	e := p.sign(30618, tags)
	if accepted, text := p.relay.publish(e); !accepted {
		p.t.Fatalf("state: got false %q, want true", text)
	}
	return e
}

// A work is a folder in which git runs.
type work struct {
	t   *testing.T
	dir string
}

func newWork(t *testing.T) *work {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git installed")
	}
	return &work{t, t.TempDir()}
}

// try runs git and returns what it said.
func (w *work) try(args ...string) (stdout, stderr string, err error) {
	cmd := exec.CommandContext(w.t.Context(), "git", args...)
	cmd.Dir = w.dir
	cmd.Env = append(os.Environ(),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_TERMINAL_PROMPT=0", "HOME="+w.dir, "LC_ALL=C",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

func (w *work) git(args ...string) string {
	w.t.Helper()
	stdout, stderr, err := w.try(args...)
	if err != nil {
		w.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, stderr)
	}
	return strings.TrimSpace(stdout)
}

// commit makes a repository with one more commit on its branch and returns its id.
func (w *work) commit(text string) string {
	w.t.Helper()
	if _, err := os.Stat(filepath.Join(w.dir, ".git")); err != nil {
		w.git("init", "--quiet", "--initial-branch=main")
	}
	if err := os.WriteFile(filepath.Join(w.dir, "file"), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
	w.git("add", "file")
	w.git("commit", "--quiet", "--message", text)
	return w.git("rev-parse", "HEAD")
}

// backends are the stores that the server is tried on.
func backends(t *testing.T, try func(*testing.T, gitstore.Backend)) {
	t.Run("memory", func(t *testing.T) {
		try(t, gitlock.New(gitstore.NewMemory(gitstore.Limits{}), 0))
	})
	t.Run("exec", func(t *testing.T) {
		try(t, execBackend(t, t.TempDir()))
	})
}

func execBackend(t *testing.T, dir string) gitstore.Backend {
	t.Helper()
	b, err := gitexec.New(dir, gitexec.Options{})
	if err != nil {
		t.Skipf("no git installed: %v", err)
	}
	return b
}

func TestStockGit(t *testing.T) {
	backends(t, func(t *testing.T, b gitstore.Backend) {
		s := serve(t, setup{backend: b})
		p := hosted(t, s, "demo repo")
		w := newWork(t)
		first := w.commit("first")
		if ids := p.relay.query(`{"kinds":[30617,30618]}`); len(ids) != 0 {
			t.Errorf("before the push: served %v, want nothing", ids)
		}
		if out := w.git("ls-remote", p.url); out != "" {
			t.Errorf("before the push: refs %q, want none", out)
		}

		state := p.declare("refs/heads/main", first)
		w.git("push", "--quiet", p.url, "main")
		if diff := cmp.Diff([]string{state.ID, p.announced.ID}, p.relay.query(`{"kinds":[30617,30618]}`)); diff != "" {
			t.Errorf("served after the push (-want +got):\n%s", diff)
		}
		want := "ref: refs/heads/main\tHEAD\n" + first + "\tHEAD\n" + first + "\trefs/heads/main"
		if got := w.git("ls-remote", "--symref", p.url); got != want {
			t.Errorf("refs: got %q, want %q", got, want)
		}

		// A ref that nobody has signed: refused with a reason, and nothing moves.
		w.commit("second")
		_, stderr, err := w.try("push", p.url, "main:evil")
		if err == nil || !strings.Contains(stderr, "authorisation failed") {
			t.Errorf("unsigned push: got %v and %q, want a refusal with its reason", err, stderr)
		}
		if strings.Contains(stderr, os.TempDir()) {
			t.Errorf("the refusal shows a path: %q", stderr)
		}
		if got := w.git("ls-remote", "--symref", p.url); got != want {
			t.Errorf("refs after the refusal: got %q, want %q", got, want)
		}

		for _, version := range []string{"0", "1", "2"} {
			clone := newWork(t)
			clone.git("-c", "protocol.version="+version, "clone", "--quiet", p.url, "copy")
			clone.dir = filepath.Join(clone.dir, "copy")
			if got := clone.git("rev-parse", "--abbrev-ref", "HEAD") + " " + clone.git("rev-parse", "HEAD"); got != "main "+first {
				t.Errorf("clone over version %s: got %s, want main %s", version, got, first)
			}
		}
	})
}

func TestPushOfManyObjectsInChunks(t *testing.T) {
	backends(t, func(t *testing.T, b gitstore.Backend) {
		s := serve(t, setup{backend: b})
		p := hosted(t, s, "demo")
		w := newWork(t)
		tip := ""
		for i := range 30 {
			tip = w.commit(strings.Repeat(fmt.Sprintf("%d %x\n", i, i*7919), 3000))
		}
		p.declare("refs/heads/main", tip)
		w.git("-c", "http.postBuffer=1000", "push", "--quiet", p.url, "main")
		clone := newWork(t)
		clone.git("clone", "--quiet", p.url, "copy")
		clone.dir = filepath.Join(clone.dir, "copy")
		if got := clone.git("rev-parse", "HEAD"); got != tip {
			t.Errorf("got %s, want %s", got, tip)
		}
		clone.git("fsck", "--strict")
	})
}

// What was acknowledged as stored is served after a restart on the same data directory; what was held is held.
func TestRestartOnTheSameData(t *testing.T) {
	dir := t.TempDir()
	begin := func(addr string) *served {
		j, err := node.OpenJournal(filepath.Join(dir, "events.db"))
		if err != nil {
			t.Fatal(err)
		}
		return serve(t, setup{addr: addr, journal: j, backend: execBackend(t, filepath.Join(dir, "git"))})
	}
	s := begin("")
	p := hosted(t, s, "demo")
	w := newWork(t)
	tip := w.commit("first")
	state := p.declare("refs/heads/main", tip)
	w.git("push", "--quiet", p.url, "main")
	waiting := hosted(t, s, "waiting")
	for _, c := range []*socket{p.relay, waiting.relay} { // a client that does not read delays the end
		_ = c.ws.CloseNow()
	}
	s.stop()
	orphan := filepath.Join(dir, "git", strings.TrimPrefix(repo.ID{Owner: repo.PubKey(p.announced.PubKey), Identifier: "orphan"}.Path(), "/"))
	w.git("init", "--quiet", "--bare", orphan)

	again := begin(s.addr)
	c := again.dial()
	if diff := cmp.Diff([]string{state.ID, p.announced.ID}, c.query(`{"kinds":[30617,30618]}`)); diff != "" {
		t.Errorf("served after the restart (-want +got):\n%s", diff)
	}
	if got, want := w.git("ls-remote", p.url, "main"), tip+"\trefs/heads/main"; got != want {
		t.Errorf("refs after the restart: got %q, want %q", got, want)
	}
	if accepted, text := c.publish(waiting.announced); !accepted || !strings.HasPrefix(text, "duplicate:") {
		t.Errorf("held announcement: got %t %q, want true and duplicate:", accepted, text)
	}
	waiting.server, waiting.relay = again, c
	waiting.declare("refs/heads/main", tip)
	w.git("push", "--quiet", waiting.url, "main")
	if _, err := os.Stat(orphan); !os.IsNotExist(err) {
		t.Errorf("the orphan repository is there: %v", err)
	}
	if status, _ := again.get(strings.TrimPrefix(p.url, "http://"+s.addr)); status != http.StatusOK {
		t.Errorf("page of the repository: got %d, want 200", status)
	}
}
