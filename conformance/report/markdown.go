package report

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/graspkit/graspkit/conformance/record"
)

// markdownBytesMax keeps a step summary under the 1 MiB that GitHub takes.
const markdownBytesMax = 1<<20 - 1<<12

// A bounded text takes parts as long as they fit, and counts those that do not.
type bounded struct {
	out  strings.Builder
	most int
	left int
}

func (b *bounded) add(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if b.left > 0 || b.out.Len()+len(text) > b.most {
		b.left++
		return
	}
	b.out.WriteString(text)
}

// Markdown writes a document as a step summary of GitHub: the claims first, then what is broken, the worst first, then what
// was not verified. It ends with a note where it would become too long.
func Markdown(w io.Writer, doc *record.Document) error {
	b := &bounded{most: markdownBytesMax}
	for i := range doc.Runs {
		markdownHead(b, &doc.Runs[i])
	}
	for i := range doc.Runs {
		r := &doc.Runs[i]
		if len(doc.Runs) > 1 {
			b.add("## %s\n\n", codeSpan(r.Target))
		}
		markdownFindings(b, r)
	}
	for i := range doc.Runs {
		r := &doc.Runs[i]
		if len(doc.Runs) > 1 {
			b.add("## %s, the rest\n\n", codeSpan(r.Target))
		}
		markdownRest(b, r)
	}
	if b.left > 0 {
		fmt.Fprintf(&b.out, "\n**Cut here**: %d more parts are left out, as a step summary takes 1 MiB. The report has them all.\n", b.left)
	}
	if _, err := io.WriteString(w, b.out.String()); err != nil {
		return fmt.Errorf("write Markdown report: %w", err)
	}
	return nil
}

func markdownHead(b *bounded, r *record.Run) {
	sign := undecided.sign()
	switch r.Conformance {
	case record.Conformant:
		sign = verified.sign()
	case record.NonConformant:
		sign = violated.sign()
	}
	b.add("## %s %s: %s\n\n%s\n\n", sign, prose(r.Conformance), codeSpan(r.Target), meaning(r.Conformance))
	if r.Down != "" {
		b.add("**Target down:** %s\n\n", codeSpan(r.Down))
	}
	if r.Interrupted {
		b.add("**Interrupted:** the run did not come to its end.\n\n")
	}
	m, s := r.Claim.Must, r.Claim.Should
	b.add("| | verified | violated | not verifiable here | of |\n| --- | --- | --- | --- | --- |\n| MUST | %d | %d | %d | %d |\n| SHOULD | %d | %d | %d | %d |\n\n",
		m.Verified, m.Violated, m.Unverified, m.Total, s.Verified, s.Violated, s.Unverified, s.Total)
	if r.Exit != record.ExitGood {
		b.add("Exit code %d\n\n", r.Exit)
		for _, reason := range r.ExitReasons {
			b.add("- %s\n", prose(reason))
		}
		b.add("\n")
	}
}

func markdownFindings(b *bounded, r *record.Run) {
	rooted := map[string]bool{}
	for i, cause := range r.Causes {
		if i == 0 {
			b.add("### Root causes\n\n")
		}
		rooted[cause.ID] = true
		b.add("- %s: %d checks could not be judged because of it; %s\n", codeSpan(cause.ID), cause.Checks, codeSpan(cause.Reason))
	}
	if len(r.Causes) > 0 {
		b.add("\n")
	}
	rows := clauses(r)
	first := true
	for _, row := range alone(r) {
		if s := standingOf(row.Verdict); s == violated || s == missed || s.open() {
			first = markdownFirst(b, first)
			b.add("- %s %s %s %s\n  - seen: %s\n", s.sign(), row.Verdict, codeSpan(row.ID), prose(row.Text), codeSpan(row.Reason))
		}
	}
	for _, c := range worst(r) {
		if rooted[c.Cause] {
			continue
		}
		first = markdownFirst(b, first)
		s := standingOf(c.Verdict)
		var text strings.Builder
		fmt.Fprintf(&text, "<details><summary>%s %s <code>%s</code> %s</summary>\n\n", s.sign(), html.EscapeString(line(string(c.Verdict), nameBytesMax)),
			html.EscapeString(line(c.ID, nameBytesMax)), html.EscapeString(line(c.Check, reasonTextMax)))
		if excused(c.Known) {
			fmt.Fprintf(&text, "- known: %s\n", codeSpan(c.Known.Reason))
		}
		if c.Expected != "" {
			fmt.Fprintf(&text, "- expected: %s\n", prose(c.Expected))
		}
		if c.Reason != "" {
			fmt.Fprintf(&text, "- seen: %s\n", codeSpan(c.Reason))
		}
		if row := rows[primary(c)]; row != nil {
			fmt.Fprintf(&text, "- %s %s: %s\n", codeSpan(row.ID), prose(row.Score), prose(row.Text))
		}
		fmt.Fprintf(&text, "- check: %s\n- repeat: %s\n\n</details>\n", codeSpan(fmt.Sprintf("%s:%d", place(c), c.Line)), codeSpan(again(r, c.ID)))
		b.add("%s", text.String())
	}
	if first {
		b.add("Nothing is violated and nothing stayed undecided.\n")
	}
	b.add("\n")
}

func markdownFirst(b *bounded, first bool) bool {
	if first {
		b.add("### Findings\n\n")
	}
	return false
}

func markdownRest(b *bounded, r *record.Run) {
	open := map[record.Verdict]int{}
	for _, row := range r.Requirements {
		if s := standingOf(row.Verdict); s.open() || s == notRun || s == refused {
			open[row.Verdict]++
		}
	}
	if len(open) > 0 {
		b.add("### Not verified here\n\n| verdict | requirements | |\n| --- | --- | --- |\n")
		for _, c := range countsOf(open) {
			b.add("| %s | %d | %s |\n", prose(string(c.Verdict)), c.Count, standsFor(c.Verdict))
		}
		b.add("\n")
	}
	for i, u := range Unlocks(r) {
		if i == 0 {
			b.add("What would let more be judged:\n\n")
		}
		b.add("- %s\n", prose(u.String()))
	}
	a := r.Accounting
	b.add("\nrun %d + blocked %d + not applicable %d + planned %d = %s. Repeat it: %s\n\n",
		a.Run, a.Blocked, a.NotApplicable, a.Planned, counted(a.Catalogue, "requirement", "requirements"), codeSpan(again(r, "")))
	for i, row := range r.Requirements {
		if i == 0 {
			b.add("<details><summary>%s</summary>\n\n| | id | score | requirement |\n| --- | --- | --- | --- |\n", counted(len(r.Requirements), "requirement", "requirements"))
		}
		b.add("| %s %s | %s | %s | %s |\n", standingOf(row.Verdict).sign(), prose(string(row.Verdict)), cellSpan(row.ID), prose(row.Score), prose(row.Text))
	}
	if len(r.Requirements) > 0 {
		b.add("\n</details>\n\n")
	}
}

// prose writes a text in which nothing is markup: in Markdown every mark can be escaped.
func prose(text string) string {
	var b strings.Builder
	for _, r := range line(text, reasonTextMax) {
		if strings.ContainsRune("!\"#$%&'*+/<=>?@[\\]^_`{|}~", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// codeSpan writes a text as one code span, in which nothing is markup.
func codeSpan(text string) string {
	text = line(text, reasonTextMax)
	if text == "" {
		return "-"
	}
	longest, run := 0, 0
	for _, c := range text {
		if c == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	if longest == 0 {
		return "`" + text + "`"
	}
	fence := strings.Repeat("`", longest+1)
	return fence + " " + text + " " + fence
}

// cellSpan is a code span in a cell of a table, where a bar has to be escaped even so.
func cellSpan(text string) string { return strings.ReplaceAll(codeSpan(text), "|", `\|`) }
