package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/graspkit/graspkit/conformance/record"
)

// annotationsMax is how many annotations of one type GitHub shows of a step.
const annotationsMax = 10

// Annotations writes the worst of a document as workflow commands of GitHub, at most ten of each type; the last of a type says
// how many more there are. What a server wrote can end no command and begin none.
func Annotations(w io.Writer, doc *record.Document) error {
	var all [3][]string // errors, warnings, notices
	add := func(kind int, c *record.Check, title, text string) {
		where := ""
		if c != nil {
			where = fmt.Sprintf("file=%s,line=%d,", commandProperty(place(c)), max(c.Line, 1))
		}
		all[kind] = append(all[kind], fmt.Sprintf("%stitle=%s::%s", where, commandProperty(line(title, nameBytesMax)), commandText(block(text, reasonTextMax))))
	}
	for i := range doc.Runs {
		r := &doc.Runs[i]
		whom := ""
		if len(doc.Runs) > 1 {
			whom = " (" + r.Target + ")"
		}
		if r.Down != "" {
			add(0, nil, "target down"+whom, r.Down)
		}
		for _, row := range alone(r) {
			if s := standingOf(row.Verdict); s == violated && !excused(row.Known) {
				add(0, nil, string(row.Verdict)+" "+row.ID+whom, row.Text+"\nseen: "+row.Reason)
			}
		}
		for _, c := range worst(r) {
			kind := annotationKind(c, doc.Strict)
			text := c.Check
			if c.Expected != "" {
				text += "\nexpected: " + c.Expected
			}
			add(kind, c, string(c.Verdict)+" "+c.ID+whom, text+"\nseen: "+c.Reason+"\n"+again(r, c.ID))
		}
	}
	var out strings.Builder
	for kind, word := range []string{"error", "warning", "notice"} {
		told := all[kind]
		if len(told) > annotationsMax {
			more := len(told) - annotationsMax + 1
			told = append(told[:annotationsMax-1:annotationsMax-1], fmt.Sprintf("title=%d more of this kind::The report has them all.", more))
		}
		for _, one := range told {
			out.WriteString("::" + word + " " + one + "\n")
		}
	}
	if _, err := io.WriteString(w, out.String()); err != nil {
		return fmt.Errorf("write annotations: %w", err)
	}
	return nil
}

// annotationKind is 0 for what fails a run, 1 for what should be seen to, and 2 for what was expected or waits for another one.
func annotationKind(c *record.Check, strict bool) int {
	s := standingOf(c.Verdict)
	switch {
	case c.Known != nil && c.Known.Stale:
		return 0
	case excused(c.Known) || c.Cause != "":
		return 2
	case s == violated || s == faulty || s == missed && strict || s.open() && c.Score == "MUST":
		return 0
	}
	return 1
}

// commandText escapes what follows the second pair of colons of a workflow command.
func commandText(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

// commandProperty escapes the value of a property of a workflow command.
func commandProperty(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(text)
}
