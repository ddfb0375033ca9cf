// Package trace records what happened in a run: one record after the other, a running SHA-256 over all of them, and,
// for a run that somebody wants to read, one JSON object a line with symbolic names. It judges nothing and opens no
// file.
package trace

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"

	"github.com/graspkit/graspkit/reference/instant"
)

// A Record is one thing that happened. Fields that do not apply are empty.
type Record struct {
	At          instant.Instant `json:"at"`
	Seq         uint64          `json:"seq"`  // from 1, given by Add
	Host        string          `json:"host"` // where: "server1", "owner2"
	Fact        string          `json:"fact"` // what: a fact of the core ("event_held") or of the world ("lost")
	Event       string          `json:"event,omitempty"`
	Kind        int             `json:"kind,omitempty"`
	Owner       string          `json:"owner,omitempty"`      // public key of the repository's owner
	Identifier  string          `json:"identifier,omitempty"` // of the repository
	Push        uint64          `json:"push,omitempty"`
	Requirement string          `json:"requirement,omitempty"`
	Detail      string          `json:"detail,omitempty"`
	Count       int             `json:"count,omitempty"`
}

// A Trace hashes records as they come and hands them on. Its zero value is not usable; see New.
type Trace struct {
	hash hash.Hash
	seq  uint64
	sink func(Record)
	buf  []byte
}

// New returns an empty trace. Every record goes to sink as well, unless sink is nil: a search over seeds keeps nothing
// but the hash.
func New(sink func(Record)) *Trace { return &Trace{hash: sha256.New(), sink: sink} }

// Add numbers the record and appends it.
func (t *Trace) Add(r Record) {
	t.seq++
	r.Seq = t.seq
	t.buf = r.appendBinary(t.buf[:0])
	t.hash.Write(t.buf)
	if t.sink != nil {
		t.sink(r)
	}
}

// Len is the number of records so far.
func (t *Trace) Len() uint64 { return t.seq }

// Sum is the hash of all records so far, as 64 lower-case hex digits.
func (t *Trace) Sum() string { return hex.EncodeToString(t.hash.Sum(nil)) }

// appendBinary appends the form of the record that is hashed: numbers of fixed size, texts with their length, so that
// two different records never have the same form.
func (r *Record) appendBinary(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(r.At))
	b = binary.LittleEndian.AppendUint64(b, r.Seq)
	b = binary.LittleEndian.AppendUint64(b, r.Push)
	b = binary.LittleEndian.AppendUint64(b, uint64(int64(r.Kind)))
	b = binary.LittleEndian.AppendUint64(b, uint64(int64(r.Count)))
	for _, s := range [...]string{r.Host, r.Fact, r.Event, r.Owner, r.Identifier, r.Requirement, r.Detail} {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(s)))
		b = append(b, s...)
	}
	return b
}
