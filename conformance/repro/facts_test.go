package repro_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/repro"
)

// The script reads what comes by the same expressions as this package reads what came, in any spelling of JSON.
func TestScriptReadsAsThisPackageDoes(t *testing.T) {
	id := strings.Repeat("0a", 32)
	for line, want := range map[string]string{
		`["OK","` + id + `",true,""]`:                                   "OK\t" + id + "\ttrue ",
		` [ "OK" , "` + id + `" , false , "blocked: it's \"so\"" ] `:    "OK\t" + id + "\tfalse blocked:",
		`["EVENT","a\"b",{"content":"\"id\":\"x\"","id":"` + id + `"}]`: "EVENT\ta\\\"b\t" + id,
		`["EOSE","q"]`:                                "EOSE\tq",
		`["EOSE","q","more"]`:                         "other\t\t" + `["EOSE","q","more"]`,
		`["CLOSED","q","auth-required: who?"]`:        "CLOSED\tq\tauth-required:",
		`["CLOSED","q","no"]`:                         "CLOSED\tq\t",
		`["COUNT","q",{"count": 12,"approximate":0}]`: "COUNT\tq\t12",
		`["NEG-MSG","q","61ff"]`:                      "NEG-MSG\tq\t61ff",
		`["NEG-ERR","q","closed: x"]`:                 "NEG-ERR\tq\tclosed:",
		`["NOTICE","'; touch pwned"]`:                 "NOTICE\t",
		`["AUTH","abc"]`:                              "AUTH\t",
		`nonsense / & \1 ü`:                           "other\t\tnonsense / & \\1 ü",
	} {
		if got := repro.Meaning(line); got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
		sed := exec.CommandContext(t.Context(), "sed", "-E", repro.SedRules())
		sed.Env, sed.Stdin = []string{"LC_ALL=C"}, strings.NewReader(line+"\n")
		out, err := sed.Output()
		if got := strings.TrimSuffix(string(out), "\n"); err != nil || got != want {
			t.Errorf("%s: the script reads %q, %v, want %q", line, got, err, want)
		}
	}
}

// What comes in frames on a bare connection is compared, too: not masked, between bytes that are no text.
func TestFramesOnBareConnectionsAreFacts(t *testing.T) {
	id := strings.Repeat("0a", 32)
	taken := "\x81\x50" + `["OK","` + id + `",true,""]` + "\x88\x02\x03\xe8"
	got := repro.CameBare("bare#1", "HTTP/1.1 101 Switching Protocols\r\n\r\n", taken)
	want := []string{"HTTP/1.1 101", `"OK","` + id + `",true`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// That a check has lost its patience, or left, is no end that a server makes.
func TestEndsAreOfTheServer(t *testing.T) {
	for head, want := range map[string]bool{
		"open":                                  false,
		"close":                                 false,
		"close: write: broken pipe":             false,
		"close one way":                         false,
		"dial: context deadline exceeded":       false,
		"read tcp 127.0.0.1:1: i/o timeout":     false,
		"EOF":                                   true,
		"dial: connection refused":              true,
		"target: connection closed by the peer": true,
	} {
		if got := repro.EndedThere(head); got != want {
			t.Errorf("%s: got %t, want %t", head, got, want)
		}
	}
}
