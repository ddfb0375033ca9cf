package gitexec

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/graspkit/graspkit/reference/gitlayout"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitread"
)

// Git syncs the files that it writes and not the folders that name them. What is to be acknowledged after a git process has
// written in a repository is made durable here: files first, as git does or we do for it, then the folders.

// Versions of git 2 from which on it syncs what core.fsync names, refs too; before that it syncs packs, and loose objects if
// asked by core.fsyncObjectFiles.
const fsyncMinor = 36

// durability is the configuration that makes git sync what it writes, or none of it.
func (e *Exec) durability() []string {
	switch {
	case e.options.Sync == (gitlayout.Unsynced{}):
		return []string{"core.fsync=none"}
	case e.minor < fsyncMinor:
		return []string{"core.fsyncObjectFiles=true"}
	}
	return []string{"core.fsync=committed,reference"}
}

// syncRefs makes durable what commands have done to the refs of a repository: the folders between it and each ref, as far as
// they are still there, and packed-refs, which git may have written again.
func (e *Exec) syncRefs(repository string, commands []gitproto.Command) error {
	if len(commands) == 0 {
		return nil
	}
	files, dirs := []string{gitread.PackedName}, []string{}
	for _, c := range commands {
		files = append(files, c.Ref)
		for dir := path.Dir(c.Ref); dir != "."; dir = path.Dir(dir) {
			dirs = append(dirs, dir)
		}
	}
	if e.minor < fsyncMinor {
		for _, file := range files {
			if err := e.syncFile(filepath.Join(repository, filepath.FromSlash(file))); err != nil {
				return fmt.Errorf("sync refs: %w", err)
			}
		}
	}
	slices.Sort(dirs)
	for _, dir := range append(slices.Compact(dirs), ".") {
		err := e.layout.SyncDir(filepath.Join(repository, filepath.FromSlash(dir)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("sync refs: %w", err)
		}
	}
	return nil
}

func (e *Exec) syncFile(name string) error {
	info, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil
	}
	if err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0) // some systems sync only what could be written to
	if err != nil {
		return err
	}
	return errors.Join(e.layout.SyncFile(f), f.Close())
}
