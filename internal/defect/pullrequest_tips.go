package defect

import (
	"bytes"
	"io"
	"slices"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/push"
	"github.com/graspkit/graspkit/reference/repo"
)

// branchesOnly refuses requests that want the tip of a ref which is neither a branch nor a tag.
type branchesOnly struct{ backend }

func (b branchesOnly) UploadPack(c gitstore.Cancel, id repo.ID, version int, r io.Reader, w io.Writer) error {
	body, wants, err := readWants(r)
	if err != nil {
		return err
	}
	refs, err := b.Refs(id)
	if err != nil {
		return err
	}
	for _, ref := range refs.Refs {
		if !push.Declarable(ref.Name) && slices.Contains(wants, ref.OID) {
			return gitproto.WriteError(w, "upload-pack: not our ref "+string(ref.OID))
		}
	}
	return b.Backend.UploadPack(c, id, version, bytes.NewReader(body), w)
}
