package gitlayout_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/gitlayout"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

var testID = repo.ID{
	Owner: "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", Identifier: "r \u00e9",
}

func open(tb testing.TB, dir string) *gitlayout.Layout {
	tb.Helper()
	l, err := gitlayout.New(dir, gitlayout.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

func TestRepositories(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	long := repo.ID{Owner: testID.Owner, Identifier: strings.Repeat("\u00e9", 100)}
	other := repo.ID{Owner: "c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5", Identifier: "a%2fb"}
	half := repo.ID{Owner: other.Owner, Identifier: "half"}
	for _, id := range []repo.ID{testID, long, other} {
		if err := l.Create(id); err != nil {
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
	got, err := l.Repositories()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("repositories (-want +got):\n%s", diff)
	}
	if _, err := l.Open(half); !errors.Is(err, gitstore.ErrNoRepository) {
		t.Errorf("half-made repository: got %v, want ErrNoRepository", err)
	}
	if err := l.Create(half); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Open(half); err != nil {
		t.Errorf("repaired repository: got %v", err)
	}
	for _, id := range append(want, half) {
		if err := l.Remove(id); err != nil {
			t.Errorf("remove %v: %v", id, err)
		}
	}
	if got, err := l.Repositories(); err != nil || len(got) != 0 {
		t.Errorf("after Remove: got %v, %v, want none", got, err)
	}
}

// G01-GIT-16: no identifier leads out of the store.
func TestPathsStayInside(t *testing.T) {
	dir := t.TempDir()
	l := open(t, filepath.Join(dir, "store"))
	for _, identifier := range []string{"", ".", "..", "../x", "a/b", "a\\b", "a\x00b", strings.Repeat("x", 201)} {
		id := repo.ID{Owner: testID.Owner, Identifier: identifier}
		if err := l.Create(id); err == nil {
			t.Errorf("Create(%q): got no error", identifier)
		}
		if err := l.Remove(id); err == nil {
			t.Errorf("Remove(%q): got no error", identifier)
		}
	}
	if err := l.Create(repo.ID{Owner: "../../x", Identifier: "a"}); err == nil {
		t.Error("Create with a bad owner: got no error")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 1 {
		t.Errorf("beside the store: got %v", left)
	}
}

// What a crash leaves goes, and nothing else does.
func TestRecover(t *testing.T) {
	l := open(t, t.TempDir())
	if err := l.Create(testID); err != nil {
		t.Fatal(err)
	}
	path, err := l.Open(testID)
	if err != nil {
		t.Fatal(err)
	}
	write := func(dir, name string) {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	left := []string{
		"refs/heads/a/main.lock", "packed-refs.lock", "packed-refs.new", "HEAD.lock", "config.lock",
		"objects/tmp_objdir-incoming-abc/pack/tmp_pack_x", "objects/incoming-abc/x", "objects/tmp_push_1",
		"objects/pack/tmp_pack_1", "objects/pack/tmp_idx_1", "objects/ab/tmp_obj_1", "objects/pack/pack-1.idx",
	}
	kept := []string{"refs/heads/a/lock", "packed-refs", "objects/ab/cd", "objects/pack/pack-2.pack", "objects/pack/pack-2.idx", "objects/pack/pack-3.pack"}
	for _, name := range slices.Concat(left, kept) {
		write(path, name)
	}
	write(l.Dir(), ".removed/1/repository/HEAD")
	if err := l.Recover(gitlayout.Sweep); err != nil {
		t.Fatal(err)
	}
	for _, name := range left {
		if _, err := os.Stat(filepath.Join(path, filepath.FromSlash(name))); err == nil {
			t.Errorf("%s: got it left, want it removed", name)
		}
	}
	for _, name := range append(kept, "HEAD", "config") {
		if _, err := os.Stat(filepath.Join(path, filepath.FromSlash(name))); err != nil {
			t.Errorf("%s: got %v, want it kept", name, err)
		}
	}
	if _, err := os.Stat(filepath.Join(l.Dir(), ".removed")); err == nil {
		t.Error("removed repositories: got them left")
	}
}

func TestWriteFileLeavesNoHalf(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "name", "full"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := open(t, dir).WriteFile(filepath.Join(dir, "name"), ".new", []byte("x")); err == nil {
		t.Error("over a folder: got no error")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.new")); len(left) != 0 {
		t.Errorf("got %v left", left)
	}
}
