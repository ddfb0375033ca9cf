package gitdisk_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	"github.com/graspkit/graspkit/reference/gitdisk"
	"github.com/graspkit/graspkit/reference/gitlayout"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

var testID = repo.ID{
	Owner: "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", Identifier: "r \u00e9",
}

func open(tb testing.TB, dir string, options gitdisk.Options) *gitdisk.Disk {
	tb.Helper()
	d, err := gitdisk.New(dir, options)
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

// newStore returns a store with one empty repository, and that repository's folder.
func newStore(tb testing.TB, options gitdisk.Options) (*gitdisk.Disk, string) {
	tb.Helper()
	dir := tb.TempDir()
	d := open(tb, dir, options)
	if err := d.Create(testID); err != nil {
		tb.Fatal(err)
	}
	return d, pathOf(tb, dir, testID)
}

func pathOf(tb testing.TB, dir string, id repo.ID) string {
	tb.Helper()
	layout, err := gitlayout.New(dir, gitlayout.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	path, err := layout.Open(id)
	if err != nil {
		tb.Fatal(err)
	}
	return path
}

// history makes n commits in a row, each with one file.
func history(n int) (all []gitstore.Object, tips []repo.OID) {
	var parents []repo.OID
	for i := range n {
		blob := gitstore.NewBlob(fmt.Appendf(nil, "file %d\n", i))
		tree := gitstore.NewTree(gitstore.Entry{Name: "f", OID: blob.OID()})
		commit := gitstore.NewCommit(tree.OID(), parents, int64(1_600_000_000+i), fmt.Sprint(i))
		parents = []repo.OID{commit.OID()}
		all, tips = append(all, blob, tree, commit), append(tips, commit.OID())
	}
	return all, tips
}

func packOf(tb testing.TB, list ...gitstore.Object) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := gitstore.WritePack(&b, list); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func create(ref string, oid repo.OID) gitproto.Command {
	return gitproto.Command{Old: repo.ZeroOID, New: oid, Ref: ref}
}

// receive pushes and reports whether the push was done.
func receive(tb testing.TB, d *gitdisk.Disk, pack []byte, commands ...gitproto.Command) (gitstore.Report, bool) {
	tb.Helper()
	report, err := d.Receive(tb.Context(), testID, gitstore.Push{Commands: commands}, bytes.NewReader(pack))
	if err != nil {
		tb.Fatal(err)
	}
	return report, !slices.ContainsFunc(report.Results, func(r gitstore.Result) bool { return !r.OK })
}

func wantRefs(t *testing.T, d *gitdisk.Disk, want ...repo.Ref) {
	t.Helper()
	refs, err := d.Refs(testID)
	if err != nil || !slices.Equal(refs.Refs, want) {
		t.Errorf("refs: got %v, %v, want %v", refs.Refs, err, want)
	}
}

// files lists what is in a repository, with sizes.
func files(tb testing.TB, path string) []string {
	tb.Helper()
	var list []string
	err := filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if entry.Type().IsRegular() {
			name += fmt.Sprint(" ", info.Size())
		}
		list = append(list, strings.TrimPrefix(name, path))
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return list
}

func write(tb testing.TB, path, name, content string) {
	tb.Helper()
	name = filepath.Join(path, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		tb.Fatal(err)
	}
}

// fetch serves a clone of one commit into a store in memory, which checks that nothing is missing.
func fetch(tb testing.TB, d *gitdisk.Disk, tip repo.OID) *gitstore.Memory {
	tb.Helper()
	var in, out bytes.Buffer
	lines := gitproto.NewWriter(&in)
	lines.Line("want " + string(tip))
	lines.Flush()
	lines.Line("done")
	if err := d.UploadPack(context.Background(), testID, 0, &in, &out); err != nil {
		tb.Fatal(err)
	}
	pack, ok := bytes.CutPrefix(out.Bytes(), []byte("0008NAK\n"))
	if !ok {
		tb.Fatalf("answer: got %.40q, want NAK and a pack", out.Bytes())
	}
	m := gitstore.NewMemory(gitstore.Limits{})
	if err := m.Create(testID); err != nil {
		tb.Fatal(err)
	}
	push := gitstore.Push{Commands: []gitproto.Command{create("refs/heads/main", tip)}}
	report, err := m.Receive(context.Background(), testID, push, bytes.NewReader(pack))
	if err != nil || !report.Results[0].OK {
		tb.Fatalf("fetched pack: got %+v, %v", report, err)
	}
	return m
}

// A push that is not done leaves no trace in the repository's folder.
func TestRefusedPushLeavesNothing(t *testing.T) {
	all, tips := history(3)
	d, path := newStore(t, gitdisk.Options{Limits: gitstore.Limits{PackMax: 100_000, ObjectMax: 9, InflatedMax: 1_000_000}})
	if report, ok := receive(t, d, packOf(t, all[:3]...), create("refs/heads/main", tips[0])); !ok {
		t.Fatal(report)
	}
	before := files(t, path)
	whole := packOf(t, all...)
	altered := bytes.Clone(whole)
	altered[len(altered)/2] ^= 1
	move := gitproto.Command{Old: tips[0], New: tips[2], Ref: "refs/heads/main"}
	for _, test := range []struct {
		name    string
		pack    []byte
		command gitproto.Command
		want    string
	}{
		{"cut off", whole[:len(whole)-1], move, "the pack is cut off"},
		{"altered", altered, move, "pack"},
		{"no pack", nil, move, "cut off"},
		{"many objects", packOf(t, append(slices.Clone(all), all[0])...), move, "more than 9 objects"},
		{"large", packOf(t, gitstore.NewBlob(noise(200_000))), move, "larger than 100000 bytes"},
		{"inflated", packOf(t, gitstore.NewBlob(make([]byte, 2_000_000))), move, "more than 1000000 bytes"},
		{"missing parent", packOf(t, all[6:]...), move, gitstore.ReasonMissing},
		{"stale", whole, create("refs/heads/main", tips[2]), gitstore.ReasonStale},
		{"collides", whole, create("refs/heads/main/x", tips[2]), gitstore.ReasonCollides},
		{"no commit", whole, create("refs/heads/x", all[3].OID()), gitstore.ReasonBranch},
	} {
		report, ok := receive(t, d, test.pack, test.command, create("refs/tags/v", tips[2]))
		if ok || !strings.Contains(report.Unpack+report.Results[0].Reason, test.want) || report.Results[1].OK {
			t.Errorf("%s: got %+v, want %q", test.name, report, test.want)
		}
		if diff := cmp.Diff(before, files(t, path)); diff != "" {
			t.Errorf("%s: files (-before +after):\n%s", test.name, diff)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	push := gitstore.Push{Commands: []gitproto.Command{move}}
	report, err := d.Receive(ctx, testID, push, io.MultiReader(bytes.NewReader(whole[:60]), hook(cancel), bytes.NewReader(whole[60:])))
	if !errors.Is(err, context.Canceled) || len(report.Results) != 0 {
		t.Errorf("canceled: got %+v, %v", report, err)
	}
	if diff := cmp.Diff(before, files(t, path)); diff != "" {
		t.Errorf("canceled: files (-before +after):\n%s", diff)
	}
	wantRefs(t, d, repo.Ref{Name: "refs/heads/main", OID: tips[0]})
}

// noise is bytes that do not deflate well.
func noise(n int) []byte {
	b, x := make([]byte, n), uint32(1)
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = byte(x >> 24)
	}
	return b
}

// hook is an empty reader that does something when it is its turn.
type hook func()

func (h hook) Read([]byte) (int, error) {
	h()
	return 0, io.EOF
}

// Old values are compared once more when the refs are locked, after the pack was stored.
func TestRefsChangeDuringPush(t *testing.T) {
	all, tips := history(2)
	for _, test := range []struct {
		name, file, content string
		want                []repo.Ref
		fails               bool
	}{
		{"ref", "refs/heads/main", string(tips[0]) + "\n", []repo.Ref{{Name: "refs/heads/main", OID: tips[0]}}, false},
		{"lock", "packed-refs.lock", "", nil, true},
	} {
		d, path := newStore(t, gitdisk.Options{})
		push := gitstore.Push{Commands: []gitproto.Command{create("refs/heads/main", tips[1]), create("refs/tags/v", tips[0])}}
		meanwhile := hook(func() { write(t, path, test.file, test.content) })
		pack := io.MultiReader(bytes.NewReader(packOf(t, all...)[:100]), meanwhile, bytes.NewReader(packOf(t, all...)[100:]))
		report, err := d.Receive(t.Context(), testID, push, pack)
		if (err != nil) != test.fails {
			t.Errorf("%s: got %v", test.name, err)
		}
		if !test.fails && (report.Results[0].Reason != gitstore.ReasonStale || report.Results[1].Reason != gitstore.ReasonAtomic) {
			t.Errorf("%s: got %+v, want it refused as stale", test.name, report)
		}
		wantRefs(t, d, test.want...)
		if left, _ := filepath.Glob(filepath.Join(path, "objects", "pack", "*")); len(left) != 0 {
			t.Errorf("%s: packs: got %v left", test.name, left)
		}
	}
}

// Readers see whole pushes while one is writing: a ref never names what is not there yet.
func TestReadersBesideWriters(t *testing.T) {
	const n = 20
	all, tips := history(n)
	d, _ := newStore(t, gitdisk.Options{})
	if report, ok := receive(t, d, packOf(t, all[:3]...), create("refs/heads/main", tips[0])); !ok {
		t.Fatal(report)
	}
	var g errgroup.Group
	g.Go(func() error {
		for i := 1; i < n; i++ {
			push := gitstore.Push{Commands: []gitproto.Command{{Old: tips[i-1], New: tips[i], Ref: "refs/heads/main"}}}
			report, err := d.Receive(t.Context(), testID, push, bytes.NewReader(packOf(t, all[3*i:3*i+3]...)))
			if err != nil || !report.Results[0].OK {
				return fmt.Errorf("push %d: %+v, %w", i, report, err)
			}
		}
		return nil
	})
	for range 2 {
		g.Go(func() error {
			for {
				refs, err := d.Refs(testID)
				if err != nil {
					return err
				}
				tip := refs.At("refs/heads/main")
				fetch(t, d, tip)
				if tip == tips[n-1] {
					return nil
				}
			}
		})
	}
	if err := g.Wait(); err != nil {
		t.Error(err)
	}
}
