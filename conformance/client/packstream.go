package client

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"hash"
	"io"
)

// A PackStream is a pack that is made while it is read, object by object, as often as it is read: whoever sends a large
// one need not hold it.
type PackStream struct {
	graph *graph
	oids  []string
	size  int
}

// PackStream is Pack for what is too large to be held.
func (h *History) PackStream(tips, exclude []string) *PackStream {
	s := &PackStream{graph: h.graph, oids: h.uncovered(tips, exclude), size: packHeaderSize + sha1.Size}
	var entry bytes.Buffer
	for _, oid := range s.oids {
		o := h.graph.mustHave(oid)
		n := o.packed
		if n == 0 {
			entry.Reset()
			o.writeEntry(&entry, o.content())
			n = entry.Len()
		}
		s.size += n
	}
	return s
}

// Size is the number of bytes of the pack.
func (s *PackStream) Size() int { return s.size }

// Reader returns a reader of the whole pack.
func (s *PackStream) Reader() io.Reader {
	r := &packStreamReader{graph: s.graph, oids: s.oids, sum: sha1.New()}
	r.made.WriteString("PACK")
	r.made.Write(binary.BigEndian.AppendUint32(nil, 2))
	r.made.Write(binary.BigEndian.AppendUint32(nil, uint32(len(s.oids))))
	r.sum.Write(r.made.Bytes())
	return r
}

// A packStreamReader has made what comes before the next object.
type packStreamReader struct {
	graph *graph
	oids  []string // still to come
	made  bytes.Buffer
	large []byte    // the last content that was made anew, for the next one to lie in
	sum   hash.Hash // nil behind the end
}

// Read implements io.Reader.
func (r *packStreamReader) Read(p []byte) (int, error) {
	for r.made.Len() == 0 && r.sum != nil {
		if len(r.oids) == 0 {
			r.made.Write(r.sum.Sum(nil))
			r.sum = nil
			break
		}
		o := r.graph.mustHave(r.oids[0])
		content := o.contentIn(r.large)
		if o.again != nil {
			r.large = content
		}
		o.writeEntry(&r.made, content)
		r.sum.Write(r.made.Bytes())
		r.oids = r.oids[1:]
	}
	return r.made.Read(p)
}

// writeEntry appends the entry of an object in a pack, given its content.
func (o gitObject) writeEntry(out *bytes.Buffer, content []byte) {
	size := o.size
	b := byte(o.kind)<<4 | byte(size&15)
	for size >>= 4; size > 0; size >>= 7 {
		out.WriteByte(b | 0x80)
		b = byte(size & 0x7f)
	}
	out.WriteByte(b)
	deflate(out, content)
}
