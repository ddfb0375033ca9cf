package report

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/graspkit/graspkit/conformance/record"
)

// textBytesMax bounds what one message of a transcript is told by in a text.
const textBytesMax = 2_000

// transcript is what went over the wire as text, a line a message, with the steps of the check between them; "" if nothing is kept.
func transcript(c record.Check) string {
	var b strings.Builder
	step := 0
	for _, x := range c.Transcript {
		for step < x.Step && step < len(c.Steps) {
			s := c.Steps[step]
			step++
			mark := ""
			if s.Outcome == record.StepFailed {
				mark = "  <- did not hold"
			}
			fmt.Fprintf(&b, "-- %s %s%s\n", s.Keyword, s.Text, mark)
		}
		fmt.Fprintf(&b, "%10s s %s %s %s\n", seconds(x.MS), x.Channel, arrow(x.Direction), message(x))
	}
	return b.String()
}

func arrow(direction string) string {
	switch direction {
	case record.Sent:
		return ">"
	case record.Received:
		return "<"
	}
	return "*"
}

// message is what one message says, in one line.
func message(x record.Exchange) string {
	text := x.Head
	switch x.Form {
	case record.FormText:
		text += " " + plain(x.Text)
	case record.FormPktLines:
		text += " " + plain(strings.Join(x.Lines, " | "))
	case record.FormBytes:
		text += fmt.Sprintf(" (%d bytes, not text)", x.Size)
	}
	if x.Cut {
		text += fmt.Sprintf(" ... (%d bytes)", x.Size)
	}
	return strings.TrimSpace(text)
}

// plain makes a foreign text fit for a line of a terminal or a file: without control characters and what turns the direction of
// writing, and bounded.
func plain(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case b.Len() >= textBytesMax:
			return b.String() + "..."
		case r == '\n':
			b.WriteString(`\n`)
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
