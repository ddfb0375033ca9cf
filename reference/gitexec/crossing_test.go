package gitexec_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// The two stores on disk take turns on one folder: what one has written, in packs, loose or packed by git's own
// housekeeping, the other serves and builds upon, and git finds nothing to complain about.
func TestStoresOpenEachOther(t *testing.T) {
	t.Parallel()
	dir, source := t.TempDir(), makeSource(t)
	exec := func() gitstore.Backend { return open(t, dir) }
	disk := func() gitstore.Backend { return openDisk(t, dir) }
	work := newWorld(t, disk(), "2", source) // the pushing client
	work.git("", "clone", "-q", source, "work")
	path := repositoryIn(t, dir)
	turns := []struct {
		name string
		open func() gitstore.Backend
		push []string
		then func()
	}{
		{"disk begins", disk, []string{"main", "v6"}, nil},
		{"exec adds loose objects and refs", exec, []string{"main", "main:refs/heads/loose"}, nil},
		{"disk moves a loose ref", disk, []string{"main", "main:refs/heads/loose", "main:refs/heads/new"}, nil},
		{"exec after disk", exec, []string{"main", ":refs/heads/new", "main~1:refs/heads/dir/sub"}, nil},
		{"disk replaces a folder by a ref", disk, []string{"main", ":refs/heads/dir/sub", "main:refs/heads/dir"}, nil},
		{"exec replaces a ref by a folder", exec, []string{":refs/heads/dir", "main:refs/heads/dir/sub"}, func() {
			if _, stderr, err := runGit(t, path, "gc", "-q", "--prune=now"); err != nil {
				t.Fatalf("git gc: %v\n%s", err, stderr)
			}
		}},
		{"disk after housekeeping", disk, []string{"main", ":refs/heads/loose", "main~2:refs/tags/old"}, nil},
		{"exec at last", exec, []string{":refs/tags/old", "main"}, nil},
	}
	for _, turn := range turns {
		w := newWorld(t, turn.open(), "2", source)
		work.commit("work", strings.ReplaceAll(turn.name, " ", "-"))
		work.git("work", append([]string{"push", "-q", "--force", w.url}, turn.push...)...)
		if turn.then != nil {
			turn.then()
		}
		if stdout, stderr, err := runGit(t, path, "fsck", "--strict", "--full"); err != nil || strings.Contains(stderr, "error") {
			t.Fatalf("%s: git fsck: %v\n%s%s", turn.name, err, stdout, stderr)
		}
		// Both see the same refs, git sees them too, and the other store serves them whole.
		listed, _, err := runGit(t, path, "for-each-ref", "--format=%(objectname) %(refname)")
		if err != nil {
			t.Fatal(err)
		}
		for _, store := range []gitstore.Backend{exec(), disk()} {
			refs, err := store.Refs(testID)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, ref := range refs.Refs {
				got = append(got, string(ref.OID)+" "+ref.Name)
			}
			want := strings.Split(listed, "\n")
			if diff := cmp.Diff(want, got); diff != "" || refs.Head != "refs/heads/main" {
				t.Fatalf("%s: refs of %T (-git +got), HEAD %s:\n%s", turn.name, store, refs.Head, diff)
			}
		}
		other := disk()
		if strings.HasPrefix(turn.name, "disk") {
			other = exec()
		}
		reader := newWorld(t, other, "2", source)
		reader.clone("clone", "--mirror")
		reader.git("clone", "fsck")
	}
	if packs, _ := filepath.Glob(filepath.Join(path, "objects", "pack", "*.pack")); len(packs) < 2 {
		t.Errorf("packs: got %v, want one of each store", packs)
	}
}

// Both stores on disk judge alike what lies in a repository without being reached: an object may be there, and what
// it needs not.
func TestStoresTrustOnlyRefs(t *testing.T) {
	dir := t.TempDir()
	pack, tips := chain(t, 3)
	blob := gitstore.NewBlob([]byte("file 9\n"))
	tree := gitstore.NewTree(gitstore.Entry{Name: "f", OID: blob.OID()})
	commit := gitstore.NewCommit(tree.OID(), tips[:1], 1_600_000_009, "without its blob")
	e := open(t, dir)
	pushChain(t, e, testID, pack, tips[2])
	path := repositoryIn(t, dir)
	for _, object := range []gitstore.Object{tree, commit} {
		writeLoose(t, path, object)
	}
	for _, store := range []gitstore.Backend{e, openDisk(t, dir)} {
		for _, test := range []struct {
			tip  string
			want bool
		}{{string(tips[0]), true}, {string(commit.OID()), false}} {
			report := receiveEmpty(t, store, "refs/heads/x", test.tip)
			if got := report.Results[0].OK; got != test.want {
				t.Errorf("%T: ref to %s: got %+v, want success %t", store, test.tip, report, test.want)
			}
			removeRef(t, store, "refs/heads/x")
		}
	}
	writeLoose(t, path, blob)
	for _, store := range []gitstore.Backend{e, openDisk(t, dir)} {
		if report := receiveEmpty(t, store, "refs/heads/x", string(commit.OID())); !report.Results[0].OK {
			t.Errorf("%T: ref to what is complete now: got %+v, want success", store, report)
		}
		removeRef(t, store, "refs/heads/x")
	}
}

// repositoryIn returns the one repository of a store's folder.
func repositoryIn(t *testing.T, dir string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "npub*", "*.git"))
	if err != nil || len(found) != 1 {
		t.Fatalf("repositories: got %v, %v", slices.Clone(found), err)
	}
	return found[0]
}

// writeLoose adds an object as git itself would.
func writeLoose(t *testing.T, path string, o gitstore.Object) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "object")
	if err := os.WriteFile(file, o.Data, 0o644); err != nil {
		t.Fatal(err)
	}
	got, stderr, err := runGit(t, path, "hash-object", "-w", "--literally", "-t", o.Type.String(), file)
	if err != nil || got != string(o.OID()) {
		t.Fatalf("hash-object: got %s, %v, want %s\n%s", got, err, o.OID(), stderr)
	}
}

// receiveEmpty makes a ref by a push whose pack holds nothing.
func receiveEmpty(t *testing.T, store gitstore.Backend, ref, tip string) gitstore.Report {
	t.Helper()
	var pack bytes.Buffer
	if err := gitstore.WritePack(&pack, nil); err != nil {
		t.Fatal(err)
	}
	push := gitstore.Push{Commands: []gitproto.Command{create(ref, repo.OID(tip))}}
	report, err := store.Receive(t.Context(), testID, push, &pack)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// removeRef deletes a ref if it is there.
func removeRef(t *testing.T, store gitstore.Backend, ref string) {
	t.Helper()
	refs, err := store.Refs(testID)
	if err != nil {
		t.Fatal(err)
	}
	if old := refs.At(ref); !old.IsZero() {
		if err := store.Update(testID, []gitproto.Command{{Old: old, New: repo.ZeroOID, Ref: ref}}, ""); err != nil {
			t.Fatal(err)
		}
	}
}
