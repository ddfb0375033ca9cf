// Package coverage counts what runs have reached of a server: rulings, facts, records, transitions of the repository's
// machine, limits, and crashes in each phase. It has a list of all that there is, so that it can say what was never reached.
// It sees inputs and effects alone and changes nothing.
package coverage

import (
	"fmt"
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim"
)

// An Item is something that a run may reach.
type Item struct{ Group, Name string }

// The groups.
const (
	Ruling     = "ruling"     // a refusal, by the requirement
	Fact       = "fact"       // a note
	Record     = "record"     // a journal operation on a kind of event or mark
	Transition = "transition" // what a repository was told in which phase
	Limit      = "limit"      // that was met
	Crash      = "crash"      // in which phase repositories were
)

// Groups lists them in the order of tables.
func Groups() []string { return []string{Ruling, Fact, Record, Transition, Limit, Crash} }

// An Account is how often runs have reached what. It is for one goroutine.
type Account struct{ counts map[Item]uint64 }

// New returns an empty account.
func New() *Account { return &Account{counts: map[Item]uint64{}} }

// Count says how often something was reached.
func (a *Account) Count(i Item) uint64 { return a.counts[i] }

// Add takes in the account of other runs.
func (a *Account) Add(other *Account) {
	for _, i := range All() {
		if n := other.counts[i]; n > 0 {
			a.counts[i] += n
		}
	}
}

// Never lists what was never reached, in the order of All.
func (a *Account) Never() []Item {
	return slices.DeleteFunc(All(), func(i Item) bool { return a.counts[i] > 0 })
}

func (a *Account) reach(group, name string) { a.counts[Item{group, name}]++ }

// Watch has a run counted. It comes between the cores and whatever the options put around them.
func (a *Account) Watch(opts sim.Options) sim.Options {
	around := opts.Wrap
	lives := map[int]*watched{}
	opts.Wrap = func(server int, m core.Machine) core.Machine {
		own, is := m.(*core.Server)
		if is {
			if before := lives[server]; before != nil { // this life begins because that one was ended
				for _, phase := range before.server.Phases() {
					a.reach(Crash, phase)
				}
			}
			lives[server] = &watched{Machine: m, server: own, account: a, pushes: map[core.PushID]repo.ID{}}
			m = lives[server]
		}
		if around != nil {
			m = around(server, m)
		}
		return m
	}
	return opts
}

// watched is a core whose steps are counted.
type watched struct {
	core.Machine
	server  *core.Server
	account *Account
	pushes  map[core.PushID]repo.ID
}

// Step implements core.Machine.
func (w *watched) Step(now instant.Instant, in core.Input, out *core.Effects) {
	if id, what, is := w.told(in); is {
		w.account.reach(Transition, transition(w.server.Phase(id), what))
	}
	before := len(out.List)
	w.Machine.Step(now, in, out)
	for _, e := range out.List[before:] {
		switch e := e.(type) {
		case core.Note:
			w.account.note(e)
		case core.Record:
			w.account.reach(Record, recordName(e))
		}
	}
}

func transition(phase, what string) string { return phase + " x " + what }

// told says which repository an input is for, and what it is.
func (w *watched) told(in core.Input) (id repo.ID, what string, is bool) {
	switch in := in.(type) {
	case core.PushAsked:
		w.pushes[in.Push] = in.Repo
		return in.Repo, "push asked", true
	case core.PushOffered:
		w.pushes[in.Push] = in.Repo
		return in.Repo, "push offered", true
	case core.PushForgone:
		return w.pushes[in.Push], "push forgone", true
	case core.PushDone:
		what = "push done"
		if !in.Report.Whole() {
			what = "push failed"
		}
		return w.pushes[in.Push], what, true
	case core.ObjectFacts:
		id, is = w.server.Asker(in.Request)
		what = "all there"
		if len(in.Missing) > 0 {
			what = "objects missing"
		}
		return id, what, is
	case core.RepositoryDone:
		id, is = w.server.Asker(in.Request)
		what = "done"
		if !in.OK {
			what = "failed"
		}
		return id, what, is
	}
	return id, "", false
}

// note counts a fact, and a refusal with its rule.
func (a *Account) note(n core.Note) {
	a.reach(Fact, string(n.Fact))
	if n.Requirement == "" {
		return
	}
	a.reach(Ruling, n.Requirement)
	for _, l := range limits {
		if l.met(n) {
			a.reach(Limit, l.name)
		}
	}
}

var opNames = map[core.Op]string{
	core.OpStore: "store", core.OpUnstore: "unstore", core.OpHold: "hold", core.OpDrop: "drop", core.OpMark: "mark",
	core.OpUnmark: "unmark",
}

// recordName is the operation, and the kind of event or mark where the record says it.
func recordName(r core.Record) string {
	switch {
	case r.Op == core.OpMark || r.Op == core.OpUnmark:
		return fmt.Sprintf("%s %d", opNames[r.Op], r.Mark.Kind)
	case r.Op == core.OpHold && r.Soft:
		return "hold soft announcement"
	case r.Event != nil:
		return opNames[r.Op] + " " + kindName(r.Event)
	}
	return opNames[r.Op]
}

func kindName(ev *nostr.Event) string {
	for _, k := range kinds {
		if k.kind == ev.Kind {
			return k.name
		}
	}
	switch {
	case ev.Kind == 0 || ev.Kind == 3 || ev.Kind >= 10_000 && ev.Kind < 20_000:
		return "replaceable"
	case ev.Kind >= 30_000 && ev.Kind < 40_000:
		return "addressable"
	}
	return "other"
}
