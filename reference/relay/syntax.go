package relay

import (
	"errors"
	"unicode/utf8"
)

// The reasons why a frame is no JSON text that we read.
var (
	errSyntax   = errors.New("malformed JSON")
	errTrailing = errors.New("malformed JSON: something follows the message")
	errUTF8     = errors.New("not UTF-8")
	errEscape   = errors.New("malformed JSON: an escape stands for half a character")
	errDepth    = errors.New("nested too deeply")
)

// checkSyntax reports why data is not exactly one JSON text (RFC 8259) in UTF-8 whose escapes are whole characters,
// nested at most JSONDepthMax deep. It allocates nothing, so that junk costs no more than reading it once. What it
// accepts a cursor walks without checking.
func checkSyntax(data []byte) error {
	if !utf8.Valid(data) {
		return errUTF8
	}
	s := syntax{data: data}
	if err := s.value(0); err != nil {
		return err
	}
	s.space()
	if s.pos != len(data) {
		return errTrailing
	}
	return nil
}

// syntax is a recursive reader that checks and keeps nothing.
type syntax struct {
	data []byte
	pos  int
}

func (s *syntax) space() { s.pos = skipSpace(s.data, s.pos) }

// next returns the next byte, 0 at the end. A NUL in the text is refused by whoever asked for something else.
func (s *syntax) next() byte {
	if s.pos < len(s.data) {
		return s.data[s.pos]
	}
	return 0
}

func (s *syntax) value(depth int) error {
	s.space()
	switch c := s.next(); {
	case c == '"':
		return s.text()
	case c == '[' || c == '{':
		if depth == JSONDepthMax {
			return errDepth
		}
		return s.list(c, depth)
	case c == '-' || isDigit(c):
		return s.number()
	case c == 't':
		return s.word("true")
	case c == 'f':
		return s.word("false")
	case c == 'n':
		return s.word("null")
	}
	return errSyntax
}

// list checks an array or an object.
func (s *syntax) list(open byte, depth int) error {
	end := open + 2 // ']' and '}' stand two behind '[' and '{' in ASCII
	s.pos++
	s.space()
	if s.next() == end {
		s.pos++
		return nil
	}
	for {
		if open == '{' {
			s.space()
			if s.next() != '"' {
				return errSyntax
			}
			if err := s.text(); err != nil {
				return err
			}
			s.space()
			if s.next() != ':' {
				return errSyntax
			}
			s.pos++
		}
		if err := s.value(depth + 1); err != nil {
			return err
		}
		s.space()
		switch s.next() {
		case ',':
			s.pos++
		case end:
			s.pos++
			return nil
		default:
			return errSyntax
		}
	}
}

func (s *syntax) text() error {
	for s.pos++; s.pos < len(s.data); s.pos++ {
		switch c := s.data[s.pos]; {
		case c == '"':
			s.pos++
			return nil
		case c < 0x20:
			return errSyntax
		case c == '\\':
			if err := s.escape(); err != nil {
				return err
			}
		}
	}
	return errSyntax
}

// escape checks one escape, or a pair of escapes for one character, and stops at its last byte.
func (s *syntax) escape() error {
	s.pos++
	switch s.next() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return nil
	case 'u':
	default:
		return errSyntax
	}
	unit, ok := hexUnit(s.data, s.pos+1)
	if !ok {
		return errSyntax
	}
	s.pos += 4
	if unit < 0xd800 || unit > 0xdfff {
		return nil
	}
	if unit >= 0xdc00 || s.pos+2 >= len(s.data) || s.data[s.pos+1] != '\\' || s.data[s.pos+2] != 'u' {
		return errEscape
	}
	low, ok := hexUnit(s.data, s.pos+3)
	if !ok || low < 0xdc00 || low > 0xdfff {
		return errEscape
	}
	s.pos += 6
	return nil
}

func (s *syntax) number() error {
	if s.next() == '-' {
		s.pos++
	}
	if s.next() == '0' {
		s.pos++
	} else if !s.digits() {
		return errSyntax
	}
	if s.next() == '.' {
		s.pos++
		if !s.digits() {
			return errSyntax
		}
	}
	if c := s.next(); c == 'e' || c == 'E' {
		s.pos++
		if c := s.next(); c == '+' || c == '-' {
			s.pos++
		}
		if !s.digits() {
			return errSyntax
		}
	}
	return nil
}

func (s *syntax) digits() bool {
	start := s.pos
	for isDigit(s.next()) {
		s.pos++
	}
	return s.pos > start
}

func (s *syntax) word(want string) error {
	if len(s.data)-s.pos < len(want) || string(s.data[s.pos:s.pos+len(want)]) != want {
		return errSyntax
	}
	s.pos += len(want)
	return nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func skipSpace(data []byte, pos int) int {
	for pos < len(data) && (data[pos] == ' ' || data[pos] == '\t' || data[pos] == '\n' || data[pos] == '\r') {
		pos++
	}
	return pos
}

// hexUnit reads the four hex digits of a \u escape.
func hexUnit(data []byte, pos int) (rune, bool) {
	if pos+4 > len(data) {
		return 0, false
	}
	var unit rune
	for _, c := range data[pos : pos+4] {
		digit := rune(0)
		switch {
		case isDigit(c):
			digit = rune(c - '0')
		case 'a' <= c && c <= 'f':
			digit = rune(c-'a') + 10
		case 'A' <= c && c <= 'F':
			digit = rune(c-'A') + 10
		default:
			return 0, false
		}
		unit = unit<<4 | digit
	}
	return unit, true
}
