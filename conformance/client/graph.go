package client

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// A graph holds git objects by oid.
type graph struct {
	objects map[string]gitObject
}

// A gitObject is one object as git stores it.
type gitObject struct {
	kind   plumbing.ObjectType
	data   []byte
	size   int          // of the content
	again  func([]byte) // fills in the content anew, of an object that is too large to be held; else nil
	packed int          // length of such an object's entry in a pack; of others 0
}

func (o gitObject) content() []byte { return o.contentIn(nil) }

// contentIn is the content, in the room given if it has to be made anew.
func (o gitObject) contentIn(room []byte) []byte {
	if o.again == nil {
		return o.data
	}
	content := slices.Grow(room[:0], o.size)[:o.size]
	o.again(content)
	return content
}

func newGraph() *graph { return &graph{objects: make(map[string]gitObject)} }

// put stores an object and returns its oid.
func (g *graph) put(kind plumbing.ObjectType, data []byte) string {
	oid := oidOf(kind, data)
	if _, have := g.objects[oid]; !have {
		g.objects[oid] = gitObject{kind: kind, data: data, size: len(data)}
	}
	return oid
}

// oidOf is the id of an object. What is hashed is our own or checked by its id, so nobody looks for planted collisions.
func oidOf(kind plumbing.ObjectType, data []byte) string {
	sum := sha1.New()
	fmt.Fprintf(sum, "%s %d\x00", kind, len(data))
	sum.Write(data)
	return hex.EncodeToString(sum.Sum(nil))
}

// encoded is the object in the shape that go-git decodes.
func (o gitObject) encoded() plumbing.EncodedObject {
	mem := &plumbing.MemoryObject{}
	mem.SetType(o.kind)
	if _, err := mem.Write(o.content()); err != nil {
		panic(fmt.Sprintf("client: invariant: write to memory: %v", err))
	}
	return mem
}

// links returns the oids that an object names, in the object's order; submodules are left out.
func (o gitObject) links() ([]string, error) {
	switch o.kind { //nolint:exhaustive // the others name nothing
	case plumbing.CommitObject:
		var c object.Commit
		if err := c.Decode(o.encoded()); err != nil {
			return nil, fmt.Errorf("decode commit: %w", err)
		}
		out := []string{c.TreeHash.String()}
		for _, parent := range c.ParentHashes {
			out = append(out, parent.String())
		}
		return out, nil
	case plumbing.TreeObject:
		var t object.Tree
		if err := t.Decode(o.encoded()); err != nil {
			return nil, fmt.Errorf("decode tree: %w", err)
		}
		var out []string
		for _, entry := range t.Entries {
			if entry.Mode != filemode.Submodule {
				out = append(out, entry.Hash.String())
			}
		}
		return out, nil
	case plumbing.TagObject:
		var t object.Tag
		if err := t.Decode(o.encoded()); err != nil {
			return nil, fmt.Errorf("decode tag: %w", err)
		}
		return []string{t.Target.String()}, nil
	}
	return nil, nil
}

// walk visits everything reachable from the tips, stopping at the oids in stop and not entering the
// parents of the commits in shallow. It returns the oids found, sorted.
func (g *graph) walk(tips []string, stop, shallow map[string]bool) ([]string, error) {
	seen := make(map[string]bool)
	todo := slices.Clone(tips)
	for len(todo) > 0 {
		oid := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[oid] || stop[oid] {
			continue
		}
		o, have := g.objects[oid]
		if !have {
			return nil, fmt.Errorf("object %s is missing", oid)
		}
		seen[oid] = true
		links, err := o.links()
		if err != nil {
			return nil, fmt.Errorf("object %s: %w", oid, err)
		}
		if o.kind == plumbing.CommitObject && shallow[oid] {
			links = links[:1]
		}
		todo = append(todo, links...)
	}
	return slices.Sorted(maps.Keys(seen)), nil
}

// Limits on a received pack.
const (
	packObjectsMax  = 1_000_000
	packInflatedMax = 512 << 20
)

var errPackTooLarge = errors.New("pack inflates to more than the limit")

// readAllOf inflates exactly size bytes, charging them to budget.
func readAllOf(r io.Reader, size int64, budget *int64) ([]byte, error) {
	if size > *budget {
		return nil, errPackTooLarge
	}
	*budget -= size
	var out bytes.Buffer
	n, err := io.Copy(&out, io.LimitReader(r, size+1))
	if err != nil {
		return nil, err
	}
	if n != size {
		return nil, fmt.Errorf("object inflates to %d bytes, its header says %d", n, size)
	}
	return out.Bytes(), nil
}
