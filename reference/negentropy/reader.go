package negentropy

import (
	"fmt"
	"math"
)

// A MalformedError says that a message does not follow the protocol, and where. Reason is text of our own, fit to be
// sent to the client.
type MalformedError struct {
	Offset int // byte of the message at which the reading ended
	Reason string
}

// Error tells reason and place.
func (e *MalformedError) Error() string {
	return fmt.Sprintf("%s at byte %d of the negentropy message", e.Reason, e.Offset)
}

// A reader walks over a message. It allocates nothing: whatever a message claims, it is only looked at.
type reader struct {
	data []byte
	pos  int
	last bound // the upper bound read last
}

func (r *reader) more() bool { return r.pos < len(r.data) }

func (r *reader) malformed(reason string) error {
	return &MalformedError{Offset: r.pos, Reason: reason}
}

// take passes over size bytes and returns them.
func (r *reader) take(size uint64) ([]byte, error) {
	if size > uint64(len(r.data)-r.pos) {
		return nil, r.malformed("something is cut short")
	}
	out := r.data[r.pos : r.pos+int(size)]
	r.pos += int(size)
	return out, nil
}

func (r *reader) varint() (uint64, error) {
	var n uint64
	for first := true; ; first = false {
		digit, err := r.take(1)
		switch {
		case err != nil:
			return 0, err
		case first && digit[0] == 0x80:
			return 0, r.malformed("a number has a leading zero")
		case n > math.MaxUint64>>7:
			return 0, r.malformed("a number is too large")
		}
		n = n<<7 | uint64(digit[0]&0x7f)
		if digit[0] < 0x80 {
			return n, nil
		}
	}
}

// bound reads the upper bound of a range, which is not below that of the range before.
func (r *reader) bound() (bound, error) {
	encoded, err := r.varint()
	if err != nil {
		return bound{}, err
	}
	b := infinity
	if encoded > 0 {
		b.Time = r.last.Time + (encoded - 1)
		if b.Time < r.last.Time || b.infinite() {
			return bound{}, r.malformed("a time is too large")
		}
	}
	size, err := r.varint()
	if err != nil {
		return bound{}, err
	}
	if size > idSize || b.infinite() && size > 0 {
		return bound{}, r.malformed("an id is too long")
	}
	prefix, err := r.take(size)
	if err != nil {
		return bound{}, err
	}
	copy(b.ID[:], prefix)
	b.size = int(size)
	if b.compare(r.last.Item) < 0 {
		return bound{}, r.malformed("ranges overlap")
	}
	r.last = b
	return b, nil
}

// ids reads a list of ids, idSize bytes each.
func (r *reader) ids() ([]byte, error) {
	count, err := r.varint()
	if err != nil {
		return nil, err
	}
	if count > uint64(len(r.data))/idSize {
		return nil, r.malformed("a list is cut short")
	}
	return r.take(count * idSize)
}
