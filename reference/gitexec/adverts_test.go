package gitexec_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// What is advertised is what git says of the refs that there are, however often and in whatever order it was asked for: a store
// that has said other things before says the same as one that never said a word.
func TestAdvertisementsFollowTheRefs(t *testing.T) {
	dir := t.TempDir()
	e := open(t, dir)
	other := repo.ID{Owner: testID.Owner, Identifier: "other"}
	for _, id := range []repo.ID{testID, other} {
		if err := e.Create(id); err != nil {
			t.Fatal(err)
		}
	}
	say := func(from gitstore.Backend, id repo.ID, version int) string {
		t.Helper()
		var text bytes.Buffer
		if err := from.Advertise(t.Context(), id, gitproto.UploadPackService, version, &text); err != nil {
			t.Fatal(err)
		}
		return text.String()
	}
	compare := func(when string) {
		t.Helper()
		for _, id := range []repo.ID{testID, other} {
			for version := range 3 {
				fresh := open(t, dir)
				want := say(fresh, id, version)
				for i := range 2 {
					if got := say(e, id, version); got != want {
						t.Errorf("%s, %s, version %d, time %d: got %q, want %q", when, id.Identifier, version, i, got, want)
					}
				}
			}
		}
	}
	compare("empty")
	pack, tips := chain(t, 3)
	push := gitstore.Push{Commands: []gitproto.Command{create("refs/heads/main", tips[2])}}
	if report, err := e.Receive(t.Context(), testID, push, bytes.NewReader(pack)); err != nil || !report.Results[0].OK {
		t.Fatalf("push: got %+v, %v", report, err)
	}
	compare("pushed")
	for _, step := range []struct {
		command gitproto.Command
		head    string
	}{
		{gitproto.Command{Old: tips[2], New: tips[0], Ref: "refs/heads/main"}, ""},
		{create("refs/heads/dev", tips[1]), "refs/heads/dev"},
		{gitproto.Command{Old: tips[0], New: tips[2], Ref: "refs/heads/main"}, "refs/heads/main"},
		{gitproto.Command{Old: tips[1], New: repo.ZeroOID, Ref: "refs/heads/dev"}, "refs/heads/dev"},
		{gitproto.Command{Old: tips[2], New: repo.ZeroOID, Ref: "refs/heads/main"}, ""},
	} {
		if err := e.Update(testID, []gitproto.Command{step.command}, step.head); err != nil {
			t.Fatal(err)
		}
		compare(fmt.Sprintf("%v with HEAD %q", step.command, step.head))
	}
	tagged(t, e, tips[1])
	compare("with a tag, which is a commit, and another one, which is a tag object")
	byHand(t, e, dir, compare)
	if err := e.Remove(testID); err != nil {
		t.Fatal(err)
	}
	if err := e.Advertise(t.Context(), testID, gitproto.UploadPackService, 0, new(bytes.Buffer)); err == nil {
		t.Error("a repository that is gone: got an advertisement, want an error")
	}
}

// tagged pushes a branch and two tags of a commit.
func tagged(t *testing.T, e gitstore.Backend, commit repo.OID) {
	t.Helper()
	tag := gitstore.NewTag("v2", commit, gitstore.Commit, 1_600_000_000, "version")
	var pack bytes.Buffer
	if err := gitstore.WritePack(&pack, []gitstore.Object{tag}); err != nil {
		t.Fatal(err)
	}
	push := gitstore.Push{Commands: []gitproto.Command{
		create("refs/heads/main", commit), create("refs/tags/v1", commit), create("refs/tags/v2", tag.OID()),
	}}
	report, err := e.Receive(t.Context(), testID, push, &pack)
	if err != nil || len(report.Results) != 3 || !report.Results[2].OK {
		t.Fatalf("push: got %+v, %v", report, err)
	}
}

// byHand changes how git sees a repository as its operator may do it, and compares each time.
func byHand(t *testing.T, e gitstore.Backend, dir string, compare func(when string)) {
	t.Helper()
	refs, err := e.Refs(testID)
	if err != nil {
		t.Fatal(err)
	}
	move := gitproto.Command{Old: refs.At("refs/tags/v2"), New: repo.ZeroOID, Ref: "refs/tags/v2"}
	if err := e.Update(testID, []gitproto.Command{move}, ""); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, testID.Owner.Npub(), repo.EncodeIdentifier(testID.Identifier)+".git")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(path, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	read, err := os.ReadFile(filepath.Join(path, "config"))
	if err != nil {
		t.Fatal(err)
	}
	write("config", string(read)+"[transfer]\n\thideRefs = refs/tags\n")
	compare("with refs that are hidden")
	write("config", string(read))
	compare("as before")
	write("shallow", string(refs.At("refs/heads/main"))+"\n")
	compare("shallow")
	if err := os.Remove(filepath.Join(path, "shallow")); err != nil {
		t.Fatal(err)
	}
	write("refs/heads/alias", "ref: refs/heads/main\n")
	write("HEAD", "ref: refs/heads/alias\n")
	compare("with a branch that is another one")
	write("HEAD", string(refs.At("refs/heads/main"))+"\n")
	compare("with a HEAD that is a commit")
}

// An empty repository says what it offers, whatever git says of one. All stores say the same.
func TestEmptyRepositoriesOffer(t *testing.T) {
	for version := range 2 {
		var want string
		for _, backend := range backends {
			store := backend.open(t, t.TempDir())
			if err := store.Create(testID); err != nil {
				t.Fatal(err)
			}
			var text bytes.Buffer
			if err := store.Advertise(t.Context(), testID, gitproto.UploadPackService, version, &text); err != nil {
				t.Fatal(err)
			}
			if want == "" {
				want = text.String()
			}
			for _, word := range []string{"capabilities^{}\x00", "allow-tip-sha1-in-want", "allow-reachable-sha1-in-want"} {
				if !bytes.Contains(text.Bytes(), []byte(word)) {
					t.Errorf("%s, version %d: no %q in %q", backend.name, version, word, text.String())
				}
			}
			if got := text.String(); got != want {
				t.Errorf("%s, version %d: got %q, want %q", backend.name, version, got, want)
			}
		}
	}
}
