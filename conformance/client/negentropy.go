package client

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/nbd-wtf/go-nostr"
)

// NegVersion is the first byte of a message of negentropy protocol version 1 (NIP-77).
const NegVersion = 0x61

// How the client asks: ranges of few items by their ids, others by the fingerprints of their parts.
const (
	negFew   = 32
	negParts = 16
)

// The modes of a range.
const (
	negSkip = iota
	negFingerprint
	negList
)

// A negItem is one event of a set; its id is 32 raw bytes.
type negItem struct {
	at uint64
	id string
}

func (i negItem) compare(other negItem) int {
	if c := cmp.Compare(i.at, other.at); c != 0 {
		return c
	}
	return cmp.Compare(i.id, other.id)
}

// negItems sorts events as the protocol does.
func negItems(events []*nostr.Event) []negItem {
	var items []negItem
	for _, ev := range events {
		id, err := hex.DecodeString(ev.ID)
		if err != nil || len(id) != sha256.Size || ev.CreatedAt < 0 {
			panic("client: invariant: own event with id " + ev.ID)
		}
		items = append(items, negItem{uint64(ev.CreatedAt), string(id)})
	}
	slices.SortFunc(items, negItem.compare)
	return slices.Compact(items)
}

// negEnd is the bound above everything.
var negEnd = negItem{at: math.MaxUint64}

// A negWriter appends ranges to a message; times are written relative to each other.
type negWriter struct {
	out []byte
	at  uint64
}

func (w *negWriter) number(n uint64) {
	var digits []byte
	for more := byte(0); ; more = 0x80 {
		digits = append(digits, byte(n&0x7f)|more)
		if n >>= 7; n == 0 {
			break
		}
	}
	slices.Reverse(digits)
	w.out = append(w.out, digits...)
}

func (w *negWriter) head(upTo negItem, mode byte) {
	if upTo.at == negEnd.at {
		w.number(0)
	} else {
		w.number(upTo.at - w.at + 1)
	}
	w.at = upTo.at
	w.number(uint64(len(upTo.id)))
	w.out = append(append(w.out, upTo.id...), mode)
}

// ask writes what there is up to a bound: the ids if they are few, else fingerprints.
func (w *negWriter) ask(items []negItem, upTo negItem) {
	if len(items) < negFew {
		w.head(upTo, negList)
		w.number(uint64(len(items)))
		for _, i := range items {
			w.out = append(w.out, i.id...)
		}
		return
	}
	for part := range negParts {
		from, to := len(items)*part/negParts, len(items)*(part+1)/negParts
		bound := upTo
		if to < len(items) {
			bound = items[to]
		}
		w.head(bound, negFingerprint)
		w.out = append(w.out, negSum(items[from:to])...)
	}
}

// negSum is the fingerprint of items.
func negSum(items []negItem) string {
	sum := new(big.Int)
	for _, i := range items {
		id := []byte(i.id)
		slices.Reverse(id) // the protocol's numbers are little-endian
		sum.Add(sum, new(big.Int).SetBytes(id))
	}
	modulus := new(big.Int).Lsh(big.NewInt(1), 8*sha256.Size)
	w := negWriter{out: sum.Mod(sum, modulus).FillBytes(make([]byte, sha256.Size))}
	slices.Reverse(w.out)
	w.number(uint64(len(items)))
	hash := sha256.Sum256(w.out)
	return string(hash[:negSumSize])
}

const negSumSize = 16

// A negRange is one range of an answer.
type negRange struct {
	upTo negItem
	mode uint64
	sum  string   // of negFingerprint
	ids  []string // of negList
}

// errNegShort is returned for messages that end too early.
var errNegShort = errors.New("it is cut short")

// A negReader reads the ranges of a message.
type negReader struct {
	data []byte
	upTo negItem
}

func (r *negReader) bytes(n uint64) (string, error) {
	if n > uint64(len(r.data)) {
		return "", errNegShort
	}
	out := string(r.data[:n])
	r.data = r.data[n:]
	return out, nil
}

func (r *negReader) number() (uint64, error) {
	var n uint64
	for {
		digit, err := r.bytes(1)
		if err != nil {
			return 0, err
		}
		if n > math.MaxUint64>>7 {
			return 0, errors.New("it has a number above 64 bits")
		}
		n = n<<7 | uint64(digit[0]&0x7f)
		if digit[0] < 0x80 {
			return n, nil
		}
	}
}

func (r *negReader) bound() error {
	at, err := r.number()
	if err != nil {
		return err
	}
	size, err := r.number()
	if err != nil {
		return err
	}
	if size > sha256.Size {
		return fmt.Errorf("it has an id of %d bytes", size)
	}
	bound := negEnd
	if at > 0 {
		bound.at = r.upTo.at + at - 1
		if bound.at < r.upTo.at {
			return errors.New("it has a time above 64 bits")
		}
	}
	if bound.id, err = r.bytes(size); err != nil {
		return err
	}
	if bound.compare(r.upTo) < 0 {
		return errors.New("its ranges overlap")
	}
	r.upTo = bound
	return nil
}

func (r *negReader) next() (negRange, error) {
	if err := r.bound(); err != nil {
		return negRange{}, err
	}
	mode, err := r.number()
	if err != nil {
		return negRange{}, err
	}
	out := negRange{upTo: r.upTo, mode: mode}
	switch mode {
	case negSkip:
	case negFingerprint:
		out.sum, err = r.bytes(negSumSize)
	case negList:
		var count uint64
		if count, err = r.number(); err == nil && count > uint64(len(r.data))/sha256.Size {
			err = errNegShort
		}
		for ; err == nil && count > 0; count-- {
			var id string
			id, err = r.bytes(sha256.Size)
			out.ids = append(out.ids, id)
		}
	default:
		err = fmt.Errorf("it has a range of mode %d", mode)
	}
	return out, err
}
