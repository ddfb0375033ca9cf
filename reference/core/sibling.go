package core

import (
	"slices"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// Repositories of one identifier are siblings. What git data releases and where refs belong is decided for each of them
// by its own maintainer set (G01-XR-02), but an object that one of them has counts as there for all: the look at a
// repository asks its siblings for what it lacks, and what its latest state or a pull request needs is copied before
// refs move (G01-XR-01, G01-PURG-22). Nothing is copied that no state or pull request of that repository asks for.

// Limits of what siblings do for each other.
const (
	// SiblingsAsked bounds how many other repositories one look asks for objects: members of the maintainer set come
	// first, then those that got data last.
	SiblingsAsked = 16
	// CopiesMax is how many repositories of one identifier get data from others. The rest wait for a push.
	CopiesMax = 32
	// SeekingMax is how many questions to siblings may be open. A look that would ask more does without them; what it
	// might have found is found by a later one, or by a push.
	SeekingMax = 1_024
)

// siblings knows, by identifier, which repositories got data last, newest first, and which have got data from others.
type siblings struct {
	recent map[string][]repo.ID
	copied map[string][]repo.ID
	asked  int // questions that are open
}

func newSiblings() siblings {
	return siblings{recent: map[string][]repo.ID{}, copied: map[string][]repo.ID{}}
}

// gained notes that a repository has got data.
func (x *siblings) gained(id repo.ID) {
	list := slices.DeleteFunc(x.recent[id.Identifier], func(other repo.ID) bool { return other == id })
	list = slices.Insert(list, 0, id)
	x.recent[id.Identifier] = list[:min(len(list), SiblingsAsked)]
}

// mayCopy reports whether a repository may get data from others.
func (x *siblings) mayCopy(id repo.ID) bool {
	list := x.copied[id.Identifier]
	return len(list) < CopiesMax || slices.Contains(list, id)
}

// gets counts a repository among those that get data from others.
func (x *siblings) gets(id repo.ID) {
	if list := x.copied[id.Identifier]; !slices.Contains(list, id) {
		x.copied[id.Identifier] = append(list, id)
	}
}

// lost notes that a repository is gone.
func (x *siblings) lost(id repo.ID) {
	for _, lists := range []map[string][]repo.ID{x.recent, x.copied} {
		list := slices.DeleteFunc(lists[id.Identifier], func(other repo.ID) bool { return other == id })
		lists[id.Identifier] = list
		if len(list) == 0 {
			delete(lists, id.Identifier)
		}
	}
}

// sources lists the repositories that a look asks for what its own lacks: siblings, and those that have the ref of a
// pull request that is for both.
func (s *Server) sources(set *settling) []repo.ID {
	r := set.repo
	var list []repo.ID
	add := func(id repo.ID) {
		other := s.repositories[id]
		if len(list) < SiblingsAsked && other != nil && other != r && other.created && !other.leaving && other.data &&
			s.hosted(id) && !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	for _, pr := range set.pulls {
		if _, lacks := slices.BinarySearch(set.missing, pr.Commit); !lacks || !s.waits(r, pr) {
			continue
		}
		for _, id := range policy.Concerned(view{s}, *pr) {
			if other := s.repositories[id]; other != nil && other.at(pr.Ref()) == pr.Commit {
				add(id)
			}
		}
	}
	for _, owner := range s.maintainers(r.id) {
		add(repo.ID{Owner: owner, Identifier: r.id.Identifier})
	}
	for _, id := range s.siblings.recent[r.id.Identifier] {
		add(id)
	}
	return list
}

// seek asks the other repositories for what this one lacks.
func (s *Server) seek(now instant.Instant, set *settling, out *Effects) {
	if r := set.repo; len(set.missing) > 0 && r.created && s.hosted(r.id) && s.siblings.mayCopy(r.id) {
		set.sources = s.sources(set)
	}
	if len(set.sources) == 0 || s.siblings.asked+len(set.sources) > SeekingMax {
		s.settleFound(now, set, out)
		return
	}
	set.elsewhere = map[repo.OID]int{}
	left := len(set.sources)
	s.siblings.asked += left
	for i, id := range set.sources {
		request := s.ask(func(now instant.Instant, a answer, out *Effects) {
			s.siblings.asked--
			slices.Sort(a.missing)
			for _, oid := range set.missing {
				_, lacks := slices.BinarySearch(a.missing, oid)
				if first, known := set.elsewhere[oid]; !lacks && (!known || i < first) {
					set.elsewhere[oid] = i
				}
			}
			if left--; left == 0 {
				s.settleFound(now, set, out)
			}
		})
		out.add(AskObjects{Request: request, Repo: id, OIDs: set.missing})
	}
}

// here reports whether the repository has an object.
func (set *settling) here(oid repo.OID) bool {
	_, lacks := slices.BinarySearch(set.missing, oid)
	return !lacks
}

// has reports whether the repository has an object, or can get it from another one.
func (set *settling) has(oid repo.OID) bool {
	_, elsewhere := set.elsewhere[oid]
	return elsewhere || set.here(oid)
}

// need notes that an object must be here before refs move.
func (set *settling) need(oid repo.OID) {
	if !set.here(oid) && !slices.Contains(set.lacks, oid) {
		set.lacks = append(set.lacks, oid)
	}
}

// fetch copies what is needed from one of the repositories that have it, and judges everything again: with what has
// come, without what could not be had. Every round settles at least one object, so there is an end.
func (s *Server) fetch(now instant.Instant, set *settling, out *Effects) {
	r := set.repo
	if !s.siblings.mayCopy(r.id) { // others were faster
		clear(set.elsewhere)
		s.settleFound(now, set, out)
		return
	}
	s.siblings.gets(r.id)
	slices.Sort(set.lacks)
	source := set.elsewhere[set.lacks[0]]
	oids := slices.DeleteFunc(slices.Clone(set.lacks), func(oid repo.OID) bool { return set.elsewhere[oid] != source })
	request := s.ask(func(now instant.Instant, a answer, out *Effects) {
		slices.Sort(a.missing)
		for _, oid := range oids {
			delete(set.elsewhere, oid)
			if _, lacks := slices.BinarySearch(a.missing, oid); !lacks {
				at, _ := slices.BinarySearch(set.missing, oid)
				set.missing = slices.Delete(slices.Clone(set.missing), at, at+1)
			}
		}
		if n := len(oids) - len(a.missing); n > 0 {
			s.siblings.gained(r.id)
			out.add(Note{Fact: ObjectsCopied, Repo: r.id, Count: n})
		} else {
			out.add(Note{Fact: RepositoryBroken, Repo: r.id, Reason: "copy objects"})
		}
		s.settleFound(now, set, out)
	})
	out.add(CopyObjects{Request: request, Repo: r.id, From: set.sources[source], OIDs: oids})
}
