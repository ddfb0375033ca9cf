package trace

import (
	"crypto/sha256"
	"encoding/binary"
	"reflect"
)

// A Digester makes numbers of values, the same for equal ones: the beginning of what a trace makes of them.
type Digester struct{ h hasher }

// NewDigester returns a digester. It serves one goroutine.
func NewDigester() *Digester {
	return &Digester{hasher{hash: sha256.New(), buf: make([]byte, 0, bufMax), plans: map[reflect.Type]*plan{}}}
}

// Of returns the number of a value.
func (d *Digester) Of(value any) uint64 {
	d.h.hash.Reset()
	d.h.any(value)
	d.h.flush()
	var sum [sha256.Size]byte
	return binary.BigEndian.Uint64(d.h.hash.Sum(sum[:0]))
}
