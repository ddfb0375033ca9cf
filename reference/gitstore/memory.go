package gitstore

import (
	"io"
	"maps"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/storage/memory"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

// Limits bound what one push may bring. A zero field means its default.
type Limits struct {
	PackMax     int64 // bytes of a pack; default 512 MiB
	ObjectMax   int   // objects in a pack; default 1,000,000
	InflatedMax int64 // bytes of all objects of a pack, inflated; default 2 GiB
	OneMax      int64 // bytes of one object; default 256 MiB
	// What names other objects costs far more than its bytes.
	CommitMax int64 // bytes of a commit or tag; default 1 MiB
	TreeMax   int64 // bytes of a tree; default 4 MiB
}

// WithDefaults returns the limits with no zero field.
func (l Limits) WithDefaults() Limits {
	if l.PackMax == 0 {
		l.PackMax = 512 << 20
	}
	if l.ObjectMax == 0 {
		l.ObjectMax = 1_000_000
	}
	if l.InflatedMax == 0 {
		l.InflatedMax = 2 << 30
	}
	if l.OneMax == 0 {
		l.OneMax = 256 << 20
	}
	if l.CommitMax == 0 {
		l.CommitMax = 1 << 20
	}
	if l.TreeMax == 0 {
		l.TreeMax = 4 << 20
	}
	return l
}

// A Memory is a Backend that keeps repositories in memory on go-git storers. What it writes depends only on what it
// holds and is asked: the same calls give the same bytes. It has no lock: calls must not overlap, save those of
// Advertise, UploadPack, Refs, Missing and Repositories with each other. Package gitlock wraps it where they may.
type Memory struct {
	limits       Limits
	repositories map[repo.ID]*repository
}

var _ Backend = (*Memory)(nil)

// A repository is one bare repository in memory. Its refs are replaced, never changed: views and callers keep them.
type repository struct {
	refs    Refs
	storage *memory.ObjectStorage
}

func newRepository() *repository {
	return &repository{refs: Refs{Head: repo.HeadNew, Refs: []repo.Ref{}}, storage: newStorage()}
}

func newStorage() *memory.ObjectStorage { return &memory.NewStorage().ObjectStorage }

// NewMemory returns a Memory without repositories.
func NewMemory(limits Limits) *Memory {
	return &Memory{limits: limits.WithDefaults(), repositories: map[repo.ID]*repository{}}
}

// Create implements Backend.
func (m *Memory) Create(id repo.ID) error {
	if m.repositories[id] == nil {
		m.repositories[id] = newRepository()
	}
	return nil
}

// Remove implements Backend.
func (m *Memory) Remove(id repo.ID) error {
	delete(m.repositories, id)
	return nil
}

// Repositories implements Backend.
func (m *Memory) Repositories() ([]repo.ID, error) {
	return slices.SortedFunc(maps.Keys(m.repositories), repo.ID.Compare), nil
}

// Refs implements Backend.
func (m *Memory) Refs(id repo.ID) (Refs, error) {
	r, err := m.repository(id)
	if err != nil {
		return Refs{}, err
	}
	return Refs{Head: r.refs.Head, Refs: slices.Clone(r.refs.Refs)}, nil
}

// Missing implements Backend. Ids that are no SHA-1 ids are missing.
func (m *Memory) Missing(id repo.ID, oids []repo.OID) ([]repo.OID, error) {
	v, err := m.view(id)
	if err != nil {
		return nil, err
	}
	return v.Missing(oids)
}

// Update implements Backend.
func (m *Memory) Update(id repo.ID, commands []gitproto.Command, head string) error {
	r, err := m.repository(id)
	if err != nil {
		return err
	}
	if err := r.view().Check(commands, head); err != nil {
		return err
	}
	r.refs = r.refs.Apply(commands)
	if head != "" {
		r.refs.Head = head
	}
	return nil
}

// Put adds objects to a repository, for tests and set-up: nothing checks that what they point to is there.
func (m *Memory) Put(id repo.ID, added ...Object) error {
	r, err := m.repository(id)
	if err != nil {
		return err
	}
	for _, o := range added {
		put(r.storage, newStored(o.Type, o.Data))
	}
	return nil
}

// Advertise implements Backend.
func (m *Memory) Advertise(_ Cancel, id repo.ID, service gitproto.Service, version int, w io.Writer) error {
	v, err := m.view(id)
	if err != nil {
		return err
	}
	return v.Advertise(service, version, w)
}

// UploadPack implements Backend.
func (m *Memory) UploadPack(c Cancel, id repo.ID, version int, r io.Reader, w io.Writer) error {
	v, err := m.view(id)
	if err != nil {
		return err
	}
	return v.UploadPack(c, version, r, w)
}

// Receive implements Backend. Of a pack only objects that a new ref value reaches move into the repository, and only
// if all commands succeed (G01-PUSH-29).
func (m *Memory) Receive(c Cancel, id repo.ID, push Push, pack io.Reader) (Report, error) {
	r, err := m.repository(id)
	if err != nil {
		return Report{}, err
	}
	if err := push.Arrived(); err != nil { // nothing here waits for the sender of the pack
		return Report{}, err
	}
	push.Commands = gitproto.Grounded(push.Commands, r.refs.At)
	intake, err := r.view().Examine(c, push, pack, Quarantine{Limits: m.limits, once: m.once})
	if err != nil {
		return Report{}, err
	}
	if intake.Refused() {
		return intake.Report, nil
	}
	for _, s := range intake.objects {
		put(r.storage, s)
	}
	r.refs = r.refs.Apply(push.Commands)
	return intake.Report, nil
}

// onceMin is from how many bytes on an object is looked for in the repositories that are there before it is kept.
const onceMin = 256 << 10

// once returns a large object as another repository holds it already, so that its content is in memory once.
func (m *Memory) once(s *stored) *stored {
	if s.size < onceMin {
		return s
	}
	for _, id := range slices.SortedFunc(maps.Keys(m.repositories), repo.ID.Compare) {
		found, err := m.repositories[id].storage.EncodedObject(s.Type(), s.hash)
		if there, is := found.(*stored); err == nil && is {
			return there
		}
	}
	return s
}

// Copy implements Backend. What is selected and what is examined is the same as with a pack in between; an object is never
// changed, so that both repositories may hold it.
func (m *Memory) Copy(c Cancel, id, from repo.ID, oids []repo.OID) error {
	r, err := m.repository(id)
	if err != nil {
		return err
	}
	source, err := m.view(from)
	if err != nil {
		return err
	}
	lending, err := source.lending(c, oids, r.refs)
	if err != nil {
		return err
	}
	list, err := lending.selection(c)
	if err != nil {
		return err
	}
	view, storage := r.view(), newStorage()
	for _, h := range list {
		x, err := source.mustBeThere(h)
		if err != nil {
			return err
		}
		put(storage, x)
	}
	intake, err := view.borrow(c, oids, &objects{source: storage, base: view.objects}, nil)
	if err != nil {
		return err
	}
	for _, s := range intake.objects {
		put(r.storage, s)
	}
	return nil
}

func put(storage *memory.ObjectStorage, s plumbing.EncodedObject) {
	if _, err := storage.SetEncodedObject(s); err != nil {
		panic("gitstore: invariant: " + err.Error())
	}
}

func (m *Memory) repository(id repo.ID) (*repository, error) {
	if r := m.repositories[id]; r != nil {
		return r, nil
	}
	return nil, ErrNoRepository
}

func (r *repository) view() *View {
	v := NewView(r.refs, r.storage)
	v.sound = true
	return v
}

func (m *Memory) view(id repo.ID) (*View, error) {
	r, err := m.repository(id)
	if err != nil {
		return nil, err
	}
	return r.view(), nil
}
