package known

import "fmt"

// An Error says what is wrong with a list of known failures, where, and what to do about it.
type Error struct {
	File         string
	Line, Column int // from 1
	What         string
	Hint         string // what to do, or ""
}

// Error returns "file:line:column: what, what to do".
func (e *Error) Error() string {
	text := fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.What)
	if e.Hint != "" {
		text += ", " + e.Hint
	}
	return text
}
