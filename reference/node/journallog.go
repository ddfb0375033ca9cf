package node

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"github.com/graspkit/graspkit/reference/core"
)

// Beside a journal are two logs, which Write appends to in turn. A log is batches, one for each Write, and behind them whatever
// the file held before. A batch is the stamp of its log (the salt and the number of the log, 8 bytes each), which batch it is (8
// bytes), the length of its body (4 bytes), a CRC-32C of both and of the body, and the body: entries, each a letter, a name
// and a value with their lengths as varints. That the room of a log is there before it is written to, that a file is
// written again without being emptied, and that a damaged batch before the last is told from a last one that was never
// whole is more than libraries for logs do together, so this is our own.
const (
	logBytes    = 4 << 20 // of a log; one batch that is larger has a log for itself
	stampBytes  = 16
	headerBytes = stampBytes + 16
)

// A logPlace says where the logs of a journal begin: what is in earlier ones is in the file of the journal. It is kept there.
type logPlace struct {
	salt   uint64 // drawn when a server writes first, so that nobody can send what looks like a batch
	number uint64 // of the first log
	batch  uint64 // the first one in it
}

func (p logPlace) stamp() []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, p.salt), p.number)
}

func (p logPlace) encode() []byte { return binary.BigEndian.AppendUint64(p.stamp(), p.batch) }

func decodePlace(value []byte) (p logPlace, err error) {
	if len(value) != stampBytes+8 {
		return p, fmt.Errorf("%w: the place of its logs has %d bytes", ErrJournalCorrupt, len(value))
	}
	return logPlace{binary.BigEndian.Uint64(value), binary.BigEndian.Uint64(value[8:]), binary.BigEndian.Uint64(value[16:])}, nil
}

// A logged is one entry of a log: what a record does, to what, and the entry that the journal then has.
type logged struct {
	op    core.Op
	name  string
	entry []byte
}

// opLetters are the operations as a log has them.
var opLetters = map[core.Op]byte{
	core.OpStore: 'S', core.OpUnstore: 'U', core.OpHold: 'H', core.OpDrop: 'D', core.OpMark: 'M', core.OpUnmark: 'N',
}

var letterOps = func() map[byte]core.Op {
	ops := map[byte]core.Op{}
	for op, letter := range opLetters {
		ops[letter] = op
	}
	return ops
}()

// appendRecord adds a record to the body of a batch.
func appendRecord(body []byte, r core.Record) ([]byte, error) {
	name, entry, err := r.ID, []byte(nil), error(nil)
	switch r.Op {
	case core.OpStore:
		entry, err = encodeStored(r.Event)
	case core.OpHold:
		entry, err = encodeHeld(core.HeldEvent{Event: r.Event, Arrived: r.Arrived, Deadline: r.Deadline, Soft: r.Soft})
	case core.OpMark:
		name, entry = r.Mark.Name(), encodeMark(r.Mark)
	case core.OpUnmark:
		name = r.Mark.Name()
	case core.OpUnstore, core.OpDrop:
	default:
		panic("node: invariant: a record without an operation")
	}
	if err != nil {
		return nil, err
	}
	body = append(body, opLetters[r.Op])
	body = append(binary.AppendUvarint(body, uint64(len(name))), name...)
	return append(binary.AppendUvarint(body, uint64(len(entry))), entry...), nil
}

// makeBatch makes a batch of records, in the memory of an earlier one. It has to be sealed.
func makeBatch(memory []byte, records []core.Record) ([]byte, error) {
	var header [headerBytes]byte
	memory = append(memory[:0], header[:]...)
	for _, r := range records {
		var err error
		if memory, err = appendRecord(memory, r); err != nil {
			return nil, err
		}
	}
	return memory, nil
}

// sealBatch completes a batch.
func sealBatch(batch []byte, at logPlace) {
	copy(batch, at.stamp())
	binary.BigEndian.PutUint64(batch[stampBytes:], at.batch)
	binary.BigEndian.PutUint32(batch[stampBytes+8:], uint32(len(batch)-headerBytes))
	binary.BigEndian.PutUint32(batch[stampBytes+12:], batchChecksum(batch))
}

func batchChecksum(batch []byte) uint32 {
	sum := crc32.Checksum(batch[:stampBytes+12], castagnoli)
	return crc32.Update(sum, castagnoli, batch[headerBytes:])
}

// readBatches reads a log that begins at a place, and says where it ends: the place that a log after it would have. A last batch
// that is not whole was never acknowledged, and is none. Behind it its stamp must not come again: then it was not the last.
func readBatches(content []byte, at logPlace) (all []logged, end logPlace, err error) {
	stamp := at.stamp()
	end = logPlace{at.salt, at.number + 1, at.batch}
	for bytes.HasPrefix(content, stamp) && len(content) >= headerBytes {
		n := uint64(headerBytes) + uint64(binary.BigEndian.Uint32(content[stampBytes+8:]))
		if n > uint64(len(content)) || binary.BigEndian.Uint32(content[stampBytes+12:]) != batchChecksum(content[:n]) {
			break
		}
		if got := binary.BigEndian.Uint64(content[stampBytes:]); got != end.batch {
			return nil, end, fmt.Errorf("%w: its log %d has batch %d where %d belongs", ErrJournalCorrupt, at.number, got, end.batch)
		}
		if all, err = readEntries(all, content[headerBytes:n]); err != nil {
			return nil, end, fmt.Errorf("batch %d of log %d: %w", end.batch, at.number, err)
		}
		content = content[n:]
		end.batch++
	}
	if len(content) > 0 && bytes.Contains(content[1:], stamp) {
		return nil, end, fmt.Errorf("%w: batch %d of its log %d is not whole, and not the last", ErrJournalCorrupt, end.batch, at.number)
	}
	return all, end, nil
}

func readEntries(all []logged, body []byte) ([]logged, error) {
	field := func() []byte {
		size, n := binary.Uvarint(body)
		if n <= 0 || size > uint64(len(body)-n) {
			body = nil
			return nil
		}
		value := body[n : n+int(size) : n+int(size)]
		body = body[n+int(size):]
		return value
	}
	for len(body) > 0 {
		op, is := letterOps[body[0]]
		body = body[1:]
		name := field()
		entry := field()
		if !is || name == nil || entry == nil {
			return nil, fmt.Errorf("%w: an entry that nobody writes", ErrJournalCorrupt)
		}
		all = append(all, logged{op, string(name), entry})
	}
	return all, nil
}

// readLog returns all that a log has on the disk.
func readLog(file *os.File) ([]byte, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	content := make([]byte, info.Size())
	if _, err := file.ReadAt(content, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return content, nil
}

// fillLog gives a log its room, so that what is written there later changes no more than the bytes of the file. It is written
// in small pieces: what the system keeps in memory as one piece it also writes as one, however little of it has changed.
func fillLog(file *os.File, room int64) error {
	info, err := file.Stat()
	if err != nil || info.Size() >= room {
		return err
	}
	var piece [4096]byte
	for at := info.Size(); at < room; at += int64(len(piece)) {
		if _, err := file.WriteAt(piece[:min(int64(len(piece)), room-at)], at); err != nil {
			return err
		}
	}
	return file.Sync()
}
