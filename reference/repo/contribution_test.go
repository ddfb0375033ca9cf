package repo_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

// A place for contributions has a path of its own, and no ID of an announced repository is one.
func TestContributionIDs(t *testing.T) {
	id := repo.Contribution(alice, "a b")
	if got, want := id.Path(), "/prs/"+npub+"/a%20b.git"; got != want {
		t.Errorf("path: got %s, want %s", got, want)
	}
	if identifier, is := id.ContributionTo(); !is || identifier != "a b" || !id.IsContribution() || repo.CheckID(id) != "" {
		t.Errorf("got %q, %t", identifier, is)
	}
	for _, wrong := range []string{"prs/demo", "prs/", "prs/../x"} {
		if repo.CheckIdentifier(wrong) == "" {
			t.Errorf("%q can be announced", wrong)
		}
	}
	for _, wrong := range []string{"", "..", "a/b"} {
		if repo.CheckID(repo.Contribution(alice, wrong)) == "" {
			t.Errorf("%q can have a place", wrong)
		}
	}
	if (repo.ID{Owner: alice, Identifier: "prs"}).IsContribution() {
		t.Error("a repository of that name is taken for a place")
	}
}

// What names a place is compared part by part, condition by condition (G06-EV-01, G06-EV-02).
func TestContributions(t *testing.T) {
	plain, based := repo.Service{Host: "h.test:81"}, repo.Service{Host: "h.test", Base: "/b"}
	other := repo.PubKey(strings.Repeat("ab", 32)).Npub()
	for _, c := range []struct {
		service repo.Service
		clone   string
		want    string // identifier, "" for none
	}{
		{plain, "http://h.test:81/prs/" + npub + "/demo.git", "demo"},
		{plain, "HTTPS://H.Test:81/prs/" + npub + "/demo.git", "demo"},
		{plain, "https://h.test:81/prs/" + npub + "/demo.git/", "demo"},
		{plain, "https://h.test:81/prs/" + npub + "/demo.git///", "demo"},
		{plain, "https://h.test:81/prs/" + npub + "/%64emo.git", "demo"},
		{plain, "https://h.test:81/prs/" + npub + "/a%20%C3%A9.git", "a \u00e9"},
		{plain, "https://h.test:81/prs/" + npub + "/a%20%c3%a9.git", "a \u00e9"},
		{based, "https://h.test/b/prs/" + npub + "/demo.git", "demo"},
		{based, "https://h.test:443/b/prs/" + npub + "/demo.git", "demo"},

		{plain, "https://h.test/prs/" + npub + "/demo.git", ""},
		{plain, "https://h.test:82/prs/" + npub + "/demo.git", ""},
		{plain, "https://evil.h.test:81/prs/" + npub + "/demo.git", ""},
		{plain, "https://u@h.test:81/prs/" + npub + "/demo.git", ""},
		{plain, "ws://h.test:81/prs/" + npub + "/demo.git", ""},
		{plain, "h.test:81/prs/" + npub + "/demo.git", ""},
		{plain, "https://h.test:81/prs/" + npub + "/demo.git?x", ""},
		{plain, "https://h.test:81/prs/" + npub + "/demo.git#x", ""},
		{plain, "https://h.test:81/PRS/" + npub + "/demo.git", ""},
		{plain, "https://h.test:81/prs/" + npub + "/Demo.git", ""},
		{plain, "https://h.test:81/prs/" + npub + "/demo.GIT", ""},
		{plain, "https://h.test:81/prs/" + npub + "/demo", ""},
		{plain, "https://h.test:81/prs/" + npub + "/other.git", ""},
		{plain, "https://h.test:81/prs/" + npub + "/x/demo.git", ""},
		{plain, "https://h.test:81/x/prs/" + npub + "/demo.git", ""},
		{plain, "https://h.test:81/prs//" + npub + "/demo.git", ""},
		{plain, "https://h.test:81/prs/" + npub + "/..%2fdemo.git", ""},
		{plain, "https://h.test:81/prs/" + strings.ToUpper(npub) + "/demo.git", ""},
		{plain, "https://h.test:81/prs/" + string(alice) + "/demo.git", ""},
		{plain, "https://h.test:81/prs/" + other + "/demo.git", ""},
		{plain, "https://h.test:81/" + npub + "/demo.git", ""},
		{based, "https://h.test/prs/" + npub + "/demo.git", ""},
	} {
		pr, reason := repo.ParsePullRequest(&nostr.Event{
			Kind: 1618, PubKey: string(alice), ID: strings.Repeat("0", 64),
			Tags: nostr.Tags{
				{"c", strings.Repeat("1", 40)},
				{"a", "30617:" + strings.Repeat("cd", 32) + ":demo"},
				{"a", "30617:" + strings.Repeat("cd", 32) + ":a \u00e9"},
				{"clone", "https://elsewhere.test/x.git", c.clone},
				{"clone", c.clone},
			},
		})
		if reason != "" {
			t.Fatal(reason)
		}
		var want []repo.ID
		if c.want != "" {
			want = []repo.ID{repo.Contribution(alice, c.want)}
		}
		if diff := cmp.Diff(want, c.service.Contributions(pr)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.clone, diff)
		}
		pr.Repos = nil
		if got := c.service.Contributions(pr); got != nil {
			t.Errorf("%s: got %v without an a tag", c.clone, got)
		}
	}
}

// A token names a place or a repository, and neither is the other one.
func TestURLOfPlace(t *testing.T) {
	service := repo.Service{Host: "grasp.test", Base: "/git"}
	owner := repo.PubKey(strings.Repeat("a", 64))
	demo, place := repo.ID{Owner: owner, Identifier: "demo"}, repo.Contribution(owner, "demo")
	for text, want := range map[string]repo.ID{
		service.CloneURL(demo, "https"):                                        demo,
		service.CloneURL(place, "https"):                                       place,
		service.CloneURL(place, "https") + "/":                                 {},
		strings.Replace(service.CloneURL(place, "https"), "/prs/", "/PRS/", 1): {},
	} {
		for _, id := range []repo.ID{demo, place} {
			if got := service.IsRepositoryURL(text, id); got != (id == want) {
				t.Errorf("%s for %s: got %t", text, id.Identifier, got)
			}
		}
	}
}
