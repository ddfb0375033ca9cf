package sim

import (
	"maps"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// A Model is a store of git repositories without git: objects are oids in a set. It is the value hand of the world; a
// push costs it a microsecond.
type Model struct {
	repositories map[repo.ID]*bare
	half         map[repo.ID]bool // half made: they are listed, and nothing can be had of them
}

// bare is one repository.
type bare struct {
	head    string
	refs    []repo.Ref // sorted by name
	objects map[repo.OID]bool
	history map[repo.OID]bool // where branches and tags have been
}

// NewModel returns an empty store.
func NewModel() *Model { return &Model{repositories: map[repo.ID]*bare{}, half: map[repo.ID]bool{}} }

// Create implements Git.
func (m *Model) Create(id repo.ID) error {
	delete(m.half, id)
	if m.repositories[id] == nil {
		m.repositories[id] = &bare{head: repo.HeadNew, objects: map[repo.OID]bool{}, history: map[repo.OID]bool{}}
	}
	return nil
}

// Remove implements Git.
func (m *Model) Remove(id repo.ID) error {
	delete(m.repositories, id)
	delete(m.half, id)
	return nil
}

// Repositories lists what is there, sorted by repo.ID.Compare.
func (m *Model) Repositories() []repo.ID {
	all := slices.Concat(slices.SortedFunc(maps.Keys(m.repositories), repo.ID.Compare), slices.SortedFunc(maps.Keys(m.half), repo.ID.Compare))
	slices.SortFunc(all, repo.ID.Compare)
	return all
}

// Refs implements Git.
func (m *Model) Refs(id repo.ID) (gitstore.Refs, error) {
	r := m.repositories[id]
	if r == nil {
		return gitstore.Refs{}, gitstore.ErrNoRepository
	}
	return gitstore.Refs{Head: r.head, Refs: slices.Clone(r.refs)}, nil
}

// Missing implements Git.
func (m *Model) Missing(id repo.ID, oids []repo.OID) ([]repo.OID, error) {
	r := m.repositories[id]
	if r == nil {
		return nil, gitstore.ErrNoRepository
	}
	var missing []repo.OID
	for _, oid := range oids {
		if !r.objects[oid] {
			missing = append(missing, oid)
		}
	}
	return missing, nil
}

// Update implements Git.
func (m *Model) Update(id repo.ID, commands []gitproto.Command, head string) error {
	r := m.repositories[id]
	if r == nil {
		return gitstore.ErrNoRepository
	}
	for _, c := range commands {
		if r.at(c.Ref) != c.Old || c.New != repo.ZeroOID && !r.objects[c.New] {
			return gitstore.ErrConflict
		}
	}
	r.move(commands)
	if head != "" {
		r.head = head
	}
	return nil
}

// Copy implements Git.
func (m *Model) Copy(_ gitstore.Cancel, id, from repo.ID, oids []repo.OID) error {
	r, source := m.repositories[id], m.repositories[from]
	if r == nil || source == nil {
		return gitstore.ErrNoRepository
	}
	if slices.ContainsFunc(oids, func(oid repo.OID) bool { return !source.objects[oid] }) {
		return gitstore.ErrIncomplete
	}
	for _, oid := range oids {
		r.objects[oid] = true
	}
	return nil
}

// Tidy implements Git. Objects know of no others here: where branches and tags have been is taken for what they reach, and all
// else goes that neither a ref nor keep names.
func (m *Model) Tidy(_ gitstore.Cancel, id repo.ID, keep []repo.OID) error {
	r := m.repositories[id]
	if r == nil {
		return gitstore.ErrNoRepository
	}
	stays := maps.Clone(r.history)
	for _, ref := range r.refs {
		stays[ref.OID] = true
	}
	for _, oid := range keep {
		stays[oid] = true
	}
	maps.DeleteFunc(r.objects, func(oid repo.OID, _ bool) bool { return !stays[oid] })
	return nil
}

// Receive executes a push, all or nothing. The pack brings every new oid, unless it is broken.
func (m *Model) Receive(id repo.ID, commands []gitproto.Command, broken bool) gitstore.Report {
	r := m.repositories[id]
	switch {
	case r == nil:
		return gitstore.Refused(commands, "no such repository", nil)
	case broken:
		return gitstore.Refused(commands, "index-pack failed", nil)
	}
	for _, c := range gitproto.Grounded(commands, r.at) {
		if r.at(c.Ref) != c.Old {
			return gitstore.Refused(commands, "ok", map[string]string{c.Ref: "the ref changed meanwhile"})
		}
	}
	report := gitstore.Report{Unpack: "ok"}
	for _, c := range commands {
		if c.New != repo.ZeroOID {
			r.objects[c.New] = true
		}
		report.Results = append(report.Results, gitstore.Result{Ref: c.Ref, OK: true})
	}
	r.move(commands)
	return report
}

// at returns where a ref points to, repo.ZeroOID if it is not there.
func (r *bare) at(name string) repo.OID {
	if i, found := find(r.refs, name); found {
		return r.refs[i].OID
	}
	return repo.ZeroOID
}

func (r *bare) move(commands []gitproto.Command) {
	for _, c := range commands {
		if !strings.HasPrefix(c.Ref, repo.PullRequestPrefix) {
			r.history[c.New] = true
		}
		i, found := find(r.refs, c.Ref)
		switch {
		case c.New == repo.ZeroOID && found:
			r.refs = slices.Delete(r.refs, i, i+1)
		case c.New == repo.ZeroOID:
		case found:
			r.refs[i].OID = c.New
		default:
			r.refs = slices.Insert(r.refs, i, repo.Ref{Name: c.Ref, OID: c.New})
		}
	}
}

func find(refs []repo.Ref, name string) (int, bool) {
	return slices.BinarySearchFunc(refs, name, func(r repo.Ref, name string) int { return strings.Compare(r.Name, name) })
}

// Take puts objects of a fetch into a repository.
func (m *Model) Take(id repo.ID, oids []repo.OID) error {
	r := m.repositories[id]
	if r == nil {
		return gitstore.ErrNoRepository
	}
	for _, oid := range oids {
		r.objects[oid] = true
	}
	return nil
}

// Clone returns a store of its own with the same repositories.
func (m *Model) Clone() *Model {
	twin := NewModel()
	maps.Copy(twin.half, m.half)
	for _, id := range slices.SortedFunc(maps.Keys(m.repositories), repo.ID.Compare) {
		r := m.repositories[id]
		twin.repositories[id] = &bare{
			head: r.head, refs: slices.Clone(r.refs), objects: maps.Clone(r.objects), history: maps.Clone(r.history),
		}
	}
	return twin
}
