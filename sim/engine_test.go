package sim_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim"
)

// diary writes down what an engine runs.
type diary struct {
	engine *sim.Engine
	lines  []string
}

type note struct {
	diary *diary
	text  string
	then  time.Duration // if positive, the note is repeated once after it
}

func (n *note) Run(now instant.Instant) {
	n.diary.lines = append(n.diary.lines, n.text+"@"+now.String())
	if n.then > 0 {
		n.diary.engine.At(now.Add(n.then), 1, &note{diary: n.diary, text: n.text + "'"})
	}
}

// alarm is a timer that is armed with a list of instants.
type alarm struct {
	diary *diary
	at    []instant.Instant
}

func (a *alarm) Deadline() (instant.Instant, bool) {
	if len(a.at) == 0 {
		return 0, false
	}
	return a.at[0], true
}

func (a *alarm) Fire(now instant.Instant) {
	a.diary.lines = append(a.diary.lines, "alarm@"+now.String())
	a.at = a.at[1:]
}

func TestRunUntilRunsWhatIsDue(t *testing.T) {
	d := &diary{engine: sim.NewEngine(1, 10)}
	d.engine.AddTimer(1, &alarm{d, []instant.Instant{3, 15, 40}}) // the first has passed: it comes at once
	d.engine.At(12, 1, &note{diary: d, text: "a", then: 8})
	d.engine.At(31, 2, &note{diary: d, text: "b"})
	d.engine.RunUntil(30)
	want := []string{"alarm@10", "a@12", "alarm@15", "a'@20"}
	if diff := cmp.Diff(want, d.lines); diff != "" {
		t.Errorf("up to 30 (-want +got):\n%s", diff)
	}
	if d.engine.Now() != 30 || d.engine.Done() != 4 {
		t.Errorf("got instant %d and %d done, want 30 and 4", d.engine.Now(), d.engine.Done())
	}
	d.engine.RunUntil(31)
	if got := d.lines[len(d.lines)-1]; got != "b@31" {
		t.Errorf("at the limit: got %s last, want b@31", got)
	}
}

func TestSettleWaitsForNoTimer(t *testing.T) {
	d := &diary{engine: sim.NewEngine(1, 0)}
	d.engine.AddTimer(1, &alarm{d, []instant.Instant{5, 50}})
	d.engine.At(2, 1, &note{diary: d, text: "a", then: 8})
	d.engine.Settle()
	if diff := cmp.Diff([]string{"a@2", "alarm@5", "a'@10"}, d.lines); diff != "" {
		t.Errorf("settled (-want +got):\n%s", diff)
	}
	if d.engine.Now() != 10 {
		t.Errorf("clock: got %d, want 10", d.engine.Now())
	}
}

func TestTimersAndTasksOfOneInstantAreShuffled(t *testing.T) {
	first := map[string]int{}
	for seed := range uint64(64) {
		d := &diary{engine: sim.NewEngine(seed, 0)}
		d.engine.AddTimer(1, &alarm{d, []instant.Instant{7}})
		d.engine.At(7, 1, &note{diary: d, text: "task"})
		d.engine.RunUntil(7)
		if len(d.lines) != 2 {
			t.Fatalf("seed %d: got %v, want task and alarm", seed, d.lines)
		}
		first[d.lines[0]]++
	}
	if first["task@7"] < 16 || first["alarm@7"] < 16 {
		t.Errorf("first of 64 seeds: got %v, want about half each", first)
	}
}

func TestHaltEndsARun(t *testing.T) {
	d := &diary{engine: sim.NewEngine(1, 0)}
	d.engine.At(1, 1, &note{diary: d, text: "a"})
	d.engine.Halt()
	d.engine.RunUntil(5)
	d.engine.Settle()
	if len(d.lines) > 0 || d.engine.Now() != 0 {
		t.Errorf("got %v at %d, want nothing at 0", d.lines, d.engine.Now())
	}
}

func TestTaskInThePastPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("got no panic, want one")
		}
	}()
	e := sim.NewEngine(1, 10)
	e.At(9, 1, &note{})
}
