package client

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
)

const packHeaderSize = 12

// A packReader resolves a self-contained pack into a graph.
type packReader struct {
	in      *bytes.Reader
	size    int64 // of the whole pack without its trailer
	budget  int64 // bytes that may still be inflated
	graph   *graph
	offsets map[int64]string // oid of the resolved entry at an offset
	waiting []waitingDelta
}

// A waitingDelta is a delta whose base has not been seen yet.
type waitingDelta struct {
	offset     int64
	base       string
	baseOffset int64 // used if base is empty
	delta      []byte
}

// readPack decodes a pack that needs no object from elsewhere, within packObjectsMax objects and
// packInflatedMax inflated bytes.
func readPack(pack []byte) (*graph, error) {
	if len(pack) < packHeaderSize+sha1.Size || !bytes.HasPrefix(pack, []byte("PACK")) {
		return nil, errors.New("pack has no header")
	}
	if version := binary.BigEndian.Uint32(pack[4:]); version != 2 && version != 3 {
		return nil, fmt.Errorf("pack version %d", version)
	}
	count := binary.BigEndian.Uint32(pack[8:])
	if count > packObjectsMax {
		return nil, fmt.Errorf("pack of %d objects", count)
	}
	body, trailer := pack[:len(pack)-sha1.Size], pack[len(pack)-sha1.Size:]
	if sum := sha1.Sum(body); !bytes.Equal(sum[:], trailer) {
		return nil, fmt.Errorf("pack checksum is %s, its trailer says %s", hex.EncodeToString(sum[:]), hex.EncodeToString(trailer))
	}
	r := &packReader{
		in: bytes.NewReader(body[packHeaderSize:]), size: int64(len(body)), budget: packInflatedMax,
		graph: newGraph(), offsets: make(map[int64]string),
	}
	for i := range count {
		if err := r.entry(); err != nil {
			return nil, fmt.Errorf("pack entry %d of %d: %w", i+1, count, err)
		}
	}
	if r.in.Len() > 0 {
		return nil, fmt.Errorf("pack has %d bytes behind its last entry", r.in.Len())
	}
	return r.graph, r.settle()
}

// offset is the position of the next byte in the pack.
func (r *packReader) offset() int64 { return r.size - int64(r.in.Len()) }

// entry reads one entry.
func (r *packReader) entry() error {
	start := r.offset()
	kind, size, err := r.header()
	if err != nil {
		return fmt.Errorf("header: %w", err)
	}
	w := waitingDelta{offset: start}
	switch kind {
	case plumbing.CommitObject, plumbing.TreeObject, plumbing.BlobObject, plumbing.TagObject:
	case plumbing.OFSDeltaObject:
		back, err := r.backward()
		if err != nil || back <= 0 || back > start-packHeaderSize {
			return errors.New("delta base lies outside the pack")
		}
		w.baseOffset = start - back
	case plumbing.REFDeltaObject:
		var oid [sha1.Size]byte
		if _, err := io.ReadFull(r.in, oid[:]); err != nil {
			return fmt.Errorf("delta base: %w", err)
		}
		w.base = hex.EncodeToString(oid[:])
	default:
		return fmt.Errorf("object type %d", kind)
	}
	z, err := zlib.NewReader(r.in)
	if err != nil {
		return fmt.Errorf("inflate: %w", err)
	}
	data, err := readAllOf(z, size, &r.budget)
	if err != nil {
		return fmt.Errorf("inflate: %w", err)
	}
	if kind == plumbing.OFSDeltaObject || kind == plumbing.REFDeltaObject {
		w.delta = data
		return r.resolve(w)
	}
	r.offsets[start] = r.graph.put(kind, data)
	return nil
}

// header reads the type and the inflated size of an entry.
func (r *packReader) header() (plumbing.ObjectType, int64, error) {
	b, err := r.in.ReadByte()
	if err != nil {
		return 0, 0, io.ErrUnexpectedEOF
	}
	kind, size := plumbing.ObjectType(b>>4&7), int64(b&15)
	for shift := 4; b&0x80 != 0; shift += 7 {
		if b, err = r.in.ReadByte(); err != nil {
			return 0, 0, io.ErrUnexpectedEOF
		}
		if shift > 39 {
			return 0, 0, errPackTooLarge
		}
		size |= int64(b&0x7f) << shift
	}
	return kind, size, nil
}

// backward reads the distance to the base of an OFS_DELTA.
func (r *packReader) backward() (int64, error) {
	b, err := r.in.ReadByte()
	distance := int64(b & 0x7f)
	for n := 0; err == nil && b&0x80 != 0 && n < 5; n++ {
		b, err = r.in.ReadByte()
		distance = (distance+1)<<7 | int64(b&0x7f)
	}
	return distance, err
}

// resolve applies a delta, or keeps it until its base is there.
func (r *packReader) resolve(w waitingDelta) error {
	base := w.base
	if base == "" {
		base = r.offsets[w.baseOffset]
	}
	object, have := r.graph.objects[base]
	if !have {
		r.waiting = append(r.waiting, w)
		return nil
	}
	target, err := deltaTarget(w.delta)
	if err != nil {
		return err
	}
	if target > r.budget {
		return errPackTooLarge
	}
	r.budget -= target
	data, err := packfile.PatchDelta(object.content(), w.delta)
	if err != nil {
		return fmt.Errorf("apply delta: %w", err)
	}
	r.offsets[w.offset] = r.graph.put(object.kind, data)
	return nil
}

// settle resolves the waiting deltas, round by round; a round without progress is a fault of the pack.
func (r *packReader) settle() error {
	for len(r.waiting) > 0 {
		round := r.waiting
		r.waiting = nil
		for _, w := range round {
			if err := r.resolve(w); err != nil {
				return err
			}
		}
		if len(r.waiting) == len(round) {
			return fmt.Errorf("pack has %d deltas without a base", len(round))
		}
	}
	return nil
}

// deltaTarget reads the size that a delta claims for its result.
func deltaTarget(delta []byte) (int64, error) {
	rest := delta
	size := int64(0)
	for range 2 { // the size of the base, then that of the result
		size = 0
		for shift := 0; ; shift += 7 {
			if len(rest) == 0 || shift > 35 {
				return 0, errors.New("delta header cut short")
			}
			b := rest[0]
			rest = rest[1:]
			size |= int64(b&0x7f) << shift
			if b&0x80 == 0 {
				break
			}
		}
	}
	return size, nil
}

// packLarge is the size in bytes from which an object is compressed with the least effort: large ones are there for their
// size, and to squeeze what cannot be squeezed shows nothing about a server.
const packLarge = 256 << 10

// packSlack bounds what an object takes in a pack beyond its size: its header, and the frames of what does not compress.
func packSlack(size int) int { return 64 + size>>10 }

// writePack encodes the objects given, in that order and without deltas: the same bytes each time.
func (g *graph) writePack(oids []string) []byte {
	room := packHeaderSize + sha1.Size
	for _, oid := range oids {
		size := g.mustHave(oid).size
		room += size + packSlack(size)
	}
	out := bytes.NewBuffer(make([]byte, 0, room))
	if _, err := out.ReadFrom((&PackStream{graph: g, oids: oids}).Reader()); err != nil {
		panic("client: invariant: make a pack: " + err.Error())
	}
	return out.Bytes()
}

func (g *graph) mustHave(oid string) gitObject {
	o, have := g.objects[oid]
	if !have {
		panic(fmt.Sprintf("client: invariant: object %s is not in the history", oid))
	}
	return o
}

// Compressors of the two efforts. To make one costs as much as to compress a hundred small objects.
var usualEffort, leastEffort = compressors(zlib.BestSpeed), compressors(zlib.NoCompression)

func compressors(level int) *sync.Pool {
	return &sync.Pool{New: func() any {
		z, err := zlib.NewWriterLevel(nil, level)
		if err != nil {
			panic(fmt.Sprintf("client: invariant: level of compression: %v", err))
		}
		return z
	}}
}

// deflate appends the data, compressed.
func deflate(out *bytes.Buffer, data []byte) {
	effort := usualEffort
	if len(data) >= packLarge {
		effort = leastEffort
		out.Grow(len(data) + packSlack(len(data)))
	}
	z, _ := effort.Get().(*zlib.Writer)
	defer effort.Put(z)
	z.Reset(out)
	_, err := z.Write(data)
	if err = errors.Join(err, z.Close()); err != nil {
		panic(fmt.Sprintf("client: invariant: deflate to memory: %v", err))
	}
}
