package node

import (
	"encoding/binary"
	"fmt"

	"go.etcd.io/bbolt"

	"github.com/graspkit/graspkit/reference/core"
)

// ordinalBytes begin the key of an event: the how manieth of its bucket it is, and then comes its id. So what comes together
// lies together, and a transaction writes few pages. By the id alone each event would need a page of its own.
const ordinalBytes = 8

func placeKey(ordinal uint64, id string) []byte {
	return append(binary.BigEndian.AppendUint64(make([]byte, 0, ordinalBytes+len(id)), ordinal), id...)
}

// A places says which ordinal each event of a bucket has, by id.
type places map[string]uint64

// add takes a key of the file and returns its id.
func (p places) add(key []byte) (id string, err error) {
	if len(key) < ordinalBytes {
		return "", fmt.Errorf("%w: a key is short", ErrJournalCorrupt)
	}
	id = string(key[ordinalBytes:])
	if p[id] != 0 {
		return "", fmt.Errorf("%w: event %s is there twice", ErrJournalCorrupt, id)
	}
	p[id] = binary.BigEndian.Uint64(key)
	return id, nil
}

// A shelf is a bucket of events inside one transaction.
type shelf struct {
	bucket *bbolt.Bucket
	places places            // before the transaction
	moved  map[string]uint64 // by it; 0 is nowhere
	diff   int
}

func newShelf(tx *bbolt.Tx, name []byte, p places) shelf {
	b := tx.Bucket(name)
	b.FillPercent = 0.95 // new ones come at the end
	return shelf{bucket: b, places: p, moved: map[string]uint64{}}
}

func (s *shelf) ordinal(id string) uint64 {
	if n, moved := s.moved[id]; moved {
		return n
	}
	return s.places[id]
}

func (s *shelf) put(id string, entry []byte) error {
	n := s.ordinal(id)
	if n == 0 {
		var err error
		if n, err = s.bucket.NextSequence(); err != nil {
			return err
		}
		s.moved[id] = n
		s.diff++
	}
	return s.bucket.Put(placeKey(n, id), entry)
}

func (s *shelf) remove(id string) error {
	n := s.ordinal(id)
	if n == 0 {
		return nil
	}
	s.moved[id] = 0
	s.diff--
	return s.bucket.Delete(placeKey(n, id))
}

// settle takes over what the transaction has moved, when it is durable.
func (s *shelf) settle() {
	for id, n := range s.moved {
		if n == 0 {
			delete(s.places, id)
		} else {
			s.places[id] = n
		}
	}
}

// A journalTx applies what logs have inside one transaction and counts what that changes.
type journalTx struct {
	tx           *bbolt.Tx
	stored, held shelf
	marks        *bbolt.Bucket
	marksDiff    int
}

func (t *journalTx) apply(l logged) error {
	switch l.op {
	case core.OpStore:
		if err := t.held.remove(l.name); err != nil {
			return err
		}
		return t.stored.put(l.name, l.entry)
	case core.OpUnstore:
		return t.stored.remove(l.name)
	case core.OpHold:
		return t.held.put(l.name, l.entry)
	case core.OpDrop:
		return t.held.remove(l.name)
	case core.OpMark:
		name := []byte(l.name)
		if t.marks.Get(name) == nil {
			t.marksDiff++
		}
		return t.marks.Put(name, l.entry)
	case core.OpUnmark:
		name := []byte(l.name)
		if t.marks.Get(name) != nil {
			t.marksDiff--
		}
		return t.marks.Delete(name)
	default:
		panic("node: invariant: an entry without an operation")
	}
}

// addCounts writes the new numbers of entries.
func (t *journalTx) addCounts() error {
	for _, c := range []struct {
		key  []byte
		diff int
	}{{keyStored, t.stored.diff}, {keyHeld, t.held.diff}, {keyMarks, t.marksDiff}} {
		n, err := number(t.tx, c.key)
		if err != nil {
			return err
		}
		if err := putNumber(t.tx, c.key, n+uint64(c.diff)); err != nil {
			return err
		}
	}
	return nil
}
