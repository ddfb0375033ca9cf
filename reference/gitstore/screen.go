package gitstore

import (
	"errors"
	"io"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/graspkit/graspkit/reference/repo"
)

// A Screening is what a pack says of itself, before anybody takes it in.
type Screening struct {
	Refused string // why the pack is not to be taken in, in words for the git user; "" if nothing speaks against it
	Bytes   int64  // of the pack
	Objects int    // in the pack
	Work    int64  // bytes that its entries inflate to, and the results of its deltas
}

// Screen reads a pack to its end, for a store that has others take it in: whoever does that must not be given a pack whose
// objects cost far more than its bytes. It keeps nothing of it; what was read is written to w. Kind returns what an object is
// that the repository has; it is asked of large results alone whose delta builds on none of the pack. An error says that w
// failed or that c stopped it.
func Screen(c Cancel, pack io.Reader, limits Limits, kind func(repo.OID) (ObjectType, bool), w io.Writer) (Screening, error) {
	s := &screen{kind: kind, limits: limits, thin: map[int]plumbing.Hash{}}
	s.p = &packReader{stream: newPackStream(pack, limits.PackMax, nil), left: limits.InflatedMax, limit: limits.InflatedMax}
	defer s.p.close()
	s.p.stream.spool = spoolWriter{w}
	err := s.read(c)
	done := Screening{Bytes: s.p.stream.offset, Objects: len(s.kinds), Work: s.p.limit - s.p.left}
	var spool *spoolError
	switch {
	case c.Err() != nil:
		return done, c.Err()
	case errors.As(err, &spool):
		return done, spool
	case err != nil:
		done.Refused = unpackReason(err)
	}
	return done, nil
}

// A screen knows of each entry of a pack where it lies and what it is.
type screen struct {
	p       *packReader
	limits  Limits
	kind    func(repo.OID) (ObjectType, bool)
	offsets []int64      // ascending
	kinds   []ObjectType // of a delta on an object that is not in the pack before it: plumbing.REFDeltaObject
	thin    map[int]plumbing.Hash
}

func (s *screen) read(c Cancel) error {
	count, err := s.p.header(s.limits.ObjectMax)
	if err != nil {
		return err
	}
	for range count {
		if err := c.Err(); err != nil {
			return err
		}
		if err := s.entry(); err != nil {
			return err
		}
	}
	return s.p.stream.trailer()
}

func (s *screen) entry() error {
	start := s.p.stream.offset
	kind, size, err := s.p.entryHeader()
	if err != nil {
		return err
	}
	switch kind {
	case Commit, Tree, Blob, Tag:
		if err := s.limits.check(kind, size); err != nil {
			return err
		}
		s.offsets, s.kinds = append(s.offsets, start), append(s.kinds, kind)
		return s.p.inflateTo(io.Discard, size)
	case plumbing.OFSDeltaObject:
		distance, err := s.p.distance()
		if err != nil {
			return err
		}
		base, ok := slices.BinarySearch(s.offsets, start-distance)
		if !ok {
			return packErrorf("a delta in the pack has no base")
		}
		kind = s.kinds[base]
		if hash, ok := s.thin[base]; ok {
			s.thin[len(s.kinds)] = hash
		}
	case plumbing.REFDeltaObject:
		var hash plumbing.Hash
		if err := s.p.stream.full(hash[:]); err != nil {
			return err
		}
		s.thin[len(s.kinds)] = hash
	default:
		return packErrorf("the pack has an object of unknown type %d", kind)
	}
	s.offsets, s.kinds = append(s.offsets, start), append(s.kinds, kind)
	return s.delta(len(s.kinds)-1, size)
}

// deltaHeadMax is how many bytes the two sizes have at most that a delta begins with.
const deltaHeadMax = 16

// delta reads a delta and judges its result by the size that it says.
func (s *screen) delta(index int, size int64) error {
	if size > s.limits.OneMax {
		return s.limits.check(Blob, size)
	}
	head := &sized{size: deltaHeadMax}
	if err := s.p.inflateTo(head, size); err != nil {
		return err
	}
	_, rest, ok := deltaSize(head.data)
	if !ok {
		return errDelta
	}
	result, _, ok := deltaSize(rest)
	if !ok {
		return errDelta
	}
	kind := s.kinds[index]
	if result > min(s.limits.CommitMax, s.limits.TreeMax) && kind == plumbing.REFDeltaObject {
		if known, ok := s.kind(oidOf(s.thin[index])); ok {
			kind = known
		}
	}
	if err := s.limits.check(kind, result); err != nil {
		return err
	}
	return s.p.take(result)
}

// check returns why no object of a kind may have so many bytes. What may be a commit counts as one.
func (l Limits) check(kind ObjectType, size int64) error {
	switch {
	case size > l.OneMax:
		return packErrorf("an object in the pack is larger than %d bytes", l.OneMax)
	case kind == Blob:
		return nil
	case kind == Tree && size > l.TreeMax:
		return packErrorf("a tree in the pack is larger than %d bytes", l.TreeMax)
	case kind != Tree && size > l.CommitMax:
		return packErrorf("a commit or tag in the pack is larger than %d bytes", l.CommitMax)
	}
	return nil
}
