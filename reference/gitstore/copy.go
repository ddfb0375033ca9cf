package gitstore

import (
	"errors"
	"fmt"
	"io"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

// ErrIncomplete is returned by Copy when the other repository does not have all that was asked for, or not all that it
// reaches; nothing was copied.
var ErrIncomplete = errors.New("gitstore: the other repository lacks objects")

// Lend writes a pack of objects with all that they reach, less what a repository with the refs have has anyway.
func (v *View) Lend(c Cancel, oids []repo.OID, have Refs, w io.Writer) error {
	p, err := v.lending(c, oids, have)
	if err != nil {
		return err
	}
	return v.send(c, p.request, p, w)
}

// lending is the plan of what Lend writes.
func (v *View) lending(c Cancel, oids []repo.OID, have Refs) (*plan, error) {
	q := gitproto.FetchRequest{Wants: oids, Done: true}
	for _, oid := range oids {
		if !isSHA1(oid) {
			return nil, fmt.Errorf("%w: %.80q is no SHA-1 id", ErrIncomplete, string(oid))
		}
	}
	for _, ref := range have.Refs {
		q.Haves = append(q.Haves, ref.OID)
	}
	p, err := v.plan(c, q)
	var unknown *gitproto.ProtocolError
	switch {
	case errors.As(err, &unknown):
		return nil, fmt.Errorf("%w: %s", ErrIncomplete, unknown.What)
	case err != nil:
		return nil, err
	}
	return p, nil
}

// Borrow reads a pack that another view lends and examines it like that of a push whose new values are the oids: what
// must be stored is complete with all that it reaches.
func (v *View) Borrow(c Cancel, oids []repo.OID, pack io.Reader, q Quarantine) (Intake, error) {
	storage := newStorage()
	quarantine := &objects{source: storage, base: v.objects}
	if err := readPack(c, pack, q, storage, quarantine); err != nil {
		return Intake{}, errors.Join(err, quarantine.failed())
	}
	return v.borrow(c, oids, quarantine, q.Spool)
}

// borrow examines what lies in quarantine.
func (v *View) borrow(c Cancel, oids []repo.OID, quarantine *objects, spool Spool) (Intake, error) {
	walk := newConnectivity(v, quarantine)
	for _, oid := range oids {
		if !isSHA1(oid) {
			return Intake{}, ErrIncomplete
		}
		complete, err := walk.complete(c, hashOf(oid))
		switch {
		case err != nil:
			return Intake{}, err
		case quarantine.failed() != nil:
			return Intake{}, quarantine.failed()
		case !complete:
			return Intake{}, ErrIncomplete
		}
	}
	return Intake{Report: Report{Unpack: UnpackOK}, objects: walk.reached, spool: spool}, nil
}
