package repro_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/repro"
)

func TestAgain(t *testing.T) {
	for want, run := range map[string]record.Run{
		"grasp-check --id X --seed 7 sim":                        {World: "sim", Target: "sim", Seed: "7"},
		"grasp-check --id X --write http://h:1":                  {World: "live", URL: "http://h:1", Seed: "7", Nonce: "n", Arguments: []string{"--write"}},
		"grasp-check --id X '--launch=a b'":                      {World: "live", URL: "http://h:1", Seed: "7", Nonce: "n", Arguments: []string{"--launch=a b"}},
		`grasp-check --id X '--launch=it'\''s' --launch-wait=1s`: {World: "live", Nonce: "n", Arguments: []string{"--launch=it's", "--launch-wait=1s"}},
	} {
		if got := repro.Again(&run, "X"); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// hostile is a check of a server that writes for the shell that reads the script.
func hostile() (*record.Run, *record.Check) {
	evil := "it's $(touch pwned) `touch pwned`\ntouch pwned\r\ntouch pwned\x00\u2028touch pwned\\"
	run := &record.Run{World: "live", URL: "http://127.0.0.1:1", Requirements: []record.Requirement{{ID: "X", Text: evil}}}
	return run, &record.Check{
		ID: "X.a", Check: evil, Verdict: "FAIL", Reason: evil, Expected: evil,
		Steps: []record.Step{{Number: 1, Keyword: "Given", Text: evil, Outcome: record.StepFailed}},
		Transcript: []record.Exchange{
			{Step: 1, Channel: "http#1", Direction: record.Sent, Head: "POST /" + evil, Headers: []string{"A: " + evil}, Size: 1, Text: evil},
			{Step: 1, Channel: "http#1", Direction: record.Received, Head: "HTTP 200", Form: record.FormText, Text: evil},
			{Step: 1, Channel: "relay#2", Direction: record.Sent, Form: record.FormText, Text: `["REQ","` + strings.ReplaceAll(evil, "\n", " ") + `"]`},
			{Step: 1, Channel: "relay#2", Direction: record.Received, Form: record.FormText, Text: evil},
			{Step: 1, Channel: "relay#2", Direction: record.Remark, Head: evil},
			{Step: 1, Channel: "git", Direction: record.Remark, Head: evil, Text: evil},
		},
	}
}

// What a server says, or a check sends, is never read as a command.
func TestScriptRunsNothingOfTheServer(t *testing.T) {
	dir := t.TempDir()
	var text bytes.Buffer
	run, check := hostile()
	if err := repro.Script(&text, run, check); err != nil {
		t.Fatal(err)
	}
	// The tools do nothing, so that only what the shell itself does is seen.
	for _, tool := range []string{"curl", "websocat"} {
		if err := os.WriteFile(filepath.Join(dir, tool), []byte("#!/bin/sh\nexit 0\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if bytes.ContainsRune(text.Bytes(), 0) {
		t.Error("the script holds a NUL, which no shell reads")
	}
	if err := os.WriteFile(filepath.Join(dir, "repeat.sh"), text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, shell := range []string{"sh", "bash", "dash"} {
		if _, err := exec.LookPath(shell); err != nil {
			continue
		}
		cmd := exec.CommandContext(t.Context(), shell, "-c", `PATH=$PWD:$PATH exec `+shell+` repeat.sh`)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), "NOT SEEN AGAIN") {
			t.Errorf("%s: got %v, want that nothing came:\n%s", shell, err, out)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "pwned")); err == nil {
		t.Error("the script ran what the server had written")
	}
}

func TestScriptOfAServerInside(t *testing.T) {
	run, check := hostile()
	run.World, run.Target, run.Seed = "sim", "sim", "7"
	var text bytes.Buffer
	if err := repro.Script(&text, run, check); err != nil || !strings.Contains(text.String(), "grasp-check --id X.a --seed 7 sim") {
		t.Errorf("got %v:\n%s", err, text.String())
	}
}

// Who lacks a tool is told which one, before anything is sent.
func TestScriptSaysWhatItLacks(t *testing.T) {
	run, check := hostile()
	var text bytes.Buffer
	if err := repro.Script(&text, run, check); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "repeat.sh")
	if err := os.WriteFile(script, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("a script needs a shell")
	}
	tools := []string{"base64", "awk", "sed", "mktemp", "rm", "cat", "kill"}
	for _, c := range []struct {
		has  []string
		env  string
		want string
	}{
		{nil, "", "needs curl"},
		{[]string{"curl"}, "", "a WebSocket client: websocat, or grasp-check on the PATH"},
		{[]string{"curl", "websocat"}, "WEBSOCKET=nowhere --x", "WEBSOCKET names nowhere, which is not there"},
	} {
		dir := t.TempDir()
		for _, tool := range append(tools, c.has...) {
			if err := os.WriteFile(filepath.Join(dir, tool), []byte("#!"+sh+"\nexit 0\n"), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.CommandContext(t.Context(), sh, script)
		cmd.Env = []string{"PATH=" + dir, c.env}
		if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 3 || !strings.Contains(string(out), c.want) {
			t.Errorf("with %v, %s: got exit code %d and %q, want 3 and %q", c.has, c.env, cmd.ProcessState.ExitCode(), out, c.want)
		}
	}
}
