package core

import (
	"slices"

	"github.com/graspkit/graspkit/reference/instant"
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

// copyObjects copies what is needed from one of the repositories that have it, and judges everything again: with what has
// come, without what could not be had. Every round settles at least one object, so there is an end.
func (s *Server) copyObjects(now instant.Instant, r *repository, out *Effects) {
	l := &r.task.look
	if !s.siblings.mayCopy(r.id) { // others were faster
		clear(l.elsewhere)
		s.lookFound(now, r, out)
		return
	}
	s.siblings.gets(r.id)
	slices.Sort(l.lacks)
	source := l.elsewhere[l.lacks[0]]
	l.copies = slices.DeleteFunc(slices.Clone(l.lacks), func(oid repo.OID) bool { return l.elsewhere[oid] != source })
	out.add(CopyObjects{Request: s.wait(r, copying), Repo: r.id, From: l.sources[source], OIDs: l.copies})
}

func (s *Server) lookCopied(now instant.Instant, r *repository, missing []repo.OID, out *Effects) {
	l := &r.task.look
	var got []repo.OID
	for _, oid := range l.copies {
		delete(l.elsewhere, oid)
		if _, lacks := slices.BinarySearch(missing, oid); !lacks {
			at, _ := slices.BinarySearch(l.missing, oid)
			l.missing = slices.Delete(slices.Clone(l.missing), at, at+1)
			got = append(got, oid)
		}
	}
	s.huntFound(r, got)
	if n := len(got); n > 0 {
		r.data = true // also if no ref comes to it
		s.siblings.gained(r.id)
		s.brought(now, r)
		out.add(Note{Fact: ObjectsCopied, Repo: r.id, Count: n})
	} else {
		out.add(Note{Fact: RepositoryBroken, Repo: r.id, Reason: "copy objects"})
		s.retry(now, r)
	}
	s.lookFound(now, r, out)
}
