//go:build unix

package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/features"
)

// screen is how many lines of so many characters a terminal shows.
const screenLines, screenColumns = 24, 120

// Doctor tells on one screen what can be judged and what that takes, and writes nothing.
func TestDoctor(t *testing.T) {
	s := serveSim(t, buildSim(t), "serve", "--memory", "--addr", "127.0.0.1:0", "--metrics", "127.0.0.1:0")
	dir := t.TempDir()
	out, err := checkIn(t, dir, "doctor", s.url)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{
		"+ information document  NIPs 1, 9, 11,", "GRASP-01", "+ WebSocket             answers a question within", "+ CORS                  *",
		"+ clock                 that of this machine, within a second; ", "git on this machine", " checks\n  by ", "is removed at the end", "they wait in real time: --time-budget ",
		"the target cannot be restarted: let --launch start it",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in it:\n%s", want, out)
		}
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	for _, line := range lines {
		if len(lines) > screenLines || len(line) > screenColumns {
			t.Errorf("%d lines, one of %d characters, do not fit on a screen: %s", len(lines), len(line), line)
		}
	}
	if n := s.counted(t, "created"); n > 0 || len(s.left(t)) > 0 {
		t.Errorf("it has written: %d repositories, %v", n, s.left(t))
	}
	if out, err := checkIn(t, dir, "doctor", "--max-events", "50", "--id", "G01-PU", s.url); err != nil || !strings.Contains(out, "they would write more than there may be: a greater --max-events") {
		t.Errorf("with a budget: %v\n%s", err, out)
	}
	if out, err := checkIn(t, dir, "doctor", "ws://127.0.0.1:1"); err == nil || !strings.Contains(err.Error(), "exit status 4") || !strings.Contains(out, "is down") {
		t.Errorf("where nobody answers: %v\n%s", err, out)
	}
	if out, err := checkIn(t, dir, "doctor", "sim"); err == nil || !strings.Contains(err.Error(), "exit status 2") {
		t.Errorf("of no URL: %v\n%s", err, out)
	}
}

// Of a service for members alone doctor says whether the keys that were given open its door, and what that is worth.
func TestDoctorOfAPrivateService(t *testing.T) {
	dir := t.TempDir()
	secret := strings.Repeat("0", 60) + "1000"
	member, err := nostr.GetPublicKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"members": member, "keys": secret, "strangers": strings.Repeat("0", 60) + "2000"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := serveSim(t, buildSim(t), "serve", "--memory", "--addr", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--members", filepath.Join(dir, "members"))
	for _, test := range []struct {
		args []string
		want []string
	}{
		{nil, []string{"- members               they alone are let in, and we are not: no key was given", "members alone are let in, and we are not: no key was given: --keys FILE"}},
		{[]string{"--keys", "strangers"}, []string{"- members               they alone are let in, and we are not: the relay: OK false \"restricted: "}},
		{[]string{"--keys", "keys"}, []string{
			"+ members               let in as npub1", "+ WebSocket             answers a question within", "two members authenticate, and one is known: --keys FILE",
		}},
	} {
		out, err := checkIn(t, dir, append([]string{"doctor", s.url}, test.args...)...)
		for _, want := range test.want {
			if err != nil || !strings.Contains(out, want) {
				t.Errorf("%v: got %v, %q is not in it:\n%s", test.args, err, want, out)
			}
		}
	}
}

// What a plan says of a run is near what the run sends.
func TestPlanIsNearWhatARunSends(t *testing.T) {
	const id = "G01-DEL"
	dir := t.TempDir()
	if out, err := checkIn(t, dir, "sim", "--quiet", "--id", id, "--json", "run.json"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(dir, "run.json"))
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Runs []struct {
			Cost struct {
				Events int `json:"events"`
				Pushes int `json:"pushes"`
				Bytes  int `json:"bytes"`
			} `json:"cost"`
		} `json:"runs"`
	}
	if err := json.Unmarshal(text, &doc); err != nil || len(doc.Runs) != 1 {
		t.Fatal(err, doc)
	}
	checks, _, err := suite.Select(suite.Config{Features: features.FS, Seed: "x", ID: id})
	if err != nil {
		t.Fatal(err)
	}
	e, sent := suite.EstimateOf(checks), doc.Runs[0].Cost
	for _, c := range []struct {
		what       string
		plan, sent int
	}{{"events", e.Events, sent.Events}, {"pushes", e.Pushes, sent.Pushes}, {"bytes", int(e.Bytes), sent.Bytes}} {
		const near = 0.25
		if c.sent == 0 || math.Abs(float64(c.plan)/float64(c.sent)-1) > near {
			t.Errorf("%s: the plan says %d, and %d were sent", c.what, c.plan, c.sent)
		}
	}
	out, err := checkIn(t, dir, "plan", "--id", id, "--time-budget", "40m")
	found := regexp.MustCompile(`(\d+) events, (\d+) pushes, (\d+) repositories, [0-9.]+ [KM]iB`).FindStringSubmatch(out)
	if err != nil || found == nil || found[1] != strconv.Itoa(e.Events) || !strings.Contains(out, "--launch --time-budget 40m") || !strings.Contains(out, "minutes") {
		t.Errorf("plan: %v\n%s", err, out)
	}
}
