package client

import (
	"fmt"
	"maps"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/graspkit/graspkit/conformance/target"
)

// Objects returns objects of the history as a fake host takes them. It panics if one is not there.
func (h *History) Objects(oids ...string) []target.GitObject {
	out := make([]target.GitObject, 0, len(oids))
	for _, oid := range oids {
		o := h.must(oid, plumbing.AnyObject)
		out = append(out, target.GitObject{Type: o.kind.String(), Data: slices.Clone(o.content())})
	}
	return out
}

// A Holding is a set of git objects, whole or not, that a fake host gives packs of. It is for one goroutine at a time.
type Holding struct{ graph *graph }

// NewHolding returns an empty set.
func NewHolding() *Holding { return &Holding{graph: newGraph()} }

// Put adds objects and returns their oids, in order. It panics if the type of one is none of git's four.
func (h *Holding) Put(objects ...target.GitObject) []string {
	oids := make([]string, 0, len(objects))
	for _, o := range objects {
		kind, err := plumbing.ParseObjectType(o.Type)
		if err != nil || kind > plumbing.TagObject {
			panic(fmt.Sprintf("client: invariant: object type %q", o.Type))
		}
		oids = append(oids, h.graph.put(kind, slices.Clone(o.Data)))
	}
	return oids
}

// Reached returns the oids of what the tips reach and the excluded ones do not, sorted. What is missing or broken is
// passed over.
func (h *Holding) Reached(tips, exclude []string) []string {
	stop := h.reach(exclude, nil)
	return slices.Sorted(maps.Keys(h.reach(tips, stop)))
}

func (h *Holding) reach(tips []string, stop map[string]bool) map[string]bool {
	seen := make(map[string]bool)
	todo := slices.Clone(tips)
	for len(todo) > 0 {
		oid := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		o, there := h.graph.objects[oid]
		if !there || seen[oid] || stop[oid] {
			continue
		}
		seen[oid] = true
		links, err := o.links()
		if err == nil {
			todo = append(todo, links...)
		}
	}
	return seen
}

// Pack returns a pack of the objects given, in that order and without deltas. It panics if one is not there.
func (h *Holding) Pack(oids []string) []byte { return h.graph.writePack(oids) }

// WireLine encodes one pkt-line. It panics if the text is longer than a pkt-line can be.
func WireLine(text string) []byte { return appendPkt(nil, text) }

// WireFlush and WireDelim are the special pkt-lines that end a message and part its sections.
const (
	WireFlush = flushPkt
	WireDelim = delimPkt
)

// WireBand encodes data as pkt-lines of one band of a side-band.
func WireBand(band byte, data []byte) []byte {
	var out []byte
	for len(data) > 0 {
		n := min(len(data), pktPayloadMax-1)
		out = appendPkt(out, string(band)+string(data[:n]))
		data = data[n:]
	}
	return out
}

// WireLines cuts a request into its lines without line ends; a special pkt-line comes as "".
func WireLines(body []byte) ([]string, error) {
	p := &pktReader{rest: body}
	var lines []string
	for len(p.rest) > 0 {
		_, line, err := p.line()
		if err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// All returns the oids of everything that is there, sorted.
func (h *Holding) All() []string { return slices.Sorted(maps.Keys(h.graph.objects)) }
