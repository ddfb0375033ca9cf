package gitdisk

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// Take implements gitstore.Backend. The pack waits in a file of the repository that git knows as temporary, and pushes
// wait only while it is judged and stored. What a crash cuts off leaves nothing, or objects that no ref reaches.
func (d *Disk) Take(c gitstore.Cancel, id repo.ID, wants []repo.OID, pack io.Reader) (gitstore.Taking, error) {
	if err := d.receives.Acquire(contextOf(c), 1); err != nil {
		return gitstore.Taking{}, fmt.Errorf("wait for pushes: %w", err)
	}
	defer d.receives.Release(1)
	path, err := d.layout.Open(id)
	if err != nil {
		return gitstore.Taking{}, err
	}
	spool, err := os.CreateTemp(filepath.Join(path, "objects"), "tmp_fetch_*")
	if err != nil {
		return gitstore.Taking{}, fmt.Errorf("spool of a pack: %w", err)
	}
	defer func() { _ = errors.Join(spool.Close(), os.Remove(spool.Name())) }()
	r, err := d.open(path)
	if err != nil {
		return gitstore.Taking{}, err
	}
	defer r.close()
	q := gitstore.Quarantine{Limits: d.options.Limits, Spool: spool}
	intake, taking, err := gitstore.NewView(r.table.Refs, r.storage).ExamineFetch(c, wants, pack, q)
	if err != nil || intake.Objects() == 0 {
		return taking, err
	}
	defer d.writers.lock(id)()
	_, refused, err := d.keep(c, path, intake, spool)
	if err != nil {
		return gitstore.Taking{}, err
	}
	if refused == "" {
		return taking, nil
	}
	missing, err := d.Missing(id, wants)
	return gitstore.Taking{Missing: missing, Refused: refused}, err
}
