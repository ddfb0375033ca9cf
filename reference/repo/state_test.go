package repo_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

func stateEvent(tags ...nostr.Tag) *nostr.Event {
	return &nostr.Event{ID: "id", PubKey: string(alice), Kind: repo.KindState, Tags: append(nostr.Tags{{"d", "demo"}}, tags...)}
}

func TestParseState(t *testing.T) {
	ev := stateEvent(
		nostr.Tag{"refs/tags/v1", string(oid2), "extra"}, nostr.Tag{"refs/tags/v1^{}", "whatever"},
		nostr.Tag{"refs/heads/main", string(oid1)}, nostr.Tag{"refs/heads/a/b", string(oid1)},
		nostr.Tag{"refs/heads/alias", "ref: refs/heads/main"}, nostr.Tag{"refs/notes/x", "junk"}, nostr.Tag{},
		nostr.Tag{"r", "refs/heads/x", string(oid1)}, nostr.Tag{"HEAD", "ref: refs/heads/dev"}, nostr.Tag{"HEAD", "refs/heads/main"})
	got, reason := repo.ParseState(ev)
	want := repo.State{
		Event: ev, Author: alice, Identifier: "demo", Head: "refs/heads/dev",
		Refs: []repo.Ref{{Name: "refs/heads/a/b", OID: oid1}, {Name: "refs/heads/main", OID: oid1}, {Name: "refs/tags/v1", OID: oid2}},
	}
	if diff := cmp.Diff(want, got); diff != "" || reason != "" {
		t.Fatal(reason, diff)
	}
	if oid, ok := got.Lookup("refs/tags/v1"); !ok || oid != oid2 {
		t.Errorf("got %s, %v, want %s", oid, ok, oid2)
	}
	for _, name := range []string{"refs/tags/v1^{}", "refs/heads/alias", "refs/notes/x", "HEAD", ""} {
		if oid, ok := got.Lookup(name); ok {
			t.Errorf("%s: got %s, want it absent", name, oid)
		}
	}
	if got, reason := repo.ParseState(stateEvent()); reason != "" || len(got.Refs) != 0 {
		t.Errorf("no refs: got %+v, %q", got, reason)
	}
}

func TestParseStateHead(t *testing.T) {
	for _, c := range []struct{ value, want string }{
		{"ref: refs/heads/main", "refs/heads/main"},
		{"refs/heads/a/b", "refs/heads/a/b"},
		{"", ""},
		{"main", ""},
		{"ref: refs/tags/v1", ""},
		{"ref: refs/heads/", ""},
		{"ref: refs/heads/..", ""},
		{"ref:refs/heads/main", ""},
		{"ref: ref: refs/heads/main", ""},
		{"refs/heads/a\n", ""},
		{string(oid1), ""},
	} {
		got, reason := repo.ParseState(stateEvent(nostr.Tag{"HEAD"}, nostr.Tag{"HEAD", c.value}, nostr.Tag{"HEAD", "refs/heads/z"}))
		if got.Head != c.want || reason != "" {
			t.Errorf("%q: got %q, %q, want %q", c.value, got.Head, reason, c.want)
		}
	}
}

func TestParseStateRefuses(t *testing.T) {
	main := nostr.Tag{"refs/heads/main", string(oid1)}
	many := nostr.Tags{}
	for i := range repo.RefsMax + 1 {
		many = append(many, nostr.Tag{fmt.Sprintf("refs/heads/%d", i), string(oid1)})
	}
	for _, c := range []struct {
		name string
		tags nostr.Tags
		want string
	}{
		{"short oid", nostr.Tags{{"refs/heads/x", "123"}}, `"refs/heads/x" has no full object id`},
		{"no oid", nostr.Tags{{"refs/heads/x"}}, `"refs/heads/x" has no full object id`},
		{"upper-case oid", nostr.Tags{{"refs/heads/x", strings.Repeat("A", 40)}}, "has no full object id"},
		{"sha-256 oid", nostr.Tags{{"refs/heads/x", strings.Repeat("a", 64)}}, "has no full object id"},
		{"zero oid", nostr.Tags{{"refs/heads/x", string(repo.ZeroOID)}}, "has the zero object id"},
		{"duplicate", nostr.Tags{main, {"refs/heads/main", string(oid2)}}, "is given twice"},
		{"duplicate, same oid", nostr.Tags{main, main}, "is given twice"},
		{"no name", nostr.Tags{{"refs/heads/", string(oid1)}}, "is not a valid ref name"},
		{"dots", nostr.Tags{{"refs/heads/../../x", string(oid1)}}, "is not a valid ref name"},
		{"hidden", nostr.Tags{{"refs/heads/.x", string(oid1)}}, "is not a valid ref name"},
		{"lock", nostr.Tags{{"refs/heads/x.lock", string(oid1)}}, "is not a valid ref name"},
		{"control", nostr.Tags{{"refs/heads/x\n", string(oid1)}}, "is not a valid ref name"},
		{"space", nostr.Tags{{"refs/heads/a b", string(oid1)}}, "is not a valid ref name"},
		{"reflog", nostr.Tags{{"refs/heads/a@{1}", string(oid1)}}, "is not a valid ref name"},
		{"long", nostr.Tags{{"refs/heads/" + strings.Repeat("x", 1000), string(oid1)}}, "is not a valid ref name"},
		{"below a ref", nostr.Tags{main, {"refs/heads/main-x", string(oid1)}, {"refs/heads/main/x", string(oid1)}}, "lies below"},
		{"many", many, "more than 5000 refs"},
	} {
		got, reason := repo.ParseState(stateEvent(c.tags...))
		if !strings.HasPrefix(reason, "Invalid state: ") || !strings.Contains(reason, c.want) {
			t.Errorf("%s: got %+v, %q, want %q", c.name, got.Refs, reason, c.want)
		}
	}
}

// FuzzParseState checks that what is parsed keeps the invariants of State.
func FuzzParseState(f *testing.F) {
	f.Add("refs/heads/main", string(oid1), "refs/tags/v1^{}", string(oid2), "ref: refs/heads/main")
	f.Add("refs/heads/a", string(oid1), "refs/heads/a/b", "ref: refs/heads/a", "\xff")
	f.Fuzz(func(t *testing.T, name1, value1, name2, value2, head string) {
		s, reason := repo.ParseState(stateEvent(nostr.Tag{name1, value1}, nostr.Tag{name2, value2}, nostr.Tag{"HEAD", head}))
		if reason != "" {
			return
		}
		sorted := slices.IsSortedFunc(s.Refs, func(a, b repo.Ref) int { return strings.Compare(a.Name, b.Name) })
		if !sorted || s.Head != "" && !strings.HasPrefix(s.Head, "refs/heads/") {
			t.Errorf("got %+v", s)
		}
		for _, ref := range s.Refs {
			if oid, ok := s.Lookup(ref.Name); !ok || oid != ref.OID || !repo.IsOID(string(oid)) || oid.IsZero() ||
				strings.ContainsAny(ref.Name, "^\n\x00 ") || strings.Contains(ref.Name, "..") {
				t.Errorf("got %+v in %+v", ref, s)
			}
		}
	})
}
