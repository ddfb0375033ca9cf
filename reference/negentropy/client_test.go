package negentropy_test

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/graspkit/graspkit/reference/negentropy"
)

// An initiator is the other side of the protocol, written for clarity: numbers are big, sets are searched from end to
// end.
type initiator struct {
	items      []negentropy.Item // sorted
	have, need map[negentropy.ID]bool
}

func newInitiator(items []negentropy.Item) *initiator {
	items = slices.Clone(items)
	slices.SortFunc(items, func(a, b negentropy.Item) int {
		if c := cmp.Compare(a.Time, b.Time); c != 0 {
			return c
		}
		return bytes.Compare(a.ID[:], b.ID[:])
	})
	return &initiator{items: items, have: map[negentropy.ID]bool{}, need: map[negentropy.ID]bool{}}
}

// An edge is an exclusive upper bound; an id that is cut short is padded with zeros.
type edge struct {
	time uint64
	id   []byte
}

var endOfTime = edge{time: math.MaxUint64}

func (e edge) above(i negentropy.Item) bool {
	var id negentropy.ID
	copy(id[:], e.id)
	return i.Time < e.time || i.Time == e.time && bytes.Compare(i.ID[:], id[:]) < 0
}

// A message is written with times relative to each other.
type message struct {
	out  []byte
	last uint64
}

func (m *message) varint(n uint64) {
	digits := []byte{byte(n & 127)}
	for n >>= 7; n > 0; n >>= 7 {
		digits = append([]byte{byte(n&127) | 128}, digits...)
	}
	m.out = append(m.out, digits...)
}

func (m *message) edge(e edge, mode byte) {
	if e.time == math.MaxUint64 {
		m.varint(0)
	} else {
		m.varint(1 + e.time - m.last)
	}
	m.last = e.time
	m.varint(uint64(len(e.id)))
	m.out = append(append(m.out, e.id...), mode)
}

func fingerprint(items []negentropy.Item) []byte {
	sum := new(big.Int)
	for _, i := range items {
		id := slices.Clone(i.ID[:])
		slices.Reverse(id)
		sum.Add(sum, new(big.Int).SetBytes(id))
	}
	sum.Mod(sum, new(big.Int).Lsh(big.NewInt(1), 256))
	text := sum.FillBytes(make([]byte, 32))
	slices.Reverse(text)
	m := message{out: text}
	m.varint(uint64(len(items)))
	hash := sha256.Sum256(m.out)
	return hash[:16]
}

// ask writes ranges for the items up to an edge: their ids if they are few, else fingerprints.
func (m *message) ask(items []negentropy.Item, upTo edge) {
	const parts, few = 4, 5
	if len(items) <= few {
		m.edge(upTo, 2)
		m.varint(uint64(len(items)))
		for _, i := range items {
			m.out = append(m.out, i.ID[:]...)
		}
		return
	}
	for i := range parts {
		from, to := len(items)*i/parts, len(items)*(i+1)/parts
		e := upTo
		if to < len(items) {
			e = edge{items[to].Time, items[to].ID[:]}
		}
		m.edge(e, 1)
		m.out = append(m.out, fingerprint(items[from:to])...)
	}
}

func (c *initiator) start() []byte {
	m := message{out: []byte{0x61}}
	m.ask(c.items, endOfTime)
	return m.out
}

// next reads an answer, and writes the next message or nothing.
func (c *initiator) next(in []byte) (out []byte, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("answer %x: %v", in, fault)
		}
	}()
	if in[0] != 0x61 {
		return nil, fmt.Errorf("version %x", in[0])
	}
	in = in[1:]
	varint := func() (n uint64) {
		for {
			digit := in[0]
			in = in[1:]
			n = n<<7 | uint64(digit&127)
			if digit < 128 {
				return n
			}
		}
	}
	m, from, last, skipped := message{out: []byte{0x61}}, 0, uint64(0), edge{}
	asked := false
	for len(in) > 0 {
		e := endOfTime
		if delta := varint(); delta > 0 {
			e.time = last + delta - 1
		}
		last = e.time
		size := varint()
		e.id, in = in[:size], in[size:]
		to := from
		for to < len(c.items) && e.above(c.items[to]) {
			to++
		}
		mine := c.items[from:to]
		from = to
		switch mode := varint(); mode {
		case 0:
		case 1:
			theirs := in[:16]
			in = in[16:]
			if !bytes.Equal(theirs, fingerprint(mine)) {
				m.edge(skipped, 0)
				m.ask(mine, e)
				asked = true
			}
		case 2:
			theirs := map[negentropy.ID]bool{}
			for range varint() {
				theirs[negentropy.ID(in[:32])] = true
				in = in[32:]
			}
			for _, i := range mine {
				if !theirs[i.ID] {
					c.have[i.ID] = true
				}
				delete(theirs, i.ID)
			}
			for id := range theirs {
				c.need[id] = true
			}
		default:
			return nil, fmt.Errorf("mode %d", mode)
		}
		skipped = e
	}
	if !asked {
		return nil, nil
	}
	return m.out, nil
}
