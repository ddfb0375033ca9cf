package defect

import (
	"bytes"
	"io"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

func gitDefects() []Defect {
	return []Defect{
		{
			Name:    "sha-wants-unannounced",
			Backend: func(b gitstore.Backend) gitstore.Backend { return unannounced{backend{b}} },
		},
		{
			Name:    "sha-wants-refused",
			Backend: func(b gitstore.Backend) gitstore.Backend { return tipsOnly{backend{b}} },
		},
		{
			Name:    "missing-objects-unanswered",
			Backend: func(b gitstore.Backend) gitstore.Backend { return unanswered{backend{b}} },
		},
	}
}

// unannounced blots out two capabilities; the length of the line stays what it is.
type unannounced struct{ backend }

func (u unannounced) Advertise(c gitstore.Cancel, id repo.ID, service gitproto.Service, version int, w io.Writer) error {
	var b bytes.Buffer
	if err := u.Backend.Advertise(c, id, service, version, &b); err != nil {
		return err
	}
	text := bytes.ReplaceAll(b.Bytes(), []byte("sha1-in-want"), []byte("xxxx-in-want"))
	_, err := w.Write(text)
	return err
}

// tipsOnly refuses requests that want anything but the tip of a ref.
type tipsOnly struct{ backend }

func (t tipsOnly) UploadPack(c gitstore.Cancel, id repo.ID, version int, r io.Reader, w io.Writer) error {
	body, wants, err := readWants(r)
	if err != nil {
		return err
	}
	refs, err := t.Refs(id)
	if err != nil {
		return err
	}
	for _, oid := range wants {
		if !isTip(refs, oid) {
			return gitproto.WriteError(w, "upload-pack: not our ref "+string(oid))
		}
	}
	return t.Backend.UploadPack(c, id, version, bytes.NewReader(body), w)
}

// unanswered says nothing to requests that want a missing object.
type unanswered struct{ backend }

func (u unanswered) UploadPack(c gitstore.Cancel, id repo.ID, version int, r io.Reader, w io.Writer) error {
	body, wants, err := readWants(r)
	if err != nil {
		return err
	}
	missing, err := u.Missing(id, wants)
	if err != nil || len(missing) > 0 {
		return err
	}
	return u.Backend.UploadPack(c, id, version, bytes.NewReader(body), w)
}

// readWants reads a request and the object ids that it wants.
func readWants(r io.Reader) (body []byte, wants []repo.OID, err error) {
	body, err = io.ReadAll(io.LimitReader(r, gitproto.RequestMax))
	rest := body
	for {
		_, after, found := bytes.Cut(rest, []byte("want "))
		if !found || len(after) < len(repo.ZeroOID) {
			return body, wants, err
		}
		wants = append(wants, repo.OID(after[:len(repo.ZeroOID)]))
		rest = after
	}
}

func isTip(refs gitstore.Refs, oid repo.OID) bool {
	for _, r := range refs.Refs {
		if r.OID == oid {
			return true
		}
	}
	return false
}
