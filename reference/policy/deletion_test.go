package policy_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/policy"
)

func TestParseDeletion(t *testing.T) {
	id, other := strings.Repeat("a", 64), strings.Repeat("b", 64)
	got := policy.ParseDeletion(&nostr.Event{Kind: 5, PubKey: id, Tags: nostr.Tags{
		{"e", id},
		{"e"},
		{"e", "short"},
		{"e", strings.ToUpper(id)},
		{"e", other, "wss://hint"},
		{"k", "1"},
		{"a", "30617:" + id + ":x:y"},
		{"a", "30618:" + other + ":x"},
		{"a", "10317:" + id + ":ignored"},
		{"a", "1:" + id + ":x"},
		{"a", "30617:" + id},
		{"a", "x:" + id + ":x"},
	}})
	want := policy.Deletion{
		IDs:       []string{id, other},
		Addresses: []policy.Address{{Kind: 30617, Identifier: "x:y"}, {Kind: 10317}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("deletion (-want +got):\n%s", diff)
	}
}
