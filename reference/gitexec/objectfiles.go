package gitexec

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/storage/filesystem"
	pool "github.com/go-git/go-git/v5/utils/sync"

	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// Bounds of what is read without a process of git.
const (
	readMax  = 1 << 20 // bytes of an object
	indexMax = 1 << 20 // bytes of the indexes of all packs: they are read whole, and a process costs less from there on
)

// errUnread is of an object that may be there and is not read here.
var errUnread = errors.New("gitexec: an object is for git to read")

// objectFiles are the objects of a repository as a gitstore.Source: those in files of their own, and those in packs whose
// indexes are small. It is for one operation.
type objectFiles struct {
	path  string
	packs *filesystem.Storage // nil until one is looked for there
}

func (o *objectFiles) close() {
	if o.packs != nil {
		_ = o.packs.Close() // nothing was written
	}
}

// EncodedObject implements gitstore.Source.
func (o *objectFiles) EncodedObject(_ plumbing.ObjectType, id plumbing.Hash) (plumbing.EncodedObject, error) {
	loose, err := readLooseObject(looseFile(o.path, repo.OID(id.String())))
	if err == nil {
		x := &plumbing.MemoryObject{}
		x.SetType(loose.Type)
		_, err = x.Write(loose.Data)
		return x, err
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := o.openPacks(); err != nil {
		return nil, err
	}
	return o.packs.EncodedObject(plumbing.AnyObject, id)
}

// HasEncodedObject implements gitstore.Source.
func (o *objectFiles) HasEncodedObject(id plumbing.Hash) error {
	_, err := o.EncodedObject(plumbing.AnyObject, id)
	return err
}

func (o *objectFiles) openPacks() error {
	if o.packs != nil {
		return nil
	}
	entries, err := os.ReadDir(filepath.Join(o.path, "objects", "pack"))
	if err != nil {
		return err
	}
	total := int64(0)
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && strings.HasSuffix(entry.Name(), ".idx") {
			total += info.Size()
		}
	}
	if total == 0 {
		return plumbing.ErrObjectNotFound
	}
	if total > indexMax {
		return errUnread
	}
	o.packs = filesystem.NewStorageWithOptions(osfs.New(o.path), cache.NewObjectLRU(4*readMax), filesystem.Options{LargeObjectThreshold: readMax})
	return nil
}

// readLooseObject reads an object that has a file of its own. Its id is that of its name: a file that holds another one is not told.
func readLooseObject(name string) (x gitstore.Object, err error) {
	file, err := os.Open(name)
	if err != nil {
		return x, err
	}
	defer func() { _ = file.Close() }() // nothing was written
	z, err := pool.GetZlibReader(file)
	defer pool.PutZlibReader(z)
	if err != nil {
		return x, err
	}
	r := pool.GetBufioReader(io.LimitReader(z.Reader, readMax))
	defer pool.PutBufioReader(r)
	head, err := r.ReadString(0)
	if err != nil {
		return x, err
	}
	word, size, _ := strings.Cut(strings.TrimSuffix(head, "\x00"), " ")
	if x.Type, err = plumbing.ParseObjectType(word); err != nil {
		return x, err
	}
	if x.Data, err = io.ReadAll(r); err != nil {
		return x, err
	}
	if size != strconv.Itoa(len(x.Data)) {
		return x, fmt.Errorf("%w: it has another size than it says", errUnread)
	}
	return x, nil
}
