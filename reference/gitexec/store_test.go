package gitexec_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/gitexec"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

func TestNewChecksGit(t *testing.T) {
	for _, test := range []struct{ name, says, want string }{
		{"old", "git version 2.30.9", "2.31 or later is needed"},
		{"other", "hello", "instead of its version"},
		{"silent", "wait; sleep 60", "does not say its version within 2s"},
	} {
		fake := filepath.Join(t.TempDir(), "git")
		if err := os.WriteFile(fake, []byte("#!/bin/sh\necho "+test.says+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		_, err := gitexec.New(t.TempDir(), gitexec.Options{Git: fake, Lifetime: 2 * time.Second})
		if !errors.Is(err, gitexec.ErrGit) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want ErrGit and %q", test.name, err, test.want)
		}
	}
	if _, err := gitexec.New(t.TempDir(), gitexec.Options{Git: "/nowhere/git"}); !errors.Is(err, gitexec.ErrGit) {
		t.Errorf("no git: got %v, want ErrGit", err)
	}
}

// A crash leaves locks and half-received packs; a new start removes them, and pushes work again.
func TestRecovery(t *testing.T) {
	dir := t.TempDir()
	e := open(t, dir)
	if err := e.Create(testID); err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(dir, "npub*", "*.git"))
	if err != nil || len(found) != 1 {
		t.Fatalf("repositories: got %v, %v", found, err)
	}
	left := []string{"refs/heads/main.lock", "packed-refs.lock", "HEAD.lock", "objects/tmp_objdir-incoming-abc/pack/tmp_pack_x"}
	for _, name := range left {
		name = filepath.Join(found[0], filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	e = open(t, dir)
	for _, name := range left {
		if _, err := os.Stat(filepath.Join(found[0], filepath.FromSlash(name))); err == nil {
			t.Errorf("%s: got it left, want it removed", name)
		}
	}
	pack, tips := chain(t, 1)
	push := gitstore.Push{Commands: []gitproto.Command{create("refs/heads/main", tips[0])}}
	report, err := e.Receive(t.Context(), testID, push, bytes.NewReader(pack))
	if err != nil || !report.Results[0].OK {
		t.Errorf("push after recovery: got %+v, %v", report, err)
	}
}

// A git process that is killed while it moves the objects of a push out of quarantine may leave a commit without its tree.
// That commit is not there for anybody, what refs reach stays, and the push works again.
func TestRecoveryOfHalfAPush(t *testing.T) {
	dir := t.TempDir()
	e := open(t, dir)
	if err := e.Create(testID); err != nil {
		t.Fatal(err)
	}
	pack, tips := chain(t, 2)
	push := func(old, tip repo.OID) {
		t.Helper()
		commands := []gitproto.Command{{Old: old, New: tip, Ref: "refs/heads/main"}}
		report, err := e.Receive(t.Context(), testID, gitstore.Push{Commands: commands}, bytes.NewReader(pack))
		if err != nil || !report.Results[0].OK {
			t.Fatalf("push: got %+v, %v", report, err)
		}
	}
	push(repo.ZeroOID, tips[1])
	if err := e.Update(testID, []gitproto.Command{{Old: tips[1], New: tips[0], Ref: "refs/heads/main"}}, ""); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, filepath.FromSlash(testID.Path()))
	commit, _, err := runGit(t, path, "cat-file", "-p", string(tips[1]))
	if err != nil {
		t.Fatal(err)
	}
	tree := strings.Fields(commit)[1]
	if err := os.Remove(filepath.Join(path, "objects", tree[:2], tree[2:])); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(path, "objects", "tmp_objdir-incoming-abc"), 0o755); err != nil {
		t.Fatal(err)
	}
	e = open(t, dir)
	missing, err := e.Missing(testID, tips)
	if err != nil || !slices.Equal(missing, tips[1:]) {
		t.Errorf("missing after recovery: got %v, %v, want %v", missing, err, tips[1:])
	}
	if stdout, stderr, err := runGit(t, path, "fsck", "--strict"); err != nil {
		t.Errorf("git fsck: %v: %s%s", err, stdout, stderr)
	}
	push(tips[0], tips[1])
}

// canceling cancels a context once its first byte was read, and then gives the rest.
type canceling struct {
	io.Reader
	cancel context.CancelFunc
}

func (c canceling) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p[:min(len(p), 40)])
	c.cancel()
	return n, err
}

func TestReceiveIsKilledOnCancel(t *testing.T) {
	dir := t.TempDir()
	e := open(t, dir)
	if err := e.Create(testID); err != nil {
		t.Fatal(err)
	}
	pack, tips := chain(t, 3)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	// The pack never ends: git can only end by being killed.
	endless := canceling{io.MultiReader(bytes.NewReader(pack[:60]), waiting{ctx.Done()}), cancel}
	push := gitstore.Push{Commands: []gitproto.Command{create("refs/heads/main", tips[2])}}
	report, err := e.Receive(ctx, testID, push, endless)
	if err == nil && report.Results[0].OK {
		t.Errorf("got %+v, want a failure", report)
	}
	refs, err := e.Refs(testID)
	if err != nil || len(refs.Refs) != 0 {
		t.Errorf("refs: got %+v, %v, want none", refs, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "npub*", "*.git", "objects", "*-*")); len(left) != 0 {
		t.Errorf("quarantine: got %v left", left)
	}
}

// waiting is a reader that blocks until done is closed.
type waiting struct{ done <-chan struct{} }

func (w waiting) Read([]byte) (int, error) {
	<-w.done
	return 0, context.Canceled
}

func TestUploadPackTellsNoPath(t *testing.T) {
	e := open(t, t.TempDir())
	if err := e.Create(testID); err != nil {
		t.Fatal(err)
	}
	for _, in := range []string{"0010command=ls-x0000", "hello", "000ahello\n0000"} {
		for _, version := range []int{0, 2} {
			var out bytes.Buffer
			err := e.UploadPack(t.Context(), testID, version, strings.NewReader(in), &out)
			var refused *gitproto.ProtocolError
			if !errors.As(err, &refused) || strings.Contains(refused.What, "/") || out.Len() != 0 {
				t.Errorf("%q: got %v and %q, want a ProtocolError without path", in, err, out.String())
			}
		}
	}
}

// The check of ref names agrees with git's own.
func TestCheckRefNameAgreesWithGit(t *testing.T) {
	for _, name := range []string{
		"refs/heads/main", "refs/heads", "HEAD", "@", "a/@", "@/a", "refs//a", "/refs/a", "refs/a/", "refs/.a", "refs/a.", "refs/a..b",
		"refs/a.lock", "refs/a.lock/b", "refs/a.locks", "refs/a b", "refs/a\tb", "refs/a\x7f", "refs/a~", "refs/a^", "refs/a:", "refs/a?",
		"refs/a*", "refs/a[", "refs/a]", "refs/a\\b", "refs/a@{b", "refs/a{b", "refs/a@", "refs/-a", "refs/\u00e9", "refs/\xff\xfe",
		"refs/\"a\"", "refs/a'b", "refs/a;b", "refs/a|b", "refs/$(a)", "refs/a./b", "refs/heads/.lock", "refs/heads/lock",
	} {
		_, _, err := runGit(t, t.TempDir(), "check-ref-format", name)
		if got, want := gitproto.CheckRefName(name), err == nil; got != want {
			t.Errorf("CheckRefName(%q): got %t, git says %t", name, got, want)
		}
	}
}
