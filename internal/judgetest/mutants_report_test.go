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

	"github.com/graspkit/graspkit/internal/mutate"
)

// equivalentText lists mutants that no client can tell from the honest server, by key, each with the reason.
//
//go:embed testdata/equivalent_mutants.txt
var equivalentText string

// equivalents are the mutants of the list, by number. Each entry of the list has to fit one at least.
func equivalents(t *testing.T, points []mutate.Point) map[int]string {
	t.Helper()
	reasons, err := mutate.Reviewed(equivalentText, points)
	if err != nil {
		t.Error(err)
	}
	return reasons
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
func (p *mutantProgram) unreached(reasons map[int]string) []byte {
	var out bytes.Buffer
	for _, m := range p.points {
		if len(p.reach[m.Number]) == 0 && reasons[m.Number] == "" {
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
