package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/graspkit/graspkit/sim/invariant"
	"github.com/graspkit/graspkit/sim/trace"
)

const (
	recordsTold = 20   // of a trace, before a violation
	recordsKept = 4096 // that these are chosen from
)

// before sees a run again whose first violation is known, and keeps the records up to it that may have to do with it.
type before struct {
	violation invariant.Violation
	words     map[string]bool // of its text, keys, ids and identifiers among them
	pushes    map[string]bool // that its text names
	names     *trace.Names
	records   []trace.Record // at most twice recordsKept
}

var (
	wordOf    = regexp.MustCompile(`[\w-]+`)
	pushNamed = regexp.MustCompile(`\bpush (\d+)`)
)

func newBefore(v invariant.Violation) *before {
	b := &before{violation: v, words: map[string]bool{}, pushes: map[string]bool{}, names: trace.NewNames()}
	for _, word := range wordOf.FindAllString(v.Detail, -1) {
		b.words[word] = true
	}
	for _, push := range pushNamed.FindAllStringSubmatch(v.Detail, -1) {
		b.pushes[push[1]] = true
	}
	return b
}

func (b *before) name(id, name string) { b.names.Give(id, name) }

func (b *before) see(r trace.Record) {
	if r.At > b.violation.At || r.Fact == "invariant_violated" {
		return
	}
	if len(b.records) == 2*recordsKept {
		b.records = append(b.records[:0], b.records[recordsKept:]...)
	}
	b.records = append(b.records, r)
}

// last returns the last records that have to do with the violation, in words, and what they have in common: the events and
// the pushes that the violation names, at any host, and what happened to their repositories at its server. If no record
// is about what it names, they are the last ones at the server.
func (b *before) last() (about string, list []string) {
	identifiers, named := map[string]bool{}, false
	for _, r := range b.records {
		if b.mentions(r) {
			named = true
			if r.Identifier != "" {
				identifiers[r.Identifier] = true
			}
		}
	}
	about = "at " + b.violation.Server
	if b.violation.Server == "" {
		about = "anywhere"
	}
	if named {
		about += " about what it names"
	}
	found := 0
	for _, r := range slices.Backward(b.records) {
		here := b.violation.Server == "" || r.Host == b.violation.Server
		whole := r.Event == "" && r.Identifier == "" && r.Push == 0 // of the server, as that it started
		if named && (b.mentions(r) || here && (identifiers[r.Identifier] || whole)) || !named && here {
			if found++; found <= recordsTold {
				list = append(list, words(symbolic(b.names, r)))
			}
		}
	}
	slices.Reverse(list)
	return fmt.Sprintf("the last %d records %s", len(list), about), list
}

// mentions reports whether the text of the violation names the event of the record, its push, or its repository.
func (b *before) mentions(r trace.Record) bool {
	switch {
	case b.words[r.Event]:
		return true
	case r.Push != 0 && r.Host == b.violation.Server && b.pushes[strconv.FormatUint(r.Push, 10)]: // each server counts its own
		return true
	}
	return b.words[r.Identifier]
}

// named is a text as named makes it.
func (b *before) named(text string) string { return named(b.names, text) }
