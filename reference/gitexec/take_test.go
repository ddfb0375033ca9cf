package gitexec_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

func packOf(tb testing.TB, objects ...gitstore.Object) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := gitstore.WritePack(&b, objects); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// objectsOf makes a commit with one file, and what belongs to it: blob, tree, commit.
func objectsOf(name string, parents ...repo.OID) []gitstore.Object {
	blob := gitstore.NewBlob([]byte(name))
	tree := gitstore.NewTree(gitstore.Entry{Name: "f", OID: blob.OID()})
	return []gitstore.Object{blob, tree, gitstore.NewCommit(tree.OID(), parents, 1_600_000_000, name)}
}

// All stores take the same packs, keep the same objects of them and move no ref.
func TestStoresTakeAlike(t *testing.T) {
	first := objectsOf("first")
	one := first[2].OID()
	second := objectsOf("second", one)
	two := second[2].OID()
	third := objectsOf("third", two)
	three := third[2].OID()
	lone := objectsOf("lone")
	none := repo.OID(strings.Repeat("1", 40))
	long := repo.OID(strings.Repeat("1", 64))
	sound := packOf(t, append(first, second...)...)
	takes := []struct {
		name    string
		pack    []byte
		wants   []repo.OID
		missing []repo.OID
		refused bool
	}{
		{"a commit without its parent", packOf(t, second...), []repo.OID{two, one}, []repo.OID{two, one}, true},
		{"a commit without its file", packOf(t, lone[1:]...), []repo.OID{lone[2].OID()}, []repo.OID{lone[2].OID()}, true},
		{"cut off", sound[:len(sound)-30], []repo.OID{two}, []repo.OID{two}, true},
		{"no pack", []byte("hello"), []repo.OID{two}, []repo.OID{two}, true},
		{"nothing", nil, []repo.OID{two}, []repo.OID{two}, true},
		{"an empty pack", packOf(t), []repo.OID{two}, []repo.OID{two}, false},
		{"both commits", sound, []repo.OID{two, none, one, long}, []repo.OID{none, long}, false},
		{"the same again", sound, []repo.OID{two}, nil, false},
		{"what builds on them", packOf(t, third...), []repo.OID{three}, nil, false},
		{"what nobody wanted", packOf(t, lone...), []repo.OID{none}, []repo.OID{none}, false},
	}
	for _, backend := range backends {
		t.Run(backend.name, func(t *testing.T) {
			dir := t.TempDir()
			store := backend.open(t, dir)
			if err := store.Create(testID); err != nil {
				t.Fatal(err)
			}
			before, err := store.Refs(testID)
			if err != nil {
				t.Fatal(err)
			}
			for _, take := range takes {
				got, err := store.Take(t.Context(), testID, take.wants, bytes.NewReader(take.pack))
				if err != nil {
					t.Errorf("%s: %v", take.name, err)
					continue
				}
				if diff := cmp.Diff(take.missing, got.Missing); diff != "" || (got.Refused != "") != take.refused {
					t.Errorf("%s: refused %q, want %t; missing (-want +got):\n%s", take.name, got.Refused, take.refused, diff)
				}
			}
			after, err := store.Refs(testID)
			if diff := cmp.Diff(before, after); err != nil || diff != "" {
				t.Errorf("refs moved (-before +after): %v\n%s", err, diff)
			}
			// What was taken is whole: a ref may point to it.
			command := gitproto.Command{Old: repo.ZeroOID, New: three, Ref: "refs/heads/main"}
			if err := store.Update(testID, []gitproto.Command{command}, ""); err != nil {
				t.Errorf("Update: %v", err)
			}
			if left, err := filepath.Glob(filepath.Join(dir, ".fetch", "*")); err != nil || len(left) > 0 {
				t.Errorf("left in quarantine: %v, %v", left, err)
			}
			if _, err := store.Take(t.Context(), repo.ID{Owner: testID.Owner, Identifier: "none"}, []repo.OID{one}, bytes.NewReader(sound)); err == nil {
				t.Error("into no repository: got no error")
			}
		})
	}
}

// What a crash has left in quarantine is gone when a store opens.
func TestQuarantineIsEmptiedAtStart(t *testing.T) {
	dir := t.TempDir()
	open(t, dir)
	left := filepath.Join(dir, ".fetch", "pack-1")
	if err := os.MkdirAll(left, 0o700); err != nil {
		t.Fatal(err)
	}
	e := open(t, dir)
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("got %v, want it gone", err)
	}
	if ids, err := e.Repositories(); err != nil || len(ids) != 0 {
		t.Errorf("Repositories: got %v, %v, want none", ids, err)
	}
}
