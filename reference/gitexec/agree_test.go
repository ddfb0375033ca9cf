package gitexec_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// chain makes n commits, each with one file, and a pack of them.
func chain(tb testing.TB, n int) (pack []byte, tips []repo.OID) {
	tb.Helper()
	objects, tips := commits(n)
	var b bytes.Buffer
	if err := gitstore.WritePack(&b, objects); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes(), tips
}

func commits(n int) (objects []gitstore.Object, tips []repo.OID) {
	var parents []repo.OID
	for i := range n {
		blob := gitstore.NewBlob(fmt.Appendf(nil, "file %d\n", i))
		tree := gitstore.NewTree(gitstore.Entry{Name: "f", OID: blob.OID()})
		commit := gitstore.NewCommit(tree.OID(), parents, int64(1_600_000_000+i), fmt.Sprint(i))
		parents = []repo.OID{commit.OID()}
		objects = append(objects, blob, tree, commit)
		tips = append(tips, commit.OID())
	}
	return objects, tips
}

// newest is what only the last of n commits has.
func newest(n int) []gitstore.Object {
	objects, _ := commits(n)
	return objects[len(objects)-3:]
}

func create(ref string, oid repo.OID) gitproto.Command {
	return gitproto.Command{Old: repo.ZeroOID, New: oid, Ref: ref}
}

// All stores give the same reports and end with the same refs.
func TestStoresAgree(t *testing.T) {
	pack, tips := chain(t, 3)
	blob := gitstore.NewBlob([]byte("file 0\n")).OID()
	none := repo.OID(strings.Repeat("1", 40))
	move := func(from, to repo.OID) gitproto.Command {
		return gitproto.Command{Old: from, New: to, Ref: "refs/heads/main"}
	}
	pushes := [][]gitproto.Command{
		{create("refs/heads/main", tips[1]), create("refs/tags/v", tips[0])},
		{create("refs/heads/main", tips[2])},
		{move(tips[0], tips[2]), create("refs/heads/b", tips[2])},
		{move(tips[1], none)},
		{create("refs/heads/main/x", tips[0])},
		{create("refs/heads/blob", blob)},
		{create("refs/tags/blob", blob)},
		{create("HEAD", tips[0])},
		{create("refs/heads/a..b", tips[0])},
		{move(tips[1], tips[0]), create("refs/heads/b", tips[2])},
		{move(tips[0], tips[0])},
		{{Old: tips[2], New: repo.ZeroOID, Ref: "refs/heads/b"}, create("refs/heads/b/c", tips[2])},
		{{Old: tips[2], New: repo.ZeroOID, Ref: "refs/heads/b/c"}, create("refs/heads/b", none)},
		{{Old: tips[1], New: repo.ZeroOID, Ref: "refs/heads/main"}},
		{{Old: tips[0], New: repo.ZeroOID, Ref: "refs/heads/main"}},
		{create("refs/nostr/"+strings.Repeat("ab", 32), tips[1]), create("refs/notes/x", tips[1])},
	}
	var stores []gitstore.Backend
	for _, backend := range backends {
		store := backend.open(t, t.TempDir())
		if err := store.Create(testID); err != nil {
			t.Fatal(err)
		}
		stores = append(stores, store)
	}
	for _, commands := range pushes {
		var outcomes []string
		for _, store := range stores {
			report, err := store.Receive(t.Context(), testID, gitstore.Push{Commands: commands}, bytes.NewReader(pack))
			if err != nil {
				t.Fatal(err)
			}
			refs, err := store.Refs(testID)
			if err != nil {
				t.Fatal(err)
			}
			outcome := fmt.Sprintln(report.Unpack, refs)
			for i, result := range report.Results {
				if result.Ref != commands[i].Ref {
					t.Errorf("%v: result %d is of %s", commands, i, result.Ref)
				}
				outcome += fmt.Sprintln(result.Ref, result.OK, result.OK == (result.Reason == ""))
			}
			outcomes = append(outcomes, outcome)
		}
		for i, outcome := range outcomes[1:] {
			if diff := cmp.Diff(outcomes[0], outcome); diff != "" {
				t.Errorf("push %v (-memory +%s):\n%s", commands, backends[i+1].name, diff)
			}
		}
	}
}

// HEAD of a new repository is where git init puts it, in every store, and making it once more leaves HEAD where it went.
func TestStoresBeginAtMaster(t *testing.T) {
	for _, backend := range backends {
		store := backend.open(t, t.TempDir())
		for _, want := range []string{"refs/heads/master", "refs/heads/trunk"} {
			if err := store.Create(testID); err != nil {
				t.Fatal(err)
			}
			if refs, err := store.Refs(testID); err != nil || refs.Head != want {
				t.Errorf("%s: HEAD: got %q, %v, want %q", backend.name, refs.Head, err, want)
			}
			if err := store.Update(testID, nil, "refs/heads/trunk"); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// What is done already needs no old value, and a deletion may go without one. Any other command is compared.
func TestStoresTakeWhatIsDone(t *testing.T) {
	pack, tips := chain(t, 2)
	remove := func(old repo.OID, ref string) gitproto.Command {
		return gitproto.Command{Old: old, New: repo.ZeroOID, Ref: ref}
	}
	for _, backend := range backends {
		store := backend.open(t, t.TempDir())
		if err := store.Create(testID); err != nil {
			t.Fatal(err)
		}
		for _, push := range []struct {
			commands []gitproto.Command
			ok       bool
		}{
			{[]gitproto.Command{create("refs/heads/main", tips[1]), create("refs/heads/dev", tips[0])}, true},
			{[]gitproto.Command{remove(repo.ZeroOID, "refs/heads/no")}, true},
			{[]gitproto.Command{remove(tips[0], "refs/heads/no"), create("refs/heads/main", tips[1])}, true},
			{[]gitproto.Command{remove(repo.ZeroOID, "refs/heads/no"), create("refs/heads/main", tips[0])}, false},
			{[]gitproto.Command{remove(repo.ZeroOID, "refs/heads/no"), create("refs/heads/a", tips[0])}, true},
			{[]gitproto.Command{remove(tips[0], "refs/heads/main")}, false},
			{[]gitproto.Command{remove(repo.ZeroOID, "refs/heads/dev")}, true},
		} {
			report, err := store.Receive(t.Context(), testID, gitstore.Push{Commands: push.commands}, bytes.NewReader(pack))
			if err != nil {
				t.Fatal(err)
			}
			for _, result := range report.Results {
				if result.OK != push.ok {
					t.Errorf("%s: %v: got %+v, want it done: %v", backend.name, push.commands, result, push.ok)
				}
			}
		}
		refs, err := store.Refs(testID)
		if err != nil {
			t.Fatal(err)
		}
		want := []repo.Ref{{Name: "refs/heads/a", OID: tips[0]}, {Name: "refs/heads/main", OID: tips[1]}}
		if diff := cmp.Diff(want, refs.Refs); diff != "" {
			t.Errorf("%s: refs (-want +got):\n%s", backend.name, diff)
		}
	}
}

func TestUpdate(t *testing.T) {
	pack, tips := chain(t, 2)
	for _, backend := range backends {
		store := backend.open(t, t.TempDir())
		if err := store.Create(testID); err != nil {
			t.Fatal(err)
		}
		push := gitstore.Push{Commands: []gitproto.Command{create("refs/heads/main", tips[1])}}
		if _, err := store.Receive(t.Context(), testID, push, bytes.NewReader(pack)); err != nil {
			t.Fatal(err)
		}
		commands := []gitproto.Command{
			{Old: tips[1], New: tips[0], Ref: "refs/heads/main"}, create("refs/heads/dev", tips[1]),
		}
		if err := store.Update(testID, commands, "refs/heads/dev"); err != nil {
			t.Fatal(err)
		}
		if err := store.Update(testID, commands, "refs/heads/main"); !errors.Is(err, gitstore.ErrConflict) {
			t.Errorf("%T: stale update: got %v, want ErrConflict", store, err)
		}
		for _, bad := range []string{"refs/tags/v", "refs/heads/a..b", "main"} {
			if err := store.Update(testID, nil, bad); err == nil {
				t.Errorf("%T: HEAD to %s: got no error", store, bad)
			}
		}
		missing := []gitproto.Command{create("refs/heads/none", repo.OID(strings.Repeat("1", 40)))}
		if err := store.Update(testID, missing, ""); err == nil {
			t.Errorf("%T: update to a missing object: got no error", store)
		}
		got, err := store.Refs(testID)
		want := gitstore.Refs{Head: "refs/heads/dev", Refs: []repo.Ref{{Name: "refs/heads/dev", OID: tips[1]}, {Name: "refs/heads/main", OID: tips[0]}}}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%T: refs (-want +got): %v\n%s", store, err, diff)
		}
	}
}

// A ref may go whose name another one makes a folder of, and the other way round (G01-PURG-09).
func TestUpdateReplacesFolders(t *testing.T) {
	pack, tips := chain(t, 2)
	for _, backend := range backends {
		store := backend.open(t, t.TempDir())
		pushChain(t, store, testID, pack, tips[1])
		name := "refs/heads/topic"
		if err := store.Update(testID, []gitproto.Command{create(name, tips[0])}, ""); err != nil {
			t.Fatal(err)
		}
		for _, next := range []string{"refs/heads/topic/one", "refs/heads/topic"} {
			commands := []gitproto.Command{{Old: tips[0], New: repo.ZeroOID, Ref: name}, create(next, tips[0])}
			if err := store.Update(testID, commands, ""); err != nil {
				t.Fatalf("%s: %s in the place of %s: %v", backend.name, next, name, err)
			}
			if refs, err := store.Refs(testID); err != nil || refs.At(next) != tips[0] || !refs.At(name).IsZero() {
				t.Errorf("%s: got %v %v, want %s alone", backend.name, refs, err, next)
			}
			name = next
		}
	}
}

// pushChain makes a repository of n commits on main and returns their ids.
func pushChain(tb testing.TB, store gitstore.Backend, id repo.ID, pack []byte, tip repo.OID) {
	tb.Helper()
	if err := store.Create(id); err != nil {
		tb.Fatal(err)
	}
	push := gitstore.Push{Commands: []gitproto.Command{create("refs/heads/main", tip)}}
	report, err := store.Receive(tb.Context(), id, push, bytes.NewReader(pack))
	if err != nil || !report.Results[0].OK {
		tb.Fatal(report, err)
	}
}

// onDisk runs a benchmark over the stores that keep repositories on disk.
func onDisk(b *testing.B, run func(b *testing.B, store gitstore.Backend)) {
	b.Helper()
	for _, backend := range backends[1:] {
		b.Run(backend.name, func(b *testing.B) { run(b, backend.open(b, b.TempDir())) })
	}
}

func BenchmarkReceive10Commits(b *testing.B) {
	pack, tips := chain(b, 10)
	onDisk(b, func(b *testing.B, store gitstore.Backend) {
		b.Helper()
		n := 0
		for b.Loop() {
			pushChain(b, store, repo.ID{Owner: testID.Owner, Identifier: fmt.Sprint(n)}, pack, tips[9])
			n++
		}
	})
}

func BenchmarkAdvertise1000Refs(b *testing.B) {
	pack, tips := chain(b, 1)
	onDisk(b, func(b *testing.B, store gitstore.Backend) {
		b.Helper()
		pushChain(b, store, testID, pack, tips[0])
		var commands []gitproto.Command
		for i := range 999 {
			commands = append(commands, create(fmt.Sprintf("refs/heads/b%d", i), tips[0]))
		}
		if err := store.Update(testID, commands, ""); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if err := store.Advertise(b.Context(), testID, gitproto.UploadPackService, 0, io.Discard); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkClone100Commits(b *testing.B) {
	pack, tips := chain(b, 100)
	onDisk(b, func(b *testing.B, store gitstore.Backend) {
		b.Helper()
		pushChain(b, store, testID, pack, tips[99])
		var request bytes.Buffer
		lines := gitproto.NewWriter(&request)
		lines.Line("command=fetch")
		lines.Delim()
		lines.Line("want " + string(tips[99]))
		lines.Line("done")
		lines.Flush()
		for b.Loop() {
			if err := store.UploadPack(b.Context(), testID, 2, bytes.NewReader(request.Bytes()), io.Discard); err != nil {
				b.Fatal(err)
			}
		}
	})
}
