package relay

import (
	"encoding/hex"
	"slices"
	"strconv"

	"github.com/graspkit/graspkit/reference/negentropy"
)

// A reconciliation is a set that a client compares with its own (NIP-77).
type reconciliation struct {
	id   string
	set  *negentropy.Set
	turn uint64 // when it was used last, in turns that the caller counts
}

// OpenSet begins a reconciliation, in a turn. One of the same id is replaced. It reports false, and changes nothing, when SetsMax
// others are open.
func (s *Session) OpenSet(sub string, set *negentropy.Set, turn uint64) bool {
	if s.Set(sub) == nil && len(s.sets) >= SetsMax {
		return false
	}
	s.CloseSet(sub)
	s.sets = append(s.sets, reconciliation{id: sub, set: set, turn: turn})
	return true
}

// CloseSet ends a reconciliation and frees its set; one that is not open is no error.
func (s *Session) CloseSet(sub string) {
	s.sets = slices.DeleteFunc(s.sets, func(r reconciliation) bool { return r.id == sub })
}

// Set returns the set of an open reconciliation, or nil.
func (s *Session) Set(sub string) *negentropy.Set {
	for _, r := range s.sets {
		if r.id == sub {
			return r.set
		}
	}
	return nil
}

// UseSet notes that an open reconciliation goes on in a turn, and returns its set; nil if none is open.
func (s *Session) UseSet(sub string, turn uint64) *negentropy.Set {
	for i := range s.sets {
		if s.sets[i].id == sub {
			s.sets[i].turn = turn
			return s.sets[i].set
		}
	}
	return nil
}

// IdleSet returns the reconciliation that was used longest ago, and in which turn; "" if none is open. No id is empty.
func (s *Session) IdleSet() (sub string, turn uint64) {
	for _, r := range s.sets {
		if sub == "" || r.turn < turn {
			sub, turn = r.id, r.turn
		}
	}
	return sub, turn
}

// SetItems returns how many items the sets of all open reconciliations have.
func (s *Session) SetItems() int {
	n := 0
	for _, r := range s.sets {
		n += r.set.Len()
	}
	return n
}

func decodeNegOpen(c *cursor) ClientMessage {
	sub, bad := decodeNegSub(c)
	if bad != nil {
		return *bad
	}
	if !c.more() {
		return refuseNeg(sub, "a NEG-OPEN needs a filter and a message")
	}
	f, reason := decodeFilter(c)
	if reason != "" {
		return refuseNeg(sub, reason)
	}
	message, reason := decodeNegBytes(c)
	if reason != "" {
		return refuseNeg(sub, reason)
	}
	return NegOpen{Sub: sub, Filter: f, Message: message}
}

func decodeNegMessage(c *cursor) ClientMessage {
	sub, bad := decodeNegSub(c)
	if bad != nil {
		return *bad
	}
	message, reason := decodeNegBytes(c)
	if reason != "" {
		return refuseNeg(sub, reason)
	}
	return NegMessage{Sub: sub, Message: message}
}

func decodeNegClose(c *cursor) ClientMessage {
	sub, reason := decodeSub(c)
	if reason == "" && c.more() {
		reason = "a NEG-CLOSE has one subscription id"
	}
	if reason != "" {
		return notice(reason)
	}
	return NegClose{Sub: sub}
}

func decodeNegSub(c *cursor) (string, *Malformed) {
	sub, reason := decodeSub(c)
	if reason == "" {
		return sub, nil
	}
	bad := notice(reason)
	if sub != "" {
		bad = refuseNeg(sub, reason)
	}
	return "", &bad
}

// decodeNegBytes reads the last element of a message: bytes in hexadecimal.
func decodeNegBytes(c *cursor) ([]byte, string) {
	if !c.more() || c.peek() != aText {
		return nil, "the negentropy message is not a string"
	}
	text := c.text()
	if len(text) > hex.EncodedLen(NegBytesMax) {
		return nil, "the negentropy message is longer than " + strconv.Itoa(NegBytesMax) + " bytes"
	}
	message, err := hex.DecodeString(text)
	if err != nil {
		return nil, "the negentropy message is not hexadecimal"
	}
	if c.more() {
		return nil, "something follows the negentropy message"
	}
	return message, ""
}

func refuseNeg(sub, reason string) Malformed {
	return Malformed{Reply: NegError{Sub: sub, Text: refusal(reason)}}
}
