package gitdisk

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/graspkit/graspkit/reference/gitspool"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// Take implements gitstore.Backend. Pushes wait while the pack is judged and stored, and not while it comes; then it waits
// in a file of the repository that git knows as temporary. What a crash cuts off leaves nothing, or objects that no ref
// reaches.
func (d *Disk) Take(c gitstore.Cancel, id repo.ID, wants []repo.OID, pack io.Reader) (gitstore.Taking, error) {
	path, err := d.layout.Open(id)
	if err != nil {
		return gitstore.Taking{}, err
	}
	held := d.packs.Open()
	defer func() { _ = held.Close() }() // what is left goes at the next start
	_, err = io.Copy(held, io.LimitReader(pack, d.options.Limits.PackMax+1))
	switch {
	case c.Err() != nil:
		return gitstore.Taking{}, c.Err()
	case errors.Is(err, gitspool.ErrFull):
		missing, err := d.Missing(id, wants)
		return gitstore.Taking{Missing: missing, Refused: gitspool.Busy}, err
	}
	pack = io.NewSectionReader(held, 0, held.Len()) // of one that broke off it is said that it is cut off
	defer d.layout.Lock(id)()                       // what it builds on stays until it is there
	_, leave, err := d.receives.Take(contextOf(c))
	if err != nil {
		return gitstore.Taking{}, fmt.Errorf("wait for pushes: %w", err)
	}
	defer leave()
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
