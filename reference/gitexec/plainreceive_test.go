package gitexec_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// A push that is small and plain starts no process, any other one is for git to judge; either way it ends as in the store in
// memory, and git finds the repository whole.
func TestPlainPushesNeedNoProcess(t *testing.T) {
	objects, tips := commits(4)
	blob := gitstore.NewBlob([]byte("new\n"))
	ignored := gitstore.NewTree(gitstore.Entry{Name: ".gitignore", OID: blob.OID()})
	ignoring := gitstore.NewCommit(ignored.OID(), nil, 1_600_000_000, "ignoring")
	tag := gitstore.NewTag("v", tips[0], gitstore.Commit, 1_600_000_000, "v")
	beside := gitstore.NewTree(gitstore.Entry{Name: "f", OID: objects[9].OID()}, gitstore.Entry{Name: "new", OID: blob.OID()})
	keeping := gitstore.NewCommit(beside.OID(), tips[3:], 1_600_000_009, "keeps a file of its parent")
	below := gitstore.NewTree(gitstore.Entry{Name: "d", OID: beside.OID(), Dir: true})
	moving := gitstore.NewCommit(below.OID(), []repo.OID{keeping.OID()}, 1_600_000_010, "moves a folder")
	gap := gitstore.NewCommit(below.OID(), nil, 1_600_000_011, "a tree that is not here")
	late := gitstore.NewCommit(objects[1].OID(), tips[:1], 1_600_000_012, "on what no ref points to")
	main := func(from, to repo.OID) gitproto.Command {
		return gitproto.Command{Old: from, New: to, Ref: "refs/heads/main"}
	}
	tests := []struct {
		name     string
		objects  []gitstore.Object
		commands []gitproto.Command
		plain    bool
		refused  bool
	}{
		{"incomplete", objects[3:6], []gitproto.Command{create("refs/heads/main", tips[1])}, false, true},
		{"the first", objects[:6], []gitproto.Command{create("refs/heads/main", tips[1])}, true, false},
		{"some more", objects[6:], []gitproto.Command{main(tips[1], tips[3]), create("refs/tags/two", tips[2])}, true, false},
		{"nothing new", nil, []gitproto.Command{create("refs/heads/same", tips[3])}, true, false},
		{"what is here again", objects[9:], []gitproto.Command{create("refs/heads/again", tips[3])}, true, false},
		{"keeps a file", []gitstore.Object{blob, beside, keeping}, []gitproto.Command{main(tips[3], keeping.OID())}, true, false},
		{"a gap", []gitstore.Object{gap}, []gitproto.Command{create("refs/heads/gap", gap.OID())}, false, true},
		{"moves a folder", []gitstore.Object{below, moving}, []gitproto.Command{main(keeping.OID(), moving.OID())}, false, false},
		{"on what no ref points to", []gitstore.Object{late}, []gitproto.Command{create("refs/heads/late", late.OID())}, false, false},
		{"a .gitignore", []gitstore.Object{blob, ignored, ignoring}, []gitproto.Command{create("refs/heads/ignoring", ignoring.OID())}, false, false},
		{"a tag", []gitstore.Object{tag}, []gitproto.Command{create("refs/tags/v", tag.OID())}, false, false},
		{"more than is reached", []gitstore.Object{gitstore.NewBlob([]byte("x"))}, []gitproto.Command{create("refs/heads/x", tips[3])}, false, false},
		{"stale", objects[:3], []gitproto.Command{main(tips[0], tips[3])}, true, true},
		{"in a ref", objects[:3], []gitproto.Command{create("refs/heads/main/x", tips[3])}, false, true},
		{"deleted beside", objects[:3], []gitproto.Command{{Old: tips[3], New: repo.ZeroOID, Ref: "refs/heads/x"}, create("refs/heads/y", tips[0])}, false, false},
		{"on what is packed", objects[9:], []gitproto.Command{create("refs/heads/packed", tips[3])}, true, false},
	}
	dir := t.TempDir()
	e, started := counted(t, dir)
	stores := []gitstore.Backend{gitstore.NewMemory(gitstore.Limits{}), e}
	for _, store := range stores {
		if err := store.Create(testID); err != nil {
			t.Fatal(err)
		}
	}
	path := repositoryIn(t, dir)
	started()
	for _, test := range tests {
		if test.name == "on what is packed" {
			if _, stderr, err := runGit(t, path, "repack", "-a", "-d", "-q"); err != nil {
				t.Fatalf("git repack: %v\n%s", err, stderr)
			}
		}
		var refs []gitstore.Refs
		for _, store := range stores {
			report, err := store.Receive(t.Context(), testID, gitstore.Push{Commands: test.commands}, bytes.NewReader(packOf(t, test.objects...)))
			if err != nil || report.Whole() == test.refused {
				t.Errorf("%s: %T: got %+v, %v, want it refused: %v", test.name, store, report, err, test.refused)
			}
			now, err := store.Refs(testID)
			if err != nil {
				t.Fatal(err)
			}
			refs = append(refs, now)
		}
		if diff := cmp.Diff(refs[0], refs[1]); diff != "" {
			t.Errorf("%s (-memory +exec):\n%s", test.name, diff)
		}
		if got := started(); got == 0 != test.plain {
			t.Errorf("%s: got %d processes, want none: %v", test.name, got, test.plain)
		}
		if _, stderr, err := runGit(t, path, "fsck", "--strict"); err != nil {
			t.Errorf("%s: git fsck: %v\n%s", test.name, err, stderr)
		}
	}
}

// Whatever passes for plain, git finds nothing in it: every commit and tree that differs from a good one in one byte is judged.
func TestGitTakesWhatIsPlain(t *testing.T) {
	if testing.Short() {
		t.Skip("tens of thousands of packs, one after the other on one thread: -short leaves them to the run without the race detector")
	}
	blob := gitstore.NewBlob([]byte("file\n"))
	inner := gitstore.NewTree(gitstore.Entry{Name: "a.b", OID: blob.OID()}, gitstore.Entry{Name: "g~1", OID: blob.OID()})
	tree := gitstore.NewTree(gitstore.Entry{Name: "Git", OID: blob.OID()}, gitstore.Entry{Name: "a", OID: inner.OID(), Dir: true}, gitstore.Entry{Name: "a-b", OID: blob.OID()})
	first := gitstore.NewCommit(tree.OID(), nil, 1_600_000_000, "first")
	second := gitstore.NewCommit(tree.OID(), []repo.OID{first.OID()}, 1_600_000_001, "second")
	good := gitstore.NewTree(gitstore.Entry{Name: "a.b", OID: blob.OID()}, gitstore.Entry{Name: "g", OID: blob.OID()})
	accepted := map[repo.OID]gitstore.Object{}
	judged := 0
	judge := func(rest []gitstore.Object, tip gitstore.Object) {
		judged++
		pack := packOf(t, append(rest, tip)...)
		command := create("refs/heads/main", tip.OID())
		objects, plain := gitstore.Plain(t.Context(), []gitproto.Command{command}, gitstore.Refs{}, bytes.NewReader(pack),
			gitstore.Limits{}.WithDefaults(), objectless{})
		for _, x := range objects {
			if plain {
				accepted[x.ID] = x.Object
			}
		}
	}
	commitOf := func(tree gitstore.Object) gitstore.Object {
		return gitstore.NewCommit(tree.OID(), nil, 1_600_000_000, "x")
	}
	for _, data := range mutants([]byte(strings.ReplaceAll(string(second.Data), string(tree.OID()), string(good.OID())))) {
		base := commitOf(good)
		data = []byte(strings.ReplaceAll(string(data), string(first.OID()), string(base.OID())))
		judge([]gitstore.Object{blob, good, base}, gitstore.Object{Type: gitstore.Commit, Data: data})
	}
	for _, data := range append(mutants(good.Data), mutants(inner.Data)...) {
		bad := gitstore.Object{Type: gitstore.Tree, Data: data}
		judge([]gitstore.Object{blob, bad}, commitOf(bad))
	}
	for _, name := range []string{".git", ".GIT", "git~1", ".gitmodules", ".gitattributes", "GI7EBA~1", ".git ", ".mailmap", "a\\b", "a/b", ".", "..", "\u200c.git"} {
		odd := gitstore.NewTree(gitstore.Entry{Name: name, OID: blob.OID()})
		judge([]gitstore.Object{blob, odd}, commitOf(odd))
		if _, is := accepted[odd.OID()]; is {
			t.Errorf("a tree with %q is plain", name)
		}
	}
	twice := gitstore.Object{Type: gitstore.Tree}
	for _, name := range []string{"100644 a", "100644 a-b", "40000 a"} {
		id := plumbing.NewHash(string(blob.OID()))
		if strings.HasPrefix(name, "40000") {
			id = plumbing.NewHash(string(good.OID()))
		}
		twice.Data = append(append(twice.Data, name+"\x00"...), id[:]...)
	}
	judge([]gitstore.Object{blob, good, twice}, commitOf(twice))
	var all []gitstore.Object
	for _, x := range accepted {
		all = append(all, x)
	}
	if len(all) < 50 || judged < 10*len(all)/9 {
		t.Fatalf("%d of %d are plain, which shows nothing", len(all), judged)
	}
	dir := t.TempDir()
	if err := open(t, dir).Create(testID); err != nil {
		t.Fatal(err)
	}
	check := gitCommand(t, repositoryIn(t, dir), "index-pack", "--strict", "--stdin")
	check.Stdin = bytes.NewReader(packOf(t, all...))
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("git index-pack: %v\n%s", err, out)
	}
}

// mutants returns data, and data with one byte gone, doubled or another one.
func mutants(data []byte) (all [][]byte) {
	all = append(all, data)
	for i := range data {
		all = append(all, append(bytes.Clone(data[:i]), data[i+1:]...))
		for _, b := range []byte{0, ' ', '\n', '<', '>', '0', '9', 'a', '-', '~', '/', 0xc3} {
			other := bytes.Clone(data)
			other[i] = b
			all = append(all, other, append(append(bytes.Clone(data[:i]), b), data[i:]...))
		}
	}
	return all
}

// objectless is a source without objects.
type objectless struct{}

func (objectless) EncodedObject(plumbing.ObjectType, plumbing.Hash) (plumbing.EncodedObject, error) {
	return nil, plumbing.ErrObjectNotFound
}

func (objectless) HasEncodedObject(plumbing.Hash) error { return plumbing.ErrObjectNotFound }

// BenchmarkReceiveOneCommit is a push of one commit into a repository that has ten.
func BenchmarkReceiveOneCommit(b *testing.B) {
	pack, tips := chain(b, 10)
	onDisk(b, func(b *testing.B, store gitstore.Backend) {
		b.Helper()
		pushChain(b, store, testID, pack, tips[9])
		tip, n := tips[9], 0
		for b.Loop() {
			n++
			blob := gitstore.NewBlob(fmt.Appendf(nil, "%d\n", n))
			tree := gitstore.NewTree(gitstore.Entry{Name: "f", OID: blob.OID()})
			commit := gitstore.NewCommit(tree.OID(), []repo.OID{tip}, 1_600_000_000, fmt.Sprint(n))
			push := gitstore.Push{Commands: []gitproto.Command{{Old: tip, New: commit.OID(), Ref: "refs/heads/main"}}}
			report, err := store.Receive(b.Context(), testID, push, bytes.NewReader(packOf(b, blob, tree, commit)))
			if err != nil || !report.Whole() {
				b.Fatal(report, err)
			}
			tip = commit.OID()
		}
	})
}

var _ gitstore.Source = objectless{}
