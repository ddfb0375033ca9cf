package negentropy

import (
	"encoding/binary"
	"math"
)

// A bound separates two ranges: what is less lies below it. Only the first size bytes of the id are written, the others
// are zero.
type bound struct {
	Item
	size int
}

// infinity is above every item.
var infinity = bound{Item: Item{Time: math.MaxUint64}}

func (b bound) infinite() bool { return b.Time == math.MaxUint64 }

// between returns the shortest bound that has a below it and b not; a is less than b.
func between(a, b Item) bound {
	if a.Time != b.Time {
		return bound{Item: Item{Time: b.Time}}
	}
	size := 1
	for a.ID[size-1] == b.ID[size-1] {
		size++
	}
	out := bound{Item: Item{Time: b.Time}, size: size}
	copy(out.ID[:size], b.ID[:])
	return out
}

// Most bytes of what an answer is made of.
const (
	varintMax = 10
	headerMax = varintMax + 1 + idSize + 1 // bound and mode of a range
	tailMax   = 3 + fingerprintSize        // a fingerprint up to infinity
	reserve   = headerMax + tailMax        // what closes an answer: a skip and a fingerprint of the rest
)

// A writer appends to a message. Times are written as the distance from the one before.
type writer struct {
	out  []byte
	last uint64
}

func (w *writer) header(b bound, mode byte) {
	if b.infinite() {
		w.out = append(w.out, 0, 0, mode)
		w.last = b.Time
		return
	}
	w.varint(b.Time - w.last + 1)
	w.last = b.Time
	w.out = append(w.out, byte(b.size))
	w.out = append(w.out, b.ID[:b.size]...)
	w.out = append(w.out, mode)
}

func (w *writer) varint(n uint64) { w.out = appendVarint(w.out, n) }

// ids writes the ids of items, behind their number.
func (w *writer) ids(items []Item) {
	w.varint(uint64(len(items)))
	for _, item := range items {
		w.out = append(w.out, item.ID[:]...)
	}
}

// appendVarint writes a number in base 128, most significant digit first, with the high bit on all digits but the last.
func appendVarint(out []byte, n uint64) []byte {
	var digits [varintMax]byte
	at := len(digits) - 1
	digits[at] = byte(n & 0x7f)
	for n >>= 7; n > 0; n >>= 7 {
		at--
		digits[at] = byte(n&0x7f) | 0x80
	}
	return append(out, digits[at:]...)
}

// word reads eight bytes of an id as part of a little-endian number.
func word(id *ID, at int) uint64 { return binary.LittleEndian.Uint64(id[8*at:]) }
