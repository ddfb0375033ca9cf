package gitdisk_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/reference/gitdisk"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// Objects of other repositories, of half-received pushes and of packs without index are not objects of a repository.
func TestForeignObjectsAreNotFollowed(t *testing.T) {
	all, tips := history(1)
	dir := t.TempDir()
	d := open(t, dir, gitdisk.Options{})
	other := repo.ID{Owner: testID.Owner, Identifier: "other"}
	for _, id := range []repo.ID{testID, other} {
		if err := d.Create(id); err != nil {
			t.Fatal(err)
		}
	}
	if report, ok := receive(t, d, packOf(t, all...), create("refs/heads/main", tips[0])); !ok {
		t.Fatal(report)
	}
	objects := filepath.Join(pathOf(t, dir, testID), "objects")
	path := pathOf(t, dir, other)
	write(t, path, "objects/info/alternates", objects+"\n../../../"+filepath.Base(filepath.Dir(objects))+"/objects\n/shadow/objects\n")
	for _, name := range []string{"shadow/objects", "objects/tmp_objdir-incoming-x", "objects/incoming-y"} {
		if err := os.CopyFS(filepath.Join(path, name), os.DirFS(objects)); err != nil {
			t.Fatal(err)
		}
	}
	packs, err := filepath.Glob(filepath.Join(objects, "pack", "*.pack"))
	if err != nil || len(packs) != 1 {
		t.Fatalf("packs: got %v, %v, want one", packs, err)
	}
	content, err := os.ReadFile(packs[0])
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, "objects/pack/"+filepath.Base(packs[0]), string(content))
	missing, err := d.Missing(other, tips)
	if err != nil || !slices.Equal(missing, tips) {
		t.Errorf("missing: got %v, %v, want %v", missing, err, tips)
	}
	push := gitstore.Push{Commands: []gitproto.Command{create("refs/heads/main", tips[0])}}
	report, err := d.Receive(t.Context(), other, push, bytes.NewReader(packOf(t)))
	if err != nil || report.Results[0].Reason != gitstore.ReasonMissing {
		t.Errorf("push: got %+v, %v, want %q", report, err, gitstore.ReasonMissing)
	}
}

// Whatever git may have left where refs lie: a ref has its own file's value or its packed one, and what is no ref is
// none.
func TestRefsAsGitLeavesThem(t *testing.T) {
	all, tips := history(2)
	d, path := newStore(t, gitdisk.Options{})
	if report, ok := receive(t, d, packOf(t, all...), create("refs/heads/main", tips[1])); !ok {
		t.Fatal(report)
	}
	a, b := string(tips[0]), string(tips[1])
	write(t, path, "packed-refs", "# pack-refs with: peeled fully-peeled sorted \n"+
		b+" refs/heads/both\n"+b+" refs/heads/hidden\n"+a+" refs/heads/packed\n"+b+" refs/tags/v\n^"+a+"\n")
	write(t, path, "refs/heads/both", a+"\n")
	write(t, path, "refs/heads/hidden", "")
	write(t, path, "refs/heads/loose/deep", a)
	write(t, path, "refs/heads/main.lock", b+"\n")
	write(t, path, "refs/heads/junk", "hello\n")
	write(t, path, "refs/heads/\\odd", a)
	write(t, path, "refs/remotes/o/HEAD", "ref: refs/heads/packed\n")
	write(t, path, "refs/remotes/o/loop", "ref: refs/remotes/o/loop\n")
	want := []repo.Ref{
		{Name: "refs/heads/both", OID: tips[0]},
		{Name: "refs/heads/loose/deep", OID: tips[0]},
		{Name: "refs/heads/packed", OID: tips[0]},
		{Name: "refs/remotes/o/HEAD", OID: tips[0]},
		{Name: "refs/tags/v", OID: tips[1]},
	}
	wantRefs(t, d, want...)
	// Each can be moved, made and deleted, and the others keep their values.
	commands := []gitproto.Command{
		{Old: tips[0], New: tips[1], Ref: "refs/heads/both"},
		create("refs/heads/hidden", tips[0]),
		create("refs/heads/junk", tips[1]),
		{Old: tips[0], New: repo.ZeroOID, Ref: "refs/heads/loose/deep"},
		create("refs/heads/loose", tips[1]),
		{Old: tips[0], New: tips[1], Ref: "refs/remotes/o/HEAD"},
	}
	if report, ok := receive(t, d, packOf(t), commands...); !ok {
		t.Fatal(report)
	}
	want = []repo.Ref{
		{Name: "refs/heads/both", OID: tips[1]},
		{Name: "refs/heads/hidden", OID: tips[0]},
		{Name: "refs/heads/junk", OID: tips[1]},
		{Name: "refs/heads/loose", OID: tips[1]},
		{Name: "refs/heads/packed", OID: tips[0]},
		{Name: "refs/remotes/o/HEAD", OID: tips[1]},
		{Name: "refs/tags/v", OID: tips[1]},
	}
	wantRefs(t, d, want...)
	write(t, path, "packed-refs", "hello\n")
	if _, err := d.Refs(testID); err == nil {
		t.Error("broken packed-refs: got no error")
	}
	if err := d.Update(testID, []gitproto.Command{create("refs/heads/x", tips[0])}, ""); err == nil {
		t.Error("update of broken packed-refs: got no error")
	}
}

func TestHead(t *testing.T) {
	all, tips := history(1)
	d, path := newStore(t, gitdisk.Options{})
	if report, ok := receive(t, d, packOf(t, all...), create("refs/heads/dev", tips[0])); !ok {
		t.Fatal(report)
	}
	if err := d.Update(testID, nil, "refs/heads/dev"); err != nil {
		t.Fatal(err)
	}
	if refs, err := d.Refs(testID); err != nil || refs.Head != "refs/heads/dev" {
		t.Errorf("HEAD: got %q, %v, want refs/heads/dev", refs.Head, err)
	}
	write(t, path, "HEAD", string(tips[0])+"\n")
	if refs, err := d.Refs(testID); err != nil || refs.Head != "" {
		t.Errorf("HEAD that names no ref: got %q, %v, want none", refs.Head, err)
	}
	if err := d.Remove(testID); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Refs(testID); !errors.Is(err, gitstore.ErrNoRepository) {
		t.Errorf("after Remove: got %v, want ErrNoRepository", err)
	}
}

// What a crash leaves at any moment of a push does not keep the next one from succeeding.
func TestCrashes(t *testing.T) {
	all, tips := history(2)
	push := gitstore.Push{Commands: []gitproto.Command{create("refs/heads/main", tips[1])}}
	whole := func(t *testing.T) (dir, path string) {
		t.Helper()
		d, path := newStore(t, gitdisk.Options{})
		if report, ok := receive(t, d, packOf(t, all...), push.Commands...); !ok {
			t.Fatal(report)
		}
		return filepath.Dir(filepath.Dir(path)), path
	}
	remove := func(t *testing.T, path, pattern string) {
		t.Helper()
		found, err := filepath.Glob(filepath.Join(path, filepath.FromSlash(pattern)))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: got %v, %v", pattern, found, err)
		}
		for _, name := range found {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, test := range []struct {
		name  string
		crash func(t *testing.T, path string)
	}{
		{"while receiving", func(t *testing.T, path string) {
			remove(t, path, "packed-refs")
			remove(t, path, "objects/pack/pack-*")
			write(t, path, "objects/tmp_push_1", "PACK")
			write(t, path, "objects/pack/tmp_pack_1", "PACK")
		}},
		{"before the pack has its name", func(t *testing.T, path string) {
			remove(t, path, "packed-refs")
			remove(t, path, "objects/pack/pack-*.pack")
		}},
		{"before the refs move", func(t *testing.T, path string) {
			remove(t, path, "packed-refs")
			write(t, path, "packed-refs.lock", "")
			write(t, path, "packed-refs.new", "# pack-")
		}},
		{"before HEAD moves", func(t *testing.T, path string) {
			remove(t, path, "packed-refs")
			write(t, path, "HEAD.lock", "ref: ")
		}},
	} {
		dir, path := whole(t)
		test.crash(t, path)
		d := open(t, dir, gitdisk.Options{})
		wantRefs(t, d)
		for _, name := range files(t, path) {
			if strings.Contains(name, "tmp_") || strings.Contains(name, ".lock") || strings.Contains(name, ".new") {
				t.Errorf("%s: got %s left", test.name, name)
			}
		}
		report, err := d.Receive(t.Context(), testID, push, bytes.NewReader(packOf(t, all...)))
		if err != nil || !report.Results[0].OK {
			t.Errorf("%s: push: got %+v, %v", test.name, report, err)
			continue
		}
		fetch(t, d, tips[1])
	}
}

// A large object is streamed in and out: what comes out is what went in.
func TestLargeObjects(t *testing.T) {
	d, _ := newStore(t, gitdisk.Options{CacheMax: 1 << 20})
	large := gitstore.NewBlob(noise(3 << 20))
	tree := gitstore.NewTree(gitstore.Entry{Name: "large", OID: large.OID()})
	commit := gitstore.NewCommit(tree.OID(), nil, 1, "large")
	if report, ok := receive(t, d, packOf(t, large, tree, commit), create("refs/heads/main", commit.OID())); !ok {
		t.Fatal(report)
	}
	m := fetch(t, d, commit.OID())
	if missing, err := m.Missing(testID, []repo.OID{large.OID()}); err != nil || len(missing) != 0 {
		t.Errorf("fetched: got %v missing, %v", missing, err)
	}
}

func TestStorageFailures(t *testing.T) {
	all, tips := history(2)
	d, path := newStore(t, gitdisk.Options{})
	if report, ok := receive(t, d, packOf(t, all[:3]...), create("refs/heads/main", tips[0])); !ok {
		t.Fatal(report)
	}
	packs := filepath.Join(path, "objects", "pack")
	indexes, _ := filepath.Glob(filepath.Join(packs, "*.idx"))
	if err := os.Remove(indexes[0]); err != nil {
		t.Fatal(err)
	}
	write(t, packs, filepath.Base(indexes[0]), "no index")
	if _, err := d.Missing(testID, tips[:1]); err == nil {
		t.Error("Missing with a broken index: got no error")
	}
	push := gitstore.Push{Commands: []gitproto.Command{{Old: tips[0], New: tips[1], Ref: "refs/heads/main"}}}
	if report, err := d.Receive(t.Context(), testID, push, bytes.NewReader(packOf(t, all...))); err == nil {
		t.Errorf("push with a broken index: got %+v and no error", report)
	}
	if err := os.RemoveAll(packs); err != nil {
		t.Fatal(err)
	}
	write(t, path, "objects/pack", "no folder")
	if report, err := d.Receive(t.Context(), testID, push, bytes.NewReader(packOf(t, all...))); err == nil {
		t.Errorf("push without a folder of packs: got %+v and no error", report)
	}
	wantRefs(t, d, repo.Ref{Name: "refs/heads/main", OID: tips[0]})
}

// Whatever stands where refs lie: no panic, and what comes out is sorted, named and without doubles.
func FuzzRefs(f *testing.F) {
	a, b := strings.Repeat("ab", 20), strings.Repeat("12", 20)
	f.Add("# pack-refs with: sorted \n"+a+" refs/heads/b\n^"+b+"\n"+b+" refs/heads/a\n", "ref: refs/heads/a\n", "ref: refs/heads/b\n")
	f.Add(a+" refs/heads/main\n"+b+" refs/heads/main\n", a+"\n", b)
	f.Fuzz(func(t *testing.T, packed, loose, head string) {
		d, path := newStore(t, gitdisk.Options{})
		write(t, path, "packed-refs", packed)
		write(t, path, "refs/heads/main", loose)
		write(t, path, "HEAD", head)
		refs, err := d.Refs(testID)
		if err != nil {
			return
		}
		for i, ref := range refs.Refs {
			if !gitproto.CheckRefName(ref.Name) || len(ref.OID) != 40 || !repo.IsOID(string(ref.OID)) {
				t.Errorf("got a ref %+v", ref)
			}
			if i > 0 && refs.Refs[i-1].Name >= ref.Name {
				t.Errorf("got %s before %s", refs.Refs[i-1].Name, ref.Name)
			}
		}
	})
}
