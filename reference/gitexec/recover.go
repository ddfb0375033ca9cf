package gitexec

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// recover removes what a crash may have left behind in any repository. No git process of this store runs yet.
func (e *Exec) recover() error {
	if err := os.RemoveAll(filepath.Join(e.dir, removedName)); err != nil {
		return fmt.Errorf("remove deleted repositories: %w", err)
	}
	ids, err := e.Repositories()
	if err != nil {
		return err
	}
	for _, id := range ids {
		path, err := e.path(id)
		if err != nil {
			return err
		}
		if err := sweep(path); err != nil {
			return fmt.Errorf("clean repository: %w", err)
		}
	}
	return nil
}

// sweep removes locks and half-received packs of a repository that no git process works on: git cannot do it itself
// when it is killed.
func sweep(path string) error {
	var stale []string
	for _, pattern := range []string{
		"*.lock", "objects/incoming-*", "objects/tmp_objdir-*", "objects/pack/tmp_*", "objects/??/tmp_obj_*",
	} {
		found, err := filepath.Glob(filepath.Join(escapeGlob(path), filepath.FromSlash(pattern)))
		if err != nil {
			return err
		}
		stale = append(stale, found...)
	}
	err := filepath.WalkDir(filepath.Join(path, "refs"), func(name string, _ fs.DirEntry, err error) error {
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
