// Package trace records what happened in a run: a running SHA-256 over every input and every effect of every server and
// all that others see of them, and, for a run that somebody wants to read, one record after the other as a JSON object a
// line with symbolic names. It judges nothing and opens no file.
package trace

import (
	"crypto/sha256"
	"encoding/hex"
	"reflect"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
)

// A Record is one thing that happened. Fields that do not apply are empty.
type Record struct {
	At          instant.Instant `json:"at"`
	Seq         uint64          `json:"seq"`            // from 1, given by Add
	Host        string          `json:"host"`           // where: "server1", "owner2"
	Peer        string          `json:"peer,omitempty"` // who it came from, or went to
	Fact        string          `json:"fact"`           // what: a fact of the core ("event_held") or of the world ("lost")
	Event       string          `json:"event,omitempty"`
	Kind        int             `json:"kind,omitempty"`
	Owner       string          `json:"owner,omitempty"`      // public key of the repository's owner
	Identifier  string          `json:"identifier,omitempty"` // of the repository
	Push        uint64          `json:"push,omitempty"`
	Requirement string          `json:"requirement,omitempty"`
	Detail      string          `json:"detail,omitempty"`
	Count       int             `json:"count,omitempty"`
	Hash        string          `json:"hash"` // of all up to here, this record too: its first HashDigits; given by Add to sinks
}

// EndsLife reports whether a server has ended with what the record tells.
func (r Record) EndsLife() bool {
	switch r.Fact {
	case "server_crashed", "server_torn", "server_stopped", "server_restored":
		return true
	}
	return false
}

// HashDigits is how much of a hash is in a record: enough to find where two runs part, also where no record tells why.
const HashDigits = 16

// A Trace hashes what happens as it comes, and hands the records on. Its zero value is not usable; see New.
type Trace struct {
	h    hasher
	seq  uint64
	sink func(Record)
}

// New returns an empty trace. Every record goes to sink as well, unless sink is nil: a search over seeds keeps nothing
// but the hash.
func New(sink func(Record)) *Trace {
	h := hasher{hash: sha256.New(), buf: make([]byte, 0, bufMax), plans: map[reflect.Type]*plan{}}
	return &Trace{h: h, sink: sink}
}

// Add numbers the record and appends it.
func (t *Trace) Add(r Record) {
	t.seq++
	r.Seq, r.Hash = t.seq, ""
	t.h.any(&r)
	if t.sink != nil {
		r.Hash = t.Sum()[:HashDigits]
		t.sink(r)
	}
}

// Step hashes a step of a server whole: what it was given, and all that it does.
func (t *Trace) Step(at instant.Instant, host string, in core.Input, effects []core.Effect) {
	t.begin("step", at, host)
	t.h.any(in)
	t.h.uint(uint64(len(effects)))
	for _, e := range effects {
		t.h.any(e)
	}
}

// Value hashes a value whole that somebody has seen or suffered: an answer that came, what a crash lost.
func (t *Trace) Value(at instant.Instant, host, what string, value any) {
	t.begin("value", at, host)
	t.h.text(what)
	t.h.any(value)
}

func (t *Trace) begin(what string, at instant.Instant, host string) {
	t.h.text(what) // which is no name of a type
	t.h.int(int64(at))
	t.h.text(host)
}

// Len is the number of records so far.
func (t *Trace) Len() uint64 { return t.seq }

// Sum is the hash of all that has happened so far, as 64 lower-case hex digits.
func (t *Trace) Sum() string {
	t.h.flush()
	return hex.EncodeToString(t.h.hash.Sum(nil))
}
