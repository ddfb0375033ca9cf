package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/suite"
)

// A later target that cannot be started takes nothing from the report of one that was judged before it.
func TestReportOfWhatWasJudgedBeforeAStartThatFails(t *testing.T) {
	t.Chdir(t.TempDir())
	taken := "grasp-check-" + suite.NameOf("s", "n") + ".ledger" // so the second target has no ledger
	for name, text := range map[string]string{taken: "", "known.yaml": "- id: G01-PUSH-03\n  reason: r\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out, told bytes.Buffer
	code := run(t.Context(), []string{
		"sim", "http://127.0.0.1:9", "--seed", "s", "--nonce", "n", "--id", "G01-N11-02", "--json", "run.json", "--junit", "run.xml",
		"--known", "known.yaml", "--known-update", "--quiet",
	}, nil, &out, &told)
	if code != 2 || !strings.Contains(told.String(), taken) {
		t.Errorf("got exit code %d and %q, want 2 and the ledger that is there already", code, &told)
	}
	text, err := os.ReadFile("run.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc record.Document
	if err := json.Unmarshal(text, &doc); err != nil || len(doc.Runs) != 1 || doc.Runs[0].Target != "sim" || doc.Runs[0].Exit != record.ExitGood {
		t.Errorf("run.json: got %v and %d runs, want one of sim that is good", err, len(doc.Runs))
	}
	if _, err := os.Stat("run.xml"); err != nil {
		t.Error(err)
	}
	if !strings.Contains(out.String(), "Verdict: ") {
		t.Errorf("stdout: got %q", &out)
	}
	if list, err := os.ReadFile("known.yaml"); err != nil || !strings.Contains(string(list), "G01-PUSH-03") {
		t.Errorf("the list of known failures: got %q, %v, want it as it was", list, err)
	}
}
