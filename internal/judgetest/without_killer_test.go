package judgetest

import (
	"bufio"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/features"
)

// killers keeps which checks were violated by a planted mistake, while TestDefectsAreCaught, TestKillersKill and
// TestWireDefectsAreCaught run: TestEveryCheckHasAKiller comes behind them, by the names of the files.
var killers = &killing{of: make(map[string]string), own: make(map[string][]string), judged: make(map[string]bool)}

type killing struct {
	mu     sync.Mutex
	of     map[string]string   // check to a mistake that it finds; guarded by mu
	own    map[string][]string // check to all mistakes of its own row that it finds; guarded by mu
	judged map[string]bool     // mistakes; guarded by mu
}

// note keeps which checks of a result are violated in the row that they are for.
func (k *killing) note(mistake string, r *suite.Result) {
	k.mu.Lock()
	k.judged[mistake] = true
	for _, c := range r.Checks {
		if c.Verdict.Violated() {
			k.own[c.Check.ID] = append(k.own[c.Check.ID], mistake)
		}
	}
	k.mu.Unlock()
	k.also(mistake, r)
}

// also keeps the same of a result in rows of others.
func (k *killing) also(mistake string, r *suite.Result) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, c := range r.Checks {
		if c.Verdict.Violated() && k.of[c.Check.ID] == "" {
			k.of[c.Check.ID] = mistake
		}
	}
}

// withoutKiller is the reviewed list of scored checks that no planted mistake violates, each with the reason.
const withoutKiller = "testdata/without_killer.txt"

// Every scored check is seen to fail by a planted mistake, or says why not; and no reason outlives its need.
func TestEveryCheckHasAKiller(t *testing.T) {
	if judged := len(killers.judged); judged < len(spec.Defects()) {
		t.Skipf("%d of %d mistakes were judged in this run: go test ./internal/judgetest judges all", judged, len(spec.Defects()))
	}
	if *catchersInto != "" {
		killers.choose(t, *catchersInto)
	}
	checks, err := features.Load(features.FS)
	if err != nil {
		t.Fatal(err)
	}
	reasons := readReasons(t)
	for _, c := range checks {
		row, _ := spec.Lookup(c.Requirements[0])
		if _, excused := reasons[c.ID]; killers.of[c.ID] == "" && !excused && row.Score != spec.Observe {
			raceAgain(t, row.ID)
		}
		reason, excused := reasons[c.ID]
		delete(reasons, c.ID)
		killer := killers.of[c.ID]
		switch {
		case row.Score == spec.Observe:
		case killer == "" && !excused:
			t.Errorf("%s:%d: %s: no planted mistake violates it: plant one, or give the reason in %s", c.File, c.Line, c.ID, withoutKiller)
		case killer != "" && excused:
			t.Errorf("%s: %s violates it: take it off %s, where it says %q", c.ID, killer, withoutKiller, reason)
		}
	}
	for id := range reasons {
		t.Errorf("%s: %s names a check that is not there", id, withoutKiller)
	}
}

// raceAgain judges the mistakes of a row that show on sockets alone, with nothing beside: where other tests keep the machine busy, what a
// check sends second may overtake what it has sent first, and then there is nothing to see.
func raceAgain(t *testing.T, requirement string) {
	t.Helper()
	for _, row := range spec.WireDefects() {
		if row.Catches == requirement && slices.Contains(onSockets, row.Name) {
			strange(t, row)
		}
	}
}

// readReasons reads lines of a check and a reason.
func readReasons(t *testing.T) map[string]string {
	t.Helper()
	file, err := os.Open(withoutKiller)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	reasons := make(map[string]string)
	for lines := bufio.NewScanner(file); lines.Scan(); {
		id, reason, _ := strings.Cut(lines.Text(), " ")
		if id == "" || strings.HasPrefix(id, "#") {
			continue
		}
		if reason = strings.TrimSpace(reason); reason == "" {
			t.Errorf("%s: %s has no reason", withoutKiller, id)
		}
		reasons[id] = reason
	}
	return reasons
}
