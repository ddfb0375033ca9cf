package known_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/known"
	"github.com/graspkit/graspkit/features"
)

// names are the catalogue with a few checks.
func names() known.Catalogue {
	return known.CatalogueOf([]features.Check{{ID: "G01-PUSH-03.word"}, {ID: "G01-PUSH-03.other"}, {ID: "G01-PURG-07"}, {ID: "G01-HEAD-01.one"}})
}

func parse(t *testing.T, text string) known.List {
	t.Helper()
	list, err := known.Parse("known.yaml", []byte(text), names())
	if err != nil {
		t.Fatalf("parse: %v\n%s", err, text)
	}
	return list
}

func TestParse(t *testing.T) {
	t.Parallel()
	list := parse(t, `# ours
- id: G01-PUSH-03 # all of it
  reason: no pushes yet
  owner: us
  link: https://issues.example/7
  expires: 2027-01-31
- id: G01-PUSH-03.word
  reason: >-
    in two
    lines
  flaky: true
- check: G01-PURG-07
  reason: "quoted: yes"
`)
	want := []known.Entry{
		{Requirement: "G01-PUSH-03", Reason: "no pushes yet", Owner: "us", Link: "https://issues.example/7", Expires: "2027-01-31", Line: 2},
		{Check: "G01-PUSH-03.word", Reason: "in two lines", Flaky: true, Line: 7},
		{Check: "G01-PURG-07", Reason: "quoted: yes", Line: 12},
	}
	for i, e := range list.Entries {
		if e != want[i] {
			t.Errorf("entry %d: got %+v, want %+v", i, e, want[i])
		}
	}
	for _, empty := range []string{"", "# nothing\n", "[]\n", "---\n"} {
		if list := parse(t, empty); len(list.Entries) != 0 {
			t.Errorf("%q: got %v, want nothing", empty, list.Entries)
		}
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"- id: G01-PUSH-99\n  reason: x\n":                               `known.yaml:1:7: no requirement and no check has the id "G01-PUSH-99", the nearest are G01-PUSH-09`,
		"- id: G01-PUSH-03.wort\n  reason: x\n":                          `known.yaml:1:7: no requirement and no check has the id "G01-PUSH-03.wort", the nearest are G01-PUSH-03.word`,
		"- check: G01-PUSH-03\n  reason: x\n":                            `no check has the id "G01-PUSH-03", the nearest are`,
		"- id: G01-PUSH-03\n":                                            `known.yaml:1:3: the entry of G01-PUSH-03 has no reason, add "reason: TEXT"`,
		"- reason: x\n":                                                  `known.yaml:1:3: the entry names nothing`,
		"- id: G01-PUSH-03\n  reason: ''\n":                              `known.yaml:2:11: reason is empty`,
		"- id: G01-PUSH-03\n  reason: 12\n":                              `known.yaml:2:11: reason is the integer 12`,
		"- id: G01-PUSH-03\n  raeson: x\n":                               `known.yaml:2:3: unknown field "raeson", the nearest are reason`,
		"- id: G01-PUSH-03\n  reason: x\n  expires: 2027-02-30\n":        `known.yaml:3:12: expires "2027-02-30" is no day`,
		"- id: G01-PUSH-03\n  reason: x\n  link: javascript:alert(1)\n":  `known.yaml:3:9: link "javascript:alert(1)" is no URL`,
		"- id: G01-PUSH-03\n  reason: x\n  flaky: maybe\n":               `known.yaml:3:10: flaky is the string maybe`,
		"- id: G01-PUSH-03\n  check: G01-PUSH-03.word\n  reason: x\n":    `known.yaml:2:3: the entry has an id and a check`,
		"- id: G01-PUSH-03\n  reason: x\n- id: G01-PUSH-03\n  reason: y": `known.yaml:3:3: the requirement G01-PUSH-03 is named twice, first in line 1`,
		"- id: G01-PUSH-03\n  id: G01-PUSH-03\n  reason: x\n":            `keep one of them`,
		"id: G01-PUSH-03\n":                                              `known.yaml:1:1: the file is a mapping`,
		"\x00\x01\n":                                                     `known.yaml:1:1: the file is the string "\x00\x01", write a list`,
		"- G01-PUSH-03\n":                                                `known.yaml:1:3: the entry is the string G01-PUSH-03`,
		"[]\n---\n[]\n":                                                  `second document`,
		"- id: [\n":                                                      `correct the YAML`,
		"- id: \"G01\\u0007\"\n  reason: x\n":                            `id has a control character in it`,
		strings.Repeat("#", known.SizeMax+1):                             `file of 1048577 bytes`,
	} {
		_, err := known.Parse("known.yaml", []byte(text), names())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: got %v, want %s", text, err, want)
		}
		if _, placed := errors.AsType[*known.Error](err); !placed {
			t.Errorf("%.60q: got %T, want a place", text, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("- id: G01-PUSH-03\n  reason: x\n")
	f.Add("- {check: G01-PURG-07, reason: \"x\", expires: 2027-01-31}\n")
	catalogue := names()
	f.Fuzz(func(t *testing.T, text string) {
		list, err := known.Parse("f", []byte(text), catalogue)
		for _, e := range list.Entries {
			if err == nil && (e.Reason == "" || e.Name() == "" || e.Line < 1) {
				t.Errorf("entry %+v of %q", e, text)
			}
		}
	})
}
