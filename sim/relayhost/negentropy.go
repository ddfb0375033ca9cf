package relayhost

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/bits"
	"slices"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
)

// What one connection may reconcile at once, and how the relay answers: with the ids where they are few, else with the
// fingerprints of parts; and with no more bytes than the frame.
const (
	setsMax      = 16
	negVersion   = 0x61
	negFew       = 24
	negParts     = 12
	negFrame     = 50_000
	negSumSize   = 16
	negSkip      = 0
	negSum       = 1
	negList      = 2
	negRoundsMax = 10_000
)

// reconciliation is a set of the relay that an asker compares with its own.
type reconciliation struct {
	sub   string
	items []negItem
	turns int
}

type negItem struct {
	at uint64
	id [sha256.Size]byte
}

// A negBound is the item that a range ends before, its id as short as it was written.
type negBound struct {
	at uint64
	id []byte
}

// above reports whether the bound lies above the item.
func (b negBound) above(i negItem) bool {
	return cmp.Or(cmp.Compare(i.at, b.at), bytes.Compare(i.id[:], b.id)) < 0
}

// reconcile answers a NEG-OPEN.
func (h *Host) reconcile(now instant.Instant, out []Said, c *conn, m relay.NegOpen) []Said {
	c.unreconcile(m.Sub)
	switch h.config.Negentropy {
	case Unknown:
		return h.say(now, out, c, relay.Notice{Text: "ERROR: bad msg: unknown envelope NEG-OPEN"})
	case Declines:
		return h.say(now, out, c, relay.NegError{Sub: m.Sub, Text: "blocked: this relay reconciles nothing"})
	case Ignores:
		return out
	default: // it reconciles
	}
	if reason, refused := h.refuses(now, c); refused {
		return h.refuse(now, out, c, reason, relay.NegError{Sub: m.Sub, Text: reason})
	}
	if len(c.sets) >= setsMax {
		return h.say(now, out, c, relay.NegError{Sub: m.Sub, Text: "blocked: too many reconciliations"})
	}
	set := reconciliation{sub: m.Sub}
	for _, ev := range slices.Backward(h.events) {
		item := negItem{at: uint64(ev.CreatedAt)}
		if n, err := hex.Decode(item.id[:], []byte(ev.ID[:min(len(ev.ID), 2*sha256.Size)])); err != nil || n != sha256.Size {
			continue // an event of a world whose ids are no hashes
		}
		if matches(m.Filter, ev) && h.ill(now).Mode != Hides {
			set.items = append(set.items, item)
		}
	}
	slices.SortFunc(set.items, func(a, b negItem) int {
		return cmp.Or(cmp.Compare(a.at, b.at), bytes.Compare(a.id[:], b.id[:]))
	})
	c.sets = append(c.sets, set)
	return h.goOn(now, out, c, relay.NegMessage{Sub: m.Sub, Message: m.Message})
}

// goOn answers a NEG-MSG.
func (h *Host) goOn(now instant.Instant, out []Said, c *conn, m relay.NegMessage) []Said {
	at := slices.IndexFunc(c.sets, func(r reconciliation) bool { return r.sub == m.Sub })
	if at < 0 {
		return h.say(now, out, c, relay.NegError{Sub: m.Sub, Text: "closed: there is no such reconciliation"})
	}
	set := &c.sets[at]
	set.turns++
	answer, ok := set.answer(m.Message)
	if !ok || set.turns > negRoundsMax {
		c.unreconcile(m.Sub)
		return h.say(now, out, c, relay.NegError{Sub: m.Sub, Text: "invalid: this is no message of negentropy"})
	}
	return h.say(now, out, c, relay.NegAnswer{Sub: m.Sub, Message: answer})
}

func (c *conn) unreconcile(sub string) {
	c.sets = slices.DeleteFunc(c.sets, func(r reconciliation) bool { return r.sub == sub })
}

// answer is the relay's turn; false if the message is none.
func (s *reconciliation) answer(message []byte) ([]byte, bool) {
	if len(message) == 0 {
		return nil, false
	}
	if message[0] != negVersion {
		return []byte{negVersion}, true
	}
	r := negReader{data: message[1:]}
	w := negWriter{out: []byte{negVersion}}
	lower := 0
	for len(r.data) > 0 {
		upTo, mode, sum, ok := r.next()
		if !ok {
			return nil, false
		}
		upper := lower
		for upper < len(s.items) && (upTo.at == math.MaxUint64 || upTo.above(s.items[upper])) {
			upper++
		}
		if len(w.out) > negFrame { // the rest is for the next turn
			w.sum(negBound{at: math.MaxUint64}, s.items[lower:])
			return w.out, true
		}
		items := s.items[lower:upper]
		switch {
		case mode == negSkip || mode == negSum && bytes.Equal(sum, negSumOf(items)):
			w.skip(upTo)
		case mode == negList:
			w.list(upTo, items)
		default:
			w.split(upTo, items)
		}
		lower = upper
	}
	return w.out, true
}

// negSumOf is the fingerprint of items.
func negSumOf(items []negItem) []byte {
	var sum [4]uint64
	for _, i := range items {
		carry := uint64(0)
		for k := range sum {
			sum[k], carry = bits.Add64(sum[k], binary.LittleEndian.Uint64(i.id[8*k:]), carry)
		}
	}
	var out []byte
	for _, word := range sum {
		out = binary.LittleEndian.AppendUint64(out, word)
	}
	w := negWriter{out: out}
	w.number(uint64(len(items)))
	hash := sha256.Sum256(w.out)
	return hash[:negSumSize]
}

// A negWriter appends ranges to a message. What is skipped is written only where something follows it.
type negWriter struct {
	out     []byte
	at      uint64
	skipped *negBound
}

func (w *negWriter) number(n uint64) {
	size := max(1, (bits.Len64(n)+6)/7)
	for k := size - 1; k >= 0; k-- {
		digit := byte(n>>(7*k)) & 0x7f
		if k > 0 {
			digit |= 0x80
		}
		w.out = append(w.out, digit)
	}
}

func (w *negWriter) head(upTo negBound, mode byte) {
	if s := w.skipped; s != nil {
		w.skipped = nil
		w.head(*s, negSkip)
	}
	if upTo.at == math.MaxUint64 {
		w.number(0)
	} else {
		w.number(upTo.at - w.at + 1)
		w.at = upTo.at
	}
	w.number(uint64(len(upTo.id)))
	w.out = append(w.out, upTo.id...)
	w.out = append(w.out, mode)
}

func (w *negWriter) skip(upTo negBound) { w.skipped = &upTo }

func (w *negWriter) sum(upTo negBound, items []negItem) {
	w.head(upTo, negSum)
	w.out = append(w.out, negSumOf(items)...)
}

func (w *negWriter) list(upTo negBound, items []negItem) {
	w.head(upTo, negList)
	w.number(uint64(len(items)))
	for _, i := range items {
		w.out = append(w.out, i.id[:]...)
	}
}

// split says what there is up to a bound in parts, or by the ids if they are few.
func (w *negWriter) split(upTo negBound, items []negItem) {
	if len(items) < negFew {
		w.list(upTo, items)
		return
	}
	for part := range negParts {
		from, to := len(items)*part/negParts, len(items)*(part+1)/negParts
		bound := upTo
		if to < len(items) {
			bound = negBound{at: items[to].at, id: items[to].id[:]}
		}
		w.sum(bound, items[from:to])
	}
}

// A negReader reads the ranges of a message.
type negReader struct {
	data []byte
	at   uint64
}

func (r *negReader) number() (n uint64, ok bool) {
	for len(r.data) > 0 && n <= math.MaxUint64>>7 {
		digit := r.data[0]
		r.data = r.data[1:]
		n = n<<7 | uint64(digit&0x7f)
		if digit < 0x80 {
			return n, true
		}
	}
	return 0, false
}

func (r *negReader) bytes(n uint64) ([]byte, bool) {
	if n > uint64(len(r.data)) {
		return nil, false
	}
	out := r.data[:n]
	r.data = r.data[n:]
	return out, true
}

// next reads a range: its bound, its mode, and of a fingerprint the sum. The ids of a list are passed over: the relay wants
// nothing of who asks.
func (r *negReader) next() (upTo negBound, mode uint64, sum []byte, ok bool) {
	at, ok1 := r.number()
	size, ok2 := r.number()
	if !ok1 || !ok2 || size > sha256.Size {
		return upTo, 0, nil, false
	}
	upTo.at = math.MaxUint64
	if at > 0 {
		upTo.at = r.at + at - 1
		r.at = upTo.at
	}
	if upTo.id, ok = r.bytes(size); !ok {
		return upTo, 0, nil, false
	}
	if mode, ok = r.number(); !ok {
		return upTo, 0, nil, false
	}
	switch mode {
	case negSkip:
	case negSum:
		sum, ok = r.bytes(negSumSize)
	case negList:
		var count uint64
		if count, ok = r.number(); ok && count <= uint64(len(r.data)) {
			_, ok = r.bytes(count * sha256.Size)
		} else {
			ok = false
		}
	default:
		ok = false
	}
	return upTo, mode, sum, ok
}
