package client_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

func TestBuildersAreDeterministic(t *testing.T) {
	build := func() []*nostr.Event {
		key := client.NewKey("seed", "alice")
		announcement := client.Announce(key, client.AnnounceOpts{
			Identifier: "demo", Clone: []string{"http://a/x.git", "http://b/x.git"}, Relays: []string{"ws://a"},
			Maintainers: []string{key.Pubkey}, CreatedAt: 10, Extra: [][]string{{"t", "run"}},
		})
		return []*nostr.Event{
			announcement,
			client.StateEvent(key, "demo", [][2]string{{"refs/heads/main", client.ZeroOID}}, "refs/heads/main", 11),
			client.Issue(key, client.RepoAddress(key.Pubkey, "demo"), "subject", "text", 12),
			client.Comment(key, announcement, "text", 13),
			client.Deletion(key, []string{announcement.ID}, []string{"a"}, 14),
		}
	}
	first := build()
	if diff := cmp.Diff(first, build()); diff != "" {
		t.Errorf("events of the same calls (-first +second):\n%s", diff)
	}
	want := nostr.Tags{
		{"d", "demo"},
		{"clone", "http://a/x.git", "http://b/x.git"},
		{"relays", "ws://a"},
		{"maintainers", first[0].PubKey},
		{"t", "run"},
	}
	if diff := cmp.Diff(want, first[0].Tags); diff != "" {
		t.Errorf("tags of the announcement (-want +got):\n%s", diff)
	}
	want = nostr.Tags{{"d", "demo"}, {"refs/heads/main", client.ZeroOID}, {"HEAD", "ref: refs/heads/main"}}
	if diff := cmp.Diff(want, first[1].Tags); diff != "" {
		t.Errorf("tags of the state (-want +got):\n%s", diff)
	}
	for _, ev := range first {
		if good, err := ev.CheckSignature(); !good || err != nil || !ev.CheckID() {
			t.Errorf("kind %d: got signature %t, %v, id %t, want both good", ev.Kind, good, err, ev.CheckID())
		}
	}
	if client.NewKey("seed", "alice") == client.NewKey("seed", "bob") || client.NewKey("seed", "alice") == client.NewKey("other", "alice") {
		t.Error("keys of different actors or seeds are equal")
	}
}
