package gitexec_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/gitdisk"
	"github.com/graspkit/graspkit/reference/gitexec"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitspool"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// crowd is a commit of so many parents that nobody has, whose ids git's tables cannot tell apart by their beginning: what it
// takes to read it grows with the square of their number. The pack of 40,000 has 110 kB and took 2 s, of 170,000 46 s.
func crowd(tree repo.OID, parents int) gitstore.Object {
	list := make([]repo.OID, parents)
	for i := range list {
		list[i] = repo.OID(fmt.Sprintf("%040x", i+1))
	}
	return gitstore.NewCommit(tree, list, 1_600_000_000, "crowd")
}

// Both stores on disk refuse an object that is too large for what it is, from a pusher and from a host, before anything is
// made of it, and say so.
func TestLargeObjectsAreRefused(t *testing.T) {
	blob := gitstore.NewBlob([]byte("x\n"))
	tree := gitstore.NewTree(gitstore.Entry{Name: "f", OID: blob.OID()})
	large := gitstore.NewBlob(bytes.Repeat([]byte("y"), 17<<20))
	withLarge := gitstore.NewTree(gitstore.Entry{Name: "f", OID: large.OID()})
	limits := gitstore.Limits{OneMax: 16 << 20}
	for _, store := range []struct {
		name string
		open func() (gitstore.Backend, error)
	}{
		{"exec", func() (gitstore.Backend, error) { return gitexec.New(t.TempDir(), gitexec.Options{Limits: limits}) }},
		{"disk", func() (gitstore.Backend, error) { return gitdisk.New(t.TempDir(), gitdisk.Options{Limits: limits}) }},
	} {
		backend, err := store.open()
		if err != nil {
			t.Fatal(err)
		}
		if err := backend.Create(testID); err != nil {
			t.Fatal(err)
		}
		for _, test := range []struct {
			name, want string
			pack       []gitstore.Object
		}{
			{"commit", "a commit or tag in the pack is larger than 1048576 bytes", []gitstore.Object{blob, tree, crowd(tree.OID(), 40_000)}},
			{"file", "an object in the pack is larger than 16777216 bytes", []gitstore.Object{large, withLarge, gitstore.NewCommit(withLarge.OID(), nil, 1, "large")}},
		} {
			tip := test.pack[len(test.pack)-1].OID()
			var pack bytes.Buffer
			if err := gitstore.WritePack(&pack, test.pack); err != nil {
				t.Fatal(err)
			}
			taking, err := backend.Take(t.Context(), testID, []repo.OID{tip}, bytes.NewReader(pack.Bytes()))
			if err != nil || taking.Refused != test.want || len(taking.Missing) != 1 {
				t.Errorf("%s, fetch of a %s: got %+v, %v, want %q", store.name, test.name, taking, err, test.want)
			}
			push := gitstore.Push{Commands: []gitproto.Command{create("refs/heads/main", tip)}}
			report, err := backend.Receive(t.Context(), testID, push, &pack)
			if err != nil || report.Unpack != test.want || report.Results[0].OK {
				t.Errorf("%s, push of a %s: got %+v, %v, want %q", store.name, test.name, report, err, test.want)
			}
		}
	}
}

// A pack within the limits of each object may still take more than it is worth: git is ended, and the pusher is told why.
func TestGitIsBounded(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("limits of another process are set on Linux only")
	}
	blob := gitstore.NewBlob([]byte("x\n"))
	tree := gitstore.NewTree(gitstore.Entry{Name: "f", OID: blob.OID()})
	large := gitstore.NewCommit(tree.OID(), nil, 1_600_000_000, strings.Repeat("m", 200<<20))
	for _, test := range []struct {
		name    string
		options gitexec.Options
		tip     gitstore.Object
		want    string
	}{
		{
			"processor",
			gitexec.Options{Processor: time.Second, Limits: gitstore.Limits{CommitMax: 16 << 20}},
			crowd(tree.OID(), 170_000), "the pack takes more processor time than the server gives to one of its size",
		},
		{
			"memory",
			gitexec.Options{Memory: 64 << 20, Limits: gitstore.Limits{CommitMax: 1 << 30, OneMax: 1 << 30}},
			large, "the pack takes more memory than the server gives to one push",
		},
	} {
		dir := t.TempDir()
		e, err := gitexec.New(dir, test.options)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Create(testID); err != nil {
			t.Fatal(err)
		}
		var pack bytes.Buffer
		if err := gitstore.WritePack(&pack, []gitstore.Object{blob, tree, test.tip}); err != nil {
			t.Fatal(err)
		}
		push := gitstore.Push{Commands: []gitproto.Command{create("refs/heads/main", test.tip.OID())}}
		report, err := e.Receive(t.Context(), testID, push, &pack)
		if err != nil || report.Unpack != test.want || report.Results[0].OK {
			t.Errorf("%s: got %+v, %v, want %q", test.name, report, err, test.want)
		}
		if left, err := os.ReadDir(filepath.Join(dir, ".spool", "packs")); err != nil || len(left) > 0 {
			t.Errorf("%s: got %v (%v) left in the spool", test.name, left, err)
		}
		small, tips := chain(t, 1)
		pushChain(t, e, testID, small, tips[0])
	}
}

// Where as many packs are held as may be, the next one is refused with a reason that says that it may come again.
func TestNoRoomForPacks(t *testing.T) {
	full := gitspool.Limits{Memory: 1, Files: 1}
	exec, err := gitexec.New(t.TempDir(), gitexec.Options{Packs: full})
	if err != nil {
		t.Fatal(err)
	}
	disk, err := gitdisk.New(t.TempDir(), gitdisk.Options{Packs: full})
	if err != nil {
		t.Fatal(err)
	}
	for _, store := range []gitstore.Backend{exec, disk} {
		if err := store.Create(testID); err != nil {
			t.Fatal(err)
		}
		pack, tips := chain(t, 1)
		push := gitstore.Push{Commands: []gitproto.Command{create("refs/heads/main", tips[0])}}
		report, err := store.Receive(t.Context(), testID, push, bytes.NewReader(pack))
		if err != nil || report.Unpack != gitspool.Busy {
			t.Errorf("%T: got %+v, %v, want %q", store, report, err, gitspool.Busy)
		}
	}
}
