package gitstore

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/graspkit/graspkit/reference/repo"
)

// An ObjectType is one of git's four types of objects, or a delta within a pack.
type ObjectType = plumbing.ObjectType

// The types of objects.
const (
	Commit = plumbing.CommitObject
	Tree   = plumbing.TreeObject
	Blob   = plumbing.BlobObject
	Tag    = plumbing.TagObject
)

// An Object is a git object as a value: its type and its content without header. Tests and workloads make them with
// the functions below and hand them to Memory.Put or WritePack.
type Object struct {
	Type ObjectType
	Data []byte
}

// OID returns the object's id. Its hash detects the known collision attacks on SHA-1.
func (o Object) OID() repo.OID { return repo.OID(plumbing.ComputeHash(o.Type, o.Data).String()) }

// Links returns the ids of the objects that the object points to, in its own order; those of a submodule are in another
// repository and left out. A malformed object points to what could be read.
func (o Object) Links() []repo.OID {
	links, _ := linksOf(object{newStored(o.Type, o.Data), plumbing.ZeroHash}, &objects{})
	var oids []repo.OID
	for _, l := range links {
		if !l.hash.IsZero() {
			oids = append(oids, oidOf(l.hash))
		}
	}
	return oids
}

// NewBlob makes a blob.
func NewBlob(data []byte) Object { return Object{Type: Blob, Data: data} }

// An Entry is one line of a tree.
type Entry struct {
	Name string
	OID  repo.OID
	Dir  bool // a tree; otherwise a plain file
}

// NewTree makes a tree; the entries need no order. It panics if an id is not one of 40 hex digits.
func NewTree(entries ...Entry) Object {
	sorted := slices.SortedFunc(slices.Values(entries), func(a, b Entry) int {
		return cmp.Compare(a.sortName(), b.sortName())
	})
	var data []byte
	for _, e := range sorted {
		mode := "100644 "
		if e.Dir {
			mode = "40000 "
		}
		data = append(data, mode+e.Name+"\x00"...)
		h := hashOf(e.OID)
		data = append(data, h[:]...)
	}
	return Object{Type: Tree, Data: data}
}

func (e Entry) sortName() string {
	if e.Dir {
		return e.Name + "/"
	}
	return e.Name
}

// NewCommit makes a commit. When is its time in Unix seconds, UTC.
func NewCommit(tree repo.OID, parents []repo.OID, when int64, message string) Object {
	var b strings.Builder
	b.WriteString("tree " + string(tree) + "\n")
	for _, parent := range parents {
		b.WriteString("parent " + string(parent) + "\n")
	}
	b.WriteString("author " + signature(when) + "\ncommitter " + signature(when) + "\n\n" + message + "\n")
	return Object{Type: Commit, Data: []byte(b.String())}
}

// NewTag makes an annotated tag of an object.
func NewTag(name string, target repo.OID, targetType ObjectType, when int64, message string) Object {
	return Object{Type: Tag, Data: []byte("object " + string(target) + "\ntype " + targetType.String() +
		"\ntag " + name + "\ntagger " + signature(when) + "\n\n" + message + "\n")}
}

func signature(when int64) string {
	return "A U Thor <author@example.com> " + strconv.FormatInt(when, 10) + " +0000"
}

// hashOf converts an id. It panics if the id is not one of 40 hex digits.
func hashOf(oid repo.OID) plumbing.Hash {
	var h plumbing.Hash
	if n, err := hex.Decode(h[:], []byte(oid)); err != nil || n != len(h) {
		panic("gitstore: invariant: not a SHA-1 object id: " + string(oid))
	}
	return h
}

func oidOf(h plumbing.Hash) repo.OID { return repo.OID(h.String()) }

// A stored object is an Object inside a go-git storer; it is never changed. One whose content is in a spool has no
// Data, but a size and a way to read it.
type stored struct {
	Object
	hash   plumbing.Hash
	size   int64
	reopen func() (io.ReadCloser, error)
	packed *packed // nil unless the pack that it came in is in a spool
}

var _ plumbing.EncodedObject = (*stored)(nil)

func newStored(kind ObjectType, data []byte) *stored {
	return &stored{Object: Object{Type: kind, Data: data}, hash: plumbing.ComputeHash(kind, data), size: int64(len(data))}
}

func (s *stored) Hash() plumbing.Hash         { return s.hash }
func (s *stored) Type() plumbing.ObjectType   { return s.Object.Type }
func (s *stored) SetType(plumbing.ObjectType) {}
func (s *stored) Size() int64                 { return s.size }
func (s *stored) SetSize(int64)               {}

func (s *stored) Reader() (io.ReadCloser, error) {
	if s.reopen != nil {
		return s.reopen()
	}
	return io.NopCloser(bytes.NewReader(s.Data)), nil
}

func (s *stored) Writer() (io.WriteCloser, error) {
	return nil, errors.New("gitstore: stored objects are not written to")
}
