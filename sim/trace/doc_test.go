package trace_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/sim/trace"
)

// rows are the first cells of the tables below a heading of docs/trace.md.
func rows(t *testing.T, doc, heading string) (first []string) {
	t.Helper()
	_, below, found := strings.Cut(doc, "\n## "+heading+"\n")
	if !found {
		t.Fatalf("docs/trace.md has no heading %q", heading)
	}
	below, _, _ = strings.Cut(below, "\n## ")
	for _, m := range regexp.MustCompile("(?m)^\\| `(\\w+)` \\|").FindAllStringSubmatch(below, -1) {
		first = append(first, m[1])
	}
	return first
}

// written are the texts that sources name as facts, by patterns that find them.
func written(t *testing.T, dir string, patterns ...string) (facts []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("sources in %s: got %d, error %v", dir, len(files), err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, pattern := range patterns {
			for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(source), -1) {
				facts = append(facts, m[1])
			}
		}
	}
	slices.Sort(facts)
	return slices.Compact(facts)
}

// Whoever reads trace files has nothing but the document: it lists what is written.
func TestDocumentListsWhatIsWritten(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("..", "..", "docs", "trace.md"))
	if err != nil {
		t.Fatal(err)
	}
	doc := string(source)
	var fields []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[trace.Record]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		fields = append(fields, name)
	}
	if diff := cmp.Diff(fields, rows(t, doc, "Fields")); diff != "" {
		t.Errorf("fields (-written +listed):\n%s", diff)
	}
	for heading, facts := range map[string][]string{
		"Facts of servers":   written(t, "../../reference/core", `\bFact += "(\w+)"`),
		"Facts of the world": written(t, "..", `\bFact: "(\w+)"`, `lost\.Fact = [^"]*"(\w+)"`, `record\.Fact\b[^=\n]*= "(\w+)"`),
	} {
		listed := rows(t, doc, heading)
		slices.Sort(listed)
		if diff := cmp.Diff(facts, listed); diff != "" {
			t.Errorf("%s (-written +listed):\n%s", strings.ToLower(heading), diff)
		}
	}
	if first := fmt.Sprintf("\n{\"format\":\"grasp-sim trace\",\"version\":%d}\n", trace.Version); !strings.Contains(doc, first) {
		t.Errorf("the document does not show the first line %s", first)
	}
}
