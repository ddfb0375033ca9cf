// Package conformance judges a GRASP server from its own tests, in Go: one subtest a requirement, one below it a check that did not
// hold.
//
//	func TestGRASP(t *testing.T) {
//		url := startMyServer(t)
//		conformance.Run(t, conformance.Options{URL: url})
//	}
//
// go test -run 'TestGRASP/G01-PURG' runs the requirements whose ids begin like this, and nothing else. Package testing matches a pattern
// without a slash against the names of functions alone, in which no id can be; after [ByID] in TestMain, go test -run G01-PURG means
// the same:
//
//	func TestMain(m *testing.M) {
//		conformance.ByID("TestGRASP")
//		m.Run()
//	}
//
// It is the suite of grasp-check without its command: no report is written unless one is asked for, no process is started, and there
// are no git hosts and relays for the server to get data from: checks that need them are skipped with this reason.
package conformance

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/livetarget"
	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/features"
)

// Options say what is judged and how. URL is required; all else has a use as it is.
type Options struct {
	// URL is where the service answers: http, https, ws or wss.
	URL string
	// ID selects the requirements, and the checks, whose ids begin with it; Tags is a tag expression over checks. The pattern of
	// go test -run selects among them.
	ID, Tags string
	// Write permits to publish and push to a server that is not on loopback, AllowHostile to send it malformed input, too.
	Write, AllowHostile bool
	// Strict makes a missed SHOULD a failure.
	Strict bool
	// TimeBudget is how much real time may be spent on waiting; 36 minutes are enough for all of GRASP-01. Zero is none: checks that
	// wait are skipped.
	TimeBudget time.Duration
	// Parallel is how many checks run at a time; zero is 4.
	Parallel int
	// Slowness multiplies the suite's own timeouts; zero is 1.
	Slowness int
	// Seed and Nonce repeat a run on a fresh server; empty ones are drawn.
	Seed, Nonce string
	// Report takes the run as run.json, which grasp-check report makes pages and tables of; nil takes nothing.
	Report io.Writer
}

// parallelUsual is how many checks run at a time.
const parallelUsual = 4

// Run judges a server: t gets one subtest for each requirement that is selected. A violated MUST fails it, and so does one that could
// not be decided; a missed SHOULD is logged, and what was not run is skipped with the reason.
func Run(t *testing.T, o Options) {
	t.Helper()
	live, err := livetarget.New(o.URL, livetarget.Options{TimeBudget: o.TimeBudget})
	if err != nil {
		t.Fatalf("conformance: URL %q: %v", o.URL, err)
	}
	cfg, err := o.config(testPattern(t.Name()))
	if err != nil {
		t.Fatalf("conformance: %v", err)
	}
	t.Logf("seed %s, nonce %s", cfg.Seed, cfg.Nonce)
	result, err := suite.Run(t.Context(), live, cfg)
	if err != nil {
		t.Fatalf("conformance: %v", err)
	}
	doc := record.Of(record.Execution{Written: live.Now(), Strict: o.Strict}, result)
	if o.Report != nil {
		if err := record.Write(o.Report, doc); err != nil {
			t.Errorf("conformance: %v", err)
		}
	}
	run := &doc.Runs[0]
	for _, row := range run.Requirements {
		t.Run(row.ID, func(t *testing.T) { tell(t, run, row, o.Strict) })
	}
	if run.Down != "" {
		t.Errorf("the server is down: %s", run.Down)
	}
}

// config turns options into the configuration of a run, with the requirements that a pattern of go test selects.
func (o Options) config(pattern string) (suite.Config, error) {
	cfg := suite.Config{
		Features: features.FS, Seed: o.Seed, Nonce: o.Nonce, ID: o.ID, Tags: o.Tags, Write: o.Write, AllowHostile: o.AllowHostile,
		TimeBudget: o.TimeBudget, Parallel: o.Parallel, Slowness: o.Slowness,
	}
	if cfg.Parallel == 0 {
		cfg.Parallel = parallelUsual
	}
	if cfg.Seed == "" {
		cfg.Seed = fresh()
	}
	if cfg.Nonce == "" && o.Seed == "" {
		cfg.Nonce = fresh()
	}
	checks, rows, err := suite.Select(cfg)
	if err != nil {
		return cfg, fmt.Errorf("select checks: %w", err)
	}
	cfg.Tags, err = narrowed(cfg.Tags, pattern, checks, rows)
	return cfg, err
}

func fresh() string {
	b := make([]byte, 8)
	_, _ = rand.Read(b) // never fails, it says
	return hex.EncodeToString(b)
}

// tell says what came of one requirement.
func tell(t *testing.T, run *record.Run, row record.Requirement, strict bool) {
	t.Helper()
	v := row.Verdict
	must := row.Score == spec.Must.String()
	if v.Verified() {
		return
	}
	for _, c := range run.Checks {
		if !judges(c, row.ID) || !c.Verdict.Violated() && !c.Verdict.Undecided() {
			continue
		}
		t.Logf("%s %s: %s\n  expected: %s\n  seen:     %s\n  %s:%d", c.Verdict, c.ID, c.Check, c.Expected, c.Reason, c.File, c.Line)
	}
	switch {
	case v == suite.Fail || strict && v == suite.Warn || v.Undecided() && must || v == suite.HarnessError || v == suite.SetupFail:
		t.Errorf("%s %s: %s\n%s", v, row.ID, row.Text, row.Reason)
	case v == suite.Warn || v.Undecided():
		t.Logf("%s %s: %s\n%s", v, row.ID, row.Text, row.Reason)
	default:
		t.Skipf("%s: %s", v, row.Reason)
	}
}

func judges(c record.Check, id string) bool {
	for _, f := range c.Findings {
		if f.ID == id {
			return true
		}
	}
	return false
}
