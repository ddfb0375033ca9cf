package gitlayout

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// settled are the repositories whose names are durable as far as an earlier life of the server has written them.
type settled struct {
	mu    sync.Mutex // guards paths
	paths map[string]struct{}
}

func (s *settled) has(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.paths[path]
	return ok
}

func (s *settled) add(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.paths == nil {
		s.paths = make(map[string]struct{})
	}
	s.paths[path] = struct{}{}
}

func (s *settled) forget(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.paths, path)
}

// Settle makes durable the names of the objects and refs that a repository has, once in the life of a Layout: whoever was
// killed before may have written them and not synced their folders, and objects that are there are not written again.
// It comes before anything that is acknowledged builds on them.
func (l *Layout) Settle(path string) error {
	if l.settled.has(path) {
		return nil
	}
	dirs := append([]string{path}, ObjectDirs(path)...)
	err := filepath.WalkDir(filepath.Join(path, "refs"), func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			dirs = append(dirs, name)
		}
		return err
	})
	for _, dir := range dirs {
		if err != nil {
			break
		}
		err = l.sync.Dir(dir)
	}
	if err != nil {
		return fmt.Errorf("settle repository: %w", err)
	}
	l.settled.add(path)
	return nil
}

// ObjectDirs returns the folders of a repository that hold objects, and the one that these are in.
func ObjectDirs(path string) []string {
	objects := filepath.Join(path, "objects")
	return append(left(objects, func(name string) bool { return len(name) == fanLength || name == "pack" }), objects)
}

// SyncChanged makes durable the names in those folders of objects that have changed since a moment, which Mark has named.
func (l *Layout) SyncChanged(path string, since Moment) error {
	for _, dir := range ObjectDirs(path) {
		info, err := os.Lstat(dir)
		if err == nil && since.after(info) {
			continue
		}
		if err := l.sync.Dir(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("sync objects: %w", err)
		}
	}
	return nil
}
