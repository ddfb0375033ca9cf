package invariant

import (
	"maps"
	"slices"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// repositoryView is a repository as orders, pushes and their outcomes show it.
type repositoryView struct {
	refs    map[string]repo.OID
	head    string
	objects map[repo.OID]bool // that pushes and copies brought; real packs bring more
	history map[repo.OID]bool // where branches and tags have been: they reach it, as far as is known here
	left    []leftObject      // that refs pointed to in this life, oldest first
}

func newRepositoryView() *repositoryView {
	return &repositoryView{refs: map[string]repo.OID{}, head: "refs/heads/master", objects: map[repo.OID]bool{}, history: map[repo.OID]bool{}}
}

// take makes the view what is on the disk.
func (r *repositoryView) take(refs gitstore.Refs) {
	clear(r.refs)
	for _, ref := range refs.Refs {
		r.put(ref.Name, ref.OID)
	}
	r.head = refs.Head
}

// follows makes the view one of the refs that another one knows, where they cannot be read.
func (r *repositoryView) follows(known *repositoryView) {
	for _, name := range slices.Sorted(maps.Keys(known.refs)) {
		r.put(name, known.refs[name])
	}
	r.head = known.head
}

// holdsRefs says that the objects at the refs are there. At a start no others are known: the tidying of a life before may have been
// carried out in part.
func (r *repositoryView) holdsRefs() {
	for _, name := range slices.Sorted(maps.Keys(r.refs)) {
		r.objects[r.refs[name]] = true
	}
}

// apply returns the refs with the commands applied; nil if a command does not start from what is there. One that asks for
// what is there starts from nowhere, and neither does a deletion that names no old value.
func (r *repositoryView) apply(commands []gitproto.Command) map[string]repo.OID {
	after := maps.Clone(r.refs)
	for _, c := range commands {
		old, ok := r.refs[c.Ref]
		if !ok {
			old = repo.ZeroOID
		}
		if c.Old != old && c.New != old && (!c.Old.IsZero() || !c.New.IsZero()) {
			return nil
		}
		if c.New.IsZero() {
			delete(after, c.Ref)
		} else {
			after[c.Ref] = c.New
		}
	}
	return after
}

// move takes over commands that were executed.
func (r *repositoryView) move(commands []gitproto.Command) {
	for _, c := range commands {
		if c.New.IsZero() {
			delete(r.refs, c.Ref)
		} else {
			r.put(c.Ref, c.New)
		}
	}
}

func (r *repositoryView) put(name string, oid repo.OID) {
	r.refs[name] = oid
	if _, named := repo.PullRequestOf(name); !named {
		r.history[oid] = true
	}
}

// equals reports whether the branches and tags of refs are exactly those that a state declares.
func equals(refs map[string]repo.OID, s *repo.State) bool {
	count := 0
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		if declarable(name) {
			count++
		}
	}
	if count != len(s.Refs) {
		return false
	}
	for _, ref := range s.Refs {
		if refs[ref.Name] != ref.OID {
			return false
		}
	}
	return true
}

// shares reports whether the refs have one that the state declares, at the object that it declares.
func shares(refs map[string]repo.OID, s *repo.State) bool {
	return slices.ContainsFunc(s.Refs, func(ref repo.Ref) bool { return refs[ref.Name] == ref.OID })
}
