package gitstore

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strconv"

	"github.com/go-git/go-git/v5/plumbing"
)

// Errors of malformed objects. Their texts are shown to the git user.
var (
	errCommit = errors.New("malformed commit")
	errTree   = errors.New("malformed tree")
	errDate   = errors.New("date out of range")
	errTag    = errors.New("malformed tag")
)

// links of a commit: what a walk needs. go-git's own decoder also parses what nobody asks for here.
type commitLinks struct {
	tree    plumbing.Hash
	parents []plumbing.Hash
	when    int64 // committer time, Unix seconds
}

func parseCommit(data []byte) (commitLinks, error) {
	var c commitLinks
	var ok bool
	if c.tree, data, ok = cutHash(data, "tree "); !ok {
		return c, errCommit
	}
	for {
		parent, rest, found := cutHash(data, "parent ")
		if !found {
			break
		}
		c.parents = append(c.parents, parent)
		data = rest
	}
	author, data, ok := bytes.Cut(data, []byte("\n"))
	if !ok || !bytes.HasPrefix(author, []byte("author ")) {
		return c, errCommit
	}
	committer, _, _ := bytes.Cut(data, []byte("\n"))
	if !bytes.HasPrefix(committer, []byte("committer ")) {
		return c, errCommit
	}
	if fields := bytes.Fields(committer[bytes.LastIndexByte(committer, '>')+1:]); len(fields) > 0 {
		// A time that is no number counts as zero, as in git.
		c.when, _ = strconv.ParseInt(string(fields[0]), 10, 64)
	}
	return c, nil
}

type tagLinks struct {
	target plumbing.Hash
	kind   ObjectType
}

func parseTag(data []byte) (tagLinks, error) {
	target, data, ok := cutHash(data, "object ")
	if !ok {
		return tagLinks{}, errTag
	}
	line, rest, _ := bytes.Cut(data, []byte("\n"))
	name, ok := bytes.CutPrefix(line, []byte("type "))
	if !ok || !bytes.HasPrefix(rest, []byte("tag ")) {
		return tagLinks{}, errTag
	}
	kind, err := plumbing.ParseObjectType(string(name))
	if err != nil || kind.IsDelta() {
		return tagLinks{}, errTag
	}
	return tagLinks{target: target, kind: kind}, nil
}

// cutHash reads a header line of a name and an object id.
func cutHash(data []byte, name string) (h plumbing.Hash, rest []byte, ok bool) {
	line, rest, found := bytes.Cut(data, []byte("\n"))
	value, named := bytes.CutPrefix(line, []byte(name))
	if !found || !named || len(value) != hex.EncodedLen(len(h)) {
		return h, data, false
	}
	if _, err := hex.Decode(h[:], value); err != nil {
		return h, data, false
	}
	return h, rest, true
}

// A treeLink is one entry of a tree. A submodule's commit is in another repository: its kind is 0.
type treeLink struct {
	name []byte
	hash plumbing.Hash
	kind ObjectType
	soft bool // a symbolic link
}

// nextLink cuts the first entry from a tree's content.
func nextLink(data []byte) (link treeLink, rest []byte, err error) {
	mode, data, ok := bytes.Cut(data, []byte(" "))
	name, data, found := bytes.Cut(data, []byte{0})
	if !ok || !found || len(data) < len(link.hash) {
		return link, nil, errTree
	}
	bits, err := strconv.ParseUint(string(mode), 8, 32)
	if err != nil {
		return link, nil, errTree
	}
	switch bits >> 12 {
	case 0o4:
		link.kind = Tree
	case 0o10, 0o12:
		link.kind, link.soft = Blob, bits>>12 == 0o12
	case 0o16:
	default:
		return link, nil, errTree
	}
	link.name = name
	copy(link.hash[:], data)
	return link, data[len(link.hash):], nil
}

// checkTree refuses what git's own check of received objects refuses: names that lead elsewhere, and entries that
// are out of order or twice there.
func checkTree(data []byte) error {
	var last []byte
	for len(data) > 0 {
		link, rest, err := nextLink(data)
		if err != nil {
			return err
		}
		name := link.name
		if len(name) == 0 || bytes.IndexByte(name, '/') >= 0 || string(name) == "." || string(name) == ".." ||
			bytes.EqualFold(name, []byte(".git")) {
			return errTree
		}
		if link.kind == Tree {
			name = append(bytes.Clone(name), '/')
		}
		if last != nil && bytes.Compare(last, name) >= 0 {
			return errTree
		}
		last, data = name, rest
	}
	return nil
}
