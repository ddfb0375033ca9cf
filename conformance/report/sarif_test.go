package report_test

import (
	"bytes"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/report"
)

// schemaPackage brings the published schema of SARIF 2.1.0, as a constant of its own.
const schemaPackage = "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

// sarifSchema reads the published schema out of the source of that package: nothing is fetched while a test runs.
func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	found, err := build.Import(schemaPackage, ".", build.FindOnly)
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(found.Dir, "schema.go"), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var text string
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING && len(literal.Value) > len(text) {
			text = literal.Value
		}
		return true
	})
	if text, err = strconv.Unquote(text); err != nil {
		t.Fatal(err)
	}
	raw, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("urn:sarif", raw); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("urn:sarif")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func TestSARIFSchema(t *testing.T) {
	schema := sarifSchema(t)
	doc := bad(t)
	doc.Runs[0].Checks[0].Known = &record.Known{Reason: "issue 7"}
	doc.Runs = append(doc.Runs, record.Run{Target: "second", Down: "refused", Exit: record.ExitUnreachable, ExitReasons: []string{"refused"}})
	for name, doc := range map[string]*record.Document{"good": made(t, nil), "bad": doc, "nothing": {}} {
		var out bytes.Buffer
		if err := report.SARIF(&out, doc); err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(&out)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if runs, ok := value.(map[string]any)["runs"].([]any); ok && len(runs) > 0 {
			delete(runs[0].(map[string]any), "tool")
			if schema.Validate(value) == nil {
				t.Errorf("%s without its tool: got no error", name)
			}
		}
	}
}

func TestSARIFKinds(t *testing.T) {
	want := map[record.Verdict][2]string{
		"PASS": {"pass", "none"}, "FAIL": {"fail", "error"}, "WARN": {"fail", "warning"}, "OBSERVED": {"informational", "none"}, "NOT_APPLICABLE": {"notApplicable", "none"},
		"UNSUPPORTED": {"open", "none"}, "BLOCKED": {"open", "none"}, "SIM_ONLY": {"open", "none"}, "LIVE_ONLY": {"open", "none"}, "INCONCLUSIVE": {"review", "none"},
		"SETUP_FAIL": {"open", "none"}, "DEPENDENCY_FAIL": {"open", "none"}, "HARNESS_ERROR": {"open", "none"},
	}
	for verdict, kind := range want {
		run := record.Run{
			Target: "t", Requirements: []record.Requirement{{ID: "G01-PUSH-01", Score: "MUST", Text: "clause"}},
			Checks: []record.Check{{
				ID: "G01-PUSH-01.x", Check: "c", File: "grasp01/16_push.feature", Line: 25, Verdict: verdict,
				Findings: []record.Finding{{ID: "G01-PUSH-01", Verdict: verdict, Reason: "seen so"}},
			}},
		}
		var out bytes.Buffer
		if err := report.SARIF(&out, &record.Document{Runs: []record.Run{run}}); err != nil {
			t.Fatal(err)
		}
		log, err := sarif.FromBytes(out.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		r := log.Runs[0].Results[0]
		place := r.Locations[0].PhysicalLocation
		got := []any{r.Kind, r.Level, *r.RuleID, *place.ArtifactLocation.URI, *place.Region.StartLine}
		if diff := cmp.Diff([]any{kind[0], kind[1], "G01-PUSH-01", "features/grasp01/16_push.feature", 25}, got); diff != "" {
			t.Errorf("%s: %s", verdict, diff)
		}
	}
}
