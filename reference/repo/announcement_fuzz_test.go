package repo_test

import (
	"slices"
	"testing"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

// FuzzParseAnnouncement checks that what is parsed keeps the invariants of Announcement, whatever the tags are.
func FuzzParseAnnouncement(f *testing.F) {
	const key = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
	f.Add(key, "demo", "clone", "https://a.example/x.git", "maintainers", key)
	f.Add(key, "../x", "relays", "", "name", "\x00\xff")
	f.Add("AB", "", "d", "second", "clone", "")
	f.Fuzz(func(t *testing.T, author, d, name1, value1, name2, value2 string) {
		ev := &nostr.Event{Kind: repo.KindAnnouncement, PubKey: author, Tags: nostr.Tags{
			{}, {"d"}, {"d", d}, {name1, value1, value1}, {name2, value2, value1, value2},
		}}
		a, reason := repo.ParseAnnouncement(ev)
		if reason != "" {
			return
		}
		if _, err := repo.ParsePubKey(string(a.ID.Owner)); err != nil || a.ID.Identifier == "" || len(a.ID.Identifier) > repo.IdentifierMax {
			t.Errorf("got the ID %+v", a.ID)
		}
		if slices.Contains(a.Clone, "") || slices.Contains(a.Relays, "") {
			t.Errorf("got empty URLs: %q, %q", a.Clone, a.Relays)
		}
		sorted := slices.Sorted(slices.Values(a.Maintainers))
		if len(slices.Compact(sorted)) != len(a.Maintainers) || len(a.Maintainers) > repo.MaintainersMax {
			t.Errorf("got maintainers %v", a.Maintainers)
		}
		for _, m := range a.Maintainers {
			if _, err := repo.ParsePubKey(string(m)); err != nil {
				t.Errorf("got the maintainer %q", m)
			}
		}
		if path := a.ID.Path(); path == "" {
			t.Error("got no path")
		}
	})
}
