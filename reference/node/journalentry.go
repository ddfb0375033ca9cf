package node

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// An entry of the file is a CRC-32C of what follows, for a held event its arrival and its deadline in nanoseconds (8
// bytes each, big-endian) and its phase (1 byte, 1 if it is soft), and the event as JSON. An entry of a mark is a
// CRC-32C, the kind (1 byte), begin, end and created_at or count (8 bytes each), and its names, separated by slashes.
const (
	checksumBytes = 4
	heldBytes     = 17
	markBytes     = 25
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func encodeStored(e *nostr.Event) ([]byte, error) { return seal(make([]byte, checksumBytes), e) }

func encodeHeld(h core.HeldEvent) ([]byte, error) {
	entry := make([]byte, checksumBytes, checksumBytes+heldBytes)
	entry = binary.BigEndian.AppendUint64(entry, uint64(h.Arrived))
	entry = binary.BigEndian.AppendUint64(entry, uint64(h.Deadline))
	entry = append(entry, flag(h.Soft))
	return seal(entry, h.Event)
}

func seal(entry []byte, e *nostr.Event) ([]byte, error) {
	text, err := e.MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("event %s: %w", e.ID, err)
	}
	return checksum(append(entry, text...)), nil
}

func checksum(entry []byte) []byte {
	binary.BigEndian.PutUint32(entry, crc32.Checksum(entry[checksumBytes:], castagnoli))
	return entry
}

func flag(is bool) byte {
	if is {
		return 1
	}
	return 0
}

func encodeMark(m core.Mark) []byte {
	entry := append(make([]byte, checksumBytes), byte(m.Kind))
	entry = binary.BigEndian.AppendUint64(entry, uint64(m.At))
	entry = binary.BigEndian.AppendUint64(entry, uint64(m.Until))
	number := m.Created
	if m.Kind == core.MarkAsked {
		number = int64(m.Count)
	}
	entry = binary.BigEndian.AppendUint64(entry, uint64(number))
	return checksum(append(entry, m.Event+"/"+string(m.Repo.Owner)+"/"+m.Repo.Identifier+m.Host...))
}

func decodeMark(name string, entry []byte) (core.Mark, error) {
	body, err := unseal(name, entry)
	if err != nil {
		return core.Mark{}, err
	}
	if len(body) < markBytes {
		return core.Mark{}, fmt.Errorf("%w: entry %s is short", ErrJournalCorrupt, name)
	}
	m := core.Mark{
		Kind:  core.MarkKind(body[0]),
		At:    instant.Instant(binary.BigEndian.Uint64(body[1:])),
		Until: instant.Instant(binary.BigEndian.Uint64(body[9:])),
	}
	number := int64(binary.BigEndian.Uint64(body[17:]))
	event, rest, _ := strings.Cut(string(body[markBytes:]), "/")
	owner, identifier, _ := strings.Cut(rest, "/")
	m.Event, m.Repo.Owner = event, repo.PubKey(owner)
	if m.Kind == core.MarkAsked {
		m.Host, m.Count = identifier, int(min(max(number, 0), math.MaxInt32))
	} else {
		m.Repo.Identifier, m.Created = identifier, number
	}
	if m.Name() != name && m.LongName() != name {
		return core.Mark{}, fmt.Errorf("%w: entry %s holds mark %s", ErrJournalCorrupt, name, m.Name())
	}
	return m, nil
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
	if len(body) < heldBytes || body[16] > 1 {
		return core.HeldEvent{}, fmt.Errorf("%w: entry %s is short", ErrJournalCorrupt, id)
	}
	e, err := decodeEvent(id, body[heldBytes:])
	return core.HeldEvent{
		Event:    e,
		Arrived:  instant.Instant(binary.BigEndian.Uint64(body)),
		Deadline: instant.Instant(binary.BigEndian.Uint64(body[8:])),
		Soft:     body[16] == 1,
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
