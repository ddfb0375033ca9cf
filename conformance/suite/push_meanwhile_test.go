package suite

import (
	"testing"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// What a server may do by itself is what the latest state says, the one of the lower id of two of one time, if it is the
// owner's.
func TestDueIsTheLatestState(t *testing.T) {
	owner, other := client.NewKey("due", "owner"), client.NewKey("due", "other")
	at := func(id string, key client.Key, date int64) *nostr.Event {
		return &nostr.Event{ID: id, PubKey: key.Pubkey, CreatedAt: nostr.Timestamp(date), Tags: nostr.Tags{{"d", "demo"}, {"refs/heads/" + id, id}}}
	}
	for name, c := range map[string]struct {
		states []*nostr.Event
		want   string // the branch; "" if nothing is known
	}{
		"none":                  {nil, ""},
		"the later":             {[]*nostr.Event{at("b", owner, 2), at("a", owner, 1)}, "b"},
		"the lower id first":    {[]*nostr.Event{at("a", owner, 1), at("b", owner, 1)}, "a"},
		"the lower id last":     {[]*nostr.Event{at("b", owner, 1), at("a", owner, 1)}, "a"},
		"a later one of other":  {[]*nostr.Event{at("a", owner, 1), at("b", other, 2)}, ""},
		"an older one of other": {[]*nostr.Event{at("a", owner, 2), at("b", other, 1)}, "a"},
	} {
		w := &world{identifier: "demo", actors: map[string]*actor{"owner": {key: owner}}, sent: sent{states: c.states}}
		w.git.history = &history{sent: map[string]bool{"a": true, "b": true}}
		refs, known := w.due()
		if known != (c.want != "") || known && refs["refs/heads/"+c.want] != c.want {
			t.Errorf("%s: got %v, want the branch %q", name, refs, c.want)
		}
	}
}
