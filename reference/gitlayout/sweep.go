package gitlayout

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
)

// sweepersMax is how many repositories are swept at the same time.
const sweepersMax = 8

// Recover removes what a crash may have left behind in any repository, and measures what is there if that has a bound. Nobody
// may be working on the folder yet. Sweep does the former in one of them, and in others at the same time: it is Sweep, or
// what mends more than that.
func (l *Layout) Recover(sweep func(path string) error) error {
	if err := os.RemoveAll(filepath.Join(l.dir, removedName)); err != nil {
		return fmt.Errorf("remove deleted repositories: %w", err)
	}
	ids, err := l.Repositories()
	if err != nil {
		return err
	}
	var sweepers errgroup.Group
	sweepers.SetLimit(sweepersMax)
	for _, id := range ids {
		path, err := l.path(id)
		if err != nil {
			return errors.Join(err, sweepers.Wait())
		}
		sweepers.Go(func() error {
			if err := sweep(path); err != nil {
				return fmt.Errorf("clean repository: %w", err)
			}
			if !l.account.summed(path) {
				return nil
			}
			bytes, err := measure(path)
			if err != nil {
				return err
			}
			l.account.set(path, size{bytes: bytes, exact: true})
			return nil
		})
	}
	return sweepers.Wait()
}

// HalfReceived reports whether a push was being received when whoever did it was killed.
func HalfReceived(path string) bool {
	return len(left(filepath.Join(path, "objects"), quarantine)) > 0
}

// quarantine reports whether a folder among the objects is one of a push that is being received.
func quarantine(name string) bool {
	return strings.HasPrefix(name, "incoming-") || strings.HasPrefix(name, "tmp_")
}

// Sweep removes locks and half-received packs of a repository that nobody works on: whoever is killed cannot do it.
// What is written before it gets its name is known by the name that it has until then. Each folder is listed once,
// because a server that starts does this in every repository.
func Sweep(path string) error {
	objects := filepath.Join(path, "objects")
	stale, err := leftLocks(filepath.Join(path, "refs"))
	stale = append(stale, left(path, func(name string) bool {
		return strings.HasSuffix(name, ".lock") || strings.HasSuffix(name, ".new")
	})...)
	stale = append(stale, leftPacks(filepath.Join(objects, "pack"))...)
	fans := left(objects, func(name string) bool {
		if quarantine(name) {
			stale = append(stale, filepath.Join(objects, name))
		}
		return len(name) == fanLength
	})
	for _, fan := range fans {
		stale = append(stale, left(fan, func(name string) bool { return strings.HasPrefix(name, "tmp_obj_") })...)
	}
	for _, name := range stale {
		err = errors.Join(err, os.RemoveAll(name))
	}
	return err
}

// fanLength is how many digits of an object's id name the folder that it is in.
const fanLength = 2

// leftPacks returns what is left of packs that were being received. An index without its pack is of one that was not
// there yet.
func leftPacks(dir string) []string {
	whole := map[string]bool{}
	all := left(dir, func(name string) bool {
		if pack, is := strings.CutSuffix(name, ".pack"); is {
			whole[pack] = true
		}
		return strings.HasPrefix(name, "tmp_") || strings.HasPrefix(name, ".tmp-") || strings.HasSuffix(name, ".idx")
	})
	return slices.DeleteFunc(all, func(name string) bool {
		index, is := strings.CutSuffix(filepath.Base(name), ".idx")
		return is && whole[index] && !strings.HasPrefix(index, "tmp_") && !strings.HasPrefix(index, ".tmp-")
	})
}

// leftLocks returns the locks of refs.
func leftLocks(refs string) (stale []string, err error) {
	err = filepath.WalkDir(refs, func(name string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".lock") {
			stale = append(stale, name)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // half-made
	}
	return stale, err
}

// left returns the paths in a folder whose names are such. A folder that cannot be listed has nothing.
func left(dir string, such func(name string) bool) (stale []string) {
	entries, _ := os.ReadDir(dir) // what was listed before an error counts
	for _, entry := range entries {
		if such(entry.Name()) {
			stale = append(stale, filepath.Join(dir, entry.Name()))
		}
	}
	return stale
}
