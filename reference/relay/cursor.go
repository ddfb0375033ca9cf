package relay

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A cursor walks JSON that checkSyntax has accepted. It asks no question twice: on other data it may panic.
type cursor struct {
	data []byte
	pos  int
}

// The types of JSON values, by the byte that begins them. All numbers count as aNumber.
const (
	aText   = '"'
	aNumber = '0'
	anArray = '['
	aObject = '{'
)

// peek returns the type of the next value.
func (c *cursor) peek() byte {
	c.pos = skipSpace(c.data, c.pos)
	if b := c.data[c.pos]; b != '-' && !isDigit(b) {
		return b
	}
	return aNumber
}

// open enters the next value, an array or an object.
func (c *cursor) open() {
	c.peek()
	c.pos++
}

// more reports whether the array or object that was entered goes on, and leaves it if not.
func (c *cursor) more() bool {
	c.pos = skipSpace(c.data, c.pos)
	switch c.data[c.pos] {
	case ']', '}':
		c.pos++
		return false
	case ',':
		c.pos++
	}
	return true
}

// key reads a key of an object, with its colon.
func (c *cursor) key() string {
	key := c.text()
	c.pos = skipSpace(c.data, c.pos) + 1
	return key
}

// text reads a string.
func (c *cursor) text() string {
	c.peek()
	c.pos++
	start, escaped := c.pos, false
	for c.data[c.pos] != '"' {
		if c.data[c.pos] == '\\' {
			escaped = true
			c.pos++
		}
		c.pos++
	}
	raw := c.data[start:c.pos]
	c.pos++
	if !escaped {
		return string(raw)
	}
	return unescape(raw)
}

// integer reads a number that is written as an integer from 0 to limit.
func (c *cursor) integer(limit int64) (int64, bool) {
	if c.peek() != aNumber {
		c.skip()
		return 0, false
	}
	start := c.pos
	c.skip()
	n, err := strconv.ParseUint(string(c.data[start:c.pos]), 10, 63)
	return int64(n), err == nil && int64(n) <= limit
}

// skip passes over the next value.
func (c *cursor) skip() {
	c.peek()
	depth := 0
	for {
		switch c.data[c.pos] {
		case '"':
			c.skipText()
		case '[', '{':
			depth++
			c.pos++
		case ']', '}':
			depth--
			c.pos++
		case ',', ':', ' ', '\t', '\n', '\r':
			c.pos++
		default:
			for c.pos < len(c.data) && !strings.ContainsRune(",:]} \t\n\r", rune(c.data[c.pos])) {
				c.pos++
			}
		}
		if depth == 0 {
			return
		}
	}
}

func (c *cursor) skipText() {
	for c.pos++; c.data[c.pos] != '"'; c.pos++ {
		if c.data[c.pos] == '\\' {
			c.pos++
		}
	}
	c.pos++
}

// unescape resolves the escapes of a string without its quotes.
func unescape(raw []byte) string {
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			out = append(out, raw[i])
			continue
		}
		i++
		switch raw[i] {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			unit, _ := hexUnit(raw, i+1)
			i += 4
			if utf16.IsSurrogate(unit) {
				low, _ := hexUnit(raw, i+3)
				unit = utf16.DecodeRune(unit, low)
				i += 6
			}
			out = utf8.AppendRune(out, unit)
		default:
			out = append(out, raw[i])
		}
	}
	return string(out)
}
