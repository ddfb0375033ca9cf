package client

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Objects are what a fetch brought.
type Objects struct {
	Messages string // what the server sent for the user's eyes, band 2

	graph   *graph
	shallow map[string]bool // commits whose parents were left out, as the server said
	had     map[string]bool // oids that the client claimed to have
	cut     bool            // a flush came before all that answers what the client has: versions 0 and 1
}

func newObjects() *Objects {
	return &Objects{graph: newGraph(), shallow: make(map[string]bool), had: make(map[string]bool)}
}

// shallowLine takes a "shallow" or "unshallow" line.
func (o *Objects) shallowLine(line string) bool {
	if oid, ok := strings.CutPrefix(line, "shallow "); ok && validOID(oid) {
		o.shallow[oid] = true
		return true
	}
	oid, ok := strings.CutPrefix(line, "unshallow ")
	return ok && validOID(oid)
}

// Has reports whether the pack held the object.
func (o *Objects) Has(oid string) bool {
	_, have := o.graph.objects[oid]
	return have
}

// Count is the number of objects in the pack.
func (o *Objects) Count() int { return len(o.graph.objects) }

// CountOf is the number of objects of one type: "commit", "tree", "blob" or "tag".
func (o *Objects) CountOf(kind string) int {
	n := 0
	for _, object := range o.graph.objects {
		if object.kind.String() == kind {
			n++
		}
	}
	return n
}

// CountNew is CountOf without what the client said that it has: a server may send that again.
func (o *Objects) CountNew(kind string) int {
	n := o.CountOf(kind)
	for oid := range o.had {
		if object, sent := o.graph.objects[oid]; sent && object.kind.String() == kind {
			n--
		}
	}
	return n
}

// OIDs are the objects of the pack, sorted.
func (o *Objects) OIDs() []string { return slices.Sorted(maps.Keys(o.graph.objects)) }

// Shallow are the commits that the server declared shallow, sorted.
func (o *Objects) Shallow() []string { return slices.Sorted(maps.Keys(o.shallow)) }

// Blob returns the content of a blob of the pack.
func (o *Objects) Blob(oid string) ([]byte, bool) {
	object, have := o.graph.objects[oid]
	if !have || object.kind != plumbing.BlobObject {
		return nil, false
	}
	return slices.Clone(object.content()), true
}

// Connected returns nil if everything reachable from tip is in the pack, apart from what lies behind the
// fetch's haves, behind the known objects (a closure, such as [History.Closure] of a have) and behind
// shallow commits; else an error that names an object that is missing or broken.
func (o *Objects) Connected(tip string, known ...string) error {
	stop := maps.Clone(o.had)
	for _, oid := range known {
		stop[oid] = true
	}
	if _, err := o.graph.walk([]string{tip}, stop, o.shallow); err != nil {
		return fmt.Errorf("reachable from %s: %w", tip, err)
	}
	return nil
}
