package gitserve_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitserve"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// A place that is not there answers as one that is there and empty, byte for byte, and is not there afterwards (G06-FETCH-01,
// G06-FETCH-02). A repository that is not there is none.
func TestPlacesAreEmptyUnlessThere(t *testing.T) {
	place := repo.Contribution(testID.Owner, testID.Identifier)
	empty, nothing := gitstore.NewMemory(gitstore.Limits{}), gitstore.NewMemory(gitstore.Limits{})
	if err := empty.Create(place); err != nil {
		t.Fatal(err)
	}
	lsRefs := "0014command=ls-refs\n0001" + "0009peel\n" + "000csymrefs\n" + "0000"
	for _, version := range []string{"", "version=1", "version=2"} {
		for _, service := range []gitproto.Service{gitproto.UploadPackService, gitproto.ReceivePackService} {
			var want, got bytes.Buffer
			if err := gitserve.Advertise(running{}, empty, place, service, version, &want); err != nil {
				t.Fatal(err)
			}
			if err := gitserve.Advertise(running{}, nothing, place, service, version, &got); err != nil || got.String() != want.String() || got.Len() == 0 {
				t.Errorf("%s %s: got %q, %v, want %q", service, version, got.String(), err, want.String())
			}
		}
	}
	var answer bytes.Buffer
	if err := gitserve.UploadPack(running{}, nothing, place, "version=2", bytes.NewReader([]byte(lsRefs)), &answer); err != nil || answer.String() != "0000" {
		t.Errorf("refs: got %q, %v, want none", answer.String(), err)
	}
	if ids, err := nothing.Repositories(); err != nil || len(ids) != 0 {
		t.Errorf("asking left %v, %v", ids, err)
	}
	if err := gitserve.Advertise(running{}, nothing, testID, gitproto.UploadPackService, "", &answer); !errors.Is(err, gitstore.ErrNoRepository) {
		t.Errorf("a repository that is not there: got %v", err)
	}
}
