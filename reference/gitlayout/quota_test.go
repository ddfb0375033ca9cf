package gitlayout_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/reference/gitlayout"
	"github.com/graspkit/graspkit/reference/repo"
)

// A quota counts what is there at the start, what is reserved, given back and removed; before it refuses it looks at the disk
// once more, and only if something was added since it has looked.
func TestQuota(t *testing.T) {
	dir := t.TempDir()
	ids := []repo.ID{testID, {Owner: testID.Owner, Identifier: "other"}}
	var paths []string
	for _, id := range ids {
		l := open(t, dir)
		if err := l.Create(id); err != nil {
			t.Fatal(err)
		}
		path, err := l.Open(id)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	l, err := gitlayout.New(dir, gitlayout.Options{Sync: gitlayout.Unsynced{}, Quota: gitlayout.Quota{Repository: 1 << 20, Total: 1200 << 10}})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Recover(gitlayout.Sweep); err != nil {
		t.Fatal(err)
	}
	reserve := func(path string, bytes int64, want string) {
		t.Helper()
		got, err := l.Reserve(path, bytes, 0)
		if err != nil || (got == "") != (want == "") || !strings.HasPrefix(got, "quota exceeded: "+want) && want != "" {
			t.Errorf("%d bytes: got %q, %v, want %q", bytes, got, err, want)
		}
	}
	const one, all = "the repository would take more than 1048576 bytes", "all repositories of this server would take more than 1228800 bytes"
	reserve(paths[0], 1<<20, one)
	reserve(paths[0], 900<<10, "")
	reserve(paths[0], 900<<10, "") // nothing has come of the first one: the disk is looked at
	write := func(path string) {
		t.Helper()
		if err := os.WriteFile(path, make([]byte, 900<<10), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(paths[0], "objects", "pack", "pack-1.pack"))
	reserve(paths[0], 200<<10, one)
	reserve(paths[0], 20<<10, "")
	reserve(paths[1], 300<<10, all)
	l.Release(paths[0], 20<<10, 0)
	reserve(paths[1], 100<<10, "")
	l.Added(paths[1], 150<<10)
	write(filepath.Join(paths[1], "objects", "tmp_push_1")) // on its way
	reserve(paths[1], 200<<10, "")
	if err := l.Remove(ids[0]); err != nil {
		t.Fatal(err)
	}
	reserve(paths[1], 700<<10, "")
	write(filepath.Join(paths[1], "objects", "pack", "pack-1.pack"))
	reserve(paths[1], 200<<10, one)
	// It is known to be full: that a file is gone is not looked for at each push.
	if err := os.Remove(filepath.Join(paths[1], "objects", "pack", "pack-1.pack")); err != nil {
		t.Fatal(err)
	}
	reserve(paths[1], 200<<10, one)
}
