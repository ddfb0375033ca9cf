package repo_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

func TestParsePullRequest(t *testing.T) {
	a, b, c := strings.Repeat("a", 64), strings.Repeat("b", 64), strings.Repeat("c", 40)
	for _, test := range []struct {
		name  string
		kind  int
		tags  nostr.Tags
		repos []repo.ID
		bad   bool
	}{
		{"one repository", 1618, nostr.Tags{{"a", "30617:" + a + ":x"}, {"c", c}}, []repo.ID{{Owner: repo.PubKey(a), Identifier: "x"}}, false},
		{"several, one twice", 1619, nostr.Tags{
			{"a", "30617:" + a + ":x"}, {"a", "30617:" + b + ":p:q", "wss://hint"}, {"a", "30617:" + a + ":x"}, {"c", c},
		}, []repo.ID{{Owner: repo.PubKey(a), Identifier: "x"}, {Owner: repo.PubKey(b), Identifier: "p:q"}}, false},
		{"the first c counts", 1618, nostr.Tags{{"c", c}, {"c", "x"}}, nil, false},
		{"no coordinates", 1618, nostr.Tags{{"a"}, {"a", "30617"}, {"a", "30617:" + a}, {"a", "30618:" + a + ":x"}, {"a", "30617:npub:x"}, {"c", c}}, nil, false},
		{"bad identifier", 1618, nostr.Tags{{"a", "30617:" + a + ":.."}, {"c", c}}, nil, false},
		{"no c", 1618, nostr.Tags{{"a", "30617:" + a + ":x"}}, nil, true},
		{"short c", 1618, nostr.Tags{{"c", c[:8]}}, nil, true},
		{"upper-case c", 1618, nostr.Tags{{"c", strings.ToUpper(c)}}, nil, true},
		{"zero c", 1618, nostr.Tags{{"c", string(repo.ZeroOID)}}, nil, true},
		{"a patch", 1617, nostr.Tags{{"c", c}}, nil, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			pr, reason := repo.ParsePullRequest(&nostr.Event{ID: b, Kind: test.kind, Tags: test.tags})
			if (reason != "") != test.bad {
				t.Fatalf("got reason %q, want one: %t", reason, test.bad)
			}
			if test.bad {
				return
			}
			if diff := cmp.Diff(test.repos, pr.Repos); diff != "" || pr.Commit != repo.OID(c) || pr.Ref() != "refs/nostr/"+b {
				t.Errorf("got commit %s, ref %s, repositories (-want +got):\n%s", pr.Commit, pr.Ref(), diff)
			}
		})
	}
}

func TestPullRequestNamesAreBounded(t *testing.T) {
	ev := &nostr.Event{Kind: 1618, Tags: nostr.Tags{{"c", strings.Repeat("c", 40)}}}
	for i := range 2 * repo.PullRequestReposMax {
		ev.Tags = append(ev.Tags, nostr.Tag{"a", "30617:" + strings.Repeat("a", 64) + ":" + strings.Repeat("x", i+1)})
	}
	if pr, reason := repo.ParsePullRequest(ev); reason != "" || len(pr.Repos) != repo.PullRequestReposMax {
		t.Errorf("got %d repositories and %q, want %d", len(pr.Repos), reason, repo.PullRequestReposMax)
	}
}

func TestPullRequestOf(t *testing.T) {
	id := strings.Repeat("0a", 32)
	for ref, want := range map[string]bool{
		"refs/nostr/" + id: true, "refs/nostr/" + id[1:]: false, "refs/nostr/" + id + "0": false, "refs/nostr/main": false,
		"refs/nostr/" + strings.ToUpper(id): false, "refs/nostr/" + id + "/x": false, "refs/heads/" + id: false, id: false, "": false,
	} {
		got, ok := repo.PullRequestOf(ref)
		if ok != want || ok && got != id {
			t.Errorf("%s: got %q, %t, want %t", ref, got, ok, want)
		}
	}
}

func FuzzParsePullRequest(f *testing.F) {
	f.Add("30617:"+strings.Repeat("a", 64)+":x", strings.Repeat("c", 40))
	f.Add("30617::", "")
	f.Fuzz(func(t *testing.T, a, c string) {
		pr, reason := repo.ParsePullRequest(&nostr.Event{Kind: 1618, Tags: nostr.Tags{{"a", a}, {"c", c}}})
		if reason != "" {
			return
		}
		if !repo.IsOID(string(pr.Commit)) {
			t.Errorf("took commit %q", pr.Commit)
		}
		for _, id := range pr.Repos {
			if repo.CheckIdentifier(id.Identifier) != "" || len(id.Owner) != 64 {
				t.Errorf("took repository %v", id)
			}
		}
	})
}
