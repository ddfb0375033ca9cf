package gitstore

import (
	"bytes"
	"io"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/storage/memory"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

// A Named object is one with its id.
type Named struct {
	ID repo.OID
	Object
}

// plainReads is how many objects of the repository are read at most for one plain push.
const plainReads = 256

// Plain reads a small pack and says whether its push is plain: new values are commits of the pack or what a ref points to
// already, all of the pack is reached by them, everything that it names is in it or reached by a ref, and every object is written as
// git itself writes it, so that no check of git has anything to say. Then it returns the objects, each behind those that it
// names. False says nothing against the push: somebody else has to look. It is sparing where git would have to search: what
// an object names is looked for where the parents of its commit have it. Refs.Refs must be sorted and point to what is whole.
func Plain(c Cancel, commands []gitproto.Command, refs Refs, pack io.Reader, limits Limits, source Source) ([]Named, bool) {
	into, base := newStorage(), &objects{source: source}
	w := &plainWalk{pack: into, from: &objects{source: into, base: base}, tips: hashes{}, done: hashes{}}
	if err := readPack(c, pack, Quarantine{Limits: limits}, into, w.from); err != nil {
		return nil, false
	}
	for _, ref := range refs.Refs {
		w.tips[hashOf(ref.OID)] = true
	}
	for _, command := range commands {
		if !isSHA1(command.New) || command.New.IsZero() || !w.commit(hashOf(command.New)) {
			return nil, false
		}
	}
	return w.order, len(w.order) == len(into.Objects)
}

// A plainWalk visits the objects of a pack from the new values on.
type plainWalk struct {
	pack  *memory.ObjectStorage
	from  *objects // pack, and what the repository has
	tips  hashes   // what refs point to: there with all that it reaches
	done  hashes   // objects of the pack that are found whole
	order []Named
	reads int
}

// inPack returns an object of the pack, nil if it is not in it.
func (w *plainWalk) inPack(h plumbing.Hash) *stored {
	if x, err := w.pack.EncodedObject(plumbing.AnyObject, h); err == nil {
		s, _ := x.(*stored) // nothing else is put there
		return s
	}
	return nil
}

// read returns the content of an object that is in the pack or in the repository, nil if it is not what it should be.
func (w *plainWalk) read(h plumbing.Hash, kind ObjectType) []byte {
	if w.reads++; w.reads > plainReads {
		return nil
	}
	x, ok := w.from.get(h)
	if !ok || x.Type() != kind {
		return nil
	}
	return w.from.data(x)
}

func (w *plainWalk) keep(s *stored) {
	w.done[s.hash] = true
	w.order = append(w.order, Named{ID: oidOf(s.hash), Object: s.Object})
}

// commit reports whether a commit is there, plain, with all that it reaches.
func (w *plainWalk) commit(h plumbing.Hash) bool {
	s := w.inPack(h)
	switch {
	case w.done[h]:
		return true
	case s == nil:
		return w.tips[h] && w.read(h, Commit) != nil
	case s.Type() != Commit || !plainCommit(s.Data):
		return false
	}
	links, err := parseCommit(s.Data)
	if err != nil {
		return false
	}
	var beside []plumbing.Hash
	for _, parent := range links.parents {
		if !w.commit(parent) {
			return false
		}
		if c, err := parseCommit(w.read(parent, Commit)); err == nil {
			beside = append(beside, c.tree)
		}
	}
	if !w.tree(links.tree, beside) {
		return false
	}
	w.keep(s)
	return true
}

// tree reports whether a tree is there, plain, with all that it reaches. Beside it, in the parents of its commit, are trees that
// are there with all that they reach.
func (w *plainWalk) tree(h plumbing.Hash, beside []plumbing.Hash) bool {
	s := w.inPack(h)
	switch {
	case w.done[h]:
		return true
	case s == nil:
		return slices.Contains(beside, h)
	case s.Type() != Tree || !plainTree(s.Data):
		return false
	}
	known := map[plumbing.Hash]ObjectType{}
	below := map[string][]plumbing.Hash{}
	for _, other := range beside {
		for data := w.read(other, Tree); len(data) > 0; {
			entry, rest, err := nextLink(data)
			if err != nil {
				return false
			}
			known[entry.hash] = entry.kind
			if entry.kind == Tree {
				below[string(entry.name)] = append(below[string(entry.name)], entry.hash)
			}
			data = rest
		}
	}
	for data := s.Data; len(data) > 0; {
		entry, rest, err := nextLink(data)
		if err != nil || !w.entry(entry, known, below) {
			return false
		}
		data = rest
	}
	w.keep(s)
	return true
}

// entry reports whether what an entry of a tree names is there. That of a submodule is elsewhere.
func (w *plainWalk) entry(entry treeLink, known map[plumbing.Hash]ObjectType, below map[string][]plumbing.Hash) bool {
	s := w.inPack(entry.hash)
	switch {
	case entry.kind == 0:
		return true
	case s == nil:
		return known[entry.hash] == entry.kind
	case entry.kind == Tree:
		return w.tree(entry.hash, below[string(entry.name)])
	case s.Type() != Blob:
		return false
	}
	if !w.done[s.hash] {
		w.keep(s)
	}
	return true
}

// plainCommit reports whether a commit is written as git writes it, so far as git checks it.
func plainCommit(data []byte) bool {
	head, _, ended := bytes.Cut(data, []byte("\n\n"))
	if !ended || bytes.IndexByte(data, 0) >= 0 {
		return false
	}
	lines := bytes.Split(head, []byte("\n"))
	id, ok := bytes.CutPrefix(lines[0], []byte("tree "))
	if !ok || !plainID(id) {
		return false
	}
	lines = lines[1:]
	for len(lines) > 0 {
		id, is := bytes.CutPrefix(lines[0], []byte("parent "))
		if !is {
			break
		}
		if !plainID(id) {
			return false
		}
		lines = lines[1:]
	}
	if len(lines) < 2 {
		return false
	}
	author, isAuthor := bytes.CutPrefix(lines[0], []byte("author "))
	committer, isCommitter := bytes.CutPrefix(lines[1], []byte("committer "))
	return isAuthor && isCommitter && plainPerson(author) && plainPerson(committer)
}

// plainID reports whether it is an id as git writes one.
func plainID(id []byte) bool {
	return len(id) == len(repo.ZeroOID) && len(bytes.Trim(id, "0123456789abcdef")) == 0
}

// plainPerson reports whether it is "name <address> seconds +hhmm", with seconds that every git can count.
func plainPerson(text []byte) bool {
	name, rest, found := bytes.Cut(text, []byte(" <"))
	address, when, closed := bytes.Cut(rest, []byte("> "))
	seconds, zone, spaced := bytes.Cut(when, []byte(" "))
	return found && closed && spaced && len(name) > 0 && !bytes.ContainsAny(name, "<>") && !bytes.ContainsAny(address, "<>") &&
		len(seconds) > 0 && len(seconds) <= 10 && (seconds[0] != '0' || len(seconds) == 1) && len(bytes.Trim(seconds, "0123456789")) == 0 &&
		len(zone) == 5 && (zone[0] == '+' || zone[0] == '-') && len(bytes.Trim(zone[1:], "0123456789")) == 0
}

// plainTree reports whether a tree is written as git writes it, without a name that may stand for something of git's own somewhere.
func plainTree(data []byte) bool {
	if checkTree(data) != nil {
		return false
	}
	names := map[string]bool{}
	for len(data) > 0 {
		mode, _, _ := bytes.Cut(data, []byte(" "))
		entry, rest, err := nextLink(data)
		if err != nil || !plainMode(string(mode)) || !plainName(entry.name) || names[string(entry.name)] || entry.hash.IsZero() {
			return false
		}
		names[string(entry.name)] = true
		data = rest
	}
	return true
}

func plainMode(mode string) bool {
	return slices.Contains([]string{"100644", "100755", "120000", "40000", "160000"}, mode)
}

// nameMax is how long a name may be that every file system takes.
const nameMax = 255

// plainName reports whether a name is one of letters that every file system has, and is neither .git or the like nor the short
// name of that.
func plainName(name []byte) bool {
	for _, b := range name {
		if b < ' ' || b > '~' || b == '/' || b == '\\' || b == '~' {
			return false
		}
	}
	lower := bytes.ToLower(name)
	return len(name) > 0 && len(name) <= nameMax && !bytes.HasPrefix(lower, []byte(".git")) && !bytes.HasPrefix(lower, []byte(".mailmap")) &&
		string(name) != "." && string(name) != ".."
}
