package judgetest

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/conformance/launch"
	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/features"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/internal/servetarget"
)

// Flags of a process of its own, which TestServerApart is when another test starts it.
var (
	apartAt      = flag.String("apart-at", "", "serve on this `address` until SIGTERM")
	apartPlanted = flag.String("apart-planted", "", "with this `mistake`")
)

// apart are the mistakes that cost memory, which can be seen of a process of its own.
var apart = []string{"bombs-in-memory", "fetches-in-memory", "packs-in-memory"}

// TestServerApart is the served reference in a process of its own.
func TestServerApart(t *testing.T) {
	if *apartAt == "" {
		t.Skip("a server for other tests, which start it")
	}
	debug.SetGCPercent(100) // its memory is weighed
	ctx, stop := signal.NotifyContext(t.Context(), syscall.SIGTERM)
	defer stop()
	d, known := defect.Lookup(*apartPlanted)
	if !known && *apartPlanted != "" {
		t.Fatal("the mistake cannot be planted")
	}
	live := clock.New() // who asks is not to meet it on its way through the months before
	s, err := servetarget.New(ctx, servetarget.Options{Backend: servetarget.BackendDisk, Addr: *apartAt, Defect: d, Begin: live.Now()})
	if err != nil {
		t.Fatal(err)
	}
	for ctx.Err() == nil { // its clock is moved along with that of everybody
		if err := s.Advance(context.WithoutCancel(ctx), live.Now().Sub(s.Now())); err != nil {
			t.Fatal(err)
		}
		select {
		case <-ctx.Done():
		case <-live.After(20 * time.Millisecond):
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// launched starts a server in a process of its own.
func launched(t *testing.T, mistake string) *launch.Server {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the memory of a process is read on Linux only")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s, err := launch.Start(t.Context(), launch.Command{Args: []string{
		program, "-test.run=^TestServerApart$", "-test.timeout=0", "-apart-at={addr}", fmt.Sprint("-apart-planted=", mistake),
	}})
	if err != nil {
		t.Fatal(err)
	}
	closes(t, s)
	return s
}

// Whoever keeps nothing in memory is not accused of it.
func TestMemoryIsWeighed(t *testing.T) {
	if testing.Short() {
		t.Skip("the memory of a server with the race detector is no measure")
	}
	cfg := weighing
	cfg.Tags = "@SEC-07.memory or @G01-PUSH-24.memory or @G01-GIT-19.memory"
	for id, got := range verdicts(judge(t, launched(t, ""), cfg)) {
		if got.Verdict != suite.Pass {
			t.Errorf("%s: got %s %s, want %s", id, got.Verdict, got.Reason, suite.Pass)
		}
	}
}

// weighing is how a server in a process of its own is judged.
var weighing = suite.Config{Write: true, AllowHostile: true, Heavy: true, Settle: time.Minute}

// weighedBy judges a mistake by the checks of memory of its row, each on a process of its own: one that has held much does
// not give it back at once.
func weighedBy(t *testing.T, row spec.Defect) map[string]suite.RequirementResult {
	t.Helper()
	all, err := features.Load(features.FS)
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]suite.RequirementResult)
	for _, c := range all {
		if !strings.HasPrefix(c.ID, row.Catches+".memory") {
			continue
		}
		cfg := weighing
		cfg.ID = c.ID
		result := judge(t, launched(t, row.Name), cfg)
		for again := 1; again < 3 && verdicts(result)[row.Catches].Verdict.Undecided(); again++ { // half a gigabyte on a busy machine
			t.Logf("%s: %s %s: once more", c.ID, verdicts(result)[row.Catches].Verdict, verdicts(result)[row.Catches].Reason)
			result = judge(t, launched(t, row.Name), cfg)
		}
		killers.note(row.Name, result)
		if got := verdicts(result)[row.Catches]; found[row.Catches].Verdict == "" || got.Verdict.Violated() {
			found[row.Catches] = got
		}
		t.Logf("%s: %s %s", c.ID, verdicts(result)[row.Catches].Verdict, verdicts(result)[row.Catches].Reason)
	}
	return found
}
