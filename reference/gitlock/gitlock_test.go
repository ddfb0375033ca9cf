package gitlock_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"

	"github.com/graspkit/graspkit/reference/gitlock"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

var testID = repo.ID{
	Owner: "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", Identifier: "r",
}

// The race detector is the judge here; the refs at the end are the proof that every push counted.
func TestCallsMayOverlap(t *testing.T) {
	b := gitlock.New(gitstore.NewMemory(gitstore.Limits{}), 0)
	if err := b.Create(testID); err != nil {
		t.Fatal(err)
	}
	const clients = 8
	var wait sync.WaitGroup
	for i := range clients {
		wait.Go(func() {
			tree := gitstore.NewTree()
			commit := gitstore.NewCommit(tree.OID(), nil, int64(i), "commit")
			var pack, out bytes.Buffer
			if err := gitstore.WritePack(&pack, []gitstore.Object{tree, commit}); err != nil {
				t.Error(err)
			}
			push := gitstore.Push{Commands: []gitproto.Command{
				{Old: repo.ZeroOID, New: commit.OID(), Ref: fmt.Sprint("refs/heads/", i)},
			}}
			if report, err := b.Receive(t.Context(), testID, push, &pack); err != nil || !report.Results[0].OK {
				t.Errorf("push: got %+v, %v", report, err)
			}
			if err := b.Advertise(t.Context(), testID, gitproto.UploadPackService, 0, &out); err != nil {
				t.Error(err)
			}
			var request bytes.Buffer
			w := gitproto.NewWriter(&request)
			w.Line("want " + string(commit.OID()))
			w.Flush()
			w.Line("done")
			if err := b.UploadPack(t.Context(), testID, 0, &request, &out); err != nil {
				t.Error(err)
			}
			if missing, err := b.Missing(testID, []repo.OID{commit.OID()}); err != nil || len(missing) != 0 {
				t.Errorf("missing: got %v, %v", missing, err)
			}
		})
	}
	wait.Wait()
	if refs, err := b.Refs(testID); err != nil || len(refs.Refs) != clients {
		t.Errorf("refs: got %d, %v, want %d", len(refs.Refs), err, clients)
	}
}

func TestReceiveOfABrokenBody(t *testing.T) {
	b := gitlock.New(gitstore.NewMemory(gitstore.Limits{}), 0)
	if err := b.Create(testID); err != nil {
		t.Fatal(err)
	}
	r, w := io.Pipe()
	w.CloseWithError(errors.New("gone"))
	push := gitstore.Push{Commands: []gitproto.Command{
		{Old: repo.ZeroOID, New: gitstore.NewBlob(nil).OID(), Ref: "refs/tags/a"},
	}}
	report, err := b.Receive(t.Context(), testID, push, r)
	if err != nil || report.Unpack != "the pack could not be read" {
		t.Errorf("got %+v, %v, want a refusal", report, err)
	}
}
