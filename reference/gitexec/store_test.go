package gitexec_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/gitexec"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

func open(tb testing.TB, dir string) *gitexec.Exec {
	tb.Helper()
	e, err := gitexec.New(dir, gitexec.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

// chain makes n commits, each with one file, and a pack of them.
func chain(tb testing.TB, n int) (pack []byte, tips []repo.OID) {
	tb.Helper()
	var objects []gitstore.Object
	var parents []repo.OID
	for i := range n {
		blob := gitstore.NewBlob(fmt.Appendf(nil, "file %d\n", i))
		tree := gitstore.NewTree(gitstore.Entry{Name: "f", OID: blob.OID()})
		commit := gitstore.NewCommit(tree.OID(), parents, int64(1_600_000_000+i), fmt.Sprint(i))
		parents = []repo.OID{commit.OID()}
		objects = append(objects, blob, tree, commit)
		tips = append(tips, commit.OID())
	}
	var b bytes.Buffer
	if err := gitstore.WritePack(&b, objects); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes(), tips
}

func create(ref string, oid repo.OID) gitproto.Command {
	return gitproto.Command{Old: repo.ZeroOID, New: oid, Ref: ref}
}

func TestRepositories(t *testing.T) {
	dir := t.TempDir()
	e := open(t, dir)
	long := repo.ID{Owner: testID.Owner, Identifier: strings.Repeat("\u00e9", 100)}
	other := repo.ID{Owner: "c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5", Identifier: "a%2fb"}
	half := repo.ID{Owner: other.Owner, Identifier: "half"}
	for _, id := range []repo.ID{testID, long, other} {
		if err := e.Create(id); err != nil {
			t.Fatal(err)
		}
	}
	for _, junk := range []string{
		"junk", other.Owner.Npub() + "/half.git/objects", other.Owner.Npub() + "/a%2Fb.git", other.Owner.Npub() + "/a%2fb.git",
		other.Owner.Npub() + "/plain", other.Owner.Npub() + "/%-00.git", "npub1junk/x.git",
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(junk)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	want := []repo.ID{testID, long, other, half}
	slices.SortFunc(want, repo.ID.Compare)
	got, err := e.Repositories()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("repositories (-want +got):\n%s", diff)
	}
	if _, err := e.Refs(half); !errors.Is(err, gitstore.ErrNoRepository) {
		t.Errorf("half-made repository: got %v, want ErrNoRepository", err)
	}
	if err := e.Create(half); err != nil {
		t.Fatal(err)
	}
	if refs, err := e.Refs(half); err != nil || refs.Head != "refs/heads/main" || len(refs.Refs) != 0 {
		t.Errorf("repaired repository: got %+v, %v", refs, err)
	}
	for _, id := range append(want, half) {
		if err := e.Remove(id); err != nil {
			t.Errorf("remove %v: %v", id, err)
		}
	}
	if got, err := e.Repositories(); err != nil || len(got) != 0 {
		t.Errorf("after Remove: got %v, %v, want none", got, err)
	}
}

// G01-GIT-16: no identifier leads out of the store.
func TestPathsStayInside(t *testing.T) {
	dir := t.TempDir()
	e := open(t, filepath.Join(dir, "store"))
	for _, identifier := range []string{"", ".", "..", "../x", "a/b", "a\\b", "a\x00b", strings.Repeat("x", 201)} {
		id := repo.ID{Owner: testID.Owner, Identifier: identifier}
		if err := e.Create(id); err == nil {
			t.Errorf("Create(%q): got no error", identifier)
		}
		if err := e.Remove(id); err == nil {
			t.Errorf("Remove(%q): got no error", identifier)
		}
	}
	if err := e.Create(repo.ID{Owner: "../../x", Identifier: "a"}); err == nil {
		t.Error("Create with a bad owner: got no error")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 1 {
		t.Errorf("beside the store: got %v", left)
	}
}

func TestNewChecksGit(t *testing.T) {
	for _, test := range []struct{ name, says, want string }{
		{"old", "git version 2.30.9", "2.31 or later is needed"},
		{"other", "hello", "instead of its version"},
	} {
		fake := filepath.Join(t.TempDir(), "git")
		if err := os.WriteFile(fake, []byte("#!/bin/sh\necho "+test.says+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		_, err := gitexec.New(t.TempDir(), gitexec.Options{Git: fake})
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

// Both stores give the same reports and end with the same refs.
func TestStoresAgree(t *testing.T) {
	pack, tips := chain(t, 3)
	blob := gitstore.NewBlob([]byte("file 0\n")).OID()
	none := repo.OID(strings.Repeat("1", 40))
	move := func(from, to repo.OID) gitproto.Command {
		return gitproto.Command{Old: from, New: to, Ref: "refs/heads/main"}
	}
	pushes := [][]gitproto.Command{
		{create("refs/heads/main", tips[1]), create("refs/tags/v", tips[0])},
		{create("refs/heads/main", tips[2])},
		{move(tips[0], tips[2]), create("refs/heads/b", tips[2])},
		{move(tips[1], none)},
		{create("refs/heads/main/x", tips[0])},
		{create("refs/heads/blob", blob)},
		{create("refs/tags/blob", blob)},
		{create("HEAD", tips[0])},
		{create("refs/heads/a..b", tips[0])},
		{move(tips[1], tips[0]), create("refs/heads/b", tips[2])},
		{move(tips[0], tips[0])},
		{{Old: tips[2], New: repo.ZeroOID, Ref: "refs/heads/b"}, create("refs/heads/b/c", tips[2])},
		{{Old: tips[2], New: repo.ZeroOID, Ref: "refs/heads/b/c"}, create("refs/heads/b", none)},
		{{Old: tips[0], New: repo.ZeroOID, Ref: "refs/heads/main"}},
		{create("refs/nostr/"+strings.Repeat("ab", 32), tips[1]), create("refs/notes/x", tips[1])},
	}
	stores := []gitstore.Backend{gitstore.NewMemory(gitstore.Limits{}), open(t, t.TempDir())}
	for _, store := range stores {
		if err := store.Create(testID); err != nil {
			t.Fatal(err)
		}
	}
	for _, commands := range pushes {
		var outcomes []string
		for _, store := range stores {
			report, err := store.Receive(t.Context(), testID, gitstore.Push{Commands: commands}, bytes.NewReader(pack))
			if err != nil {
				t.Fatal(err)
			}
			refs, err := store.Refs(testID)
			if err != nil {
				t.Fatal(err)
			}
			outcome := fmt.Sprintln(report.Unpack, refs)
			for i, result := range report.Results {
				if result.Ref != commands[i].Ref {
					t.Errorf("%v: result %d is of %s", commands, i, result.Ref)
				}
				outcome += fmt.Sprintln(result.Ref, result.OK, result.OK == (result.Reason == ""))
			}
			outcomes = append(outcomes, outcome)
		}
		if diff := cmp.Diff(outcomes[0], outcomes[1]); diff != "" {
			t.Errorf("push %v (-memory +exec):\n%s", commands, diff)
		}
	}
}

func TestUpdate(t *testing.T) {
	pack, tips := chain(t, 2)
	for _, store := range []gitstore.Backend{gitstore.NewMemory(gitstore.Limits{}), open(t, t.TempDir())} {
		if err := store.Create(testID); err != nil {
			t.Fatal(err)
		}
		push := gitstore.Push{Commands: []gitproto.Command{create("refs/heads/main", tips[1])}}
		if _, err := store.Receive(t.Context(), testID, push, bytes.NewReader(pack)); err != nil {
			t.Fatal(err)
		}
		commands := []gitproto.Command{
			{Old: tips[1], New: tips[0], Ref: "refs/heads/main"}, create("refs/heads/dev", tips[1]),
		}
		if err := store.Update(testID, commands, "refs/heads/dev"); err != nil {
			t.Fatal(err)
		}
		if err := store.Update(testID, commands, "refs/heads/main"); !errors.Is(err, gitstore.ErrConflict) {
			t.Errorf("%T: stale update: got %v, want ErrConflict", store, err)
		}
		for _, bad := range []string{"refs/tags/v", "refs/heads/a..b", "main"} {
			if err := store.Update(testID, nil, bad); err == nil {
				t.Errorf("%T: HEAD to %s: got no error", store, bad)
			}
		}
		missing := []gitproto.Command{create("refs/heads/none", repo.OID(strings.Repeat("1", 40)))}
		if err := store.Update(testID, missing, ""); err == nil {
			t.Errorf("%T: update to a missing object: got no error", store)
		}
		got, err := store.Refs(testID)
		want := gitstore.Refs{Head: "refs/heads/dev", Refs: []repo.Ref{{Name: "refs/heads/dev", OID: tips[1]}, {Name: "refs/heads/main", OID: tips[0]}}}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%T: refs (-want +got): %v\n%s", store, err, diff)
		}
	}
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

func BenchmarkReceive10Commits(b *testing.B) {
	e := open(b, b.TempDir())
	pack, tips := chain(b, 10)
	n := 0
	for b.Loop() {
		id := repo.ID{Owner: testID.Owner, Identifier: fmt.Sprint(n)}
		n++
		if err := e.Create(id); err != nil {
			b.Fatal(err)
		}
		push := gitstore.Push{Commands: []gitproto.Command{create("refs/heads/main", tips[9])}}
		report, err := e.Receive(b.Context(), id, push, bytes.NewReader(pack))
		if err != nil || !report.Results[0].OK {
			b.Fatal(report, err)
		}
	}
}

func BenchmarkAdvertise1000Refs(b *testing.B) {
	e := open(b, b.TempDir())
	if err := e.Create(testID); err != nil {
		b.Fatal(err)
	}
	pack, tips := chain(b, 1)
	push := gitstore.Push{Commands: []gitproto.Command{create("refs/heads/main", tips[0])}}
	if _, err := e.Receive(b.Context(), testID, push, bytes.NewReader(pack)); err != nil {
		b.Fatal(err)
	}
	var commands []gitproto.Command
	for i := range 999 {
		commands = append(commands, create(fmt.Sprintf("refs/heads/b%d", i), tips[0]))
	}
	if err := e.Update(testID, commands, ""); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := e.Advertise(b.Context(), testID, gitproto.UploadPackService, 0, io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
