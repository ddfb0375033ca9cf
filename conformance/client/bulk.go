package client

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

// A Bulk is files of one size that do not compress, there for their size alone. The same seed gives the same files, in
// whatever history. Nobody holds their bytes: they are made anew whenever they are needed, and what each is called and how
// long its entry in a pack is is found out once. Any number of histories may use one at a time.
type Bulk struct {
	seed string
	size int // bytes

	mu    sync.Mutex
	files []bulkFile
}

type bulkFile struct {
	oid    string
	object gitObject
}

// NewBulk returns files of so many bytes each.
func NewBulk(seed string, size int) *Bulk { return &Bulk{seed: seed, size: size} }

func bulkPath(i int) string { return fmt.Sprintf("bulk/%02d", i) }

// first returns the first n files.
func (b *Bulk) first(n int) []bulkFile {
	b.mu.Lock()
	defer b.mu.Unlock()
	var content []byte
	var entry bytes.Buffer
	for i := len(b.files); i < n; i++ {
		key := sha256.Sum256([]byte(b.seed + "/" + bulkPath(i)))
		again := func(into []byte) { _, _ = rand.NewChaCha8(key).Read(into) } // never fails
		o := gitObject{kind: plumbing.BlobObject, size: b.size, again: again}
		content = o.contentIn(content)
		entry.Reset()
		o.writeEntry(&entry, content)
		o.packed = entry.Len()
		b.files = append(b.files, bulkFile{oid: oidOf(plumbing.BlobObject, content), object: o})
	}
	return b.files[:n]
}

// Bulk makes a commit on a parent of the first n files of a bulk.
func (h *History) Bulk(parent string, bulk *Bulk, n int, msg string) string {
	blobs := make(map[string]string, n)
	for i, file := range bulk.first(n) {
		h.graph.objects[file.oid] = file.object
		blobs[bulkPath(i)] = file.oid
	}
	return h.commit([]string{parent}, blobs, msg)
}
