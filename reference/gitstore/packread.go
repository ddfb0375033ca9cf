package gitstore

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"io"

	"github.com/go-git/go-git/v5/plumbing"
)

// A packReader takes a pack into a quarantine. go-git's own parser neither verifies the checksum of a pack nor
// bounds what its deltas inflate to, so this one reads entries itself; ids and storage are go-git's.
type packReader struct {
	stream  *packStream
	zlib    io.ReadCloser
	into    *objects
	left    int64 // bytes that may still be inflated
	limit   int64
	entries []packEntry
	// waiting entries by what they are a delta of
	onEntry map[int][]int
	onHash  map[plumbing.Hash][]int
	bases   []plumbing.Hash // keys of onHash in order of appearance
	ready   []int           // resolved entries whose waiters were not looked at
}

type packEntry struct {
	object *stored // nil until resolved
	delta  []byte
}

// readPack reads a pack to its end and puts its objects into a quarantine whose base may hold the bases of a thin
// pack. A *packError says what is wrong with the pack; other errors are those of r and of c.
func readPack(c Cancel, r io.Reader, limits Limits, into *objects) error {
	p := &packReader{
		stream: newPackStream(r, limits.PackMax), into: into, left: limits.InflatedMax, limit: limits.InflatedMax,
		onEntry: map[int][]int{}, onHash: map[plumbing.Hash][]int{},
	}
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
	return p.resolve(c)
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
	p.entries = append(p.entries, packEntry{})
	switch kind {
	case Commit, Tree, Blob, Tag:
		data, err := p.inflate(size)
		if err != nil {
			return err
		}
		p.resolved(index, newStored(kind, data))
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
	p.entries[index].delta, err = p.inflate(size)
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

func (p *packReader) inflate(size int64) ([]byte, error) {
	err := p.take(size)
	if err == nil {
		if p.zlib == nil {
			p.zlib, err = zlib.NewReader(p.stream)
		} else {
			//nolint:errcheck // every reader of compress/zlib is a Resetter
			err = p.zlib.(zlib.Resetter).Reset(p.stream, nil)
		}
	}
	if err != nil {
		return nil, asPackError(err)
	}
	var b bytes.Buffer
	b.Grow(int(min(size, growMax)) + bytes.MinRead)
	if _, err := b.ReadFrom(io.LimitReader(p.zlib, size+1)); err != nil {
		return nil, asPackError(err)
	}
	if int64(b.Len()) != size {
		return nil, packErrorf("an object in the pack has another size than announced")
	}
	return bytes.Clone(b.Bytes()), nil
}

// asPackError turns the errors of a broken deflate stream into a packError and leaves those of the network alone.
func asPackError(err error) error {
	if errors.Is(err, zlib.ErrChecksum) || errors.Is(err, zlib.ErrHeader) || errors.Is(err, zlib.ErrDictionary) ||
		errors.Is(err, io.ErrUnexpectedEOF) || isCorrupt(err) {
		return packErrorf("an object in the pack is corrupt")
	}
	return err
}
