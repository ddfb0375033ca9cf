package gitstore

import (
	"compress/flate"
	"errors"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
)

func isCorrupt(err error) bool {
	var corrupt flate.CorruptInputError
	return errors.As(err, &corrupt)
}

// resolved notes that an entry is an object now. Of an object that is in the pack twice the first one stays, so that no
// two build on each other.
func (p *packReader) resolved(index int, s *stored, how packed) {
	if first, err := p.into.EncodedObject(plumbing.AnyObject, s.hash); err == nil {
		//nolint:errcheck // nothing else is put into a quarantine
		s = first.(*stored)
	} else {
		if p.spool != nil {
			how.order, how.at, how.size = p.order, p.entries[index].at, p.entries[index].size
			s.packed = &how
			p.order++
		}
		put(p.into, s)
	}
	p.entries[index] = packEntry{object: s}
	p.ready = append(p.ready, index)
}

// resolve turns all deltas into objects: first those that build on objects of the pack, then those of a thin pack,
// whose bases the repository has.
func (p *packReader) resolve(c Cancel) error {
	if err := p.drain(c); err != nil {
		return err
	}
	for _, hash := range p.bases {
		base, ok := p.from.get(hash)
		if !ok {
			continue // its waiters stay unresolved, or it appears among the results of another base
		}
		if err := p.apply(base, p.onHash[hash]); err != nil {
			return err
		}
		delete(p.onHash, hash)
		if err := p.drain(c); err != nil {
			return err
		}
	}
	for _, e := range p.entries {
		if e.object == nil {
			return packErrorf("a delta in the pack has no base")
		}
	}
	return nil
}

// drain applies the deltas that wait for resolved entries until none is left.
func (p *packReader) drain(c Cancel) error {
	for len(p.ready) > 0 {
		if err := c.Err(); err != nil {
			return err
		}
		index := p.ready[len(p.ready)-1]
		p.ready = p.ready[:len(p.ready)-1]
		base := p.entries[index].object
		waiting := slices.Concat(p.onEntry[index], p.onHash[base.hash])
		delete(p.onHash, base.hash)
		if err := p.apply(object{base, base.hash}, waiting); err != nil {
			return err
		}
	}
	return nil
}

func (p *packReader) apply(base object, waiting []int) error {
	if len(waiting) == 0 {
		return nil
	}
	content, err := contentOf(base)
	if err != nil {
		return err
	}
	for _, index := range waiting {
		delta, err := p.deltaOf(p.entries[index])
		if err != nil {
			return err
		}
		data, err := p.patch(base.Type(), content, delta)
		if err != nil {
			return err
		}
		s, err := p.patched(base.Type(), data)
		if err != nil {
			return err
		}
		p.resolved(index, s, packed{delta: true, base: base.id})
	}
	return nil
}

var errDelta = &packError{what: "a delta in the pack is malformed"}

// patch applies a delta (gitformat-pack, "Deltified representation").
func (p *packReader) patch(kind ObjectType, base, delta []byte) ([]byte, error) {
	baseSize, delta, ok := deltaSize(delta)
	if !ok || baseSize != int64(len(base)) {
		return nil, errDelta
	}
	size, delta, ok := deltaSize(delta)
	if !ok {
		return nil, errDelta
	}
	if err := errors.Join(p.limits.check(kind, size), p.take(size)); err != nil {
		return nil, err
	}
	out := make([]byte, 0, min(size, growMax))
	for len(delta) > 0 {
		op := delta[0]
		delta = delta[1:]
		var part []byte
		switch {
		case op&0x80 != 0:
			var offset, length int
			if offset, length, delta, ok = copyArgs(op, delta); !ok || int64(offset)+int64(length) > int64(len(base)) {
				return nil, errDelta
			}
			part = base[offset : offset+length]
		case op == 0 || int(op) > len(delta):
			return nil, errDelta
		default:
			part, delta = delta[:op], delta[op:]
		}
		if int64(len(out)+len(part)) > size {
			return nil, errDelta
		}
		out = append(out, part...)
	}
	if int64(len(out)) != size {
		return nil, errDelta
	}
	return out, nil
}

// deltaSize reads one of the two sizes at the start of a delta.
func deltaSize(delta []byte) (size int64, rest []byte, ok bool) {
	for i, b := range delta {
		if i > 7 {
			break
		}
		size |= int64(b&0x7f) << (7 * i)
		if b&0x80 == 0 {
			return size, delta[i+1:], true
		}
	}
	return 0, nil, false
}

// copyArgs reads offset and length of a copy instruction: the bits of op say which bytes follow.
func copyArgs(op byte, delta []byte) (offset, length int, rest []byte, ok bool) {
	var value [7]int
	for i := range value {
		if op>>i&1 == 0 {
			continue
		}
		if len(delta) == 0 {
			return 0, 0, nil, false
		}
		value[i], delta = int(delta[0]), delta[1:]
	}
	if value[3] > 0x7f {
		return 0, 0, nil, false // beyond 2 GiB: more than any base here, and more than an int of 32 bits holds
	}
	offset = value[0] | value[1]<<8 | value[2]<<16 | value[3]<<24
	length = value[4] | value[5]<<8 | value[6]<<16
	if length == 0 {
		length = 0x10000
	}
	return offset, length, delta, true
}
