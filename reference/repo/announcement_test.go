package repo_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

func announce(author repo.PubKey, tags ...nostr.Tag) *nostr.Event {
	return &nostr.Event{ID: "id", PubKey: string(author), Kind: repo.KindAnnouncement, CreatedAt: 1, Tags: tags}
}

func TestParseAnnouncement(t *testing.T) {
	ev := announce(alice, nostr.Tag{}, nostr.Tag{"name"}, nostr.Tag{"d", "demo", "x"}, nostr.Tag{"d", "other"},
		nostr.Tag{"name", "Demo", "x"}, nostr.Tag{"name", "Other"}, nostr.Tag{"description", ""},
		nostr.Tag{"clone", "c1", "", "c2"}, nostr.Tag{"clone", "c3"}, nostr.Tag{"relays", "r1"}, nostr.Tag{"clone"},
		nostr.Tag{"maintainers", string(bob), "junk", npub, strings.ToUpper(string(alice)), string(bob)},
		nostr.Tag{"maintainers", string(alice), string(bob)})
	got, reason := repo.ParseAnnouncement(ev)
	want := repo.Announcement{
		Event: ev, ID: repo.ID{Owner: alice, Identifier: "demo"}, Clone: []string{"c1", "c2", "c3"},
		Relays: []string{"r1"}, Maintainers: []repo.PubKey{bob, alice}, Name: "Demo",
	}
	if diff := cmp.Diff(want, got); diff != "" || reason != "" {
		t.Error(reason, diff)
	}
	if _, reason := repo.ParseAnnouncement(announce(alice, nostr.Tag{"d", "x"})); reason != "" {
		t.Errorf("clone and relays missing: got %q, want no reason", reason)
	}
}

func TestParseRefusesIdentifiers(t *testing.T) {
	for _, c := range []struct {
		ev   *nostr.Event
		want string
	}{
		{announce(alice), "Missing required 'd' tag (identifier)"},
		{announce(alice, nostr.Tag{"d"}, nostr.Tag{"d", "x"}), "Missing required 'd' tag (identifier)"},
		{announce(alice, nostr.Tag{"d", ""}), "Invalid identifier: it is empty"},
		{announce(alice, nostr.Tag{"d", ".."}), "Invalid identifier: it is a directory name"},
		{announce(alice, nostr.Tag{"d", "a/b"}), "Invalid identifier: it contains a slash, a backslash or NUL"},
		{announce("ABC", nostr.Tag{"d", "x"}), "Invalid author: it is not 64 lower-case hex digits"},
		{&nostr.Event{Kind: 1}, "Invalid announcement: the kind is not 30617"},
	} {
		if _, got := repo.ParseAnnouncement(c.ev); got != c.want {
			t.Errorf("%v: got %q, want %q", c.ev.Tags, got, c.want)
		}
		if c.ev.Kind == 1 {
			continue
		}
		c.ev.Kind = repo.KindState
		if _, got := repo.ParseState(c.ev); got != c.want {
			t.Errorf("state %v: got %q, want %q", c.ev.Tags, got, c.want)
		}
	}
}

func TestNewer(t *testing.T) {
	at := func(id string, created nostr.Timestamp) *nostr.Event { return &nostr.Event{ID: id, CreatedAt: created} }
	for _, c := range []struct {
		a, b *nostr.Event
		want bool
	}{
		{at("b", 2), at("a", 1), true},
		{at("a", 1), at("b", 2), false},
		{at("a", 1), at("b", 1), true},
		{at("b", 1), at("a", 1), false},
		{at("a", 1), at("a", 1), false},
	} {
		if got := repo.Newer(c.a, c.b); got != c.want {
			t.Errorf("%v before %v: got %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
