package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/sim"
)

// A sweep that is interrupted again and again ends with the sums and the hash of one that was not.
func TestASweepGoesOnWhereItWas(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sweep.json")
	seeds := seedRange{3, 14}
	whole, err := swept(t.Context(), t, sweep{runner: planted(t, "7"), seeds: seeds, workers: 2, keepGoing: true})
	if !violated(err) {
		t.Fatalf("got error %v, want a violation", err)
	}
	parts, interruptions, told := "", 0, "\ninterrupted: "
	for ; strings.Contains(told, "\ninterrupted: "); interruptions++ {
		ctx, cancel := context.WithCancel(t.Context())
		r := planted(t, "7")
		var made atomic.Int64 // a run that failed is made again beside the next one
		options := r.options
		r.options = func() sim.Options {
			if made.Add(1) > 5 {
				cancel()
			}
			return options()
		}
		told, err = swept(ctx, t, sweep{runner: r, seeds: seeds, workers: 1, keepGoing: true, file: file})
		cancel()
		parts += told[:strings.LastIndex(told, "scenario first, seeds 3-14: ")]
	}
	if !violated(err) || interruptions < 2 {
		t.Errorf("got error %v behind %d parts, want a violation behind some", err, interruptions)
	}
	sums := told[strings.LastIndex(told, "scenario first, seeds 3-14: "):]
	at := strings.LastIndex(whole, "scenario first, seeds 3-14: ")
	if diff := cmp.Diff(whole[at:], sums); diff != "" {
		t.Errorf("in one go and in parts (-want +got):\n%s", diff)
	}
	for failure := range strings.SplitSeq(whole[:at], "\n\n") {
		if !strings.Contains(parts, failure) {
			t.Errorf("the parts do not tell what one go does:\n%s", failure)
		}
	}
	again, err := swept(t.Context(), t, sweep{runner: planted(t, "7"), seeds: seeds, workers: 2, keepGoing: true, file: file})
	if diff := cmp.Diff(sums, again); diff != "" || !violated(err) {
		t.Errorf("one that has ended: error %v (-want +got):\n%s", err, diff)
	}
}

func TestACheckpointIsOfOneSweep(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sweep.json")
	of := func(seeds seedRange) error {
		_, err := swept(t.Context(), t, sweep{runner: planted(t, ""), seeds: seeds, workers: 1, file: file})
		return err
	}
	refused := func(err error, want string) {
		t.Helper()
		if exit, ok := errors.AsType[*cli.ExitError](err); !ok || exit.Code != cli.ExitUsage || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want that of a user: %s", err, want)
		}
	}
	if err := of(seedRange{1, 2}); err != nil {
		t.Fatal(err)
	}
	refused(of(seedRange{1, 3}), "it is of ")
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"": "it is no checkpoint", "{}": "it is of ", "[1": "it is no checkpoint"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		refused(of(seedRange{1, 2}), want)
	}
	for _, sum := range []string{"checked", "ways"} {
		if err := os.WriteFile(file, bytes.ReplaceAll(kept, []byte(sum), []byte("x"+sum)), 0o600); err != nil {
			t.Fatal(err)
		}
		refused(of(seedRange{1, 2}), "the sums are missing")
	}
}
