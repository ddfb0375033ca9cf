//go:build unix

package judgetest

import (
	"bytes"
	_ "embed" // for the reviewed list
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/internal/judgetest/mutate"
)

// equivalentText lists mutants that no client can tell from the honest server, by key, each with the reason.
//
//go:embed testdata/equivalent_mutants.txt
var equivalentText string

// equivalent reads the reviewed list: a key and, indented on the lines behind it, the reason. Lines that begin with # say
// what the list is.
func equivalent(t *testing.T) map[string]string {
	t.Helper()
	reasons := map[string]string{}
	key := ""
	for line := range strings.Lines(equivalentText) {
		text := strings.TrimSpace(line)
		switch {
		case text == "" || strings.HasPrefix(text, "#"):
		case !strings.HasPrefix(line, "\t"):
			key = text
			if _, twice := reasons[key]; twice {
				t.Errorf("equivalent mutant listed twice: %s", key)
			}
			reasons[key] = ""
		default:
			reasons[key] = strings.TrimSpace(reasons[key] + " " + text)
		}
	}
	for key, reason := range reasons {
		if reason == "" {
			t.Errorf("equivalent mutant without a reason: %s", key)
		}
	}
	return reasons
}

// current wants every mutant of the reviewed list to be one that there is.
func current(t *testing.T, points []mutate.Point, reasons map[string]string) {
	t.Helper()
	known := map[string]bool{}
	for _, p := range points {
		known[p.Key()] = true
	}
	for key := range reasons {
		if !known[key] {
			t.Errorf("no mutant is called %s: the source has changed, so look at it again", key)
		}
	}
}

// A tally counts the ends of mutants.
type tally struct {
	ends map[string]int
	all  int
}

func (c *tally) add(m judgedMutant) {
	if c.ends == nil {
		c.ends = map[string]int{}
	}
	c.ends[m.End]++
	c.all++
}

func (c *tally) String() string {
	caught := c.ends[endFound] + c.ends[endPanic] + c.ends[endHang]
	return fmt.Sprintf("%4d mutants: %5.1f%% found (%d by a row, %d panic, %d hang); %d undecided, %d survived, %d unreached",
		c.all, 100*float64(caught)/float64(max(c.all, 1)), c.ends[endFound], c.ends[endPanic], c.ends[endHang],
		c.ends[endUndecided], c.ends[endSurvived], c.ends[endUnreached])
}

// summary is the score by package, what was not found, and what it took.
func summary(judged []judgedMutant, seed string, left int, took time.Duration) string {
	by, total := map[string]*tally{}, &tally{}
	var packages []string
	var text, missed strings.Builder
	for _, m := range judged {
		if by[m.Package] == nil {
			by[m.Package] = &tally{}
			packages = append(packages, m.Package)
		}
		by[m.Package].add(m)
		total.add(m)
		switch m.End {
		case endUndecided, endSurvived, endUnreached:
			fmt.Fprintf(&missed, "%-9s %v\n", m.End, m.Point)
			if m.Reason != "" {
				fmt.Fprintf(&missed, "          %s: %s\n", m.Check, m.Reason)
			}
		}
	}
	for _, name := range packages {
		fmt.Fprintf(&text, "%-22s %v\n", name, by[name])
	}
	fmt.Fprintf(&text, "%-22s %v\n\n%s\nseed %s, %d not judged for want of time, %v of processor time\n",
		"all", total, missed.String(), seed, left, took.Round(time.Second))
	return text.String()
}

// tsv is a table of all judged mutants, with a line of names at the top.
func tsv(judged []judgedMutant) []byte {
	var out bytes.Buffer
	clean := strings.NewReplacer("\t", " ", "\n", " ")
	row := func(cells ...string) {
		for i, cell := range cells {
			cells[i] = clean.Replace(cell)
		}
		out.WriteString(strings.Join(cells, "\t") + "\n")
	}
	row("end", "file", "line", "func", "operator", "before", "after", "row", "check", "reason", "seconds", "key")
	for _, m := range judged {
		row(m.End, m.File, fmt.Sprint(m.Line), m.Func, m.Operator, m.Before, m.After, m.Row, m.Check, m.Reason,
			fmt.Sprintf("%.1f", m.Took.Seconds()), m.Key())
	}
	return out.Bytes()
}

// unreached lists all mutants, drawn or not, whose place no check makes the honest server come by: none of them can be found.
func (p *mutantProgram) unreached(reasons map[string]string) []byte {
	var out bytes.Buffer
	for _, m := range p.points {
		if len(p.reach[m.Number]) == 0 && reasons[m.Key()] == "" {
			fmt.Fprintf(&out, "%v\n", m)
		}
	}
	return out.Bytes()
}

// list is the same as JSON.
func list(judged []judgedMutant) ([]byte, error) {
	type entry struct {
		Key      string  `json:"key"`
		File     string  `json:"file"`
		Line     int     `json:"line"`
		Func     string  `json:"func"`
		Operator string  `json:"operator"`
		Before   string  `json:"before"`
		After    string  `json:"after"`
		Seconds  float64 `json:"seconds"`
		judgement
	}
	entries := make([]entry, 0, len(judged))
	for _, m := range judged {
		entries = append(entries, entry{
			m.Key(), m.File, m.Line, m.Func, m.Operator, m.Before, m.After, m.Took.Seconds(), m.judgement,
		})
	}
	text, err := json.MarshalIndent(entries, "", "\t")
	if err != nil {
		return nil, fmt.Errorf("list of mutants: %w", err)
	}
	return append(text, '\n'), nil
}
