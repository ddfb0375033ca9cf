package gitdisk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/gitread"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

const (
	// largeObject is the size in bytes above which the content of an object is streamed.
	largeObject = 1 << 20
	// openPacks is how many packs of a repository one operation holds open.
	openPacks = 16
)

// A repository is one repository opened for one operation: go-git's storer neither sees the packs that come in later
// nor may it be used by two goroutines.
type repository struct {
	path    string
	table   gitread.Table
	storage *filesystem.Storage
}

// open reads the refs and then opens the objects, in this order: whatever a ref names was there before it.
func (d *Disk) open(path string) (*repository, error) {
	t, err := gitread.Refs(path)
	if err != nil {
		return nil, err
	}
	storage := filesystem.NewStorageWithOptions(
		objectFiles{osfs.New(path), path, d.leaving.of(path)},
		cache.NewObjectLRU(cache.FileSize(d.options.CacheMax)),
		filesystem.Options{LargeObjectThreshold: largeObject, MaxOpenDescriptors: openPacks},
	)
	return &repository{path: path, table: t, storage: storage}, nil
}

// close gives back the files. Nothing was written through them, so that no error matters.
func (r *repository) close() { _ = r.storage.Close() }

// objectFiles shows go-git of a repository only what lies under objects/ and belongs to it: no objects of other
// repositories (alternates), no objects of a push that is being received, no packs without index, none that is about to go.
type objectFiles struct {
	billy.Filesystem
	dir     string
	leaving map[string]bool // packs, without extension
}

// Open opens a file for reading.
func (f objectFiles) Open(name string) (billy.File, error) {
	if filepath.Base(name) == "alternates" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return f.Filesystem.Open(name)
}

// ReadDir lists a folder. That files vanish meanwhile is usual, because a push is received beside its packs; billy's own
// ReadDir then fails as if the folder were not there, which go-git takes for a repository without packs.
func (f objectFiles) ReadDir(name string) ([]os.FileInfo, error) {
	entries, err := os.ReadDir(filepath.Join(f.dir, name))
	if err != nil {
		return nil, err
	}
	var list []os.FileInfo
	names := make(map[string]bool, len(entries))
	for _, entry := range entries {
		info, err := entry.Info()
		switch {
		case err == nil:
			list = append(list, info)
			names[entry.Name()] = true
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		}
	}
	return slices.DeleteFunc(list, func(file os.FileInfo) bool {
		pack, isPack := strings.CutSuffix(file.Name(), ".pack")
		return isPack && (!names[pack+".idx"] || f.leaving[pack]) ||
			file.IsDir() && (strings.HasPrefix(file.Name(), "incoming-") || strings.HasPrefix(file.Name(), "tmp_"))
	}), nil
}

// Create refuses: go-git writes nothing here.
func (f objectFiles) Create(name string) (billy.File, error) { return nil, readOnly(name) }

// OpenFile refuses all but reading.
func (f objectFiles) OpenFile(name string, flag int, _ os.FileMode) (billy.File, error) {
	if flag != os.O_RDONLY {
		return nil, readOnly(name)
	}
	return f.Open(name)
}

// TempFile refuses.
func (f objectFiles) TempFile(dir, _ string) (billy.File, error) { return nil, readOnly(dir) }

// Rename refuses.
func (f objectFiles) Rename(name, _ string) error { return readOnly(name) }

// Remove refuses.
func (f objectFiles) Remove(name string) error { return readOnly(name) }

func readOnly(name string) error {
	return fmt.Errorf("gitdisk: write to %s: %w", name, billy.ErrReadOnly)
}
