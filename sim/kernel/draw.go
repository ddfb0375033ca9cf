package kernel

import (
	"encoding/binary"
	"math/bits"
)

// A Key is a draw in the making: the hash of a seed, a purpose and the identity of what the draw is about. There is no
// stream of random numbers anywhere, so a draw that is added in one place moves nothing elsewhere, and a message that
// is taken out of a run leaves the fate of the others alone.
type Key uint64

// The constants of the mixer are those of wyhash: odd, with as many ones as zeros in every byte.
const (
	mixA = 0xa0761d6478bd642f
	mixB = 0xe7037ed1a0b428db
	mixC = 0x8ebc6af09c88c6e3
)

// mix folds the 128-bit product of its arguments, each made odd enough by a constant.
func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^mixA, b^mixB)
	return hi ^ lo
}

// NewKey starts a draw. The purpose is a constant text, "link/latency", one for each place that draws.
func NewKey(seed uint64, purpose string) Key { return Key(mix(seed, mixC)).WithText(purpose) }

// With adds a number to the identity. The order of additions matters.
func (k Key) With(x uint64) Key { return Key(mix(uint64(k)+mixC, x)) }

// WithText adds a text to the identity. Its length counts, so "ab" and then "c" differs from "a" and then "bc".
func (k Key) WithText(s string) Key {
	k = k.With(uint64(len(s)))
	for len(s) >= 8 {
		k = k.With(le64(s))
		s = s[8:]
	}
	if len(s) > 0 {
		var tail [8]byte
		copy(tail[:], s)
		k = k.With(binary.LittleEndian.Uint64(tail[:]))
	}
	return k
}

// le64 reads the first eight bytes of s without copying s.
func le64(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// Uint64 is the draw as 64 uniform bits. It is a function of the key: the same key always draws the same.
func (k Key) Uint64() uint64 { return mix(uint64(k), mixC) }

// Below draws from [0, n). It panics unless n is positive. The bias is n in 2^64.
func (k Key) Below(n int64) int64 {
	if n <= 0 {
		panic("kernel: invariant: draw below a number that is not positive")
	}
	hi, _ := bits.Mul64(k.Uint64(), uint64(n))
	return int64(hi)
}

// Million is what the probabilities of Chance are counted in.
const Million = 1_000_000

// Chance is true with a probability of perMillion in a million: never at 0, always at Million.
func (k Key) Chance(perMillion int64) bool { return k.Below(Million) < perMillion }
