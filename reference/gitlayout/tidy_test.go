package gitlayout_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/graspkit/graspkit/reference/gitlayout"
)

// What goes stays as long as somebody reads who may have listed it, and goes then; who begins to read later does not matter.
func TestDiscardWaitsForReaders(t *testing.T) {
	l, err := gitlayout.New(t.TempDir(), gitlayout.Options{Quota: gitlayout.Quota{Repository: 1 << 30}})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Create(testID); err != nil {
		t.Fatal(err)
	}
	path, err := l.Open(testID)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string) string {
		t.Helper()
		name = filepath.Join(path, "objects", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	goes := []string{
		write("pack/pack-1.pack"), write("pack/pack-1.idx"), write("pack/pack-1.rev"), write("pack/pack-9.pack"), write("ab/cdef"),
		write("info/commit-graph"), write("pack/multi-pack-index"),
	}
	stays := []string{write("pack/pack-2.pack"), write("pack/pack-2.idx"), write("pack/pack-3.pack"), write("pack/pack-3.keep"), write("pack/tmp_pack_x")}
	there := func(names []string) (n int) {
		for _, name := range names {
			if _, err := os.Lstat(name); err == nil {
				n++
			}
		}
		return n
	}
	old, err := l.Objects(path)
	if err != nil {
		t.Fatal(err)
	}
	leave := l.Read(path)
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if err := l.Discard(stopped, old, "pack-2"); !errors.Is(err, context.Canceled) || there(goes) != len(goes) {
		t.Errorf("while somebody reads: got %v, and %d of %d files", err, there(goes), len(goes))
	}
	leave()
	stays = append(stays, write("pack/pack-4.pack")) // it has come since they were listed
	if err := l.Discard(t.Context(), old, "pack-2"); err != nil || there(goes) > 0 || there(stays) != len(stays) {
		t.Errorf("after that: got %v, %d files of what goes, %d of %d of what stays", err, there(goes), there(stays), len(stays))
	}
	if refused, err := l.Reserve(path, 1<<30-100_000, 1); refused != "" || err != nil {
		t.Errorf("room: got %q, %v", refused, err)
	}
}
