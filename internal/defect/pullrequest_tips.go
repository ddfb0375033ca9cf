package defect

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/push"
	"github.com/graspkit/graspkit/reference/repo"
)

// wantsRefused refuses requests that want one object or another, where it finds any among those.
type wantsRefused struct {
	backend

	refuses func(refs gitstore.Refs, wants []repo.OID) (repo.OID, bool)
}

// UploadPack implements gitstore.Backend.
func (b wantsRefused) UploadPack(c gitstore.Cancel, id repo.ID, version int, r io.Reader, w io.Writer) error {
	body, wants, err := readWants(r)
	if err != nil {
		return err
	}
	refs, err := b.Refs(id)
	if err != nil {
		return err
	}
	if oid, is := b.refuses(refs, wants); is {
		return gitproto.WriteError(w, "upload-pack: not our ref "+string(oid))
	}
	return b.Backend.UploadPack(c, id, version, bytes.NewReader(body), w)
}

// branchesOnly refuses the tip of a ref which is neither a branch nor a tag.
func branchesOnly(refs gitstore.Refs, wants []repo.OID) (repo.OID, bool) {
	at := slices.IndexFunc(refs.Refs, func(ref repo.Ref) bool { return !push.Declarable(ref.Name) && slices.Contains(wants, ref.OID) })
	if at < 0 {
		return "", false
	}
	return refs.Refs[at].OID, true
}

// pullTipsOnly refuses, where there are refs of pull requests, what no ref points to.
func pullTipsOnly(refs gitstore.Refs, wants []repo.OID) (repo.OID, bool) {
	if !slices.ContainsFunc(refs.Refs, func(r repo.Ref) bool { return strings.HasPrefix(r.Name, repo.PullRequestPrefix) }) {
		return "", false
	}
	at := slices.IndexFunc(wants, func(oid repo.OID) bool { return !isTip(refs, oid) })
	if at < 0 {
		return "", false
	}
	return wants[at], true
}
