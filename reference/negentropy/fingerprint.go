package negentropy

import (
	"crypto/sha256"
	"encoding/binary"
	"math/bits"
)

// fingerprint stands for the items from lower up to upper: the start of the hash of the sum of their ids, as
// little-endian numbers modulo 2^256, and of their number.
func (s *Set) fingerprint(lower, upper int) [fingerprintSize]byte {
	var sum [idSize / 8]uint64
	for i := lower; i < upper; i++ {
		var carry uint64
		for at := range sum {
			sum[at], carry = bits.Add64(sum[at], word(&s.items[i].ID, at), carry)
		}
	}
	text := make([]byte, 0, idSize+varintMax)
	for _, part := range sum {
		text = binary.LittleEndian.AppendUint64(text, part)
	}
	hash := sha256.Sum256(appendVarint(text, uint64(upper-lower)))
	return [fingerprintSize]byte(hash[:fingerprintSize])
}
