package gitproto

import "fmt"

// A ProtocolError says what a client sent that the git protocol, or this server's stricter reading of it, does not
// allow. Its text is fit for the client: it names no path and no internal state.
type ProtocolError struct {
	What string
}

// Error returns What.
func (e *ProtocolError) Error() string { return e.What }

func protocolErrorf(format string, args ...any) error {
	return &ProtocolError{What: fmt.Sprintf(format, args...)}
}

// quotedMax bounds how much of a client's own text an error repeats.
const quotedMax = 80

// quote makes a client's text safe to repeat: control characters escaped, length bounded.
func quote[T string | []byte](text T) string {
	if len(text) > quotedMax {
		return fmt.Sprintf("%q...", string(text[:quotedMax]))
	}
	return fmt.Sprintf("%q", string(text))
}
