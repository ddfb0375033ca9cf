package push_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/push"
	"github.com/graspkit/graspkit/reference/repo"
)

const owner = repo.PubKey("aa")

func oid(n int) repo.OID {
	if n == 0 {
		return repo.ZeroOID
	}
	return repo.OID(fmt.Sprintf("%040x", n))
}

func ref(name string, n int) repo.Ref { return repo.Ref{Name: "refs/" + name, OID: oid(n)} }

func command(name string, old, to int) gitproto.Command {
	return gitproto.Command{Ref: "refs/" + name, Old: oid(old), New: oid(to)}
}

// Refs of events about which a test knows something.
var (
	unknown = "nostr/" + strings.Repeat("0", 64)
	served  = "nostr/" + strings.Repeat("1", 64)
	held    = "nostr/" + strings.Repeat("2", 64)
	issue   = "nostr/" + strings.Repeat("3", 64)
	profile = "nostr/" + strings.Repeat("4", 64)
)

func named(event string) push.Named {
	return map[string]push.Named{
		served[6:]: {Known: true, Kind: 1618, Commit: oid(5), Served: true}, held[6:]: {Known: true, Kind: 1619, Commit: oid(5)},
		issue[6:]: {Known: true, Kind: 1621}, profile[6:]: {Known: true, Kind: 0},
	}[event]
}

// Anybody may push below refs/nostr/, with or without a state, what no event contradicts.
func TestDecidePullRequests(t *testing.T) {
	local := []repo.Ref{ref("heads/main", 1), ref(unknown, 2), ref(served, 5)}
	for _, c := range []struct {
		name    string
		command gitproto.Command
		want    string
	}{
		{"unknown", command("nostr/"+strings.Repeat("f", 64), 0, 3), ""},
		{"unknown, again", command(unknown, 2, 3), ""},
		{"unknown, deleted", command(unknown, 2, 0), ""},
		{"held", command(held, 0, 5), ""},
		{"held, other commit", command(held, 0, 6), "G01-PR-03"},
		{"served, the same", command(served, 5, 5), ""},
		{"served, overwritten", command(served, 5, 6), "G01-PR-11"},
		{"served, deleted", command(served, 5, 0), "G01-PR-11"},
		{"an issue", command(issue, 0, 5), "G01-PR-10"},
		{"a profile, which is of kind 0", command(profile, 0, 5), "G01-PR-10"},
		{"upper case", command("nostr/"+strings.Repeat("F", 64), 0, 3), "G01-PR-02"},
		{"too short", command(unknown[:len(unknown)-1], 0, 3), "G01-PR-02"},
		{"below an id", command(unknown+"/x", 0, 3), "G01-PR-02"},
		{"bech32", command("nostr/note1"+strings.Repeat("q", 58), 0, 3), "G01-PR-02"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := push.Decide(push.Offer{Commands: []gitproto.Command{c.command}}, push.Facts{Announced: true, Local: local, Named: named})
			if got.Accepted() != (c.want == "") || !got.Accepted() && got.Requirement != c.want {
				t.Errorf("got %+v, want a ruling by %q", got, c.want)
			}
			without := push.Decide(push.Offer{Commands: []gitproto.Command{c.command}}, push.Facts{Local: local, Named: named})
			if without.Accepted() {
				t.Error("accepted without an announcement")
			}
		})
	}
}

func TestDecide(t *testing.T) {
	local := []repo.Ref{ref("heads/dev", 2), ref("heads/main", 1)}
	declared := &repo.State{Refs: []repo.Ref{ref("heads/main", 3), ref("tags/v1", 4)}}
	good := []gitproto.Command{command("heads/dev", 2, 0), command("heads/main", 1, 3), command("tags/v1", 0, 4)}
	for _, c := range []struct {
		name     string
		commands []gitproto.Command
		change   func(*push.Offer, *push.Facts)
		want     string // requirement of the refusal, "" for accepted
	}{
		{name: "full alignment with a deletion", commands: good},
		{name: "certificate", commands: good, change: func(o *push.Offer, _ *push.Facts) { o.Shape.Certificate = true }, want: "G01-PUSH-18"},
		{name: "no announcement", commands: good, change: func(_ *push.Offer, f *push.Facts) { f.Announced = false }, want: "G01-GIT-10"},
		{name: "no state", commands: good, change: func(_ *push.Offer, f *push.Facts) { f.Latest = nil }, want: "G01-PUSH-02"},
		{
			name: "a stranger's state", commands: good, want: "G01-PUSH-14",
			change: func(_ *push.Offer, f *push.Facts) { f.Latest, f.Strangers = nil, 1 },
		},
		{name: "other commit", commands: slices.Concat(good[:1], []gitproto.Command{command("heads/main", 1, 9)}, good[2:]), want: "G01-PUSH-03"},
		{name: "undeclared branch", commands: append(slices.Clone(good), command("heads/evil", 0, 3)), want: "G01-PUSH-04"},
		{name: "declared ref deleted", commands: slices.Concat(good[:1], []gitproto.Command{command("heads/main", 1, 0)}, good[2:]), want: "G01-PUSH-08"},
		{name: "ref outside the namespaces", commands: append(slices.Clone(good), command("notes/x", 0, 3)), want: "G01-PUSH-17"},
		{name: "the namespace itself", commands: append(slices.Clone(good), command("heads", 0, 3)), want: "G01-PUSH-17"},
		{name: "with an unknown pull request", commands: append(slices.Clone(good), command(unknown, 0, 3))},
		{name: "a pull request ref outside the names", commands: append(slices.Clone(good), command("nostr/x", 0, 3)), want: "G01-PR-02"},
		{name: "stale pull request ref", commands: []gitproto.Command{command(unknown, 1, 3)}, want: "G01-PUSH-25"},
		{name: "wrong commit of a pull request beside what is right", commands: append(slices.Clone(good), command(served, 0, 3)), want: "G01-PR-11"},
		{name: "a pull request beside what is wrong", commands: append(slices.Clone(good[1:]), command(unknown, 0, 3)), want: "G01-PUSH-04"},
		{name: "stale old value", commands: slices.Concat(good[:1], []gitproto.Command{command("heads/main", 7, 3)}, good[2:]), want: "G01-PUSH-25"},
		{name: "nothing where all is left undone", commands: []gitproto.Command{command("heads/main", 1, 1)}, want: "G01-PUSH-03"},
	} {
		t.Run(c.name, func(t *testing.T) {
			offer := push.Offer{Commands: c.commands}
			facts := push.Facts{Owner: owner, Announced: true, Local: local, Latest: declared, Named: named}
			if c.change != nil {
				c.change(&offer, &facts)
			}
			got := push.Decide(offer, facts)
			if got.Accepted() != (c.want == "") || !got.Accepted() && got.Requirement != c.want {
				t.Errorf("got %+v, want a ruling by %q", got, c.want)
			}
			if !got.Accepted() && got.Reason == "" {
				t.Error("a refusal without a reason (G01-PUSH-28)")
			}
		})
	}
}

func TestRefusalNamesFewDifferences(t *testing.T) {
	var commands []gitproto.Command
	for i := range 2000 {
		commands = append(commands, command(fmt.Sprintf("heads/b%04d", i), 0, 1))
	}
	got := push.Decide(push.Offer{Commands: commands}, push.Facts{Announced: true, Latest: &repo.State{}})
	if got.Accepted() || len(got.Reason) > 2000 || !strings.Contains(got.Reason, "and 1992 more") {
		t.Errorf("got %d bytes: %.80s", len(got.Reason), got.Reason)
	}
}

// drawRefs draws branches and tags with few names and few values, sorted.
func drawRefs(t *rapid.T, label string) []repo.Ref {
	values := rapid.MapOf(
		rapid.SampledFrom([]string{"refs/heads/a", "refs/heads/b", "refs/heads/c", "refs/tags/v1"}),
		rapid.IntRange(1, 3),
	).Draw(t, label)
	var refs []repo.Ref
	for name, n := range values {
		refs = append(refs, repo.Ref{Name: name, OID: oid(n)})
	}
	slices.SortFunc(refs, func(a, b repo.Ref) int { return strings.Compare(a.Name, b.Name) })
	return refs
}

// Align is what turns one into the other, is accepted as a push, and asks nothing of refs that are right already.
func TestAlignIsTheAcceptedPush(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		local, declared := drawRefs(t, "local"), drawRefs(t, "declared")
		commands := push.Align(local, declared)
		if diff := cmp.Diff(declared, push.Apply(local, commands), cmp.Transformer("empty", func(in []repo.Ref) map[string]repo.OID {
			out := map[string]repo.OID{}
			for _, r := range in {
				out[r.Name] = r.OID
			}
			return out
		})); diff != "" {
			t.Fatal(diff)
		}
		facts := push.Facts{Announced: true, Local: local, Latest: &repo.State{Refs: declared}}
		if got := push.Decide(push.Offer{Commands: commands}, facts); !got.Accepted() {
			t.Fatalf("got %s, want accepted", got.Reason)
		}
		if again := push.Align(declared, declared); len(again) != 0 {
			t.Fatalf("got %v, want nothing to do", again)
		}
	})
}

// A push is accepted exactly when it leaves what is declared (INV-20), told apart by a second derivation with maps.
func TestDecideIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		local, declared := drawRefs(t, "local"), drawRefs(t, "declared")
		after := map[string]repo.OID{}
		for _, r := range local {
			after[r.Name] = r.OID
		}
		var commands []gitproto.Command
		for _, r := range drawRefs(t, "target") {
			to := r.OID
			if rapid.Bool().Draw(t, "delete") {
				to = repo.ZeroOID
			}
			old, ok := after[r.Name]
			if !ok {
				old = repo.ZeroOID
			}
			commands = append(commands, gitproto.Command{Ref: r.Name, Old: old, New: to})
			if delete(after, r.Name); !to.IsZero() {
				after[r.Name] = to
			}
		}
		want := len(after) == len(declared)
		for _, r := range declared {
			want = want && after[r.Name] == r.OID
		}
		facts := push.Facts{Announced: true, Local: local, Latest: &repo.State{Refs: declared}}
		if got := push.Decide(push.Offer{Commands: commands}, facts); got.Accepted() != want {
			t.Fatalf("got %+v, want accepted %t", got, want)
		}
	})
}

func BenchmarkDecide(b *testing.B) {
	var declared []repo.Ref
	var commands []gitproto.Command
	for i := range 1000 {
		r := ref(fmt.Sprintf("heads/b%04d", i), i+1)
		declared = append(declared, r)
		commands = append(commands, gitproto.Command{Ref: r.Name, Old: repo.ZeroOID, New: r.OID})
	}
	facts := push.Facts{Announced: true, Latest: &repo.State{Refs: declared}}
	for b.Loop() {
		push.Decide(push.Offer{Commands: commands}, facts)
	}
}

// Who pushes one ref of a state that moves two hears that all belong into one push; who pushes something else does not.
func TestPartsOfAStateAreToldToComeTogether(t *testing.T) {
	facts := push.Facts{
		Owner: owner, Announced: true, Local: []repo.Ref{ref("heads/main", 1)},
		Latest: &repo.State{Refs: []repo.Ref{ref("heads/dev", 3), ref("heads/main", 2)}},
	}
	for _, test := range []struct {
		name     string
		commands []gitproto.Command
		want     bool
	}{
		{"one of two", []gitproto.Command{command("heads/main", 1, 2)}, true},
		{"the other", []gitproto.Command{command("heads/dev", 0, 3)}, true},
		{"one at another commit", []gitproto.Command{command("heads/main", 1, 4)}, false},
		{"one undeclared", []gitproto.Command{command("heads/main", 1, 2), command("heads/evil", 0, 2)}, false},
	} {
		r := push.Decide(push.Offer{Commands: test.commands}, facts)
		if got := strings.Contains(r.Reason, "push all refs of the state in one push"); r.Accepted() || got != test.want {
			t.Errorf("%s: got %q, want it refused and told to push all: %v", test.name, r.Reason, test.want)
		}
	}
}
