package features_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/features"
)

func TestFeaturesAreClean(t *testing.T) {
	findings, err := features.Lint(features.FS, spec.All())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range findings {
		t.Error(f)
	}
	checks, err := features.Load(features.FS)
	if err != nil || len(checks) < 75 {
		t.Fatalf("got %d checks, %v, want at least 75", len(checks), err)
	}
	t.Logf("%d checks", len(checks))
}

func feature(text string) fs.FS {
	return fstest.MapFS{"grasp01/02_x.feature": {Data: []byte("Feature: x\n" + text)}}
}

func TestLintFinds(t *testing.T) {
	rows := []spec.Requirement{
		{ID: "G01-PUSH-01", Coverage: spec.Coverage{Kind: spec.Checked}},
		{ID: "G01-PUSH-02", Coverage: spec.Coverage{Kind: spec.Planned, Text: "later"}},
	}
	const good = "@G01-PUSH-01\nScenario: good\n Given a\n"
	for name, c := range map[string]struct{ text, want string }{
		"no tag":            {good + "Scenario: y\n Given a\n", "no requirement tag"},
		"unknown id":        {good + "@G01-PUSH-01.y @G01-PUSH-77\nScenario: y\n Given a\n", "not in the catalogue"},
		"planned row":       {good + "@G01-PUSH-02\nScenario: y\n Given a\n", "the catalogue says planned"},
		"unknown word":      {good + "@G01-PUSH-01.y @must\nScenario: y\n Given a\n", "neither a requirement id"},
		"same id":           {good + "@G01-PUSH-01\nScenario: y\n Given a\n", "used twice"},
		"same title":        {good + "@G01-PUSH-01.y\nScenario: good\n Given a\n", "used twice"},
		"world, no because": {good + "@G01-PUSH-01.y @sim-only\nScenario: y\n Given a\n", "because"},
		"nothing at all":    {"@G01-PUSH-02\nScenario: y\n Given a\n", "no check carries its tag"},
	} {
		findings, err := features.Lint(feature(c.text), rows)
		if err != nil || !strings.Contains(strings.Join(findings, "\n"), c.want) {
			t.Errorf("%s: got %q, %v, want %q", name, findings, err, c.want)
		}
	}
	reference := spec.Requirement{
		ID: "REF-PURG-01", Coverage: spec.Coverage{Kind: spec.Checked}, Conditions: []spec.Condition{{Kind: spec.ReferenceWorld}},
	}
	const own = "Feature: x\n@REF-PURG-01\nScenario: good\n Given a\n"
	for file, want := range map[string]string{"grasp01/02_x.feature": "reference alone", "reference/x.feature": "even number", "reference/02_x.feature": ""} {
		findings, err := features.Lint(fstest.MapFS{file: {Data: []byte(own)}}, []spec.Requirement{reference})
		if got := strings.Join(findings, "\n"); err != nil || !strings.Contains(got, want) || (want == "" && got != "") {
			t.Errorf("%s: got %q, %v, want %q", file, got, err, want)
		}
	}
	if findings, err := features.Lint(feature(good), rows); err != nil || len(findings) != 0 {
		t.Errorf("good file: got %q, %v", findings, err)
	}
}

func TestLoad(t *testing.T) {
	checks, err := features.Load(feature(`
  @G01-PUSH-17 @wait:36m
  Scenario Outline: refuses <ref>
    Given a client pushes:
      | <ref> | first |
    Then refused

    Examples:
      | id    | ref          |
      | notes | refs/notes/x |
`))
	if err != nil {
		t.Fatal(err)
	}
	want := []features.Check{{
		ID: "G01-PUSH-17.notes", Requirements: []string{"G01-PUSH-17"}, Title: "refuses refs/notes/x",
		File: "grasp01/02_x.feature", Line: 11, Tags: []string{"@G01-PUSH-17", "@wait:36m"},
		Steps: []features.Step{
			{Keyword: "Given", Text: "a client pushes:", Table: [][]string{{"refs/notes/x", "first"}}, Line: 5},
			{Keyword: "Then", Text: "refused", Line: 7},
		},
	}}
	if diff := cmp.Diff(want, checks, cmpopts.IgnoreUnexported(features.Check{})); diff != "" {
		t.Error(diff)
	}
	if got := checks[0].Wait().Minutes(); got != 36 {
		t.Errorf("wait: got %v minutes, want 36", got)
	}
	if !checks[0].Has("wait:36m") || checks[0].Has("hostile") {
		t.Error("Has: got the wrong answer")
	}
}

func TestLoadTellsWhere(t *testing.T) {
	_, err := features.Load(feature("Scenario: x\n Given a\n nonsense\n"))
	if err == nil || !strings.Contains(err.Error(), "02_x.feature") || !strings.Contains(err.Error(), "4:") {
		t.Errorf("got %v, want file and line", err)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add("@G01-PUSH-01\nScenario: x\n Given a\n")
	f.Add("@a\nScenario Outline: <x>\n Given <x>:\n  | <x> |\n Examples:\n  | id | x |\n  | a | b |\n")
	f.Add("Rule: r\n Background:\n  Given b\n Scenario: x\n  Then c\n")
	f.Fuzz(func(t *testing.T, text string) {
		checks, err := features.Load(feature(text))
		if err == nil {
			for _, c := range checks {
				if c.ID == "" || c.Line == 0 {
					t.Errorf("got a check without id or line: %+v", c)
				}
			}
		}
	})
}
