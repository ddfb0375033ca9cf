package node

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"github.com/nbd-wtf/go-nostr"
	"go.etcd.io/bbolt"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
)

// An entry of the file is a CRC-32C of what follows, for a held event its arrival and its deadline in nanoseconds (8
// bytes each, big-endian), and the event as JSON.
const (
	checksumBytes = 4
	timesBytes    = 16
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func encodeStored(e *nostr.Event) ([]byte, error) { return seal(make([]byte, checksumBytes), e) }

func encodeHeld(h core.HeldEvent) ([]byte, error) {
	entry := make([]byte, checksumBytes, checksumBytes+timesBytes)
	entry = binary.BigEndian.AppendUint64(entry, uint64(h.Arrived))
	entry = binary.BigEndian.AppendUint64(entry, uint64(h.Deadline))
	return seal(entry, h.Event)
}

func seal(entry []byte, e *nostr.Event) ([]byte, error) {
	text, err := e.MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("event %s: %w", e.ID, err)
	}
	entry = append(entry, text...)
	binary.BigEndian.PutUint32(entry, crc32.Checksum(entry[checksumBytes:], castagnoli))
	return entry, nil
}

func decodeStored(id string, entry []byte) (*nostr.Event, error) {
	body, err := unseal(id, entry)
	if err != nil {
		return nil, err
	}
	return decodeEvent(id, body)
}

func decodeHeld(id string, entry []byte) (core.HeldEvent, error) {
	body, err := unseal(id, entry)
	if err != nil {
		return core.HeldEvent{}, err
	}
	if len(body) < timesBytes {
		return core.HeldEvent{}, fmt.Errorf("%w: entry %s is short", ErrJournalCorrupt, id)
	}
	e, err := decodeEvent(id, body[timesBytes:])
	return core.HeldEvent{
		Event:    e,
		Arrived:  instant.Instant(binary.BigEndian.Uint64(body)),
		Deadline: instant.Instant(binary.BigEndian.Uint64(body[8:])),
	}, err
}

func unseal(id string, entry []byte) ([]byte, error) {
	if len(entry) < checksumBytes {
		return nil, fmt.Errorf("%w: entry %s is short", ErrJournalCorrupt, id)
	}
	body := entry[checksumBytes:]
	if binary.BigEndian.Uint32(entry) != crc32.Checksum(body, castagnoli) {
		return nil, fmt.Errorf("%w: entry %s has a wrong checksum", ErrJournalCorrupt, id)
	}
	return body, nil
}

func decodeEvent(id string, text []byte) (*nostr.Event, error) {
	e := new(nostr.Event)
	if err := e.UnmarshalJSON(bytes.Clone(text)); err != nil {
		return nil, fmt.Errorf("%w: entry %s: %w", ErrJournalCorrupt, id, err)
	}
	if e.ID != id {
		return nil, fmt.Errorf("%w: entry %s holds event %s", ErrJournalCorrupt, id, e.ID)
	}
	return e, nil
}

// A journalTx applies records inside one transaction and counts what they change.
type journalTx struct {
	tx                   *bbolt.Tx
	stored, held         *bbolt.Bucket
	storedDiff, heldDiff int
}

func (t *journalTx) apply(r core.Record) error {
	switch r.Op {
	case core.OpStore:
		entry, err := encodeStored(r.Event)
		if err != nil {
			return err
		}
		if err := remove(t.held, r.ID, &t.heldDiff); err != nil {
			return err
		}
		return put(t.stored, r.ID, entry, &t.storedDiff)
	case core.OpUnstore:
		return remove(t.stored, r.ID, &t.storedDiff)
	case core.OpHold:
		entry, err := encodeHeld(core.HeldEvent{Event: r.Event, Arrived: r.Arrived, Deadline: r.Deadline})
		if err != nil {
			return err
		}
		return put(t.held, r.ID, entry, &t.heldDiff)
	case core.OpDrop:
		return remove(t.held, r.ID, &t.heldDiff)
	default:
		panic("node: invariant: a record without an operation")
	}
}

// addCounts writes the new numbers of entries.
func (t *journalTx) addCounts() error {
	for _, c := range []struct {
		key  []byte
		diff int
	}{{keyStored, t.storedDiff}, {keyHeld, t.heldDiff}} {
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

func put(b *bbolt.Bucket, id string, entry []byte, diff *int) error {
	if b.Get([]byte(id)) == nil {
		*diff++
	}
	return b.Put([]byte(id), entry)
}

func remove(b *bbolt.Bucket, id string, diff *int) error {
	if b.Get([]byte(id)) != nil {
		*diff--
	}
	return b.Delete([]byte(id))
}
