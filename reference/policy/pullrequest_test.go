package policy_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

func TestPullRequest(t *testing.T) {
	id := func(owner repo.PubKey) repo.ID { return repo.ID{Owner: owner, Identifier: "x"} }
	v := view{
		announcements: map[repo.ID]repo.Announcement{
			id("A"): {Maintainers: []repo.PubKey{"B"}}, id("B"): {}, id("H"): {}, {Owner: "A", Identifier: "y"}: {},
		},
		stored: []*nostr.Event{
			{ID: "a", Kind: 30617, PubKey: "A", Tags: nostr.Tags{{"d", "x"}}},
			{ID: "b", Kind: 30617, PubKey: "B", Tags: nostr.Tags{{"d", "x"}}},
			{ID: "y", Kind: 30617, PubKey: "A", Tags: nostr.Tags{{"d", "y"}}},
		},
		hosted: []repo.ID{id("A"), id("H"), {Owner: "A", Identifier: "y"}}, // H is held, B lists no service
	}
	for _, c := range []struct {
		name  string
		repos []repo.ID
		want  []repo.ID
	}{
		{"served", []repo.ID{id("A")}, []repo.ID{id("A")}},
		{"through a maintainer", []repo.ID{id("B")}, []repo.ID{id("A")}},
		{"both", []repo.ID{id("B"), id("A")}, []repo.ID{id("A")}},
		{"held only", []repo.ID{id("H")}, nil},
		{"foreign", []repo.ID{id("Z"), {Owner: "B", Identifier: "y"}}, nil},
		{"one of several", []repo.ID{id("Z"), {Owner: "A", Identifier: "y"}}, []repo.ID{{Owner: "A", Identifier: "y"}}},
		{"none", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			pr := repo.PullRequest{Event: &nostr.Event{Kind: 1618}, Repos: c.repos}
			if diff := cmp.Diff(c.want, policy.Concerned(v, pr)); diff != "" {
				t.Errorf("concerned (-want +got):\n%s", diff)
			}
			r := policy.PullRequest(v, pr, false)
			if r.Accepted() != (len(c.want) > 0) || !r.Accepted() && (r.Requirement != "G01-PR-12" || r.Prefix == "") {
				t.Errorf("got %+v", r)
			}
		})
	}
}

// A pull request that names its own place for contributions is taken without a repository, where contributions are taken; and a place
// that is there is concerned by those that name it (G06-EV-01, G06-EV-02).
func TestPullRequestWithAPlace(t *testing.T) {
	place, other := repo.Contribution("C", "x"), repo.Contribution("D", "x")
	v := view{hosted: []repo.ID{place, other}}
	foreign := []repo.ID{{Owner: "Z", Identifier: "x"}}
	for _, c := range []struct {
		name   string
		places []repo.ID
		taken  bool
		want   string // requirement; a refusal begins with "-"
	}{
		{"named", []repo.ID{place}, true, "G06-EV-01"},
		{"named and not there", []repo.ID{repo.Contribution("C", "y")}, true, "G06-EV-01"},
		{"not named", nil, true, "-G01-PR-12"},
		{"named, where none are taken", []repo.ID{place}, false, "-G01-PR-12"},
	} {
		pr := repo.PullRequest{Repos: foreign, Places: c.places}
		r := policy.PullRequest(v, pr, c.taken)
		got := r.Requirement
		if !r.Accepted() {
			got = "-" + got
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
		if is := policy.Concerns(v, pr, place); is != (len(c.places) == 1 && c.places[0] == place) || policy.Concerns(v, pr, other) {
			t.Errorf("%s: got the place concerned %t", c.name, is)
		}
	}
}
