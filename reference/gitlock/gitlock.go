// Package gitlock puts a lock around a git store that has none, so that a server with many connections may use it.
// Network readers and writers are never waited for under the lock: what they send and receive is buffered. It stores
// nothing itself and is meant for stores that keep everything in memory anyway.
package gitlock

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// A Backend is a gitstore.Backend whose methods may be called at any time from any goroutine.
type Backend struct {
	inner   gitstore.Backend
	packMax int64

	// mu is held for writing by Create, Remove, Update, Receive, Copy, Take and Tidy, for reading by everything else.
	mu sync.RWMutex
}

var _ gitstore.Backend = (*Backend)(nil)

// New wraps inner. At most packMax bytes of a pack are buffered; 0 means 512 MiB. Inner must refuse larger packs.
func New(inner gitstore.Backend, packMax int64) *Backend {
	if packMax == 0 {
		packMax = 512 << 20
	}
	return &Backend{inner: inner, packMax: packMax}
}

// Create implements gitstore.Backend.
func (b *Backend) Create(id repo.ID) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.inner.Create(id)
}

// Remove implements gitstore.Backend.
func (b *Backend) Remove(id repo.ID) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.inner.Remove(id)
}

// Repositories implements gitstore.Backend.
func (b *Backend) Repositories() ([]repo.ID, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.inner.Repositories()
}

// Refs implements gitstore.Backend.
func (b *Backend) Refs(id repo.ID) (gitstore.Refs, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.inner.Refs(id)
}

// Missing implements gitstore.Backend.
func (b *Backend) Missing(id repo.ID, oids []repo.OID) ([]repo.OID, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.inner.Missing(id, oids)
}

// Update implements gitstore.Backend.
func (b *Backend) Update(id repo.ID, commands []gitproto.Command, head string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.inner.Update(id, commands, head)
}

// Advertise implements gitstore.Backend.
func (b *Backend) Advertise(c gitstore.Cancel, id repo.ID, service gitproto.Service, version int, w io.Writer) error {
	return b.buffered(w, func(w io.Writer) error { return b.inner.Advertise(c, id, service, version, w) })
}

// UploadPack implements gitstore.Backend.
func (b *Backend) UploadPack(c gitstore.Cancel, id repo.ID, version int, r io.Reader, w io.Writer) error {
	request, err := io.ReadAll(io.LimitReader(r, gitproto.RequestMax+1))
	if err != nil {
		return fmt.Errorf("read request: %w", err)
	}
	return b.buffered(w, func(w io.Writer) error {
		return b.inner.UploadPack(c, id, version, bytes.NewReader(request), w)
	})
}

// buffered runs answer under the read lock and sends what it wrote afterwards.
func (b *Backend) buffered(w io.Writer, answer func(io.Writer) error) error {
	var out bytes.Buffer
	err := func() error {
		b.mu.RLock()
		defer b.mu.RUnlock()
		return answer(&out)
	}()
	if _, writeErr := w.Write(out.Bytes()); err == nil && writeErr != nil {
		err = fmt.Errorf("write answer: %w", writeErr)
	}
	return err
}

// Receive implements gitstore.Backend. A pack that cannot be read to its end is handed on with the error in its
// place, so that inner judges it.
func (b *Backend) Receive(c gitstore.Cancel, id repo.ID, push gitstore.Push, pack io.Reader) (gitstore.Report, error) {
	if gitstore.NeedsPack(push.Commands) {
		pack = b.read(pack)
	}
	if err := push.Arrived(); err != nil {
		return gitstore.Report{}, err
	}
	push.Here = nil
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.inner.Receive(c, id, push, pack)
}

// Copy implements gitstore.Backend.
func (b *Backend) Copy(c gitstore.Cancel, id, from repo.ID, oids []repo.OID) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.inner.Copy(c, id, from, oids)
}

// Take implements gitstore.Backend; a pack that cannot be read is treated as by Receive.
func (b *Backend) Take(c gitstore.Cancel, id repo.ID, wants []repo.OID, pack io.Reader) (gitstore.Taking, error) {
	pack = b.read(pack)
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.inner.Take(c, id, wants, pack)
}

// Tidy implements gitstore.Backend.
func (b *Backend) Tidy(c gitstore.Cancel, id repo.ID, keep []repo.OID) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.inner.Tidy(c, id, keep)
}

// read buffers a pack.
func (b *Backend) read(pack io.Reader) io.Reader {
	data, err := io.ReadAll(io.LimitReader(pack, b.packMax+1))
	if err != nil {
		return io.MultiReader(bytes.NewReader(data), broken{err})
	}
	return bytes.NewReader(data)
}

// broken is a reader that always fails.
type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }
