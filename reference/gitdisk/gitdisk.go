// Package gitdisk is the store of a live server on a machine without git: bare repositories in a folder, read through
// go-git's filesystem storer and served by the project's own wire layer. The folder is that of package gitexec, so that
// either can open what the other has written, one after the other; it is slower than git by a factor of 3 to 10. It
// authorizes nothing.
//
// What is durable when a push is reported: its objects lie in one pack whose bytes, index and names are on the disk
// before any ref moves; all refs of a push move by the renaming of one file, packed-refs. After a crash a push has
// happened or it has not, save that refs which somebody else's git left in files of their own are first moved into
// packed-refs, which changes no value. HEAD is a file of its own and is written after the refs. A crash between pack
// and refs leaves objects that no ref reaches: harmless, since what a ref may point to is judged by what the refs
// reach and not by what lies there.
package gitdisk

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/graspkit/graspkit/reference/gitlayout"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitread"
	"github.com/graspkit/graspkit/reference/gitspool"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/gitturn"
	"github.com/graspkit/graspkit/reference/repo"
)

// Options are the settings of a Disk. A zero field means its default.
type Options struct {
	Limits  gitstore.Limits
	Workers int64 // fetches at one time, and pushes at one time, of one client half of them; default 16
	// CacheMax is how many bytes of objects one operation keeps in memory, mostly bases of deltas; default 32 MiB.
	CacheMax int64
	Sync     gitlayout.Syncer // makes durable what is written; default gitlayout.ToDisk
	Quota    gitlayout.Quota
	// Packs bound those that are on their way, Answers what clients have not taken of their clones and fetches.
	Packs, Answers gitspool.Limits
}

func (o Options) withDefaults() Options {
	o.Limits = o.Limits.WithDefaults()
	if o.Workers == 0 {
		o.Workers = 16
	}
	if o.CacheMax == 0 {
		o.CacheMax = 32 << 20
	}
	return o
}

// A Disk is a gitstore.Backend on a file system. Its methods may be called at any time from any goroutine: writes to
// one repository wait for each other, reads wait for nothing. Only one store may use a folder.
type Disk struct {
	layout  *gitlayout.Layout
	options Options
	leaving leaving

	// Fetches and pushes wait for clients: many slow ones must not keep the others waiting.
	uploads, receives *gitturn.Places
	packs, answers    *gitspool.Pool
}

var _ gitstore.Backend = (*Disk)(nil)

// spoolName is the folder beside those of the repositories where packs wait until they are there whole, and answers until the
// client has taken them.
const spoolName = ".spool"

// New opens a folder of repositories, making it if it is not there, and removes what a crash may have left: locks and
// half-received packs.
func New(dir string, options Options) (*Disk, error) {
	options = options.withDefaults()
	layout, err := gitlayout.New(dir, gitlayout.Options{Sync: options.Sync, Quota: options.Quota})
	if err != nil {
		return nil, err
	}
	workers := int(options.Workers)
	d := &Disk{
		layout: layout, options: options,
		uploads:  gitturn.New(workers, (workers+1)/2),
		receives: gitturn.New(workers, (workers+1)/2),
	}
	if d.packs, err = gitspool.New(filepath.Join(layout.Dir(), spoolName, "packs"), options.Packs); err != nil {
		return nil, err
	}
	if d.answers, err = gitspool.New(filepath.Join(layout.Dir(), spoolName, "answers"), options.Answers); err != nil {
		return nil, err
	}
	return d, layout.Recover(gitlayout.Sweep)
}

// Room fails if the folder of the repositories is not there any more.
func (d *Disk) Room() error { return d.layout.Room() }

// Create implements gitstore.Backend.
func (d *Disk) Create(id repo.ID) error {
	defer d.layout.Lock(id)()
	return d.layout.Create(id)
}

// Remove implements gitstore.Backend.
func (d *Disk) Remove(id repo.ID) error {
	defer d.layout.Lock(id)()
	return d.layout.Remove(id)
}

// Repositories implements gitstore.Backend. It lists half-made repositories too.
func (d *Disk) Repositories() ([]repo.ID, error) { return d.layout.Repositories() }

// Refs implements gitstore.Backend.
func (d *Disk) Refs(id repo.ID) (gitstore.Refs, error) {
	path, err := d.layout.Open(id)
	if err != nil {
		return gitstore.Refs{}, err
	}
	t, err := gitread.Refs(path)
	return t.Refs, err
}

// Missing implements gitstore.Backend. Ids that are no SHA-1 ids are missing.
func (d *Disk) Missing(id repo.ID, oids []repo.OID) (missing []repo.OID, err error) {
	err = d.read(id, func(v *gitstore.View) error {
		missing, err = v.Missing(oids)
		return err
	})
	return missing, err
}

// Advertise implements gitstore.Backend.
func (d *Disk) Advertise(_ gitstore.Cancel, id repo.ID, service gitproto.Service, version int, w io.Writer) error {
	return d.read(id, func(v *gitstore.View) error { return v.Advertise(service, version, w) })
}

// UploadPack implements gitstore.Backend.
func (d *Disk) UploadPack(c gitstore.Cancel, id repo.ID, version int, r io.Reader, w io.Writer) error {
	if _, err := d.layout.Open(id); err != nil {
		return err
	}
	// The request is read first: a slow client must not hold a place among the workers.
	request, err := io.ReadAll(io.LimitReader(r, gitproto.RequestMax+1))
	if err != nil {
		return fmt.Errorf("read request: %w", err)
	}
	// A slow reader must not either: what it has not taken is spooled.
	_, err, sent := d.answers.Relay(w, func(w io.Writer) error {
		_, leave, err := d.uploads.Take(contextOf(c))
		if err != nil {
			return fmt.Errorf("wait for other fetches: %w", err)
		}
		defer leave()
		return d.read(id, func(v *gitstore.View) error { return v.UploadPack(c, version, bytes.NewReader(request), w) })
	})
	if sent != nil {
		return fmt.Errorf("send answer: %w", sent)
	}
	return err
}

// read opens a repository for one operation.
func (d *Disk) read(id repo.ID, operation func(*gitstore.View) error) error {
	path, err := d.layout.Open(id)
	if err != nil {
		return err
	}
	defer d.layout.Read(path)()
	r, err := d.open(path)
	if err != nil {
		return err
	}
	defer r.close()
	return operation(gitstore.NewView(r.table.Refs, r.storage))
}

// contextOf returns a Cancel as the context that it usually is.
func contextOf(c gitstore.Cancel) context.Context {
	if ctx, ok := c.(context.Context); ok {
		return ctx
	}
	return context.Background()
}
