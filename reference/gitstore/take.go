package gitstore

import (
	"io"

	"github.com/graspkit/graspkit/reference/repo"
)

// A Taking is the outcome of a fetch: what became of the objects that were wanted.
type Taking struct {
	Missing []repo.OID // those that the repository does not have, in the order wanted
	Refused string     // why nothing of the pack was kept, in words for a log; "" if it was sound
}

// ExamineFetch does for Backend.Take all that changes nothing: it reads a pack into quarantine and looks for the wanted
// objects. Of the pack counts only what they reach, and that must be there whole, in the pack or in the repository: a
// pack that brings a wanted object without what it needs is refused (REF-HUNT-20, G01-PUSH-22). The objects of the
// Intake must be stored for the Taking to be true; of a refused pack there are none. An error means that the store
// itself failed or that c stopped it.
func (v *View) ExamineFetch(c Cancel, wants []repo.OID, pack io.Reader, q Quarantine) (Intake, Taking, error) {
	storage := newStorage()
	quarantine := &objects{source: storage, base: v.objects}
	if err := readPack(c, pack, q, storage, quarantine); err != nil {
		if _, err := refusedPack(c, Push{}, err, quarantine.failed()); err != nil {
			return Intake{}, Taking{}, err
		}
		return v.refuseFetch(wants, unpackReason(err))
	}
	walk := newConnectivity(v, quarantine)
	walk.strict = true
	brought := &objects{source: storage}
	for _, oid := range wants {
		if !isSHA1(oid) || !brought.has(hashOf(oid)) {
			continue
		}
		complete, err := walk.complete(c, hashOf(oid))
		switch {
		case err != nil:
			return Intake{}, Taking{}, err
		case !complete && quarantine.failed() == nil:
			return v.refuseFetch(wants, walk.reason())
		}
	}
	if err := quarantine.failed(); err != nil {
		return Intake{}, Taking{}, err
	}
	var t Taking
	for _, oid := range wants {
		if !isSHA1(oid) || !quarantine.has(hashOf(oid)) {
			t.Missing = append(t.Missing, oid)
		}
	}
	return Intake{Report: Report{Unpack: UnpackOK}, objects: walk.reached, spool: q.Spool}, t, quarantine.failed()
}

func (v *View) refuseFetch(wants []repo.OID, reason string) (Intake, Taking, error) {
	missing, err := v.Missing(wants)
	return Intake{}, Taking{Missing: missing, Refused: reason}, err
}

// Take implements Backend.
func (m *Memory) Take(c Cancel, id repo.ID, wants []repo.OID, pack io.Reader) (Taking, error) {
	r, err := m.repository(id)
	if err != nil {
		return Taking{}, err
	}
	intake, taking, err := r.view().ExamineFetch(c, wants, pack, Quarantine{Limits: m.limits})
	if err != nil {
		return Taking{}, err
	}
	for _, s := range intake.objects {
		put(r.storage, s)
	}
	return taking, nil
}
