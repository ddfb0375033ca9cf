package main

import (
	"bufio"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/internal/cli"
)

func replayedText(t *testing.T, r *runner, f replayFlags) (string, error) {
	t.Helper()
	var b strings.Builder
	out := bufio.NewWriter(&b)
	err := replayTo(t.Context(), out, r, f)
	if flushed := out.Flush(); flushed != nil {
		t.Fatal(flushed)
	}
	return b.String(), err
}

var atTheViolation = regexp.MustCompile(`^scenario first, seed 7, up to record \d+:
  #\d+ \S+ world run_ended
VIOLATED INV-01 served-without-data on server1 at (\S+)
  should: .+
  was: served without data: announcement (\w+/announcement@\d+) of \w+
step \d+ of server1 in its life 1, at (\S+):
  given RepositoryDone\{Request: 1, OK: true\}
(?:  does  .+\n)*  does  Record\{Op: store, ID: (\w+/announcement@\d+), .+\n(?:  does  .+\n)*state of server1 behind it:
cfg: Config
(?s:.*)
 PurgatoryLife: 30m0s
(?s:.*)
held: (?s:.*)
started: true
closing: false
`)

// Without a step a replay shows the step that violated the invariant, and the state behind it.
func TestReplayComesToTheViolation(t *testing.T) {
	got, err := replayedText(t, planted(t, "0123456789abcdef"), replayFlags{seed: 7, state: true})
	if err != nil {
		t.Fatal(err)
	}
	found := atTheViolation.FindStringSubmatch(got)
	if found == nil {
		t.Fatalf("got\n%.3000s\nwant it of the form\n%s", got, atTheViolation)
	}
	if found[1] != found[3] || found[2] != found[4] {
		t.Errorf("got a violation by %s at %s and a step with %s at %s, want the same", found[2], found[1], found[4], found[3])
	}
	if regexp.MustCompile(`"[0-9a-f]{64}"`).MatchString(got) {
		t.Errorf("got\n%s\nwant names in place of ids", got)
	}
}

// A replay up to a record ends with what the trace has there, and shows the state of then.
func TestReplayUntilARecord(t *testing.T) {
	var last string
	for _, until := range []recordNumber{1, 40, 200} {
		got, err := replayedText(t, planted(t, ""), replayFlags{seed: 7, until: until, server: "server1", state: true, parts: []string{"announced"}})
		if err != nil {
			t.Fatal(err)
		}
		if want := "scenario first, seed 7, up to record " + until.String() + ":\n  #" + until.String() + " "; !strings.HasPrefix(got, want) {
			t.Errorf("got\n%s\nwant it to begin with %s", got, want)
		}
		_, state, _ := strings.Cut(got, "state of server1 behind it:\n")
		if !strings.HasPrefix(state, "announced: ") || strings.Contains(state, "\nheld: ") {
			t.Errorf("until %d: got the state\n%s\nwant the part announced alone", until, state)
		}
		if state == last {
			t.Errorf("until %d: got the state of the record before", until)
		}
		last = state
	}
}

func TestReplayRefuses(t *testing.T) {
	for want, f := range map[string]replayFlags{
		"there is no record 100000000, the run has ": {seed: 7, until: 100_000_000},
		`there is no server "server9"`:               {seed: 7, until: 5, server: "server9"},
		`a state has no part "nothing"`:              {seed: 7, until: 5, state: true, parts: []string{"nothing"}},
	} {
		_, err := replayedText(t, planted(t, ""), f)
		exit, is := errors.AsType[*cli.ExitError](err)
		if !is || exit.Code != cli.ExitUsage || exit.Hint == "" || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %s and a hint", err, want)
		}
	}
}
