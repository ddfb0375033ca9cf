package known_test

import (
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/known"
	"github.com/graspkit/graspkit/conformance/record"
)

func TestUpdate(t *testing.T) {
	t.Parallel()
	const before = `# What we know.

# pushes
- id: G01-PUSH-03 # still so
  reason: "no: pushes yet"
  owner: us

# this one is mended
- id: G01-HEAD-01
  reason: heads are wrong
# and this one is not run
- {id: G01-PUSH-05, reason: "waits"}
`
	doc := &record.Document{Runs: []record.Run{run(t,
		"row G01-PUSH-03 FAIL", "row G01-HEAD-01 PASS", "row G01-PUSH-05 BLOCKED",
		"row G01-PURG-07 FAIL partly", "row G01-PURG-08 FAIL", "row G01-PURG-09 INCONCLUSIVE", "row G01-PURG-01 WARN SHOULD",
		"row G01-PURG-02 HARNESS_ERROR", "row G01-PURG-05 DEPENDENCY_FAIL", "row G01-PURG-06 FAIL",
		"check G01-PURG-07 FAIL", "check G01-PURG-09.x INCONCLUSIVE", "check G01-PURG-05.x DEPENDENCY_FAIL cause=G01-PURG-06",
	)}}
	list := parse(t, before)
	text, gone, added := known.Update(doc, list, []byte(before), false, today)
	const want = `# What we know.

# pushes
- id: G01-PUSH-03 # still so
  reason: "no: pushes yet"
  owner: us

# and this one is not run
- {id: G01-PUSH-05, reason: "waits"}
- id: G01-PURG-06
  reason: TODO
- check: G01-PURG-07
  reason: TODO
- id: G01-PURG-08
  reason: TODO
- id: G01-PURG-09
  reason: TODO
  flaky: true
`
	if string(text) != want {
		t.Errorf("text: got\n%s\nwant\n%s", text, want)
	}
	if len(gone) != 1 || len(added) != 4 {
		t.Errorf("got %d gone and %d added, want 1 and 4", len(gone), len(added))
	}
	after := parse(t, string(text))
	if told := known.Apply(doc, after, today); len(told) != 4 || told[0].What != known.NoOwnReason {
		t.Errorf("told: got %v, want that four have no reason", told)
	}
	if code, why := doc.Conclude(record.Policy{}); code != record.ExitHarness || len(why) != 1 {
		t.Errorf("exit: got %d %q, want 3 for the fault of the suite alone", code, why)
	}
	again, gone, added := known.Update(doc, after, text, false, today)
	if string(again) != string(text) || len(gone)+len(added) > 0 {
		t.Errorf("second update: got\n%s\nwant no change", again)
	}
	if strict, _, _ := known.Update(doc, after, text, true, today); !strings.Contains(string(strict), "G01-PURG-01") {
		t.Errorf("strict: got\n%s\nwant the SHOULD in it", strict)
	}
}

// A list that is not one entry a dash is written anew, and from nothing a file begins with what it is for.
func TestUpdateOtherForms(t *testing.T) {
	t.Parallel()
	doc := &record.Document{Runs: []record.Run{run(t, "row G01-PUSH-03 FAIL", "row G01-HEAD-01 FAIL")}}
	for text, want := range map[string]string{
		"[{id: G01-PUSH-03, reason: \"a: b\", expires: 2027-01-31, link: 'https://x.example/'}]\n": "- id: G01-PUSH-03\n  reason: \"a: b\"\n  link: \"https://x.example/\"\n  expires: 2027-01-31\n- id: G01-HEAD-01\n  reason: TODO\n",
		"":                                   "- id: G01-PUSH-03\n  reason: TODO\n- id: G01-HEAD-01\n  reason: TODO\n",
		"# ours\n[]\n":                       "# ours\n- id: G01-PUSH-03\n  reason: TODO\n",
		"  - id: G01-PUSH-03\n    reason: x": "  - id: G01-PUSH-03\n    reason: x\n  - id: G01-HEAD-01\n    reason: TODO\n",
	} {
		list := parse(t, text)
		got, _, _ := known.Update(doc, list, []byte(text), false, today)
		if !strings.Contains(string(got), want) {
			t.Errorf("%q: got\n%s\nwant in it\n%s", text, got, want)
		}
		parse(t, string(got))
	}
}

// What an entry has been let excuse too long is not excused by another one.
func TestUpdateLeavesExpired(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"G01-PUSH-03", "G01-PUSH-03.word"} {
		doc := &record.Document{Runs: []record.Run{run(t, "row G01-PUSH-03 FAIL", "check G01-PUSH-03.word FAIL")}}
		text := entries(id, "until=2026-01-01")
		got, gone, added := known.Update(doc, parse(t, text), []byte(text), false, today)
		if string(got) != text || len(gone)+len(added) > 0 {
			t.Errorf("%s: got\n%s\nwant it as it was", id, got)
		}
	}
}
