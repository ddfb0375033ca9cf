package history

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func drawnManner(t *rapid.T) manner {
	flag := func(name string) bool { return rapid.Bool().Draw(t, name) }
	m := manner{
		AnyHeld: flag("any held"), EachAlone: flag("each alone"), Lags: flag("lags"), AtOnce: flag("at once"), Forgets: flag("forgets"),
		Keeps: flag("keeps"), Refuses: flag("refuses"), Lazy: flag("lazy"), Stores: flag("stores"),
	}
	m.AnyHeld, m.Forgets = m.AnyHeld && !m.AtOnce, m.Forgets && !m.AtOnce // there is nothing that is held
	return m
}

// Whatever an honest server does, of whatever manner, is explained.
func TestHonestHistoriesAreExplained(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		repo := drawn(t)
		ops, _ := lived(t, repo, drawnManner(t), rapid.Bool().Draw(t, "lossy"))
		if verdict, why := Check(repo, Rules{}, ops); verdict != Explained {
			t.Fatalf("got %v: %s: %+v", verdict, why, ops)
		}
	})
}

// A server that keeps the stricter rules is explained by them.
func TestStrictHistoriesAreExplained(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		repo, m := drawn(t), drawnManner(t)
		m.AnyHeld, m.Keeps, m.AtOnce = false, false, false
		ops, _ := lived(t, repo, m, rapid.Bool().Draw(t, "lossy"))
		if verdict, why := Check(repo, Rules{Latest: true, Deleted: true}, ops); verdict != Explained {
			t.Fatalf("got %v: %s: %+v", verdict, why, ops)
		}
	})
}

// One answer that no honest server gives is seen in whatever history.
func TestForgedAnswersAreSeen(t *testing.T) {
	t.Parallel()
	junk := Object(5)
	rapid.Check(t, func(t *rapid.T) {
		repo := drawn(t)
		ops, refs := lived(t, repo, drawnManner(t), false) // what was not answered takes much of what is known
		ops, newest := finished(&repo, ops, refs)
		last := ops[len(ops)-1].Return
		more := func(o Operation) { o.Call, o.Return = last+1, last+2; ops = append(ops, o) }
		forgery := rapid.SampledFrom([]string{"push", "read", "query", "settled", "older", "older in two", "refused"}).Draw(t, "forgery")
		if slices.ContainsFunc(repo.States[:newest], func(s State) bool { return s.Refs == repo.States[newest].Refs }) {
			t.Skip("it may have been an older state that was pushed")
		}
		switch forgery {
		case "push":
			at := rapid.IntRange(0, len(ops)-1).Draw(t, "at")
			moment := ops[at].Call
			ops = append(ops, Operation{
				Kind: Push, Result: Accepted, Call: moment - 1, Return: moment + 1, Carries: []Object{junk},
				Commands: []Command{{Ref: 0, Old: repo.States[0].Refs[0], New: junk, OK: true}},
			})
		case "read":
			more(Operation{Kind: Read, Result: Accepted, Refs: Refs{junk}})
		case "query":
			repo.States = append(repo.States, State{Author: 0, Date: 1000, ID: "y", Refs: Refs{1}})
			more(Operation{Kind: Query, Result: Accepted, Served: []int{len(repo.States) - 1}})
		case "settled":
			refs := repo.States[newest].Refs
			refs[0] = refs[0]%4 + 1
			ops[len(ops)-1].Refs = refs
		case "older", "older in two":
			at := slices.IndexFunc(repo.States, func(s State) bool { return s.Refs[0] != repo.States[newest].Refs[0] })
			if at < 0 {
				t.Skip("every state says the same of main")
			}
			o := Operation{Result: Accepted}
			pushed(&o, repo.States[newest].Refs, repo.States[at].Refs)
			for i := range o.Commands {
				o.Commands[i].OK = forgery == "older" || o.Commands[i].Ref == 0
			}
			more(o)
		case "refused":
			for _, o := range ops[:len(ops)-3] {
				if o.Kind == Publish {
					t.Skip("something else may be in the way")
				}
			}
			push := &ops[len(ops)-2]
			push.Result, push.Commands = Refused, slices.Clone(push.Commands)
			for i := range push.Commands {
				push.Commands[i].OK = false
			}
			ops = ops[:len(ops)-1]
			if repo.States[0].Refs[0] == repo.States[newest].Refs[0] || repo.States[0].Refs[1] == repo.States[newest].Refs[0] ||
				slices.ContainsFunc(ops, func(o Operation) bool {
					return slices.Contains(o.Carries, repo.States[newest].Refs[0]) && o.Call != push.Call
				}) {
				t.Skip("the object may have been there")
			}
		}
		verdict, why := Check(repo, Rules{}, ops)
		if verdict != Unexplained || !strings.Contains(why, "no order") {
			t.Fatalf("got %v %q, want it seen: %+v %+v", verdict, why, repo.States, ops)
		}
	})
}

// finished adds a newest state, its push and what is shown then, one after the other.
func finished(repo *Repository, ops []Operation, refs Refs) ([]Operation, int) {
	var last int64
	for _, o := range ops {
		last = max(last, o.Return)
	}
	newest := len(repo.States)
	s := State{Author: 0, Date: 999, ID: "z", Refs: Refs{refs[0]%4 + 1}}
	repo.States = append(repo.States, s)
	publish := Operation{Kind: Publish, State: newest, Result: Accepted, Call: last + 1, Return: last + 2}
	push := Operation{Result: Accepted, Call: last + 3, Return: last + 4}
	push.Kind, push.Carries = Push, []Object{s.Refs[0]}
	for ref := range repo.Refs {
		push.Commands = append(push.Commands, Command{Ref: ref, Old: refs[ref], New: s.Refs[ref], OK: true})
	}
	read := Operation{Kind: Read, Result: Accepted, Refs: s.Refs, Settled: true, Call: last + 5, Return: last + 6}
	return append(ops, publish, push, read), newest
}
