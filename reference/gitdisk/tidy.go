package gitdisk

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"

	"github.com/graspkit/graspkit/reference/gitlayout"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// Limits of what is packed anew. go-git has all of it in memory while it looks for differences.
const (
	tidyObjects = 200_000
	tidyBytes   = 128 << 20 // of the objects, inflated
	tidyWindow  = 10        // objects that each one is compared with, as git does
)

// Tidy implements gitstore.Backend. Of a repository beyond the limits go the packs of which nothing is needed; it gets no new
// one. A repository that somebody has changed by hand is left to who did.
func (d *Disk) Tidy(c gitstore.Cancel, id repo.ID, keep []repo.OID) error {
	path, err := d.layout.Open(id)
	if err != nil || !gitlayout.OwnObjects(path) {
		return err
	}
	defer d.layout.Lock(id)()
	if err := d.layout.Settle(path); err != nil { // the refs that are read are those that a crash leaves
		return err
	}
	old, err := d.layout.Objects(path)
	if err != nil {
		return err
	}
	name, some, err := d.packNeeded(c, path, old, keep)
	if err != nil {
		return err
	}
	gone := some.Packs()
	delete(gone, name)
	defer d.leaving.set(path, gone)()
	return d.layout.Discard(contextOf(c), some, name)
}

// packNeeded brings a pack of what the refs and some objects reach into a repository. It returns the name of that, without
// extension, "" if there is none, and which of the old objects may go.
func (d *Disk) packNeeded(c gitstore.Cancel, path string, old gitlayout.Objects, keep []repo.OID) (string, gitlayout.Objects, error) {
	none := gitlayout.Objects{}
	r, err := d.open(path)
	if err != nil {
		return "", none, err
	}
	defer r.close()
	needed, err := gitstore.NewView(r.table.Refs, r.storage).Needed(c, keep)
	if err != nil {
		return "", none, err
	}
	fits, err := r.fits(c, needed)
	switch {
	case err != nil:
		return "", none, err
	case !fits:
		unneeded, err := withoutAny(path, old, needed)
		return "", old.Only(unneeded), err
	case len(needed) == 0:
		return "", old, nil
	}
	name, err := d.writeNeeded(c, filepath.Join(path, "objects", "pack"), r, needed)
	if err != nil {
		return "", none, fmt.Errorf("store pack: %w", err)
	}
	return filepath.Base(name), old, nil
}

// fits reports whether objects are within the limits of what is packed anew.
func (r *repository) fits(c gitstore.Cancel, needed []plumbing.Hash) (bool, error) {
	if len(needed) > tidyObjects {
		return false, nil
	}
	var total int64
	for _, h := range needed {
		if err := c.Err(); err != nil {
			return false, err
		}
		size, err := r.storage.EncodedObjectSize(h)
		if err != nil {
			return false, fmt.Errorf("size of object %s: %w", h, err)
		}
		if total += size; total > tidyBytes {
			return false, nil
		}
	}
	return true, nil
}

// withoutAny returns those of the packs that have none of the objects.
func withoutAny(path string, old gitlayout.Objects, needed []plumbing.Hash) (map[string]bool, error) {
	all := make(map[plumbing.Hash]bool, len(needed))
	for _, h := range needed {
		all[h] = true
	}
	without := old.Packs()
	for pack := range without {
		index, err := readIndex(filepath.Join(path, "objects", "pack", pack+".idx"))
		if err != nil {
			return nil, err
		}
		entries, err := index.Entries()
		if err != nil {
			return nil, fmt.Errorf("read index of a pack: %w", err)
		}
		for {
			entry, err := entries.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return nil, errors.Join(fmt.Errorf("read index of a pack: %w", err), entries.Close())
			}
			if all[entry.Hash] {
				delete(without, pack)
				break
			}
		}
	}
	return without, nil
}

func readIndex(name string) (*idxfile.MemoryIndex, error) {
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return idxfile.NewMemoryIndex(), nil // nobody finds what is in the pack
	}
	if err != nil {
		return nil, fmt.Errorf("read index of a pack: %w", err)
	}
	index := idxfile.NewMemoryIndex()
	if err := errors.Join(idxfile.NewDecoder(f).Decode(index), f.Close()); err != nil {
		return nil, fmt.Errorf("read index of a pack: %w", err)
	}
	return index, nil
}

// writeNeeded writes the pack, reads it again to its last object for its index, and gives it its name.
func (d *Disk) writeNeeded(c gitstore.Cancel, dir string, r *repository, needed []plumbing.Hash) (string, error) {
	return d.storeIndexed(dir, func(f *os.File) (*idxfile.MemoryIndex, error) {
		if _, err := packfile.NewEncoder(stoppable{c, f}, r.storage, false).Encode(needed, tidyWindow); err != nil {
			return nil, err
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		var writer idxfile.Writer
		parser, err := packfile.NewParser(packfile.NewScanner(f), &writer)
		if err != nil {
			return nil, err
		}
		if _, err := parser.Parse(); err != nil {
			return nil, err
		}
		index, err := writer.Index()
		if err != nil {
			return nil, err
		}
		for _, h := range needed {
			if there, err := index.Contains(h); err != nil || !there {
				return nil, errors.Join(fmt.Errorf("%w: %s is not in the new pack", gitstore.ErrBroken, h), err)
			}
		}
		return index, c.Err()
	})
}

// stoppable is a writer that fails once it is told to stop.
type stoppable struct {
	c gitstore.Cancel
	w io.Writer
}

func (s stoppable) Write(b []byte) (int, error) {
	if err := s.c.Err(); err != nil {
		return 0, err
	}
	return s.w.Write(b)
}
