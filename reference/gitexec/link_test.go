package gitexec_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// A copy of few objects takes their files, and one of packed, missing or broken ones never does: git packs what it can
// then, nothing is left of what it cannot, and finds nothing to complain about.
func TestCopyTakesFiles(t *testing.T) {
	pack, tips := chain(t, 3)
	blob := gitstore.NewBlob([]byte("file 1\n")).OID()
	loose := func(path string, oid repo.OID) string {
		return filepath.Join(path, "objects", string(oid[:2]), string(oid[2:]))
	}
	tests := []struct {
		name   string
		change func(t *testing.T, source, path string)
		fails  bool
		linked bool
	}{
		{name: "as they were pushed", linked: true},
		{name: "one is there", linked: true, change: func(t *testing.T, source, path string) {
			content, err := os.ReadFile(loose(source, blob))
			if err != nil {
				t.Fatal(err)
			}
			plant(t, loose(path, blob), content)
		}},
		{name: "one is there and empty", fails: true, change: func(t *testing.T, _, path string) { plant(t, loose(path, blob), nil) }},
		{name: "packed", change: func(t *testing.T, source, _ string) {
			if _, stderr, err := runGit(t, source, "repack", "-adq"); err != nil {
				t.Fatalf("git repack: %v\n%s", err, stderr)
			}
		}},
		{name: "one is missing", fails: true, change: func(t *testing.T, source, _ string) {
			if err := os.Remove(loose(source, blob)); err != nil {
				t.Fatal(err)
			}
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			e := open(t, dir)
			sibling := repo.ID{Owner: testID.Owner, Identifier: "sibling"}
			for _, id := range []repo.ID{testID, sibling} {
				if err := e.Create(id); err != nil {
					t.Fatal(err)
				}
			}
			push := gitstore.Push{Commands: []gitproto.Command{create("refs/heads/main", tips[2])}}
			if report, err := e.Receive(t.Context(), testID, push, bytes.NewReader(pack)); err != nil || !report.Results[0].OK {
				t.Fatalf("push: got %+v, %v", report, err)
			}
			folder := func(id repo.ID) string {
				return filepath.Join(dir, id.Owner.Npub(), repo.EncodeIdentifier(id.Identifier)+".git")
			}
			source, path := folder(testID), folder(sibling)
			if test.change != nil {
				test.change(t, source, path)
			}
			err := e.Copy(t.Context(), sibling, testID, tips[1:2])
			if (err != nil) != test.fails {
				t.Fatalf("copy: got %v, want an error: %v", err, test.fails)
			}
			if missing, err := e.Missing(sibling, tips); err != nil || len(missing) != 3 && test.fails || len(missing) != 1 && !test.fails {
				t.Errorf("missing after the copy: got %v, %v", missing, err)
			}
			before, _ := os.Stat(loose(source, tips[1]))
			after, _ := os.Stat(loose(path, tips[1]))
			if got := before != nil && after != nil && os.SameFile(before, after); got != test.linked {
				t.Errorf("the same file: got %v, want %v", got, test.linked)
			}
			if test.fails {
				return
			}
			if stdout, stderr, err := runGit(t, path, "fsck", "--strict", "--full", string(tips[1])); err != nil {
				t.Errorf("git fsck: %v\n%s%s", err, stdout, stderr)
			}
		})
	}
}

// plant writes an object's file.
func plant(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, content, 0o444); err != nil {
		t.Fatal(err)
	}
}
