package sim_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim"
)

func oid(digit string) repo.OID { return repo.OID(strings.Repeat(digit, 40)) }

// The same calls on the model and on the memory backend must have the same outcome, as far as both go.
func TestModelIsLikeTheBackend(t *testing.T) {
	id := repo.ID{Owner: repo.PubKey(strings.Repeat("a", 64)), Identifier: "demo"}
	blob := gitstore.NewBlob([]byte("x"))
	commit := gitstore.NewCommit(gitstore.NewTree().OID(), nil, 1, "c")
	memory := gitstore.NewMemory(gitstore.Limits{})
	model := sim.NewModel()
	both := map[string]sim.Git{"model": model, "memory": memory}
	for name, git := range both {
		if _, err := git.Refs(id); !errors.Is(err, gitstore.ErrNoRepository) {
			t.Errorf("%s: refs of nothing: got %v, want ErrNoRepository", name, err)
		}
		if err := errors.Join(git.Remove(id), git.Create(id), git.Create(id)); err != nil {
			t.Errorf("%s: remove and create twice: %v", name, err)
		}
	}
	if err := memory.Put(id, gitstore.NewTree(), commit, blob); err != nil {
		t.Fatal(err)
	}
	if r := model.Receive(id, []gitproto.Command{{Old: repo.ZeroOID, New: commit.OID(), Ref: "refs/heads/x"}}, false); !r.Results[0].OK {
		t.Fatalf("push to the model: got %+v, want ok", r)
	}
	if err := memory.Update(id, []gitproto.Command{{Old: repo.ZeroOID, New: commit.OID(), Ref: "refs/heads/x"}}, ""); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		command gitproto.Command
		want    bool
	}{
		{"creation", gitproto.Command{Old: repo.ZeroOID, New: commit.OID(), Ref: "refs/heads/main"}, true},
		{"creation of what is there", gitproto.Command{Old: repo.ZeroOID, New: commit.OID(), Ref: "refs/heads/main"}, false},
		{"wrong old value", gitproto.Command{Old: oid("2"), New: repo.ZeroOID, Ref: "refs/heads/main"}, false},
		{"object that is not there", gitproto.Command{Old: repo.ZeroOID, New: oid("3"), Ref: "refs/heads/no"}, false},
		{"deletion", gitproto.Command{Old: commit.OID(), New: repo.ZeroOID, Ref: "refs/heads/x"}, true},
	} {
		for name, git := range both {
			if err := git.Update(id, []gitproto.Command{c.command}, "refs/heads/main"); (err == nil) != c.want {
				t.Errorf("%s: %s: got error %v, want success %v", name, c.name, err, c.want)
			}
		}
	}
	for name, git := range both {
		refs, err := git.Refs(id)
		want := gitstore.Refs{Head: "refs/heads/main", Refs: []repo.Ref{{Name: "refs/heads/main", OID: commit.OID()}}}
		if diff := cmp.Diff(want, refs); diff != "" || err != nil {
			t.Errorf("%s: refs (-want +got), error %v:\n%s", name, err, diff)
		}
		missing, err := git.Missing(id, []repo.OID{oid("4"), commit.OID(), oid("5")})
		if diff := cmp.Diff([]repo.OID{oid("4"), oid("5")}, missing); diff != "" || err != nil {
			t.Errorf("%s: missing (-want +got), error %v:\n%s", name, err, diff)
		}
	}
}

func TestModelRefusesPushesAsAWhole(t *testing.T) {
	id := repo.ID{Owner: "o", Identifier: "i"}
	m := sim.NewModel()
	good := gitproto.Command{Old: repo.ZeroOID, New: oid("1"), Ref: "refs/heads/a"}
	stale := gitproto.Command{Old: oid("9"), New: oid("1"), Ref: "refs/heads/b"}
	if r := m.Receive(id, []gitproto.Command{good}, false); r.Results[0].OK {
		t.Error("push to nothing: got ok, want a refusal")
	}
	if err := m.Create(id); err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]gitstore.Report{
		"stale":  m.Receive(id, []gitproto.Command{good, stale}, false),
		"broken": m.Receive(id, []gitproto.Command{good}, true),
	} {
		for _, result := range r.Results {
			if result.OK {
				t.Errorf("%s push: got %s moved, want nothing moved", name, result.Ref)
			}
		}
	}
	if refs, err := m.Refs(id); err != nil || len(refs.Refs) != 0 {
		t.Errorf("got refs %v and error %v, want none", refs, err)
	}
	if missing, err := m.Missing(id, []repo.OID{oid("1")}); err != nil || len(missing) != 1 {
		t.Errorf("got %v missing and error %v, want the object of the refused push", missing, err)
	}
}
