package gitexec_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// Every store copies all that objects reach and nothing else, or nothing, and moves no ref.
func TestCopy(t *testing.T) {
	pack, tips := chain(t, 4)
	tag := gitstore.NewTag("v", tips[2], gitstore.Commit, 1_600_000_000, "version")
	var tagged bytes.Buffer
	if err := gitstore.WritePack(&tagged, []gitstore.Object{tag}); err != nil {
		t.Fatal(err)
	}
	none := repo.OID(strings.Repeat("1", 40))
	sibling := repo.ID{Owner: repo.PubKey(strings.Repeat("2", 64)), Identifier: testID.Identifier}
	for _, backend := range backends {
		t.Run(backend.name, func(t *testing.T) {
			store := backend.open(t, t.TempDir())
			receive := func(id repo.ID, pack []byte, commands ...gitproto.Command) {
				t.Helper()
				report, err := store.Receive(t.Context(), id, gitstore.Push{Commands: commands}, bytes.NewReader(pack))
				if err != nil || !report.Results[0].OK {
					t.Fatalf("push: got %+v, %v", report, err)
				}
			}
			missing := func(oids ...repo.OID) []repo.OID {
				t.Helper()
				missing, err := store.Missing(sibling, oids)
				if err != nil {
					t.Fatal(err)
				}
				return missing
			}
			if err := store.Copy(t.Context(), sibling, testID, tips[:1]); !errors.Is(err, gitstore.ErrNoRepository) {
				t.Errorf("between repositories that are not there: got %v, want ErrNoRepository", err)
			}
			for _, id := range []repo.ID{testID, sibling} {
				if err := store.Create(id); err != nil {
					t.Fatal(err)
				}
			}
			receive(testID, pack, create("refs/heads/main", tips[3]))
			receive(testID, tagged.Bytes(), create("refs/tags/v", tag.OID()))

			if err := store.Copy(t.Context(), sibling, testID, []repo.OID{tips[0], none}); !errors.Is(err, gitstore.ErrIncomplete) {
				t.Errorf("of a missing object: got %v, want ErrIncomplete", err)
			}
			if diff := cmp.Diff([]repo.OID{tips[0]}, missing(tips[0])); diff != "" {
				t.Errorf("after a copy that failed (-want +got):\n%s", diff)
			}

			// First into an empty repository, then on top of a ref of it; the last time nothing is lacking.
			for _, oids := range [][]repo.OID{{tips[1]}, {tag.OID(), tips[2]}, {tips[1]}} {
				if err := store.Copy(t.Context(), sibling, testID, oids); err != nil {
					t.Fatal(err)
				}
				if got := missing(oids...); len(got) > 0 {
					t.Errorf("missing after the copy: %v", got)
				}
				refs, err := store.Refs(sibling)
				if err != nil || len(refs.Refs) > 1 {
					t.Errorf("refs after the copy: got %v, %v, want none but main", refs, err)
				}
				if len(refs.Refs) == 0 {
					if err := store.Update(sibling, []gitproto.Command{create("refs/heads/main", tips[1])}, ""); err != nil {
						t.Fatal(err)
					}
				}
			}
			if diff := cmp.Diff([]repo.OID{tips[3]}, missing(tips[3])); diff != "" {
				t.Errorf("what nobody asked for (-want +got):\n%s", diff)
			}
			// It is complete: a push that builds on it needs no more.
			move := gitproto.Command{Old: tips[1], New: tips[3], Ref: "refs/heads/main"}
			var last bytes.Buffer
			if err := gitstore.WritePack(&last, newest(4)); err != nil {
				t.Fatal(err)
			}
			receive(sibling, last.Bytes(), move)
		})
	}
}
