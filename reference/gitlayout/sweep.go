package gitlayout

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Recover removes what a crash may have left behind in any repository. Nobody may be working on the folder yet.
func (l *Layout) Recover() error {
	if err := os.RemoveAll(filepath.Join(l.dir, removedName)); err != nil {
		return fmt.Errorf("remove deleted repositories: %w", err)
	}
	ids, err := l.Repositories()
	if err != nil {
		return err
	}
	for _, id := range ids {
		path, err := l.path(id)
		if err != nil {
			return err
		}
		if err := Sweep(path); err != nil {
			return fmt.Errorf("clean repository: %w", err)
		}
	}
	return nil
}

// leftovers of a repository are what is written before it gets its name: locks, and what was being received.
var leftovers = []string{
	"*.lock", "*.new", "objects/incoming-*", "objects/tmp_*", "objects/pack/tmp_*", "objects/pack/.tmp-*", "objects/??/tmp_obj_*",
}

// Sweep removes locks and half-received packs of a repository that nobody works on: whoever is killed cannot do it.
func Sweep(path string) error {
	var stale []string
	for _, pattern := range leftovers {
		found, err := filepath.Glob(filepath.Join(escapeGlob(path), filepath.FromSlash(pattern)))
		if err != nil {
			return err
		}
		stale = append(stale, found...)
	}
	// An index without its pack is of a pack that was not there yet.
	indexes, err := filepath.Glob(filepath.Join(escapeGlob(path), "objects", "pack", "*.idx"))
	if err != nil {
		return err
	}
	for _, index := range indexes {
		pack := strings.TrimSuffix(index, ".idx") + ".pack"
		if _, err := os.Stat(pack); errors.Is(err, fs.ErrNotExist) {
			stale = append(stale, index)
		}
	}
	err = filepath.WalkDir(filepath.Join(path, "refs"), func(name string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".lock") {
			stale = append(stale, name)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // half-made
	}
	for _, name := range stale {
		err = errors.Join(err, os.RemoveAll(name))
	}
	return err
}

// escapeGlob makes a path stand for itself in a pattern.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
