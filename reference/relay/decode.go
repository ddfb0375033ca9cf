package relay

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// Decode reads one frame of a client. It never panics and never returns nil. What is no valid message comes back as
// Malformed with an answer that the client can relate to what it sent: an OK for an event with a usable id, a Closed
// for a REQ or COUNT, a NegError for a NEG message with a usable subscription id, else a Notice (N01-EV-02).
func Decode(frame []byte) ClientMessage {
	if len(frame) > MessageBytesMax {
		return notice("the message is longer than " + strconv.Itoa(MessageBytesMax) + " bytes")
	}
	if err := checkSyntax(frame); err != nil {
		if id, ok := salvageID(frame); ok {
			return refuseEvent(id, err.Error())
		}
		return notice(err.Error())
	}
	c := &cursor{data: frame}
	if c.peek() != anArray {
		return notice("a message is a JSON array")
	}
	c.open()
	if !c.more() || c.peek() != aText {
		return notice("a message begins with its verb")
	}
	switch c.text() {
	case "EVENT":
		return decodeEvent(c, "EVENT")
	case "AUTH":
		return decodeAuth(c)
	case "REQ":
		sub, filters, bad := decodeQuery(c)
		if bad != nil {
			return *bad
		}
		return Req{Sub: sub, Filters: filters}
	case "CLOSE":
		return decodeClose(c)
	case "COUNT":
		sub, filters, bad := decodeQuery(c)
		if bad != nil {
			return *bad
		}
		return Count{Sub: sub, Filters: filters}
	case "NEG-OPEN":
		return decodeNegOpen(c)
	case "NEG-MSG":
		return decodeNegMessage(c)
	case "NEG-CLOSE":
		return decodeNegClose(c)
	}
	return notice("unknown verb")
}

// decodeQuery reads what REQ and COUNT have: a subscription id and filters.
func decodeQuery(c *cursor) (string, []Filter, *Malformed) {
	refuse := func(m Malformed) (string, []Filter, *Malformed) { return "", nil, &m }
	sub, reason := decodeSub(c)
	if reason != "" {
		if sub == "" {
			return refuse(notice(reason))
		}
		return refuse(refuseReq(sub, reason))
	}
	var filters []Filter
	for c.more() {
		if len(filters) == FiltersMax {
			return refuse(refuseReq(sub, "more than "+strconv.Itoa(FiltersMax)+" filters"))
		}
		f, reason := decodeFilter(c)
		if reason != "" {
			return refuse(refuseReq(sub, reason))
		}
		filters = append(filters, f)
	}
	if len(filters) == 0 {
		return refuse(refuseReq(sub, "a query needs a filter"))
	}
	return sub, filters, nil
}

func decodeClose(c *cursor) ClientMessage {
	sub, reason := decodeSub(c)
	if reason == "" && c.more() {
		reason = "a CLOSE has one subscription id"
	}
	if reason != "" {
		return notice(reason)
	}
	return Close{Sub: sub}
}

// decodeSub reads a subscription id. With a reason it returns the id if there is any text to answer to.
func decodeSub(c *cursor) (sub, reason string) {
	if !c.more() || c.peek() != aText {
		return "", "the subscription id is not a string"
	}
	sub = c.text()
	switch {
	case sub == "":
		return "", "the subscription id is empty"
	case utf8.RuneCountInString(sub) > SubIDMax:
		return sub, "the subscription id is longer than " + strconv.Itoa(SubIDMax) + " characters"
	}
	return sub, ""
}

// salvageID finds the id of an event in a frame that is no JSON. A quote within a JSON string has a backslash before
// it, so no text of the event can be taken for the field.
func salvageID(frame []byte) (string, bool) {
	rest, ok := bytes.CutPrefix(frame[skipSpace(frame, 0):], []byte("["))
	if !ok || !bytes.HasPrefix(rest[skipSpace(rest, 0):], []byte(`"EVENT"`)) {
		return "", false
	}
	_, rest, ok = bytes.Cut(rest, []byte(`"id"`))
	if !ok {
		return "", false
	}
	rest, ok = bytes.CutPrefix(rest[skipSpace(rest, 0):], []byte(":"))
	if !ok {
		return "", false
	}
	rest = rest[skipSpace(rest, 0):]
	const size = 64
	if len(rest) < size+2 || rest[0] != '"' || rest[size+1] != '"' {
		return "", false
	}
	id := string(rest[1 : size+1])
	return id, isEventID(id)
}

func notice(reason string) Malformed { return Malformed{Reply: Notice{Text: "invalid: " + reason}} }

func refuseReq(sub, reason string) Malformed {
	return Malformed{Reply: Closed{Sub: sub, Text: refusal(reason)}}
}

func refuseEvent(id, reason string) Malformed {
	return Malformed{Reply: OK{ID: id, Text: "invalid: " + reason}}
}

// isEventID reports whether s is 64 hex digits in any case: enough to answer to.
func isEventID(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !isDigit(c) && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
			return false
		}
	}
	return len(s) == 64
}

// isLowerHex reports whether s is size lower-case hex digits, the only spelling that NIP-01 knows.
func isLowerHex(s string, size int) bool {
	for i := range len(s) {
		c := s[i]
		if !isDigit(c) && (c < 'a' || c > 'f') {
			return false
		}
	}
	return len(s) == size
}
