package gitstore

import (
	"github.com/go-git/go-git/v5/plumbing"

	"github.com/graspkit/graspkit/reference/gitproto"
)

// A selector collects the objects of one pack.
type selector struct {
	plan     *plan
	filter   gitproto.Filter
	list     []plumbing.Hash
	chosen   hashes
	held     hashes                  // trees and blobs that the client has
	depths   map[plumbing.Hash]int64 // at which depth a tree was last entered
	explicit hashes                  // what the client named: no filter applies to it
}

// selection returns what the pack holds, in a fixed order: tags and other named objects, commits, then the trees and
// blobs of each commit.
func (p *plan) selection(c Cancel) ([]plumbing.Hash, error) {
	s := &selector{
		plan: p, filter: p.request.Filter, chosen: hashes{}, held: hashes{}, depths: map[plumbing.Hash]int64{},
		explicit: hashSet(p.heads),
	}
	for _, o := range p.explicit {
		s.explicit[o.id] = true
		s.choose(o.id)
	}
	commits, edges, err := p.commits(c)
	if err != nil {
		return nil, err
	}
	for _, h := range commits {
		if s.wants(Commit) || s.explicit[h] {
			s.choose(h)
		}
	}
	for _, h := range edges {
		commit, _ := p.objects.commit(h)
		s.hold(commit.tree)
	}
	for _, h := range commits {
		if err := c.Err(); err != nil {
			return nil, err
		}
		commit, _ := p.objects.commit(h)
		s.walk(commit.tree, false)
	}
	for _, o := range p.explicit {
		if o.Type() == Tree {
			s.walk(o.id, true)
		}
	}
	sent := hashSet(commits)
	for _, ref := range p.refs {
		if sent[ref.target] || s.chosen[ref.target] {
			for _, tag := range ref.tags {
				s.choose(tag.id)
			}
		}
	}
	return s.list, p.objects.failed()
}

// commits returns the commits that the client lacks, and as edges those of its own commits whose trees border on
// them.
func (p *plan) commits(c Cancel) (lacks, edges []plumbing.Hash, err error) {
	common := p.commonCommits()
	held, err := p.objects.ancestors(c, common, p.held, nil)
	if err != nil {
		return nil, nil, err
	}
	has := hashSet(held)
	start := append([]plumbing.Hash(nil), p.heads...)
	for _, h := range p.unshallow {
		commit, _ := p.objects.commit(h)
		start = append(start, commit.parents...)
		edges = append(edges, h)
	}
	edges = append(edges, common...)
	lacks, err = p.objects.ancestors(c, start, p.cut, func(h plumbing.Hash, _ commitLinks) bool {
		if has[h] {
			edges = append(edges, h)
		}
		return !has[h]
	})
	return lacks, edges, err
}

func (s *selector) wants(kind ObjectType) bool {
	return s.filter.Type == "" || s.filter.Type == kind.String()
}

func (s *selector) choose(h plumbing.Hash) {
	if !s.chosen[h] {
		s.chosen[h] = true
		s.list = append(s.list, h)
	}
}

// hold notes a tree of the client with all that is in it.
func (s *selector) hold(tree plumbing.Hash) {
	stack := []plumbing.Hash{tree}
	for len(stack) > 0 {
		h := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if s.held[h] {
			continue
		}
		s.held[h] = true
		for data := s.plan.content(h); len(data) > 0; {
			entry, rest, err := nextLink(data)
			if err != nil {
				break
			}
			if entry.kind == Tree {
				stack = append(stack, entry.hash)
			} else {
				s.held[entry.hash] = true
			}
			data = rest
		}
	}
}

// content returns the content of a tree, nil if there is none.
func (p *plan) content(tree plumbing.Hash) []byte {
	if x, ok := p.objects.get(tree); ok && x.Type() == Tree {
		return p.objects.data(x)
	}
	return nil
}

// walk chooses a tree and what is in it, depth first, as far as the filter allows. A tree that was named is chosen
// in any case.
func (s *selector) walk(root plumbing.Hash, named bool) {
	if !named && !s.enter(root, 0) {
		return
	}
	stack := [][]byte{s.plan.content(root)}
	for len(stack) > 0 {
		top := len(stack) - 1
		if len(stack[top]) == 0 {
			stack = stack[:top]
			continue
		}
		entry, rest, err := nextLink(stack[top])
		if err != nil {
			stack = stack[:top]
			continue
		}
		stack[top] = rest
		switch depth := int64(len(stack)); {
		case entry.kind == Tree && s.enter(entry.hash, depth):
			stack = append(stack, s.plan.content(entry.hash))
		case entry.kind == Blob && s.takesBlob(entry.hash, depth):
			s.choose(entry.hash)
		}
	}
}

// enter chooses a tree at a depth and reports whether its content is to be looked at: not if the client has it, and
// not again unless it was seen deeper before and the filter counts depth.
func (s *selector) enter(tree plumbing.Hash, depth int64) bool {
	if s.held[tree] || s.below(depth) {
		return false
	}
	if before, seen := s.depths[tree]; seen && (before <= depth || !s.filter.TreeDepth.Set) {
		return false
	}
	s.depths[tree] = depth
	if s.wants(Tree) {
		s.choose(tree)
	}
	return true
}

func (s *selector) takesBlob(blob plumbing.Hash, depth int64) bool {
	if s.held[blob] || s.chosen[blob] || s.below(depth) || !s.wants(Blob) {
		return false
	}
	if !s.filter.BlobLimit.Set {
		return true
	}
	b, ok := s.plan.objects.get(blob)
	return ok && b.Size() < s.filter.BlobLimit.N
}

// below reports whether the filter leaves out everything at a depth.
func (s *selector) below(depth int64) bool {
	return s.filter.TreeDepth.Set && depth >= s.filter.TreeDepth.N
}
