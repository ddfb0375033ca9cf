package policy_test

import (
	"slices"
	"testing"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// A view of fixed facts.
type view struct {
	announcements map[repo.ID]repo.Announcement
	stored        []*nostr.Event
	mentioned     []string
	hosted        []repo.ID
}

func (v view) Announcement(id repo.ID) (repo.Announcement, bool) {
	a, ok := v.announcements[id]
	return a, ok
}
func (v view) Hosted(id repo.ID) bool { return slices.Contains(v.hosted, id) }
func (v view) Owners(identifier string) []repo.PubKey {
	var owners []repo.PubKey
	for id := range v.announcements {
		if id.Identifier == identifier {
			owners = append(owners, id.Owner)
		}
	}
	slices.Sort(owners)
	return owners
}

func (v view) MaintainerSet(id repo.ID) []repo.PubKey {
	return append([]repo.PubKey{id.Owner}, v.announcements[id].Maintainers...)
}

func (v view) Holding(key repo.PubKey, identifier string) []repo.PubKey {
	return slices.DeleteFunc(v.Owners(identifier), func(owner repo.PubKey) bool {
		return !slices.Contains(v.MaintainerSet(repo.ID{Owner: owner, Identifier: identifier}), key)
	})
}

func (v view) Vouches(id repo.ID, a repo.Announcement) bool {
	return slices.Contains(v.MaintainerSet(id), a.ID.Owner)
}

func (v view) Stored(id string) *nostr.Event {
	for _, ev := range v.stored {
		if ev.ID == id {
			return ev
		}
	}
	return nil
}

func (v view) StoredAt(kind int, author, identifier string) *nostr.Event {
	for _, ev := range v.stored {
		if ev.Kind == kind && ev.PubKey == author && ev.Tags.GetD() == identifier {
			return ev
		}
	}
	return nil
}
func (v view) Mentioned(id string) bool { return slices.Contains(v.mentioned, id) }

func TestRelated(t *testing.T) {
	v := view{
		stored: []*nostr.Event{
			{ID: "ann", Kind: 30617, PubKey: "A", Tags: nostr.Tags{{"d", "x"}}},
			{ID: "colon", Kind: 30617, PubKey: "A", Tags: nostr.Tags{{"d", "a:b"}}},
			{ID: "other", Kind: 30617, PubKey: "B", Tags: nostr.Tags{{"d", "y"}}},
			{ID: "issue", Kind: 1621, PubKey: "C"},
			{ID: "list", Kind: 10317, PubKey: "C"},
		},
		mentioned: []string{"named"},
	}
	for _, c := range []struct {
		name string
		ev   nostr.Event
		want string // requirement; a refusal begins with "-"
	}{
		{"a", nostr.Event{Kind: 1621, Tags: nostr.Tags{{"a", "30617:A:x"}}}, "G01-REL-01"},
		{"A", nostr.Event{Kind: 1111, Tags: nostr.Tags{{"A", "30617:A:x"}}}, "G01-REL-01"},
		{"q with a coordinate", nostr.Event{Kind: 1, Tags: nostr.Tags{{"q", "30617:A:x"}}}, "G01-REL-02"},
		{"the identifier holds a colon", nostr.Event{Kind: 1, Tags: nostr.Tags{{"a", "30617:A:a:b"}}}, "G01-REL-01"},
		{"second of two a tags", nostr.Event{Kind: 1, Tags: nostr.Tags{{"a", "30617:Z:x"}, {"a", "30617:A:x"}}}, "G01-REL-01"},
		{"e", nostr.Event{Kind: 1, Tags: nostr.Tags{{"e", "issue"}}}, "G01-REL-02"},
		{"E", nostr.Event{Kind: 1111, Tags: nostr.Tags{{"E", "issue"}}}, "G01-REL-02"},
		{"named by a stored event", nostr.Event{ID: "named", Kind: 1}, "G01-REL-03"},
		{"nothing", nostr.Event{Kind: 1}, "-G01-REL-05"},
		{"author and identifier of two announcements", nostr.Event{Kind: 1, Tags: nostr.Tags{{"a", "30617:A:y"}}}, "-G01-REL-05"},
		{"half a coordinate", nostr.Event{Kind: 1, Tags: nostr.Tags{{"a", "30617:A"}, {"a", "x"}, {"a"}}}, "-G01-REL-05"},
		{"rooted in a list", nostr.Event{Kind: 1, Tags: nostr.Tags{{"e", "list"}}}, "-G01-REL-05"},
		{"user list", nostr.Event{Kind: 10317}, "G01-REL-08"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := policy.Related(v, &c.ev)
			id := got.Requirement
			if !got.Accepted() {
				id = "-" + id
			}
			if id != c.want {
				t.Errorf("got %s %q, want %s", id, got.Text(), c.want)
			}
			if !got.Accepted() && got.Prefix == "" {
				t.Error("a refusal without a prefix (N01-EV-01)")
			}
		})
	}
}

func TestState(t *testing.T) {
	v := view{announcements: map[repo.ID]repo.Announcement{
		{Owner: "A", Identifier: "x"}: {Maintainers: []repo.PubKey{"B"}},
		{Owner: "C", Identifier: "x"}: {},
	}}
	for _, c := range []struct {
		author, identifier, want string
		owners                   []repo.PubKey
	}{
		{"A", "x", "", []repo.PubKey{"A"}},
		{"B", "x", "", []repo.PubKey{"A"}},
		{"C", "x", "", []repo.PubKey{"C"}},
		{"D", "x", "G01-MNT-03", nil},
		{"A", "y", "G01-REL-10", nil},
	} {
		got := policy.State(v, repo.State{Author: repo.PubKey(c.author), Identifier: c.identifier})
		if got.Accepted() != (c.want == "") || !got.Accepted() && got.Requirement != c.want {
			t.Errorf("%s/%s: got %+v, want %q", c.author, c.identifier, got, c.want)
		}
		if owners := policy.Authorizing(v, repo.PubKey(c.author), c.identifier); !slices.Equal(owners, c.owners) {
			t.Errorf("%s/%s: got owners %v, want %v", c.author, c.identifier, owners, c.owners)
		}
	}
}
