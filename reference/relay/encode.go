package relay

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/nbd-wtf/go-nostr"
)

// Encode writes a message as one JSON array. Every string is escaped, whoever it came from, and bytes that are no
// UTF-8 become U+FFFD, so that the frame is always valid JSON.
func Encode(m ServerMessage) []byte {
	switch m := m.(type) {
	case EventFor:
		return encodeEventFor(m)
	case OK:
		accepted := "false"
		if m.Accepted {
			accepted = "true"
		}
		out := appendText([]byte(`["OK",`), m.ID, true)
		out = append(out, ","+accepted+","...)
		return append(appendText(out, m.Text, true), ']')
	case EOSE:
		return append(appendText([]byte(`["EOSE",`), m.Sub, true), ']')
	case Closed:
		out := append(appendText([]byte(`["CLOSED",`), m.Sub, true), ',')
		return append(appendText(out, m.Text, true), ']')
	case Counted:
		out := append(appendText([]byte(`["COUNT",`), m.Sub, true), `,{"count":`...)
		return append(strconv.AppendInt(out, int64(m.Count), 10), "}]"...)
	case NegAnswer:
		out := make([]byte, 0, 32+len(m.Sub)+hex.EncodedLen(len(m.Message)))
		return appendNegBytes(appendText(append(out, `["NEG-MSG",`...), m.Sub, true), m.Message)
	case NegError:
		out := append(appendText([]byte(`["NEG-ERR",`), m.Sub, true), ',')
		return append(appendText(out, m.Text, true), ']')
	case Challenge:
		return append(appendText([]byte(`["AUTH",`), m.Text, true), ']')
	case Notice:
		return append(appendText([]byte(`["NOTICE",`), m.Text, true), ']')
	case Unreadable: // is never sent; this is how a trace has it
		out := append(appendText([]byte(`["",`), m.Sub, true), ',')
		return append(appendText(out, m.Reason, true), ']')
	}
	panic(fmt.Sprintf("relay: invariant: no encoding for a message of type %T", m))
}

func encodeEventFor(m EventFor) []byte {
	out := make([]byte, 0, 384+len(m.Sub)+len(m.Event.Content)+len(m.Event.Tags)*80)
	out = appendText(append(out, `["EVENT",`...), m.Sub, true)
	out = AppendEvent(append(out, ','), m.Event)
	return append(out, ']')
}

// AppendEvent appends an event as a JSON object, its fields in the order of NIP-01.
func AppendEvent(out []byte, ev *nostr.Event) []byte {
	out = appendText(append(out, `{"id":`...), ev.ID, true)
	out = appendText(append(out, `,"pubkey":`...), ev.PubKey, true)
	out = strconv.AppendInt(append(out, `,"created_at":`...), int64(ev.CreatedAt), 10)
	out = strconv.AppendInt(append(out, `,"kind":`...), int64(ev.Kind), 10)
	out = appendTags(append(out, `,"tags":`...), ev.Tags, true)
	out = appendText(append(out, `,"content":`...), ev.Content, true)
	out = appendText(append(out, `,"sig":`...), ev.Sig, true)
	return append(out, '}')
}

func appendTags(out []byte, tags nostr.Tags, escapeControl bool) []byte {
	out = append(out, '[')
	for i, tag := range tags {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, '[')
		for j, value := range tag {
			if j > 0 {
				out = append(out, ',')
			}
			out = appendText(out, value, escapeControl)
		}
		out = append(out, ']')
	}
	return append(out, ']')
}

// appendText appends a string with the escapes of NIP-01. The other control characters are escaped as JSON demands,
// or written verbatim as NIP-01 demands for ids.
func appendText(out []byte, s string, escapeControl bool) []byte {
	const digits = "0123456789abcdef"
	s = strings.ToValidUTF8(s, "\ufffd")
	out = append(out, '"')
	start := 0
	for i := range len(s) {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		short := byte(0)
		switch c {
		case '"', '\\':
			short = c
		case '\b':
			short = 'b'
		case '\f':
			short = 'f'
		case '\n':
			short = 'n'
		case '\r':
			short = 'r'
		case '\t':
			short = 't'
		default:
			if !escapeControl {
				continue
			}
		}
		out = append(out, s[start:i]...)
		start = i + 1
		if short != 0 {
			out = append(out, '\\', short)
		} else {
			out = append(out, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
	}
	out = append(out, s[start:]...)
	return append(out, '"')
}
