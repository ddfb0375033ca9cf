package negentropy_test

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/graspkit/graspkit/reference/negentropy"
)

// An asked is a range of a message.
type asked struct {
	upper edge
	mode  byte
}

// parse reads a message of ours, which is trusted.
func parse(in []byte) (out []asked) {
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
	last := uint64(0)
	for len(in) > 0 {
		e := endOfTime
		if delta := varint(); delta > 0 {
			e.time = last + delta - 1
		}
		last = e.time
		size := varint()
		e.id, in = in[:size], in[size:]
		mode := byte(varint())
		switch mode {
		case 1:
			in = in[16:]
		case 2:
			in = in[32*varint():]
		}
		out = append(out, asked{e, mode})
	}
	return out
}

// A liar answers so that as much as possible is asked again. It counts, so that nothing it says was said before.
type liar struct{ said uint64 }

func (l *liar) id() []byte {
	l.said++
	id := sha256.Sum256(binary.BigEndian.AppendUint64([]byte("liar"), l.said))
	return id[:]
}

func (l *liar) differs(m *message, upTo edge) {
	m.edge(upTo, 1)
	m.out = append(m.out, l.id()[:16]...)
}

// first returns where the first range that a message asks about begins, and the range.
func first(ranges []asked) (from edge, what asked) {
	for _, r := range ranges {
		if r.mode != 0 {
			return from, r
		}
		from = r.upper
	}
	return from, asked{upper: endOfTime, mode: 2}
}

// after is the next edge that there is.
func after(e edge) edge {
	id := make([]byte, 32)
	copy(id, e.id)
	for at := len(id) - 1; ; at-- {
		if at < 0 {
			return edge{time: e.time + 1}
		}
		if id[at]++; id[at] != 0 {
			return edge{time: e.time, id: id}
		}
	}
}

// Whatever the other side tells, it is not asked for ever: there are at most 32,768 answers, and eight for each item of ours and
// each id that was told.
func TestAskingLiarsEnds(t *testing.T) {
	const told = 2000
	var items []negentropy.Item
	for n := range 400 {
		items = append(items, item(n, uint64(10*n)))
	}
	for _, c := range []struct {
		name   string
		has    int
		answer func(l *liar, ranges []asked) []byte
	}{
		{"all differs", 400, func(l *liar, _ []asked) []byte {
			m := message{out: []byte{0x61}}
			l.differs(&m, endOfTime)
			return m.out
		}},
		{"each range differs as it was asked", 400, func(l *liar, ranges []asked) []byte {
			m := message{out: []byte{0x61}}
			for _, r := range ranges {
				if r.mode == 0 {
					m.edge(r.upper, 0)
				} else {
					l.differs(&m, r.upper)
				}
			}
			return m.out
		}},
		{"one invented id a time", 0, func(l *liar, ranges []asked) []byte {
			m := message{out: []byte{0x61}}
			from, _ := first(ranges)
			m.edge(from, 0)
			m.edge(after(from), 2)
			m.varint(1)
			m.out = append(m.out, l.id()...)
			l.differs(&m, endOfTime)
			return m.out
		}},
		{"the smallest part that can be is empty", 0, func(l *liar, ranges []asked) []byte {
			m := message{out: []byte{0x61}}
			from, _ := first(ranges)
			m.edge(from, 0)
			m.edge(after(from), 2)
			m.varint(0)
			l.differs(&m, endOfTime)
			return m.out
		}},
		{"the smallest part that can be differs", 400, func(l *liar, ranges []asked) []byte {
			m := message{out: []byte{0x61}}
			from, what := first(ranges)
			m.edge(from, 0)
			if what.mode == 2 {
				m.edge(after(from), 2)
				m.varint(0)
			} else {
				l.differs(&m, after(from))
			}
			l.differs(&m, endOfTime)
			return m.out
		}},
		{"a hundred parts of each range differ", 400, func(l *liar, ranges []asked) []byte {
			m, from := message{out: []byte{0x61}}, edge{}
			for _, r := range ranges {
				switch r.mode {
				case 0:
					m.edge(r.upper, 0)
				case 1:
					for range 100 {
						if from = after(from); !from.above(negentropy.Item{Time: r.upper.time, ID: padded(r.upper.id)}) {
							l.differs(&m, from)
						}
					}
					l.differs(&m, r.upper)
				case 2:
					m.edge(r.upper, 2)
					m.varint(0)
				}
				from = r.upper
			}
			return m.out
		}},
		{"a hundred thousand parts of the first range differ", 400, func(l *liar, ranges []asked) []byte {
			m := message{out: []byte{0x61}}
			from, what := first(ranges)
			m.edge(from, 0)
			if what.mode == 2 {
				m.edge(after(from), 2)
				m.varint(0)
			} else {
				for range 100_000 {
					from = after(from)
					l.differs(&m, from)
				}
			}
			l.differs(&m, endOfTime)
			return m.out
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			set, l := negentropy.NewSet(items[:c.has:c.has]), &liar{}
			lacks, rounds, open, out := 0, 0, 0, set.Begin(negentropy.FrameMin)
			for out != nil && lacks < told { // more than that is for the caller to refuse
				var ids []negentropy.ID
				var err error
				out, ids, err = set.Continue(c.answer(l, parse(out)), negentropy.FrameMin)
				var malformed *negentropy.MalformedError
				if err != nil && !errors.As(err, &malformed) {
					t.Fatal(err)
				}
				lacks += len(ids)
				rounds++
				open = max(open, set.Open())
				if most := 4 * 4200; open > most { // once for each time that 400 can be parted in sixteen, and the first
					t.Fatalf("got %d ranges open, want at most %d", open, most)
				}
				if most := 32_768 + 8*(c.has+lacks); rounds > most {
					t.Fatalf("got no end after %d answers", rounds)
				}
			}
			t.Logf("%d answers, %d ids, %d ranges open at most", rounds, lacks, open)
		})
	}
}

func padded(id []byte) (out negentropy.ID) {
	copy(out[:], id)
	return out
}
