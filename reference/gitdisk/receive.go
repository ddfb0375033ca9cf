package gitdisk

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitread"
	"github.com/graspkit/graspkit/reference/gitspool"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// Receive implements gitstore.Backend. The pack is there whole before this push makes others wait. Then it waits in a file
// of the repository that git knows as temporary; of it only objects that a new ref value reaches become a pack of the
// repository (G01-PUSH-29).
func (d *Disk) Receive(c gitstore.Cancel, id repo.ID, push gitstore.Push, pack io.Reader) (gitstore.Report, error) {
	path, err := d.layout.Open(id)
	if err != nil {
		return gitstore.Report{}, err
	}
	held := d.packs.Open()
	defer func() { _ = held.Close() }() // what is left goes at the next start
	if gitstore.NeedsPack(push.Commands) {
		// A sender who stops is told that the pack is cut off, and one that sends too much that it is too large.
		_, err := io.Copy(held, io.LimitReader(pack, d.options.Limits.PackMax+1))
		switch {
		case c.Err() != nil:
			return gitstore.Report{}, c.Err()
		case errors.Is(err, gitspool.ErrFull):
			return gitstore.Refused(push.Commands, gitspool.Busy, nil), nil
		}
	}
	pack = io.NewSectionReader(held, 0, held.Len())
	if err := push.Arrived(); err != nil {
		return gitstore.Report{}, err
	}
	defer d.layout.Lock(id)()
	_, leave, err := d.receives.Take(contextOf(c))
	if err != nil {
		return gitstore.Report{}, fmt.Errorf("wait for other pushes: %w", err)
	}
	defer leave()
	spool, err := os.CreateTemp(filepath.Join(path, "objects"), "tmp_push_*")
	if err != nil {
		return gitstore.Report{}, fmt.Errorf("spool of a pack: %w", err)
	}
	defer func() { _ = errors.Join(spool.Close(), os.Remove(spool.Name())) }()
	intake, name, err := d.examine(c, path, &push, pack, spool)
	if err != nil || intake.Refused() {
		return intake.Report, err
	}
	moved, err := d.move(path, push.Commands)
	switch {
	case moved:
		return intake.Report, err
	case errors.Is(err, gitstore.ErrConflict):
		err = nil
	}
	// Nothing of a push that did not happen stays.
	if name != "" {
		err = errors.Join(err, os.Remove(name+".pack"), os.Remove(name+".idx"))
	}
	return conflict(path, push.Commands, err)
}

// examine judges a push, whose commands it grounds in the refs that are there, and stores its objects if it is not refused.
// It returns the path of the new pack without extension, "" if there is none.
func (d *Disk) examine(c gitstore.Cancel, path string, push *gitstore.Push, pack io.Reader, spool *os.File) (gitstore.Intake, string, error) {
	r, err := d.open(path)
	if err != nil {
		return gitstore.Intake{}, "", err
	}
	defer r.close()
	push.Commands = gitproto.Grounded(push.Commands, r.table.Refs.At)
	q := gitstore.Quarantine{Limits: d.options.Limits, Spool: spool}
	intake, err := gitstore.NewView(r.table.Refs, r.storage).Examine(c, *push, pack, q)
	if err != nil || intake.Refused() || intake.Objects() == 0 {
		return intake, "", err
	}
	name, refused, err := d.keep(c, path, intake, spool)
	if refused != "" {
		return gitstore.Intake{Report: gitstore.Refused(push.Commands, refused, nil)}, "", nil
	}
	return intake, name, err
}

// keep stores the objects of an intake, whose pack is in a spool, unless there is no room for them: then it says so.
func (d *Disk) keep(c gitstore.Cancel, path string, intake gitstore.Intake, spool *os.File) (name, refused string, err error) {
	info, err := spool.Stat()
	if err != nil {
		return "", "", fmt.Errorf("spool of a pack: %w", err)
	}
	if refused, err := d.layout.Reserve(path, info.Size(), intake.Objects()); refused != "" || err != nil {
		return "", refused, err
	}
	name, err = d.storePack(c, filepath.Join(path, "objects", "pack"), intake)
	if err != nil {
		d.layout.Release(path, info.Size(), intake.Objects())
		return "", "", fmt.Errorf("store pack: %w", err)
	}
	return name, "", nil
}

// conflict reports a push whose objects were right but whose refs did not move.
func conflict(path string, commands []gitproto.Command, err error) (gitstore.Report, error) {
	if err != nil {
		return gitstore.Report{}, err
	}
	t, err := gitread.Refs(path)
	if err != nil {
		return gitstore.Report{}, err
	}
	reasons := map[string]string{}
	for _, c := range commands {
		if t.Refs.At(c.Ref) != c.Old {
			reasons[c.Ref] = gitstore.ReasonStale
		}
	}
	return gitstore.Refused(commands, gitstore.UnpackOK, reasons), nil
}

// storePack writes the objects of a push as one pack.
func (d *Disk) storePack(c gitstore.Cancel, dir string, intake gitstore.Intake) (name string, err error) {
	return d.storeIndexed(dir, func(f *os.File) (*idxfile.MemoryIndex, error) { return intake.WritePack(c, f) })
}

// storeIndexed stores a pack that is written into a file. It gets its name after its index: go-git and git alike take no notice
// of an index without pack, and go-git stumbles over the reverse.
func (d *Disk) storeIndexed(dir string, write func(*os.File) (*idxfile.MemoryIndex, error)) (name string, err error) {
	var index *idxfile.MemoryIndex
	pack, err := d.writeTemp(dir, "tmp_pack_*", func(f *os.File) (err error) {
		index, err = write(f)
		return err
	})
	if err != nil {
		return "", err
	}
	defer os.Remove(pack)
	idx, err := d.writeTemp(dir, "tmp_idx_*", func(f *os.File) error {
		_, err := idxfile.NewEncoder(f).Encode(index)
		return err
	})
	if err != nil {
		return "", err
	}
	defer os.Remove(idx)
	name = filepath.Join(dir, "pack-"+plumbing.Hash(index.PackfileChecksum).String())
	if whole(name) {
		return name, nil // its name is that of its content
	}
	if err := os.Rename(idx, name+".idx"); err != nil {
		return "", err
	}
	if err := os.Rename(pack, name+".pack"); err != nil {
		return "", errors.Join(err, os.Remove(name+".idx"))
	}
	if err := d.layout.SyncDir(dir); err != nil {
		return "", errors.Join(err, os.Remove(name+".pack"), os.Remove(name+".idx"))
	}
	return name, nil
}

// whole reports whether a pack is there with its index.
func whole(name string) bool {
	_, pack := os.Lstat(name + ".pack")
	_, index := os.Lstat(name + ".idx")
	return pack == nil && index == nil
}

// writeTemp writes a file that is not to be changed any more, down to the disk.
func (d *Disk) writeTemp(dir, pattern string, write func(*os.File) error) (name string, err error) {
	f, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return "", err
	}
	err = errors.Join(write(f), f.Chmod(0o444), d.layout.SyncFile(f), f.Close())
	if err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}
