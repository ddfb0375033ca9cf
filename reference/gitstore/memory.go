package gitstore

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

// Limits bound what one push may bring. A zero field means its default.
type Limits struct {
	PackMax     int64 // bytes of a pack; default 512 MiB
	ObjectMax   int   // objects in a pack; default 1,000,000
	InflatedMax int64 // bytes of all objects of a pack, inflated; default 2 GiB
}

func (l Limits) withDefaults() Limits {
	if l.PackMax == 0 {
		l.PackMax = 512 << 20
	}
	if l.ObjectMax == 0 {
		l.ObjectMax = 1_000_000
	}
	if l.InflatedMax == 0 {
		l.InflatedMax = 2 << 30
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

// NewMemory returns a Memory without repositories.
func NewMemory(limits Limits) *Memory {
	return &Memory{limits: limits.withDefaults(), repositories: map[repo.ID]*repository{}}
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
	return Refs{Head: r.head, Refs: r.sortedRefs()}, nil
}

// Missing implements Backend. Ids that are no SHA-1 ids are missing.
func (m *Memory) Missing(id repo.ID, oids []repo.OID) ([]repo.OID, error) {
	r, err := m.repository(id)
	if err != nil {
		return nil, err
	}
	var missing []repo.OID
	for _, oid := range oids {
		if len(oid) != len(repo.ZeroOID) || !repo.IsOID(string(oid)) || !r.objects.has(hashOf(oid)) {
			missing = append(missing, oid)
		}
	}
	return missing, nil
}

// Update implements Backend.
func (m *Memory) Update(id repo.ID, commands []gitproto.Command, head string) error {
	r, err := m.repository(id)
	if err != nil {
		return err
	}
	if head != "" && (!strings.HasPrefix(head, "refs/heads/") || !gitproto.CheckRefName(head)) {
		return fmt.Errorf("gitstore: HEAD cannot name %q", head)
	}
	reasons := r.refusals(commands, r.objects)
	for _, c := range commands {
		switch reason := reasons[c.Ref]; reason {
		case "":
		case ReasonStale:
			return ErrConflict
		default:
			return fmt.Errorf("gitstore: update of ref %q: %s", c.Ref, reason)
		}
	}
	r.apply(commands)
	if head != "" {
		r.head = head
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
		r.objects.put(newStored(o.Type, o.Data))
	}
	return nil
}

// Advertise implements Backend.
func (m *Memory) Advertise(_ Cancel, id repo.ID, service gitproto.Service, version int, w io.Writer) error {
	r, err := m.repository(id)
	if err != nil {
		return err
	}
	return r.advertisement(service, version).Write(w)
}

func (m *Memory) repository(id repo.ID) (*repository, error) {
	if r := m.repositories[id]; r != nil {
		return r, nil
	}
	return nil, ErrNoRepository
}
