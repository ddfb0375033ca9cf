package kernel

// Bytes makes decisions from a string of bytes, so that a search which changes bytes changes decisions: each takes as many
// bytes as its range needs, and when there are none left every decision is 0, the simplest.
type Bytes struct{ left []byte }

// NewBytes returns a chooser that reads data.
func NewBytes(data []byte) *Bytes { return &Bytes{data} }

// Choose implements Chooser.
func (b *Bytes) Choose(_ string, n int) int {
	if n < 1 {
		panic("kernel: invariant: a choice of nothing")
	}
	value := uint64(0)
	for most := uint64(n - 1); most > 0 && len(b.left) > 0; most >>= 8 { //nolint:gosec // not negative
		value = value<<8 | uint64(b.left[0])
		b.left = b.left[1:]
	}
	return int(value % uint64(n)) //nolint:gosec // below n
}
