package policy_test

import (
	"strings"
	"testing"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

func TestLists(t *testing.T) {
	const here = "grasp.test"
	service, err := repo.ParseService("https://" + here)
	if err != nil {
		t.Fatal(err)
	}
	a, b := repo.PubKey(strings.Repeat("ab", 32)), repo.PubKey(strings.Repeat("cd", 32))
	list := func(entries ...string) policy.List {
		var l policy.List
		for _, entry := range entries {
			if err := l.Add(entry); err != nil {
				t.Fatal(err)
			}
		}
		return l
	}
	announce := func(key repo.PubKey, identifier, host string) *nostr.Event {
		id := repo.ID{Owner: key, Identifier: identifier}
		return &nostr.Event{Kind: policy.KindAnnouncement, PubKey: string(key), Tags: nostr.Tags{
			{"d", identifier}, {"clone", "https://" + host + id.Path()}, {"relays", "wss://" + host},
		}}
	}
	spaced := "two words"
	for _, test := range []struct {
		name  string
		lists *policy.Lists
		event *nostr.Event
		want  string // text of the refusal, "" for none
	}{
		{"no lists", nil, announce(a, "demo", here), ""},
		{"empty lists", &policy.Lists{}, announce(a, "demo", here), ""},
		{"an author", &policy.Lists{Authors: list(a.Npub())}, &nostr.Event{Kind: 5, PubKey: string(a)}, "blocked: Event author " + a.Npub() + " is blacklisted"},
		{"another author", &policy.Lists{Authors: list(a.Npub())}, &nostr.Event{Kind: 5, PubKey: string(b)}, ""},
		{"an author who is allowed", &policy.Lists{Authors: list(a.Npub()), Allowed: list(a.Npub())}, announce(a, "demo", here), "blocked: Event author " + a.Npub() + " is blacklisted"},
		{"an owner", &policy.Lists{Blocked: list(a.Npub())}, announce(a, "demo", here), "blocked: Repository owner " + a.Npub() + " is blacklisted"},
		{"an owner elsewhere", &policy.Lists{Blocked: list(a.Npub())}, announce(a, "demo", "other.test"), "blocked: Repository owner " + a.Npub() + " is blacklisted"},
		{"an owner's other event", &policy.Lists{Blocked: list(a.Npub())}, &nostr.Event{Kind: 1621, PubKey: string(a)}, ""},
		{"a repository", &policy.Lists{Blocked: list(a.Npub() + "/two%20words")}, announce(a, spaced, here), "blocked: Repository " + a.Npub() + "/two words is blacklisted"},
		{"another repository", &policy.Lists{Blocked: list(a.Npub() + "/demo")}, announce(a, "demos", here), ""},
		{"an identifier", &policy.Lists{Blocked: list("demo")}, announce(b, "demo", here), "blocked: Repository identifier demo is blacklisted"},
		{"blocked and allowed", &policy.Lists{Blocked: list("demo"), Allowed: list(b.Npub())}, announce(b, "demo", here), "blocked: Repository identifier demo is blacklisted"},
		{"allowed by owner", &policy.Lists{Allowed: list(a.Npub())}, announce(a, "demo", here), ""},
		{"allowed by name", &policy.Lists{Allowed: list(b.Npub()+"/x", a.Npub()+"/demo")}, announce(a, "demo", here), ""},
		{"allowed by identifier", &policy.Lists{Allowed: list("demo")}, announce(a, "demo", here), ""},
		{"not allowed", &policy.Lists{Allowed: list(a.Npub())}, announce(b, "demo", here), "restricted: Repository " + b.Npub() + "/demo not in whitelist"},
		{"not allowed and elsewhere", &policy.Lists{Allowed: list(a.Npub())}, announce(b, "demo", "other.test"), ""},
	} {
		r := test.lists.Judge(service, test.event)
		if got := r.Text(); got != test.want || r.Accepted() != (test.want == "") {
			t.Errorf("%s: got %q, accepted %v, want %q", test.name, got, r.Accepted(), test.want)
		}
	}
	for _, wrong := range []string{"", "npub1", a.Npub() + "/", a.Npub() + "/..", string(a) + "/x", "%zz", "a/b", strings.ToUpper(a.Npub()) + "/x"} {
		if err := new(policy.List).Add(wrong); err == nil {
			t.Errorf("%q: got an entry, want an error", wrong)
		}
	}
}
