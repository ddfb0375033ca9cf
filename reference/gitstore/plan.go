package gitstore

import (
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/graspkit/graspkit/reference/gitproto"
)

// hashes is a set of object ids.
type hashes map[plumbing.Hash]bool

func hashSet(list []plumbing.Hash) hashes {
	set := make(hashes, len(list))
	for _, h := range list {
		set[h] = true
	}
	return set
}

// A plan is what one fetch request means for one repository: which history the client wants, where it is cut, and
// what it has already. It walks in a fixed order, so that equal requests get equal packs.
type plan struct {
	objects *objects
	request gitproto.FetchRequest
	refs    []taggedRef

	explicit []object        // wanted objects that are no commits, and tags on the way
	heads    []plumbing.Hash // wanted commits
	common   []plumbing.Hash // haves that the repository has, in the order of the request

	cut       hashes          // commits whose parents the client will not have
	held      hashes          // the client's boundary before this fetch
	shallow   []plumbing.Hash // new boundary
	unshallow []plumbing.Hash // commits that are no boundary any more
}

// A taggedRef is a ref below refs/tags/ that points to a tag object.
type taggedRef struct {
	tags   []object
	target plumbing.Hash
}

// plan resolves a request. A want that is not there is a *gitproto.ProtocolError in git's words (G01-GIT-06,
// G01-GIT-07).
func (v *View) plan(c Cancel, q gitproto.FetchRequest) (*plan, error) {
	p := &plan{objects: v.objects, request: q, held: hashes{}}
	for _, want := range q.Wants {
		target, tags, ok := v.objects.peel(hashOf(want))
		if err := v.objects.failed(); err != nil {
			return nil, err
		}
		if !ok {
			return nil, &gitproto.ProtocolError{What: "upload-pack: not our ref " + string(want)}
		}
		p.explicit = append(p.explicit, tags...)
		if target.Type() == Commit {
			p.heads = append(p.heads, target.id)
		} else {
			p.explicit = append(p.explicit, target)
		}
	}
	for _, have := range q.Haves {
		if h := hashOf(have); v.objects.has(h) {
			p.common = append(p.common, h)
		}
	}
	for _, h := range q.Shallow {
		p.held[hashOf(h)] = true
	}
	if q.IncludeTag {
		p.refs = v.taggedRefs()
	}
	p.cut = p.held
	if q.Deepen.Asked() {
		if err := p.deepen(c, v); err != nil {
			if failure := v.objects.failed(); failure != nil {
				return nil, failure
			}
			return nil, err
		}
	}
	return p, v.objects.failed()
}

func (v *View) taggedRefs() []taggedRef {
	var list []taggedRef
	for _, ref := range v.refs.Refs {
		if strings.HasPrefix(ref.Name, "refs/heads/") {
			continue
		}
		if target, tags, ok := v.objects.peel(hashOf(ref.OID)); ok && len(tags) > 0 {
			list = append(list, taggedRef{tags: tags, target: target.id})
		}
	}
	return list
}

// ancestors returns the commits that from reaches, itself included, in a fixed order. Commits in stop are kept but
// their parents are not followed; those that keep refuses are left out with all that only they reach.
func (o *objects) ancestors(c Cancel, from []plumbing.Hash, stop hashes, keep func(plumbing.Hash, commitLinks) bool) ([]plumbing.Hash, error) {
	seen := hashes{}
	var list []plumbing.Hash
	queue := append([]plumbing.Hash(nil), from...)
	for len(queue) > 0 {
		if err := c.Err(); err != nil {
			return nil, err
		}
		h := queue[0]
		queue = queue[1:]
		if seen[h] {
			continue
		}
		seen[h] = true
		commit, ok := o.commit(h)
		if !ok || keep != nil && !keep(h, commit) {
			continue
		}
		list = append(list, h)
		if !stop[h] {
			queue = append(queue, commit.parents...)
		}
	}
	return list, nil
}

// commonCommits returns the commits among what both sides have, tags followed.
func (p *plan) commonCommits() []plumbing.Hash {
	var list []plumbing.Hash
	for _, h := range p.common {
		if target, _, ok := p.objects.peel(h); ok && target.Type() == Commit {
			list = append(list, target.id)
		}
	}
	return list
}

// enough reports whether every wanted commit reaches a common one: then more haves would hardly make the pack
// smaller, and the server says "ready".
func (p *plan) enough() bool {
	if len(p.common) == 0 {
		return false
	}
	common := hashSet(p.commonCommits())
	// One walk over the wanted history up to common commits; then reaching spreads from parents to children.
	visited, _ := p.objects.ancestors(never{}, p.heads, common, nil)
	children := map[plumbing.Hash][]plumbing.Hash{}
	var spread []plumbing.Hash
	for _, h := range visited {
		if common[h] {
			spread = append(spread, h)
			continue
		}
		commit, _ := p.objects.commit(h)
		for _, parent := range commit.parents {
			children[parent] = append(children[parent], h)
		}
	}
	reaching := hashes{}
	for len(spread) > 0 {
		h := spread[len(spread)-1]
		spread = spread[:len(spread)-1]
		if !reaching[h] {
			reaching[h] = true
			spread = append(spread, children[h]...)
		}
	}
	for _, head := range p.heads {
		if !reaching[head] {
			return false
		}
	}
	return true
}
