package compare

import (
	"strings"
	"unicode"
)

// How many characters of what a document says are shown.
const (
	idShown     = 30
	labelShown  = 60
	textShown   = 200
	reasonShown = 400
)

// clean makes one line of a text that can be shown to people: no control characters, none that change the direction of writing,
// no more than so many characters.
func clean(text string, limit int) string {
	var b strings.Builder
	n, blank := 0, false
	for _, r := range text {
		switch {
		case unicode.IsSpace(r):
			blank = n > 0
			continue
		case !unicode.IsPrint(r): // invalid UTF-8 arrives as U+FFFD, which can be
			r = '?'
		}
		if blank {
			blank = false
			b.WriteByte(' ')
			n++
		}
		if n >= limit {
			return b.String() + "..."
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}
