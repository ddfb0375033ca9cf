package gitstore

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
)

// WritePack writes the objects that must be stored as one pack that needs no other, and returns its index; the pack's
// checksum is the index's PackfileChecksum. What came deflated is not deflated again, and deltas stay deltas where
// their base is written too. The quarantine must have had a spool.
func (in Intake) WritePack(c Cancel, w io.Writer) (*idxfile.MemoryIndex, error) {
	if in.spool == nil {
		panic("gitstore: invariant: a pack is written without its spool")
	}
	list := slices.SortedFunc(slices.Values(in.objects), func(a, b *stored) int {
		return cmp.Compare(a.packed.order, b.packed.order)
	})
	p, err := newPackWriter(w, len(list))
	if err != nil {
		return nil, err
	}
	var index idxfile.Writer
	if err := index.OnHeader(uint32(len(list))); err != nil {
		return nil, err
	}
	offsets := make(map[plumbing.Hash]int64, len(list))
	for _, s := range list {
		if err := c.Err(); err != nil {
			return nil, err
		}
		start := p.offset
		p.crc = 0
		if err := in.copyEntry(p, s, offsets); err != nil {
			return nil, fmt.Errorf("copy object %s: %w", s.hash, err)
		}
		offsets[s.hash] = start
		index.Add(s.hash, uint64(start), p.crc)
	}
	checksum, err := p.close()
	if err != nil {
		return nil, err
	}
	if err := index.OnFooter(checksum); err != nil {
		return nil, err
	}
	return index.Index()
}

// copyEntry writes an object as it lies in the spool, or whole if the base of its delta is not in the new pack.
func (in Intake) copyEntry(p *packWriter, s *stored, offsets map[plumbing.Hash]int64) error {
	var head []byte
	base, found := offsets[s.packed.base]
	switch {
	case !s.packed.delta:
		head = packEntryHeader(s.Type(), s.packed.size)
	case found:
		head = appendDistance(packEntryHeader(plumbing.OFSDeltaObject, s.packed.size), p.offset-base)
	default:
		return p.object(s)
	}
	if _, err := p.Write(head); err != nil {
		return err
	}
	at := s.packed.at
	n, err := io.Copy(p, at.reader(in.spool))
	if err == nil && n != at.to-at.from {
		err = errShort
	}
	return err
}

var errShort = errors.New("the spool holds less than was written")

// appendDistance appends how far back the base of an offset delta begins.
func appendDistance(head []byte, n int64) []byte {
	digits := []byte{byte(n & 0x7f)}
	for n >>= 7; n > 0; n >>= 7 {
		n--
		digits = append(digits, 0x80|byte(n&0x7f))
	}
	slices.Reverse(digits)
	return append(head, digits...)
}
