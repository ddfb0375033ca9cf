//go:build unix

package findtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A score counts the ends of mistakes.
type score struct {
	ends    map[string]int
	all     int
	excused int // not seen, with a reason why nobody can tell
}

func scoreOf(list []judged) score {
	s := score{ends: map[string]int{}, all: len(list)}
	for _, j := range list {
		s.ends[j.End]++
		if j.Reason != "" && !j.seen() {
			s.excused++
		}
	}
	return s
}

// seen reports whether anything speaks against the mistake.
func (j judged) seen() bool {
	return j.End == endSeen || j.End == endPanic || j.End == endHang || j.End == endNoRun
}

func (s score) seen() int {
	return s.ends[endSeen] + s.ends[endPanic] + s.ends[endHang] + s.ends[endNoRun]
}

// row is the score as a row of a table.
func (s score) row(name string) string {
	percent := func(of int) string { return fmt.Sprintf("%.1f %%", 100*float64(s.seen())/float64(max(of, 1))) }
	return fmt.Sprintf("| %s | %d | %d | %s | %d | %d | %d | %d | %d | %d | %d | %s |\n", name, s.all, s.seen(), percent(s.all),
		s.ends[endPanic], s.ends[endHang], s.ends[endNoRun], s.ends[endUnseen], s.ends[endSame], s.ends[endUnreached], s.excused, percent(s.all-s.excused))
}

const scoreHead = "| of | tried | seen | share | by panic | by hang | no run | unseen | no difference | not reached | nobody can tell | share without these |\n" +
	"| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"

// reportOf is the report as people read it.
func reportOf(mutants, defects []judged) string {
	var text strings.Builder
	fmt.Fprintf(&text, "# What the simulated world finds\n\nDrawn by seeds %s; %d seeds of each world and %v of processor time each.\n\n%s",
		*findSeed, seedsMax, *findMax, scoreHead)
	by := map[string][]judged{}
	for _, j := range mutants {
		by[j.Package] = append(by[j.Package], j)
	}
	for _, name := range slices.Sorted(maps.Keys(by)) {
		text.WriteString(scoreOf(by[name]).row(name))
	}
	text.WriteString(scoreOf(mutants).row("all mutants"))
	text.WriteString(scoreOf(defects).row("planted defects"))
	all := slices.Concat(mutants, defects)
	var took time.Duration
	violations, runs := map[string]int{}, map[string]int{}
	for _, j := range all {
		took += j.Took
		if j.seen() {
			violations[j.Violation]++
			world, _, _ := strings.Cut(j.Run, " --seed ")
			runs[world]++
		}
	}
	fmt.Fprintf(&text, "\n%v of processor time.\n", took.Round(time.Second))
	table(&text, "Seen by what", violations)
	table(&text, "Seen where", runs)
	for _, part := range []struct{ end, title string }{
		{endUnseen, "Not seen, though runs differ"}, {endSame, "No run differs"}, {endUnreached, "Not reached by any run"},
	} {
		fmt.Fprintf(&text, "\n## %s\n\n", part.title)
		for _, j := range all {
			if j.End != part.end {
				continue
			}
			fmt.Fprintf(&text, "- `%s`", strings.ReplaceAll(j.What, "`", "'"))
			if j.Run != "" {
				fmt.Fprintf(&text, " (%d of %d runs, first %s)", j.Differ, j.Runs, j.Run)
			}
			if j.Reason != "" {
				fmt.Fprintf(&text, ": %s", j.Reason)
			}
			text.WriteString("\n")
		}
	}
	text.WriteString("\n## All\n\n| end | mistake | violation | run | seconds |\n| --- | --- | --- | --- | --- |\n")
	for _, j := range all {
		fmt.Fprintf(&text, "| %s | `%s` | %s | %s | %.1f |\n", j.End, strings.NewReplacer("|", "\\|", "`", "'").Replace(j.What),
			j.Violation, j.Run, j.Took.Seconds())
	}
	return text.String()
}

// table writes what there is most of first.
func table(text *strings.Builder, title string, count map[string]int) {
	fmt.Fprintf(text, "\n## %s\n\n| | |\n| --- | --- |\n", title)
	names := slices.SortedFunc(maps.Keys(count), func(a, b string) int { return cmp.Or(count[b]-count[a], strings.Compare(a, b)) })
	for _, name := range names {
		fmt.Fprintf(text, "| %s | %d |\n", name, count[name])
	}
}

// writeReport writes the report, all verdicts, and the mutants that no run can come by whether they were drawn or not.
func writeReport(t *testing.T, p *program, mutants, defects []judged) {
	t.Helper()
	report := reportOf(mutants, defects)
	head, _, _ := strings.Cut(report, "\n## All\n")
	t.Log("\n" + head)
	list, err := json.MarshalIndent(slices.Concat(mutants, defects), "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	var unreached strings.Builder
	for _, m := range p.points {
		if len(p.reach[m.Number]) == 0 {
			fmt.Fprintln(&unreached, m)
		}
	}
	if err := os.MkdirAll(*findOut, 0o755); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		filepath.Join(*findOut, "report.md"):     report,
		filepath.Join(*findOut, "verdicts.json"): string(list) + "\n",
		filepath.Join(*findOut, "unreached.txt"): unreached.String(),
	}
	if *findTable != "" {
		files[*findTable] = tableOf(mutants, defects)
	}
	for name, content := range files {
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Error(err)
		}
	}
}
