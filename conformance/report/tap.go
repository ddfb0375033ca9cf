package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/graspkit/graspkit/conformance/record"
)

// TAP writes a document in version 14 of the Test Anything Protocol: one test point a check, and one for each requirement that
// a witness watched. Several runs are subtests. What was not run is a SKIP with its reason, what proved nothing is not ok with a
// TODO, and an exit code that no test point explains is a test point of its own.
func TAP(w io.Writer, doc *record.Document) error {
	var out strings.Builder
	out.WriteString("TAP version 14\n")
	if len(doc.Runs) == 1 {
		tapRun(&out, "", &doc.Runs[0], doc.Strict)
	} else {
		fmt.Fprintf(&out, "1..%d\n", len(doc.Runs))
		for i := range doc.Runs {
			r := &doc.Runs[i]
			fmt.Fprintf(&out, "# Subtest: %s\n", tapText(r.Target))
			not := ""
			if !tapRun(&out, "    ", r, doc.Strict) {
				not = "not "
			}
			fmt.Fprintf(&out, "%sok %d - %s %s\n", not, i+1, tapText(r.Target), tapText(r.Conformance))
		}
	}
	for i := range doc.Runs {
		if r := &doc.Runs[i]; r.Unreachable {
			fmt.Fprintf(&out, "Bail out! %s cannot be reached: %s\n", tapText(r.Target), tapText(r.Down))
			break
		}
	}
	if _, err := io.WriteString(w, out.String()); err != nil {
		return fmt.Errorf("write TAP report: %w", err)
	}
	return nil
}

// tapRun writes one run and reports whether it is good in the eyes of whoever reads the protocol.
func tapRun(out *strings.Builder, indent string, r *record.Run, strict bool) bool {
	beside := alone(r)
	var points strings.Builder
	n, good := 0, true
	point := func(verdict record.Verdict, name, reason string, known *record.Known, details [][2]string) {
		n++
		not, directive := tapVerdict(verdict, reason, known, strict)
		good = good && (not == "" || strings.HasPrefix(directive, " # TODO"))
		fmt.Fprintf(&points, "%s%sok %d - %s%s\n", indent, not, n, tapText(name), directive)
		tapDetails(&points, indent, details)
	}
	for i := range r.Checks {
		c := &r.Checks[i]
		var details [][2]string
		if s := standingOf(c.Verdict); s != verified {
			details = [][2]string{
				{"verdict", string(c.Verdict)},
				{"requirement", primary(c)},
				{"score", c.Score},
				{"expected", c.Expected},
				{"seen", c.Reason},
				{"root", c.Cause},
				{"unlock", c.Unlock},
				{"at", fmt.Sprintf("%s:%d", place(c), c.Line)},
				{"duration_ms", fmt.Sprint(c.MS)},
			}
			if s == violated || s == missed || s.open() {
				details = append(details, [2]string{"repeat", again(r, c.ID)})
			}
		}
		point(c.Verdict, c.ID+" "+c.Check, c.Reason, c.Known, details)
	}
	for _, row := range beside {
		point(row.Verdict, row.ID+" "+row.Text, row.Reason, row.Known, [][2]string{
			{"verdict", string(row.Verdict)}, {"requirement", row.ID}, {"score", row.Score}, {"seen", row.Reason},
		})
	}
	if r.Exit != record.ExitGood && good {
		good = false
		n++
		fmt.Fprintf(&points, "%snot ok %d - the run earns exit code %d\n", indent, n, r.Exit)
		tapDetails(&points, indent, [][2]string{{"reasons", strings.Join(r.ExitReasons, "; ")}, {"down", r.Down}})
	}
	fmt.Fprintf(out, "%s1..%d\n", indent, n)
	fmt.Fprintf(out, "%s# %s %s, exit code %d, %s\n", indent, tapText(r.Target), tapText(r.Conformance), r.Exit, tapText(origin(r.Seed, r.Nonce)))
	for _, reason := range r.ExitReasons {
		fmt.Fprintf(out, "%s# exit: %s\n", indent, tapText(reason))
	}
	out.WriteString(points.String())
	return good
}

// tapVerdict says a verdict as the protocol does.
func tapVerdict(verdict record.Verdict, reason string, known *record.Known, strict bool) (not, directive string) {
	s := standingOf(verdict)
	told := tapText(strings.TrimSpace(string(verdict) + " " + reason))
	switch {
	case known != nil && known.Stale:
		return "not ", ""
	case excused(known) && !s.proved() && !s.skipped():
		return "not ", " # TODO known: " + tapText(known.Reason)
	case s == missed && !strict:
		return "", " - " + told
	case s == recorded:
		return "", " - " + told
	case s == violated || s == missed || s == faulty || s == unreached:
		return "not ", ""
	case s == undecided:
		return "not ", " # TODO " + told
	case s.skipped():
		return "", " # SKIP " + told
	}
	return "", ""
}

// tapDetails writes what there is to say of a test point as a YAML block.
func tapDetails(out *strings.Builder, indent string, details [][2]string) {
	first := true
	for _, d := range details {
		if d[1] == "" {
			continue
		}
		if first {
			fmt.Fprintf(out, "%s  ---\n", indent)
			first = false
		}
		fmt.Fprintf(out, "%s  %s: %s\n", indent, d[0], yamlText(line(d[1], commandTextMax)))
	}
	if !first {
		fmt.Fprintf(out, "%s  ...\n", indent)
	}
}

// yamlText writes one line as a scalar in double quotes.
func yamlText(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// tapText keeps a text on its line and from being read as a directive.
func tapText(text string) string {
	return strings.NewReplacer(`\`, `\\`, `#`, `\#`).Replace(line(text, reasonTextMax))
}
