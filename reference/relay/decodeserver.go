package relay

import (
	"encoding/hex"
	"math"
	"strconv"
	"strings"

	"github.com/nbd-wtf/go-nostr"
)

// Limits of what another relay may say.
const (
	// NegAnswerMax is how many bytes one answer of a reconciliation may have: relays are known to send a mebibyte.
	NegAnswerMax = 1 << 20
	// ServerBytesMax is how many bytes one frame may have: such an answer, in hexadecimal, with what is around it.
	ServerBytesMax = 2*NegAnswerMax + 1024
	// ServerTextMax is how many bytes of a text for people are read.
	ServerTextMax = 1024
)

// DecodeServer reads one frame of another relay. It never panics and never returns nil: what is no valid message comes back as
// Unreadable. The second value says of an EventFor that its id is the hash of its fields. What follows the last element
// that is known is passed over, for newer relays; a text that is missing is empty, for older ones.
//
// The frame is not bounded here: who reads it keeps ServerBytesMax.
func DecodeServer(frame []byte) (msg ServerMessage, idOK bool) {
	if err := checkSyntax(frame); err != nil {
		return Unreadable{Reason: err.Error()}, false
	}
	c := &cursor{data: frame}
	if c.peek() != anArray {
		return Unreadable{Reason: "a message is a JSON array"}, false
	}
	c.open()
	if !c.more() || c.peek() != aText {
		return Unreadable{Reason: "a message begins with its verb"}, false
	}
	s := said{cursor: c}
	switch s.text() {
	case "EVENT":
		return s.event()
	case "EOSE":
		msg = EOSE{Sub: s.sub()}
	case "CLOSED":
		msg = Closed{Sub: s.sub(), Text: s.words()}
	case "OK":
		msg = s.ok()
	case "COUNT":
		msg = Counted{Sub: s.sub(), Count: s.count()}
	case "NEG-MSG":
		msg = NegAnswer{Sub: s.sub(), Message: s.bytes()}
	case "NEG-ERR":
		msg = NegError{Sub: s.sub(), Text: s.words()}
	case "AUTH":
		msg = Challenge{Text: s.challenge()}
	case "NOTICE":
		msg = Notice{Text: s.words()}
	default:
		s.fault("unknown verb")
	}
	if s.reason != "" {
		return Unreadable{Reason: s.reason}, false
	}
	return msg, false
}

// A said reads the elements behind the verb one by one, and keeps the first fault.
type said struct {
	*cursor
	reason string
}

func (s *said) fault(reason string) {
	if s.reason == "" {
		s.reason = reason
	}
}

// next goes to the next element and reports whether it is there, with a type that it may have. Behind a fault there is none.
func (s *said) next(types string) bool {
	return s.reason == "" && s.more() && strings.IndexByte(types, s.peek()) >= 0
}

func (s *said) sub() string {
	if s.reason != "" {
		return ""
	}
	sub, reason := decodeSub(s.cursor)
	if reason != "" {
		s.fault(reason)
		return ""
	}
	return sub
}

// words reads a text for people, the start of it if it is long. One that is missing, or no text, is empty.
func (s *said) words() string {
	if !s.next(string(aText)) {
		return ""
	}
	text := s.text()
	if len(text) > ServerTextMax {
		text = strings.ToValidUTF8(text[:ServerTextMax], "")
	}
	return text
}

func (s *said) ok() ServerMessage {
	var m OK
	if s.next(string(aText)) {
		m.ID = s.text()
	}
	if !isEventID(m.ID) {
		s.fault("an OK names no event")
	}
	if !s.next("tf") {
		s.fault("an OK says neither true nor false")
		return m
	}
	m.Accepted = s.peek() == 't'
	s.skip()
	m.Text = s.words()
	return m
}

func (s *said) count() (n int) {
	found := false
	if s.next(string(aObject)) {
		s.open()
		for s.more() {
			if s.key() != "count" || found {
				s.skip()
				continue
			}
			count, ok := s.integer(math.MaxInt32)
			n, found = int(count), ok
		}
	}
	if !found {
		s.fault("a COUNT has no number")
	}
	return n
}

func (s *said) bytes() []byte {
	if !s.next(string(aText)) {
		s.fault("the negentropy message is not a string")
		return nil
	}
	text := s.text()
	if len(text) > hex.EncodedLen(NegAnswerMax) {
		s.fault("the negentropy message is longer than " + strconv.Itoa(NegAnswerMax) + " bytes")
		return nil
	}
	message, err := hex.DecodeString(text)
	if err != nil {
		s.fault("the negentropy message is not hexadecimal")
	}
	return message
}

func (s *said) challenge() string {
	if !s.next(string(aText)) {
		s.fault("the challenge is not a string")
		return ""
	}
	text := s.text()
	if len(text) > ServerTextMax {
		s.fault("the challenge is longer than " + strconv.Itoa(ServerTextMax) + " bytes")
	}
	return text
}

// event reads an event of a subscription. It has the form that is asked of a client's, and the limits.
func (s *said) event() (ServerMessage, bool) {
	sub := s.sub()
	if !s.next(string(aObject)) {
		s.fault("an EVENT has an event, a JSON object")
	}
	if s.reason != "" {
		return Unreadable{Sub: sub, Reason: s.reason}, false
	}
	r, from := eventReader{ev: &nostr.Event{Tags: nostr.Tags{}}}, s.pos
	r.read(s.cursor)
	if s.pos-from > MessageBytesMax {
		r.fault("the event is longer than " + strconv.Itoa(MessageBytesMax) + " bytes")
	}
	if r.seen != fieldsAll {
		r.fault("the event lacks a field")
	}
	if r.reason != "" {
		return Unreadable{Sub: sub, Reason: r.reason}, false
	}
	return EventFor{Sub: sub, Event: r.ev}, checkID(r.ev)
}
