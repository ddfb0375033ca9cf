package gitstore

import (
	"compress/zlib"
	"encoding/binary"
	"errors"
	"io"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/storage/memory"
	pool "github.com/go-git/go-git/v5/utils/sync"
)

// A packReader takes a pack into a quarantine. go-git's own parser neither verifies the checksum of a pack nor
// bounds what its deltas inflate to, so this one reads entries itself; ids and storage are go-git's.
type packReader struct {
	stream  *packStream
	zlib    *pool.ZLibReader // nil until an entry needs it
	into    *memory.ObjectStorage
	from    *objects // into, and what the repository has
	limits  Limits
	left    int64 // bytes that may still be inflated
	limit   int64
	spool   Spool // nil: everything stays in memory
	once    func(*stored) *stored
	kept    int64 // bytes of content in memory beside a spool
	spooled int64 // bytes in the spool, once the pack is read
	entries []packEntry
	order   int // of the next object
	// waiting entries by what they are a delta of
	onEntry map[int][]int
	onHash  map[plumbing.Hash][]int
	bases   []plumbing.Hash // keys of onHash in order of appearance
	ready   []int           // resolved entries whose waiters were not looked at
}

type packEntry struct {
	object *stored // nil until resolved
	delta  []byte  // of an entry to be resolved; nil if it is in the spool
	at     span
	size   int64 // inflated
}

// readPack reads a pack to its end and puts its objects into a storage, in front of all that a thin pack may build on.
// A *packError says what is wrong with the pack, a *spoolError that its spool failed; other errors are those of r and
// of c.
func readPack(c Cancel, r io.Reader, q Quarantine, into *memory.ObjectStorage, from *objects) error {
	limits := q.Limits
	p := &packReader{
		stream: newPackStream(r, limits.PackMax, q.Spool), into: into, from: from, limits: limits,
		left: limits.InflatedMax, limit: limits.InflatedMax, spool: q.Spool, once: q.once,
		onEntry: map[int][]int{}, onHash: map[plumbing.Hash][]int{},
	}
	defer p.close()
	count, err := p.header(limits.ObjectMax)
	if err != nil {
		return err
	}
	offsets := map[int64]int{}
	for i := range count {
		if err := c.Err(); err != nil {
			return err
		}
		offsets[p.stream.offset] = i
		if err := p.entry(i, offsets); err != nil {
			return err
		}
	}
	if err := p.stream.trailer(); err != nil {
		return err
	}
	p.spooled = p.stream.offset
	return p.resolve(c)
}

// close gives back what is shared by all that are read.
func (p *packReader) close() {
	if p.zlib != nil {
		pool.PutZlibReader(*p.zlib)
		p.zlib = nil
	}
}

func (p *packReader) header(objectMax int) (int, error) {
	var head [12]byte
	if err := p.stream.full(head[:]); err != nil {
		return 0, err
	}
	version, count := binary.BigEndian.Uint32(head[4:]), binary.BigEndian.Uint32(head[8:])
	switch {
	case string(head[:4]) != "PACK":
		return 0, packErrorf("this is not a pack")
	case version != 2 && version != 3:
		return 0, packErrorf("pack version %d is not supported", version)
	case int64(count) > int64(objectMax):
		return 0, packErrorf("the pack has more than %d objects", objectMax)
	}
	return int(count), nil
}

// entry reads the entry with the given index.
func (p *packReader) entry(index int, offsets map[int64]int) error {
	start := p.stream.offset
	kind, size, err := p.entryHeader()
	if err != nil {
		return err
	}
	p.entries = append(p.entries, packEntry{size: size})
	e := &p.entries[index]
	switch kind {
	case Commit, Tree, Blob, Tag:
		if err := p.limits.check(kind, size); err != nil {
			return err
		}
		e.at.from = p.stream.offset
		s, err := p.whole(kind, size)
		if err != nil {
			return err
		}
		e.at.to = p.stream.offset
		p.resolved(index, s, packed{})
		return nil
	case plumbing.OFSDeltaObject:
		distance, err := p.distance()
		if err != nil {
			return err
		}
		base, ok := offsets[start-distance]
		if !ok || base == index {
			return packErrorf("a delta in the pack has no base")
		}
		p.onEntry[base] = append(p.onEntry[base], index)
	case plumbing.REFDeltaObject:
		var base plumbing.Hash
		if err := p.stream.full(base[:]); err != nil {
			return err
		}
		if len(p.onHash[base]) == 0 {
			p.bases = append(p.bases, base)
		}
		p.onHash[base] = append(p.onHash[base], index)
	default:
		return packErrorf("the pack has an object of unknown type %d", kind)
	}
	if err := p.limits.check(Blob, size); err != nil {
		return err
	}
	e.at.from = p.stream.offset
	err = p.delta(e, size)
	e.at.to = p.stream.offset
	return err
}

// entryHeader reads type and inflated size.
func (p *packReader) entryHeader() (ObjectType, int64, error) {
	b, err := p.stream.ReadByte()
	if err != nil {
		return 0, 0, err
	}
	kind, size := ObjectType(b>>4&7), int64(b&15)
	for shift := 4; b&0x80 != 0; shift += 7 {
		if b, err = p.stream.ReadByte(); err != nil {
			return 0, 0, err
		}
		if shift > 53 {
			return 0, 0, packErrorf("the pack has an object of absurd size")
		}
		size |= int64(b&0x7f) << shift
	}
	return kind, size, nil
}

// distance reads how far back the base of an offset delta begins.
func (p *packReader) distance() (int64, error) {
	b, err := p.stream.ReadByte()
	if err != nil {
		return 0, err
	}
	n := int64(b & 0x7f)
	for b&0x80 != 0 {
		if b, err = p.stream.ReadByte(); err != nil {
			return 0, err
		}
		if n >= 1<<55 {
			return 0, packErrorf("a delta in the pack has no base")
		}
		n = (n+1)<<7 | int64(b&0x7f)
	}
	return n, nil
}

// take counts inflated bytes against the limit before they are made.
func (p *packReader) take(size int64) error {
	if size > p.left {
		return packErrorf("the pack inflates to more than %d bytes", p.limit)
	}
	p.left -= size
	return nil
}

// growMax is the most that is allocated on the word of a header alone.
const growMax = 1 << 20

// inflate reads the inflated bytes of an entry.
func (p *packReader) inflate(size int64) ([]byte, error) {
	w := &sized{data: make([]byte, 0, min(size, growMax)), size: size}
	if err := p.inflateTo(w, size); err != nil {
		return nil, err
	}
	return w.data, nil
}

// sized takes up to size bytes; what comes beyond them is let go, for inflateTo refuses it.
type sized struct {
	data []byte
	size int64
}

// Write implements io.Writer.
func (s *sized) Write(b []byte) (int, error) {
	s.data = append(s.data, b[:min(int64(len(b)), s.size-int64(len(s.data)))]...)
	return len(b), nil
}

func (p *packReader) inflateTo(w io.Writer, size int64) error {
	err := p.take(size)
	if err == nil {
		if p.zlib == nil {
			var fresh pool.ZLibReader
			fresh, err = pool.GetZlibReader(p.stream)
			p.zlib = &fresh
		} else {
			err = p.zlib.Reader.Reset(p.stream, nil)
		}
	}
	if err != nil {
		return asPackError(err)
	}
	n, err := io.Copy(w, io.LimitReader(p.zlib.Reader, size+1))
	if err != nil {
		return asPackError(err)
	}
	if n != size {
		return packErrorf("an object in the pack has another size than announced")
	}
	return nil
}

// asPackError turns the errors of a broken deflate stream into a packError and leaves those of the network alone.
func asPackError(err error) error {
	if errors.Is(err, zlib.ErrChecksum) || errors.Is(err, zlib.ErrHeader) || errors.Is(err, zlib.ErrDictionary) ||
		errors.Is(err, io.ErrUnexpectedEOF) || isCorrupt(err) {
		return packErrorf("an object in the pack is corrupt")
	}
	return err
}
