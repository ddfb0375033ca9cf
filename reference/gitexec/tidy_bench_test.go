package gitexec_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// pushesMany is how many commits are cloned. To push to many packs takes long without git.
var pushesMany = map[string]int{"exec": 1_500, "disk": 300}

// project makes commits that each change one of many files, and hands on what each one brings.
func project(commits int, each func(tip repo.OID, brings []gitstore.Object)) {
	const files = 200
	entries := make([]gitstore.Entry, files)
	var parents []repo.OID
	for i := range commits + files {
		text := fmt.Appendf(nil, "file %d of the project\n%s", i%files, bytes.Repeat(fmt.Appendf(nil, "line %d\n", i%files), 100))
		blob := gitstore.NewBlob(fmt.Appendf(text, "version %d\n", i))
		entries[i%files] = gitstore.Entry{Name: fmt.Sprintf("file-%04d.txt", i%files), OID: blob.OID()}
		if i < files {
			each("", []gitstore.Object{blob})
			continue
		}
		tree := gitstore.NewTree(entries...)
		commit := gitstore.NewCommit(tree.OID(), parents, int64(1_600_000_000+i), fmt.Sprint("commit ", i))
		parents = []repo.OID{commit.OID()}
		each(commit.OID(), []gitstore.Object{blob, tree, commit})
	}
}

// pushed is a world whose repository has got the project: in one push, made by git, or in one for each commit.
func pushed(b *testing.B, backend gitstore.Backend, commits int, one bool) *world {
	b.Helper()
	w := newWorld(b, backend, "2", "")
	var all, waiting []gitstore.Object
	last := repo.ZeroOID
	push := func(tip repo.OID, pack []byte) {
		c := gitproto.Command{Old: last, New: tip, Ref: "refs/heads/main"}
		report, err := backend.Receive(b.Context(), w.id, gitstore.Push{Commands: []gitproto.Command{c}}, bytes.NewReader(pack))
		if err != nil || !report.Whole() {
			b.Fatalf("push: %v, %v", report, err)
		}
		last = tip
	}
	packOf := func(list []gitstore.Object) []byte {
		var pack bytes.Buffer
		if err := gitstore.WritePack(&pack, list); err != nil {
			b.Fatal(err)
		}
		return pack.Bytes()
	}
	var head repo.OID
	project(commits, func(tip repo.OID, brings []gitstore.Object) {
		all, waiting = append(all, brings...), append(waiting, brings...)
		if head = tip; tip != "" && !one {
			push(tip, packOf(waiting))
			waiting = nil
		}
	})
	if one {
		w.git("", "init", "-q", "--bare", "all")
		c := gitCommand(b, filepath.Join(w.dir, "all"), "unpack-objects", "-q")
		c.Stdin = bytes.NewReader(packOf(all))
		if out, err := c.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		push(head, w.pack("all", string(head)))
	}
	return w
}

// bytesOf adds up what the files of a folder hold, and counts them.
func bytesOf(tb testing.TB, dir string) (total, files int64) {
	tb.Helper()
	err := filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			var info fs.FileInfo
			if info, err = entry.Info(); err == nil {
				total, files = total+info.Size(), files+1
			}
		}
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return total, files
}

// A repository that has got a history in many pushes is cloned as fast as one that has got it in one, once it is tidied.
func BenchmarkCloneAfterPushes(b *testing.B) {
	for _, store := range []struct {
		name string
		open func(testing.TB, string) gitstore.Backend
	}{
		{"exec", func(tb testing.TB, dir string) gitstore.Backend { return open(tb, dir) }},
		{"disk", func(tb testing.TB, dir string) gitstore.Backend { return openDisk(tb, dir) }},
	} {
		many := pushesMany[store.name]
		if testing.Short() { // to see that it is measured, not what
			many = 20
		}
		dirs := map[bool]string{true: b.TempDir(), false: b.TempDir()}
		worlds := map[bool]*world{}
		for one, dir := range dirs {
			worlds[one] = pushed(b, store.open(b, dir), many, one)
		}
		for _, way := range []string{"one push", "many", "many and tidied"} {
			w, dir := worlds[way == "one push"], dirs[way == "one push"]
			if way == "many and tidied" {
				if err := w.backend.Tidy(b.Context(), w.id, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.Run(store.name+"/"+way, func(b *testing.B) {
				n := 0
				for b.Loop() {
					w.git("", "clone", "-q", "--bare", w.url, fmt.Sprintf("clone-%p-%d", b, n))
					n++
				}
				total, files := bytesOf(b, dir)
				b.ReportMetric(float64(total), "disk-bytes")
				b.ReportMetric(float64(files), "files")
			})
		}
	}
}
