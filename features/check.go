package features

import (
	"bytes"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	gherkin "github.com/cucumber/gherkin/go/v26"
	messages "github.com/cucumber/messages/go/v21"

	"github.com/graspkit/graspkit/conformance/spec"
)

// FileBytesMax bounds one feature file.
const FileBytesMax = 1 << 20

// A Check is one scenario, or one Examples row of an outline, that a server is judged by.
type Check struct {
	// ID is the tag of the primary requirement without its @, with the word of the tag or of the row's
	// column id behind a dot if there is one, such as "G01-PURG-05.state-live". No two checks share one.
	ID string
	// Requirements are the ids of the requirements that the check judges, the primary one first.
	Requirements []string
	Title        string
	File         string   // path in the file system of features
	Line         int      // of the scenario, or of the Examples row
	Tags         []string // all, with their @, in order
	Steps        []Step

	block *block // nil if nobody knows it
}

// A Step is one line of a check, with its placeholders filled in.
type Step struct {
	Keyword string // "Given", "When", "Then", "And", "But"
	Text    string
	Table   [][]string // nil if there is none
	Line    int
}

// Has reports whether the check carries the tag, given without its @.
func (c Check) Has(tag string) bool {
	for _, t := range c.Tags {
		if t == "@"+tag {
			return true
		}
	}
	return false
}

// Value returns what follows the tag prefix given, such as "36m" for "wait:".
func (c Check) Value(prefix string) (string, bool) {
	for _, t := range c.Tags {
		if v, ok := strings.CutPrefix(t, "@"+prefix); ok {
			return v, true
		}
	}
	return "", false
}

// Wait is how much time has to pass in the check, by its tag wait; zero without one.
func (c Check) Wait() time.Duration {
	v, ok := c.Value("wait:")
	if !ok {
		return 0
	}
	d, err := time.ParseDuration(v)
	if err != nil {
		return 0 // the lint tells
	}
	return d
}

// requirementTag splits a tag into requirement id and word.
var requirementTag = regexp.MustCompile(`^@(` + spec.IDPattern + `)(?:\.([a-z0-9-]+))?$`)

// idColumn is the Examples column that names a row's check.
const idColumn = "id"

// Load reads every *.feature file of fsys, in the order of their paths, nip01 and the other folders
// alphabetically, and returns their checks in the order in which they stand there. Those of [FS] are read once; nobody
// changes a check.
func Load(fsys fs.FS) ([]Check, error) {
	if fsys == fs.FS(FS) {
		checks, err := loadOwn()
		return slices.Clone(checks), err
	}
	return load(fsys)
}

var loadOwn = sync.OnceValues(func() ([]Check, error) { return load(FS) })

func load(fsys fs.FS) ([]Check, error) {
	var checks []Check
	err := fs.WalkDir(fsys, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".feature") {
			return err
		}
		text, err := fs.ReadFile(fsys, path)
		if err != nil {
			return err
		}
		if len(text) > FileBytesMax {
			return fmt.Errorf("%s: %d bytes, more than %d", path, len(text), FileBytesMax)
		}
		found, err := parse(path, text)
		checks = append(checks, found...)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read features: %w", err)
	}
	return checks, nil
}

// parse reads one feature file.
func parse(path string, text []byte) ([]Check, error) {
	newID := (&messages.Incrementing{}).NewId
	doc, err := gherkin.ParseGherkinDocument(bytes.NewReader(text), newID)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if doc.Feature == nil {
		return nil, fmt.Errorf("%s: no feature", path)
	}
	index := indexOf(doc.Feature)
	blocks := blocksOf(doc.Feature, bytes.Count(text, []byte("\n"))+1)
	var checks []Check
	for _, pickle := range gherkin.Pickles(*doc, path, newID) {
		c := index.check(path, pickle)
		c.block = blocks[pickle.AstNodeIds[0]]
		checks = append(checks, c)
	}
	return checks, nil
}

// index knows, by node id, what pickles do not carry: lines and the names of Examples rows.
type index struct {
	line map[string]int
	word map[string]string // of Examples rows: the cell of the id column
}

func indexOf(f *messages.Feature) index {
	x := index{line: make(map[string]int), word: make(map[string]string)}
	for _, child := range f.Children {
		x.addChild(child.Background, child.Scenario)
		if child.Rule == nil {
			continue
		}
		for _, inner := range child.Rule.Children {
			x.addChild(inner.Background, inner.Scenario)
		}
	}
	return x
}

func (x index) addChild(background *messages.Background, scenario *messages.Scenario) {
	if background != nil {
		x.addSteps(background.Steps)
	}
	if scenario == nil {
		return
	}
	x.line[scenario.Id] = int(scenario.Location.Line)
	x.addSteps(scenario.Steps)
	for _, examples := range scenario.Examples {
		column := -1
		if examples.TableHeader != nil {
			for i, cell := range examples.TableHeader.Cells {
				if cell.Value == idColumn {
					column = i
				}
			}
		}
		for _, row := range examples.TableBody {
			x.line[row.Id] = int(row.Location.Line)
			if column >= 0 {
				x.word[row.Id] = row.Cells[column].Value
			}
		}
	}
}

func (x index) addSteps(steps []*messages.Step) {
	for _, s := range steps {
		x.line[s.Id] = int(s.Location.Line)
		x.word[s.Id] = strings.TrimSpace(s.Keyword)
	}
}

// check makes a Check of a pickle.
func (x index) check(path string, pickle *messages.Pickle) Check {
	node := pickle.AstNodeIds[len(pickle.AstNodeIds)-1]
	c := Check{Title: pickle.Name, File: path, Line: x.line[node]}
	var word string
	for _, tag := range pickle.Tags {
		c.Tags = append(c.Tags, tag.Name)
		if m := requirementTag.FindStringSubmatch(tag.Name); m != nil {
			if len(c.Requirements) == 0 {
				word = m[2]
			}
			c.Requirements = append(c.Requirements, m[1])
		}
	}
	if len(c.Requirements) > 0 {
		c.ID = c.Requirements[0]
		if own := x.word[node]; own != "" && len(pickle.AstNodeIds) > 1 {
			word = strings.TrimPrefix(word+"."+own, ".")
		}
		if word != "" {
			c.ID += "." + word
		}
	} else {
		c.ID = path + ":" + strconv.Itoa(c.Line)
	}
	for _, s := range pickle.Steps {
		c.Steps = append(c.Steps, Step{
			Keyword: x.word[s.AstNodeIds[0]],
			Text:    s.Text,
			Table:   tableOf(s),
			Line:    x.line[s.AstNodeIds[0]],
		})
	}
	return c
}

func tableOf(s *messages.PickleStep) [][]string {
	if s.Argument == nil || s.Argument.DataTable == nil {
		return nil
	}
	var table [][]string
	for _, row := range s.Argument.DataTable.Rows {
		var cells []string
		for _, cell := range row.Cells {
			cells = append(cells, cell.Value)
		}
		table = append(table, cells)
	}
	return table
}
