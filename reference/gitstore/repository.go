package gitstore

import (
	"maps"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/storage/memory"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

// headDefault is the branch that HEAD of a new repository names.
const headDefault = "refs/heads/main"

// objects is a set of objects in a go-git storer. With a base it is a quarantine: what is not in it is looked up in
// the base, and what is put into it does not reach the base.
type objects struct {
	storage *memory.ObjectStorage
	base    *objects
}

func newObjects(base *objects) *objects {
	return &objects{storage: &memory.NewStorage().ObjectStorage, base: base}
}

func (o *objects) get(h plumbing.Hash) (*stored, bool) {
	if found, err := o.storage.EncodedObject(plumbing.AnyObject, h); err == nil {
		//nolint:errcheck // nothing else is put into these storages
		return found.(*stored), true
	}
	if o.base != nil {
		return o.base.get(h)
	}
	return nil, false
}

func (o *objects) has(h plumbing.Hash) bool {
	_, ok := o.get(h)
	return ok
}

func (o *objects) put(s *stored) {
	if _, err := o.storage.SetEncodedObject(s); err != nil {
		panic("gitstore: invariant: " + err.Error())
	}
}

func (o *objects) commit(h plumbing.Hash) (commitLinks, bool) {
	s, ok := o.get(h)
	if !ok || s.Type() != Commit {
		return commitLinks{}, false
	}
	c, err := parseCommit(s.Data)
	return c, err == nil
}

// tagChainMax bounds how many tags of tags are followed.
const tagChainMax = 64

// peel follows tags to what they point to in the end, and returns the tags that it passed.
func (o *objects) peel(h plumbing.Hash) (target *stored, tags []*stored, ok bool) {
	for range tagChainMax {
		s, found := o.get(h)
		if !found {
			return nil, tags, false
		}
		if s.Type() != Tag {
			return s, tags, true
		}
		t, err := parseTag(s.Data)
		if err != nil {
			return nil, tags, false
		}
		tags = append(tags, s)
		h = t.target
	}
	return nil, tags, false
}

// A repository is one bare repository in memory.
type repository struct {
	objects *objects
	refs    map[string]repo.OID
	head    string
}

func newRepository() *repository {
	return &repository{objects: newObjects(nil), refs: map[string]repo.OID{}, head: headDefault}
}

// at returns what a ref points to, ZeroOID if there is no such ref.
func (r *repository) at(ref string) repo.OID {
	if oid, ok := r.refs[ref]; ok {
		return oid
	}
	return repo.ZeroOID
}

func (r *repository) sortedRefs() []repo.Ref {
	refs := make([]repo.Ref, 0, len(r.refs))
	for _, name := range slices.Sorted(maps.Keys(r.refs)) {
		refs = append(refs, repo.Ref{Name: name, OID: r.refs[name]})
	}
	return refs
}

func (r *repository) advertisement(service gitproto.Service, version int) gitproto.Advertisement {
	a := gitproto.Advertisement{Service: service, Version: version, HeadTarget: r.head, Head: r.refs[r.head]}
	for _, ref := range r.sortedRefs() {
		advertised := gitproto.AdvertisedRef{Ref: ref}
		if target, tags, ok := r.objects.peel(hashOf(ref.OID)); ok && len(tags) > 0 {
			advertised.Peeled = oidOf(target.hash)
		}
		a.Refs = append(a.Refs, advertised)
	}
	return a
}

// apply moves refs; everything was checked before.
func (r *repository) apply(commands []gitproto.Command) {
	for _, c := range commands {
		if c.New.IsZero() {
			delete(r.refs, c.Ref)
		} else {
			r.refs[c.Ref] = c.New
		}
	}
}

// refusals returns why commands cannot be applied, by ref: bad names, old values that do not match, names that
// would be both a ref and a folder of refs, branches that are no commits. Nil means that all can.
func (r *repository) refusals(commands []gitproto.Command, from *objects) map[string]string {
	after := maps.Clone(r.refs)
	for _, c := range commands {
		if c.New.IsZero() {
			delete(after, c.Ref)
		} else {
			after[c.Ref] = c.New
		}
	}
	names := slices.Sorted(maps.Keys(after))
	var reasons map[string]string
	for _, c := range commands {
		if reason := r.refusal(c, names, from); reason != "" {
			if reasons == nil {
				reasons = map[string]string{}
			}
			reasons[c.Ref] = reason
		}
	}
	return reasons
}

func (r *repository) refusal(c gitproto.Command, names []string, from *objects) string {
	switch {
	case !gitproto.CheckRefName(c.Ref) || !strings.HasPrefix(c.Ref, "refs/"):
		return ReasonName
	case r.at(c.Ref) != c.Old:
		return ReasonStale
	case c.New.IsZero():
		return ""
	case collides(c.Ref, names):
		return ReasonCollides
	}
	object, ok := from.get(hashOf(c.New))
	switch {
	case !ok:
		return ReasonMissing
	case strings.HasPrefix(c.Ref, "refs/heads/") && object.Type() != Commit:
		return ReasonBranch
	}
	return ""
}

// collides reports whether one of the sorted names is a folder of ref, or has ref as a folder.
func collides(ref string, names []string) bool {
	if i, _ := slices.BinarySearch(names, ref+"/"); i < len(names) && strings.HasPrefix(names[i], ref+"/") {
		return true
	}
	for i := range len(ref) {
		if ref[i] == '/' {
			if _, found := slices.BinarySearch(names, ref[:i]); found {
				return true
			}
		}
	}
	return false
}
