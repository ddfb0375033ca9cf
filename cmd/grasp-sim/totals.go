package main

import (
	"crypto/sha256"
	"encoding"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"maps"
	"slices"

	"github.com/graspkit/graspkit/sim"
)

// totals are the sums over the runs of a sweep.
type totals struct {
	sums
	invariants []string
	traces     resumable // of the lines that the trace hashes make
}

// sums are what of the totals is numbers, as a checkpoint keeps them.
type sums struct {
	Run     uint64            `json:"run"`
	Failed  uint64            `json:"failed"`
	Events  uint64            `json:"events"`
	Steps   uint64            `json:"steps"`
	Records uint64            `json:"records"`
	Checked map[string]uint64 `json:"checked"`
	Ways    map[string]way    `json:"ways"` // in which runs failed, by name: as many as there are codes
}

// A resumable is a hash whose state can be kept.
type resumable interface {
	hash.Hash
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// A way is how runs failed.
type way struct {
	Seeds uint64 `json:"seeds"`
	First uint64 `json:"first"`
}

func newTotals(invariants []string) *totals {
	traces, is := sha256.New().(resumable)
	if !is {
		panic("grasp-sim: invariant: crypto/sha256 keeps no state") // it documents that it does
	}
	return &totals{
		invariants: slices.Sorted(slices.Values(invariants)), traces: traces,
		sums: sums{Checked: map[string]uint64{}, Ways: map[string]way{}},
	}
}

// add takes in the next run.
func (t *totals) add(seed uint64, o sim.Outcome) {
	t.Run++
	t.Events += o.Events
	t.Steps += o.Steps
	t.Records += o.Records
	for _, c := range o.Checked {
		t.Checked[c.Name] += uint64(c.N)
	}
	fmt.Fprintln(t.traces, o.Trace)
	if len(o.Violations) == 0 {
		return
	}
	t.Failed++
	name := firstOf(o.Violations).String()
	failed, again := t.Ways[name]
	if !again {
		failed.First = seed
	}
	failed.Seeds++
	t.Ways[name] = failed
}

// complete reports whether no seed is left.
func (t *totals) complete(seeds seedRange) bool {
	return t.Run > 0 && t.Run-1 == seeds.last-seeds.first
}

// report writes the sums. Its last line is the hash of all traces.
func (t *totals) report(w io.Writer, scenario string, seeds seedRange, ending string) {
	fmt.Fprintf(w, "scenario %s, seeds %d-%d: %d run, %d failed; %d events, %d steps of servers, %d trace records\n",
		scenario, seeds.first, seeds.last, t.Run, t.Failed, t.Events, t.Steps, t.Records)
	checked := make([]checks, 0, len(t.invariants))
	for _, id := range t.invariants {
		checked = append(checked, checks{id, t.Checked[id]})
	}
	reportChecks(w, checked)
	for _, name := range slices.Sorted(maps.Keys(t.Ways)) {
		fmt.Fprintf(w, "VIOLATED %s: %d of %d seeds, the first is %d\n", name, t.Ways[name].Seeds, t.Run, t.Ways[name].First)
	}
	if t.complete(seeds) {
		ending = ""
	}
	if ending != "" {
		fmt.Fprintf(w, "%s: the seeds from %d on were not run\n", ending, seeds.first+t.Run)
	}
	switch {
	case t.Run == 0:
		fmt.Fprintln(w, "no seed was run")
	case t.Failed == 0 && ending != "":
		fmt.Fprintf(w, "up to there: %s\n", heldWords(checked))
	case t.Failed == 0:
		fmt.Fprintln(w, heldWords(checked))
	}
	fmt.Fprintf(w, "sweep %s\n", hex.EncodeToString(t.traces.Sum(nil)))
}
