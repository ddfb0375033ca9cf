package gitstore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/graspkit/graspkit/reference/gitproto"
)

// deepen works out where the history is cut for a request with deepen lines: the commits inside, the boundary among
// them, and what changes for the client.
func (p *plan) deepen(c Cancel, v *View) error {
	if p.request.Deepen.Depth == gitproto.InfiniteDepth {
		// The client wants to have no boundary any more, whatever it wants besides.
		p.cut = hashes{}
		for _, oid := range p.request.Shallow {
			if h := hashOf(oid); p.objects.has(h) {
				p.unshallow = append(p.unshallow, h)
			}
		}
		return nil
	}
	inside, err := p.inside(c, v)
	if err != nil {
		return err
	}
	if len(inside) == 0 {
		return &gitproto.ProtocolError{What: "no commits selected for shallow requests"}
	}
	set := hashSet(inside)
	boundary := hashes{}
	for _, h := range inside {
		commit, _ := p.objects.commit(h)
		if slices.ContainsFunc(commit.parents, func(parent plumbing.Hash) bool { return !set[parent] }) {
			boundary[h] = true
			if !p.held[h] {
				p.shallow = append(p.shallow, h)
			}
		}
	}
	p.cut = boundary
	for _, oid := range p.request.Shallow {
		h := hashOf(oid)
		if set[h] && !boundary[h] {
			p.unshallow = append(p.unshallow, h)
		} else {
			p.cut[h] = true
		}
	}
	return nil
}

// inside returns the commits that the client shall have.
func (p *plan) inside(c Cancel, v *View) ([]plumbing.Hash, error) {
	d := p.request.Deepen
	if d.Depth > 0 {
		start, depth := p.heads, d.Depth
		if d.Relative && len(p.held) > 0 {
			// The old boundary is level 0 then.
			start, depth = nil, depth+1
			for _, oid := range p.request.Shallow {
				start = append(start, hashOf(oid))
			}
		}
		return p.levels(c, start, depth)
	}
	without := hashes{}
	for _, name := range d.Not {
		ref, err := v.named(name)
		if err != nil {
			return nil, err
		}
		left, err := p.objects.ancestors(c, []plumbing.Hash{ref}, nil, nil)
		if err != nil {
			return nil, err
		}
		for _, h := range left {
			without[h] = true
		}
	}
	return p.objects.ancestors(c, p.heads, nil, func(h plumbing.Hash, commit commitLinks) bool {
		return !without[h] && commit.when >= d.Since
	})
}

// levels returns the commits that are fewer than depth steps away from start.
func (p *plan) levels(c Cancel, start []plumbing.Hash, depth int) ([]plumbing.Hash, error) {
	seen := hashes{}
	var list []plumbing.Hash
	level := start
	for ; depth > 0 && len(level) > 0; depth-- {
		if err := c.Err(); err != nil {
			return nil, err
		}
		var next []plumbing.Hash
		for _, h := range level {
			commit, ok := p.objects.commit(h)
			if seen[h] || !ok {
				continue
			}
			seen[h] = true
			list = append(list, h)
			next = append(next, commit.parents...)
		}
		level = next
	}
	return list, nil
}

// named resolves the ref of a deepen-not line to a commit, by git's rules for short names.
func (v *View) named(name string) (plumbing.Hash, error) {
	if name == "HEAD" {
		name = v.refs.Head
	}
	for _, prefix := range []string{"", "refs/", "refs/tags/", "refs/heads/"} {
		full := prefix + name
		if !strings.HasPrefix(full, "refs/") || v.at(full).IsZero() {
			continue
		}
		if target, _, ok := v.objects.peel(hashOf(v.at(full))); ok && target.Type() == Commit {
			return target.id, nil
		}
	}
	return plumbing.Hash{}, &gitproto.ProtocolError{What: fmt.Sprintf("deepen-not is not a ref: %.80q", name)}
}
