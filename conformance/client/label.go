package client

import (
	"bytes"
	"encoding/json"
)

// Label is what a relay message is called and, where its second element is a text, whom it is about: a subscription, an event, or what
// is told. JSON may be written with blanks and escapes, so that nobody finds either by its first bytes. Of what is no such message
// both are empty; what comes behind them is not looked at.
func Label(raw []byte) (label, about string) {
	in := json.NewDecoder(bytes.NewReader(raw))
	if start, err := in.Token(); err != nil || start != json.Delim('[') {
		return "", ""
	}
	first, err := in.Token()
	label, is := first.(string)
	if err != nil || !is || !in.More() {
		return label, ""
	}
	if second, err := in.Token(); err == nil {
		about, _ = second.(string)
	}
	return label, about
}
