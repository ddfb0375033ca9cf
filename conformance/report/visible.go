package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// visible makes a text safe to show: what a server wrote may hold characters that hide or turn others. Bytes that are no UTF-8,
// controls but tab and newline, and characters without a width or with a direction of their own are named instead. It is cut
// to about so many bytes.
func visible(s string, most int) (shown string, cut bool) {
	var b strings.Builder
	b.Grow(min(len(s), most))
	for i := 0; i < len(s); {
		if b.Len() >= most {
			return b.String(), true
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteRune(utf8.RuneError)
		case r == '\r' && strings.HasPrefix(s[i+1:], "\n"):
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r < ' ' || r == 0x7f || invisible(r):
			fmt.Fprintf(&b, "[U+%04X]", r)
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String(), false
}

// invisible reports whether a character shows nothing of its own, or changes what is beside it.
func invisible(r rune) bool {
	return r == 0x2028 || r == 0x2029 || r >= 0x80 && r < 0xa0 || r > unicode.MaxASCII && unicode.Is(unicode.Cf, r) ||
		unicode.Is(unicode.Variation_Selector, r) || unicode.Is(unicode.Noncharacter_Code_Point, r) || unicode.Is(unicode.Co, r)
}

// line makes a text one line that is safe to show, of about so many bytes.
func line(s string, most int) string {
	shown, cut := visible(s, most)
	shown = strings.TrimSpace(strings.Join(strings.FieldsFunc(shown, func(r rune) bool { return r == '\n' || r == '\t' }), " "))
	if cut {
		shown += cutNote(len(s))
	}
	return shown
}

// block makes a text safe to show in several lines, of about so many bytes.
func block(s string, most int) string {
	shown, cut := visible(s, most)
	if cut {
		shown += cutNote(len(s))
	}
	return strings.TrimRight(shown, "\n")
}

func cutNote(bytes int) string { return fmt.Sprintf(" ... (cut, %d bytes in all)", bytes) }

// Bounds of texts in reports, in bytes.
const (
	nameBytesMax   = 200    // of names: targets, software, ids
	reasonTextMax  = 1200   // of reasons and expectations
	logTextMax     = 48_000 // of the log beside a check
	commandTextMax = 4000
	junitTextMax   = 100_000 // of what stands in an element of JUnit: a transcript, a list of facts
)
