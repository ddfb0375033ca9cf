package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/invariant"
	"github.com/graspkit/graspkit/sim/trace"
)

// hasty is a core that serves announcements whose data is not here, where their ids begin with one of some digits.
type hasty struct {
	core.Machine

	digits string
}

func (h *hasty) Step(now instant.Instant, in core.Input, out *core.Effects) {
	var own core.Effects
	h.Machine.Step(now, in, &own)
	for _, e := range own.List {
		if r, ok := e.(core.Record); ok && r.Op == core.OpHold && r.Event.Kind == 30617 && strings.Contains(h.digits, r.Event.ID[:1]) {
			e = core.Record{Op: core.OpStore, ID: r.ID, Event: r.Event}
		}
		out.List = append(out.List, e)
	}
}

// planted runs the first scenario with a hasty core.
func planted(t testing.TB, digits string) *runner {
	t.Helper()
	s, err := loadScenario("first")
	if err != nil {
		t.Fatal(err)
	}
	return &runner{scenario: s, program: "grasp-sim v1", options: func() sim.Options {
		return sim.Options{Alone: true, Wrap: func(_ int, m core.Machine) core.Machine { return &hasty{m, digits} }}
	}}
}

var failureReport = regexp.MustCompile(`^scenario first, seed 7: (?s:.+)
checked:(?s:.+)
VIOLATED INV-01 served-without-data on server1 at (\S+)
  should: A served announcement has a repository with a branch .+
  was: served without data: announcement (\w+/announcement@\d+) of (\w+)
before it, the last (\d+) records at server1 about what it names:
((?:  #\d+ .*\n)+)seed 7 of first \(sha256 [0-9a-f]{64}\), program grasp-sim v1
reproduce: grasp-sim run first --seed 7
state: grasp-sim replay first --seed 7 --state
trace [0-9a-f]{64}
$`)

func TestAFailureIsToldWithWhatWasBefore(t *testing.T) {
	var out strings.Builder
	err := runOnce(t.Context(), &out, planted(t, "0123456789abcdef"), 7, "")
	if exit, ok := errors.AsType[*cli.ExitError](err); !ok || exit.Code != exitViolated {
		t.Errorf("got error %v, want exit code %d", err, exitViolated)
	}
	found := failureReport.FindStringSubmatch(out.String())
	if found == nil {
		t.Fatalf("got\n%s\nwant a report of the form\n%s", out.String(), failureReport)
	}
	records := strings.Split(strings.TrimRight(found[5], "\n"), "\n")
	if fmt.Sprint(len(records)) != found[4] || len(records) > recordsTold {
		t.Errorf("got %d records where %s are promised, want at most %d", len(records), found[4], recordsTold)
	}
	if last := records[len(records)-1]; !strings.Contains(last, " "+found[1]+" ") || !strings.Contains(last, found[2]) {
		t.Errorf("last record: got %q, want one of %s at %s", last, found[2], found[1])
	}
	for _, r := range records {
		if !strings.Contains(r, found[3]) && !strings.Contains(r, found[2]) && !strings.Contains(r, "server_") {
			t.Errorf("record %q: want one about %s or %s", r, found[2], found[3])
		}
	}
}

func TestRecordsBeforeAViolation(t *testing.T) {
	id, key := strings.Repeat("ab", 32), strings.Repeat("cd", 32)
	at := func(second int) instant.Instant { return sim.Start.Add(time.Duration(second) * time.Second) }
	list := []trace.Record{
		{Seq: 1, At: at(1), Host: "server1", Fact: "server_started", Count: 1},
		{Seq: 2, At: at(2), Host: "owner1", Fact: "publish", Event: id, Kind: 30618, Detail: "server1"},
		{Seq: 3, At: at(3), Host: "server1", Fact: "event_held", Event: id, Kind: 30618, Owner: key, Identifier: "one"},
		{Seq: 4, At: at(4), Host: "server1", Fact: "event_held", Event: key, Identifier: "two"},
		{Seq: 5, At: at(5), Host: "server2", Fact: "refs_moved", Identifier: "one"},
		{Seq: 6, At: at(6), Host: "server1", Fact: "refs_moved", Identifier: "one", Owner: key},
		{Seq: 7, At: at(7), Host: "server1", Fact: "push_refused", Push: 4, Requirement: "G01-PUSH-03", Detail: "no"},
		{Seq: 8, At: at(8), Host: "server1", Fact: "event_stored", Event: id},
	}
	for name, c := range map[string]struct {
		violation invariant.Violation
		about     string
		want      []string
		detail    string
	}{
		"an event": {
			invariant.Violation{At: at(7), Server: "server1", Detail: "event " + id + " since " + fmt.Sprint(int64(at(90)))},
			"the last 4 records at server1 about what it names",
			[]string{
				"#1 1s server1 server_started, count 1", "#2 2s owner1 publish owner1/state@1 (kind 30618): server1",
				"#3 3s server1 event_held owner1/state@1 (kind 30618), one of owner1", "#6 6s server1 refs_moved, one of owner1",
			},
			"event owner1/state@1 since 1m30s",
		},
		"a push": {
			invariant.Violation{At: at(8), Server: "server1", Detail: "push 4 to somewhere"},
			"the last 2 records at server1 about what it names",
			[]string{"#1 1s server1 server_started, count 1", "#7 7s server1 push_refused, push 4, G01-PUSH-03: no"},
			"push 4 to somewhere",
		},
		"a repository": {
			invariant.Violation{At: at(8), Server: "server1", Detail: "two needs data"},
			"the last 2 records at server1 about what it names",
			[]string{"#1 1s server1 server_started, count 1", "#4 4s server1 event_held owner1, two"},
			"two needs data",
		},
		"nothing": {
			invariant.Violation{At: at(3), Server: "server1", Detail: "push 40"},
			"the last 2 records at server1",
			[]string{"#1 1s server1 server_started, count 1", "#3 3s server1 event_held owner1/state@1 (kind 30618), one of owner1"},
			"push 40",
		},
		"nobody": {
			invariant.Violation{At: at(1), Detail: "panic"},
			"the last 1 records anywhere",
			[]string{"#1 1s server1 server_started, count 1"},
			"panic",
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBefore(c.violation)
			b.name(id, "owner1/state@1")
			b.name(key, "owner1")
			for _, r := range list {
				b.see(r)
			}
			about, got := b.last()
			if diff := cmp.Diff(c.want, got); diff != "" || about != c.about {
				t.Errorf("got %q, want %q; records (-want +got):\n%s", about, c.about, diff)
			}
			if got := b.named(c.violation.Detail); got != c.detail {
				t.Errorf("detail: got %q, want %q", got, c.detail)
			}
		})
	}
}

// However long a run is, a bounded number of its records is kept and told, and they are the last.
func TestRecordsBeforeAViolationAreBounded(t *testing.T) {
	b := newBefore(invariant.Violation{At: sim.Start, Server: "server1"})
	for seq := range uint64(2*recordsKept + 5) {
		b.see(trace.Record{Seq: seq, At: sim.Start, Host: "server1", Fact: "publish"})
	}
	_, got := b.last()
	if want := fmt.Sprintf("#%d ", 2*recordsKept+4); len(got) != recordsTold || !strings.HasPrefix(got[len(got)-1], want) {
		t.Errorf("got %d records that end with %q, want %d and %q", len(got), got[len(got)-1], recordsTold, want)
	}
	if len(b.records) > 2*recordsKept {
		t.Errorf("got %d records kept, want at most %d", len(b.records), 2*recordsKept)
	}
}

func TestARunThatIsNotItselfIsAnError(t *testing.T) {
	r := planted(t, "0123456789abcdef")
	digits := []string{"0123456789abcdef", "01234567"}
	r.options = func() sim.Options {
		d := digits[0]
		digits = digits[1:]
		return sim.Options{Alone: true, Wrap: func(_ int, m core.Machine) core.Machine { return &hasty{m, d} }}
	}
	err := runOnce(t.Context(), &strings.Builder{}, r, 7, "")
	if err == nil || !strings.Contains(err.Error(), "run first with seed 7: not deterministic: its trace is ") {
		t.Errorf("got error %v, want that the run is not deterministic", err)
	}
}

func TestARunIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := planted(t, "")
	r.options = func() sim.Options {
		return sim.Options{Wrap: func(_ int, m core.Machine) core.Machine {
			cancel() // while the world is built
			return m
		}}
	}
	if _, err := r.run(ctx, 7, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want that of the context", err)
	}
}

func TestQuoted(t *testing.T) {
	for arg, want := range map[string]string{
		"first": "first", "./a-b_1.yaml": "./a-b_1.yaml", "my file.yaml": "'my file.yaml'", "it's/$x": `'it'\''s/$x'`,
	} {
		if got := quoted(arg); got != want {
			t.Errorf("quoted %s: got %s, want %s", arg, got, want)
		}
	}
}
