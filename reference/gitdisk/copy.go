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

// Copy implements gitstore.Backend. What comes is held and judged like the pack of a push, and becomes one pack.
func (d *Disk) Copy(c gitstore.Cancel, id, from repo.ID, oids []repo.OID) error {
	defer d.layout.Lock(id)()
	path, err := d.layout.Open(id)
	if err != nil {
		return err
	}
	spool, err := os.CreateTemp(filepath.Join(path, "objects"), "tmp_push_*")
	if err != nil {
		return fmt.Errorf("spool of a pack: %w", err)
	}
	defer func() { _ = errors.Join(spool.Close(), os.Remove(spool.Name())) }()
	r, err := d.open(path)
	if err != nil {
		return err
	}
	defer r.close()
	pack, done := d.lend(c, from, oids, r.table.Refs)
	q := gitstore.Quarantine{Limits: d.options.Limits, Spool: spool}
	intake, err := gitstore.NewView(r.table.Refs, r.storage).Borrow(c, oids, pack, q)
	if lent := done(); lent != nil {
		return lent
	}
	if err != nil || intake.Objects() == 0 {
		return err
	}
	name, err := d.storePack(c, filepath.Join(path, "objects", "pack"), intake)
	if err != nil {
		return fmt.Errorf("store pack: %w", err)
	}
	if info, err := os.Lstat(name + ".pack"); err == nil {
		d.layout.Added(path, info.Size())
	}
	return nil
}

// lend starts to write a pack of another repository into a pipe. The function ends that, if it has not ended, and says
// why it failed; that nobody reads on is no failure.
func (d *Disk) lend(c gitstore.Cancel, from repo.ID, oids []repo.OID, have gitstore.Refs) (io.Reader, func() error) {
	r, w := io.Pipe()
	lent := make(chan error, 1)
	go func() {
		err := d.read(from, func(v *gitstore.View) error { return v.Lend(c, oids, have, w) })
		_ = w.CloseWithError(err) // never fails
		lent <- err
	}()
	return r, func() error {
		_ = r.Close() // never fails
		if err := <-lent; err != nil && !errors.Is(err, io.ErrClosedPipe) {
			return err
		}
		return nil
	}
}
