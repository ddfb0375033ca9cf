package relay

import (
	"encoding/hex"
	"fmt"
	"strconv"
)

// EncodeClient writes what a client says as one JSON array, as Encode writes what a server says. A Malformed frame is
// nothing that anybody says.
func EncodeClient(m ClientMessage) []byte {
	switch m := m.(type) {
	case Event:
		return append(AppendEvent([]byte(`["EVENT",`), m.Event), ']')
	case Auth:
		return append(AppendEvent([]byte(`["AUTH",`), m.Event), ']')
	case Req:
		return appendQuery([]byte(`["REQ",`), m.Sub, m.Filters)
	case Count:
		return appendQuery([]byte(`["COUNT",`), m.Sub, m.Filters)
	case Close:
		return append(appendText([]byte(`["CLOSE",`), m.Sub, true), ']')
	case NegOpen:
		out := append(appendText([]byte(`["NEG-OPEN",`), m.Sub, true), ',')
		return appendNegBytes(appendFilter(out, m.Filter), m.Message)
	case NegMessage:
		return appendNegBytes(appendText([]byte(`["NEG-MSG",`), m.Sub, true), m.Message)
	case NegClose:
		return append(appendText([]byte(`["NEG-CLOSE",`), m.Sub, true), ']')
	}
	panic(fmt.Sprintf("relay: invariant: no encoding for a message of type %T", m))
}

// appendNegBytes ends a message with bytes in hexadecimal.
func appendNegBytes(out, message []byte) []byte {
	return append(hex.AppendEncode(append(out, `,"`...), message), `"]`...)
}

func appendQuery(out []byte, sub string, filters []Filter) []byte {
	out = appendText(out, sub, true)
	for _, f := range filters {
		out = appendFilter(append(out, ','), f)
	}
	return append(out, ']')
}

// appendFilter writes a filter as an object. What it does not ask for is left out; a list that is there and empty is not.
func appendFilter(out []byte, f Filter) []byte {
	begin := len(out) + 1
	field := func(key string) {
		if len(out) > begin {
			out = append(out, ',')
		}
		out = append(append(append(out, '"'), key...), `":`...)
	}
	out = append(out, '{')
	texts := func(key string, values []string) {
		if values == nil {
			return
		}
		field(key)
		out = append(out, '[')
		for i, value := range values {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendText(out, value, true)
		}
		out = append(out, ']')
	}
	number := func(key string, n *int64) {
		if n != nil {
			field(key)
			out = strconv.AppendInt(out, *n, 10)
		}
	}
	texts("ids", f.IDs)
	texts("authors", f.Authors)
	if f.Kinds != nil {
		field("kinds")
		out = append(out, '[')
		for i, kind := range f.Kinds {
			if i > 0 {
				out = append(out, ',')
			}
			out = strconv.AppendInt(out, int64(kind), 10)
		}
		out = append(out, ']')
	}
	for _, tag := range f.Tags {
		texts("#"+string(rune(tag.Letter)), tag.Values)
	}
	number("since", f.Since)
	number("until", f.Until)
	if f.Limit != nil {
		limit := int64(*f.Limit)
		number("limit", &limit)
	}
	return append(out, '}')
}
