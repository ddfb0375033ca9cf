package main

import (
	"cmp"
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
	run, failed            uint64
	events, steps, records uint64
	invariants             []string
	checked                map[string]uint64
	ways                   map[string]*way // in which runs failed: as many as there are codes
	traces                 resumable       // of the lines that the trace hashes make
}

// A resumable is a hash whose state can be kept.
type resumable interface {
	hash.Hash
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// A way is how runs failed.
type way struct {
	name         string
	seeds, first uint64
}

func newTotals(invariants []string) *totals {
	traces, is := sha256.New().(resumable)
	if !is {
		panic("grasp-sim: invariant: crypto/sha256 keeps no state") // it documents that it does
	}
	return &totals{
		invariants: slices.Sorted(slices.Values(invariants)), checked: map[string]uint64{}, ways: map[string]*way{}, traces: traces,
	}
}

// add takes in the next run.
func (t *totals) add(seed uint64, o sim.Outcome) {
	t.run++
	t.events += o.Events
	t.steps += o.Steps
	t.records += o.Records
	for _, c := range o.Checked {
		t.checked[c.Name] += uint64(c.N)
	}
	fmt.Fprintln(t.traces, o.Trace)
	if len(o.Violations) == 0 {
		return
	}
	t.failed++
	name := firstOf(o.Violations).String()
	if t.ways[name] == nil {
		t.ways[name] = &way{name: name, first: seed}
	}
	t.ways[name].seeds++
}

// complete reports whether no seed is left.
func (t *totals) complete(seeds seedRange) bool {
	return t.run > 0 && t.run-1 == seeds.last-seeds.first
}

// report writes the sums. Its last line is the hash of all traces.
func (t *totals) report(w io.Writer, scenario string, seeds seedRange, ending string) {
	fmt.Fprintf(w, "scenario %s, seeds %d-%d: %d run, %d failed; %d events, %d steps of servers, %d trace records\n",
		scenario, seeds.first, seeds.last, t.run, t.failed, t.events, t.steps, t.records)
	checked := make([]checks, 0, len(t.invariants))
	for _, id := range t.invariants {
		checked = append(checked, checks{id, t.checked[id]})
	}
	reportChecks(w, checked)
	for _, way := range slices.SortedFunc(maps.Values(t.ways), func(a, b *way) int { return cmp.Compare(a.name, b.name) }) {
		fmt.Fprintf(w, "VIOLATED %s: %d of %d seeds, the first is %d\n", way.name, way.seeds, t.run, way.first)
	}
	if t.complete(seeds) {
		ending = ""
	}
	if ending != "" {
		fmt.Fprintf(w, "%s: the seeds from %d on were not run\n", ending, seeds.first+t.run)
	}
	switch {
	case t.run == 0:
		fmt.Fprintln(w, "no seed was run")
	case t.failed == 0 && ending != "":
		fmt.Fprintf(w, "up to there: %s\n", heldWords(checked))
	case t.failed == 0:
		fmt.Fprintln(w, heldWords(checked))
	}
	fmt.Fprintf(w, "sweep %s\n", hex.EncodeToString(t.traces.Sum(nil)))
}
