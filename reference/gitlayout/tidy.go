package gitlayout

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Objects are the files of a repository that hold objects, and those made from them, at one moment. A pack that somebody has
// marked to be kept is not among them.
type Objects struct {
	path  string
	packs []string // without extension
	files []string // of one object each
}

// Packs returns the names of the packs, without extension.
func (o Objects) Packs() map[string]bool {
	names := make(map[string]bool, len(o.packs))
	for _, pack := range o.packs {
		names[filepath.Base(pack)] = true
	}
	return names
}

// Only returns the packs among the objects whose names are these, and no objects in files of their own.
func (o Objects) Only(packs map[string]bool) Objects {
	some := Objects{path: o.path}
	for _, pack := range o.packs {
		if packs[filepath.Base(pack)] {
			some.packs = append(some.packs, pack)
		}
	}
	return some
}

// Objects lists what a repository has.
func (l *Layout) Objects(path string) (Objects, error) {
	o := Objects{path: path}
	objects := filepath.Join(path, "objects")
	entries, err := os.ReadDir(objects)
	if err != nil {
		return Objects{}, fmt.Errorf("list objects: %w", err)
	}
	for _, entry := range entries {
		if !entry.IsDir() || len(entry.Name()) != fanLength {
			continue
		}
		o.files = append(o.files, left(filepath.Join(objects, entry.Name()), func(name string) bool { return !strings.HasPrefix(name, "tmp_") })...)
	}
	dir := filepath.Join(objects, "pack")
	if entries, err = os.ReadDir(dir); err != nil {
		return Objects{}, fmt.Errorf("list objects: %w", err)
	}
	marked := map[string]bool{}
	for _, entry := range entries {
		if pack, is := strings.CutSuffix(entry.Name(), ".keep"); is {
			marked[pack] = true
		}
	}
	for _, entry := range entries {
		pack, is := strings.CutSuffix(entry.Name(), ".pack")
		if is && !marked[pack] && strings.HasPrefix(pack, "pack-") {
			o.packs = append(o.packs, filepath.Join(dir, pack))
		}
	}
	return o, nil
}

// OwnObjects reports whether a repository has its objects itself, all of them, and is known to nobody else: it is as it was
// made here. What somebody has arranged by hand is not tidied.
func OwnObjects(path string) bool {
	_, err := os.Lstat(filepath.Join(path, "objects", "info", "alternates"))
	return Plain(path) && errors.Is(err, fs.ErrNotExist)
}

// Discard removes objects that nobody needs any more, or that are in the pack named except too, when those who read in the
// repository by now have ended. Indexes go before their packs, so that nobody finds a pack whose content has gone; who is
// killed here leaves packs that the next one removes. Then it measures the repository.
func (l *Layout) Discard(ctx context.Context, o Objects, except string) error {
	if err := l.readers.wait(ctx, o.path); err != nil {
		return err
	}
	info, packs := filepath.Join(o.path, "objects", "info"), filepath.Join(o.path, "objects", "pack")
	// What git has made of all packs together speaks of those that go.
	made := left(info, func(name string) bool { return strings.HasPrefix(name, "commit-graph") || name == "packs" })
	made = append(made, left(packs, func(name string) bool { return strings.HasPrefix(name, "multi-pack-index") })...)
	for _, name := range made {
		if err := os.RemoveAll(name); err != nil {
			return fmt.Errorf("remove objects: %w", err)
		}
	}
	var indexes, rest []string
	for _, pack := range o.packs {
		if filepath.Base(pack) != except {
			indexes = append(indexes, pack+".idx")
			rest = append(rest, pack+".rev", pack+".bitmap", pack+".mtimes", pack+".pack")
		}
	}
	for _, names := range [][]string{indexes, rest, o.files} {
		for _, name := range names {
			if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("remove objects: %w", err)
			}
		}
	}
	for _, name := range o.files {
		_ = os.Remove(filepath.Dir(name)) // that it is not empty is usual
	}
	return l.remeasure(o.path)
}

// remeasure corrects what is known of the size of a repository. Nobody may be adding to it.
func (l *Layout) remeasure(path string) error {
	if !l.account.on() {
		return nil
	}
	bytes, err := measure(path)
	if err != nil {
		return err
	}
	l.account.set(path, size{bytes: bytes, exact: true})
	return nil
}
