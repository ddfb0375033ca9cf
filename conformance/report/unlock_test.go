package report_test

import (
	"slices"
	"testing"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/report"
)

// A budget brings what cheaper ones bring as well, and of many budgets a person has to read three.
func TestUnlocks(t *testing.T) {
	run := &record.Run{}
	add := func(n int, score, hint string, minutes int64) {
		for range n {
			run.Checks = append(run.Checks, record.Check{Score: score, Unlock: hint, WaitMS: minutes * 60_000})
		}
	}
	add(2, "SHOULD", "--time-budget 200m", 199)
	add(3, "MUST", "--time-budget 1m", 1)
	add(1, "MUST", "--time-budget 66m", 66)
	add(9, "MUST", "--time-budget 36m", 36)
	add(1, "MUST", "--write", 0)
	var got []string
	for _, u := range report.Unlocks(run) {
		got = append(got, u.String())
	}
	want := []string{
		"15 checks (13 MUST) with: --time-budget 200m (199 minutes)",
		"12 checks (12 MUST) with: --time-budget 36m (36 minutes)",
		"3 checks (3 MUST) with: --time-budget 1m (1 minute)",
		"1 check (1 MUST) with: --write",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
