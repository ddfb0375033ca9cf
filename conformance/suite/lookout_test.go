package suite

import (
	"testing"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// A state that is gone behind a refusal has given way if the one that comes before it had its refs already; otherwise what was refused
// has released that.
func TestStatesGiveWayToWhatIsThere(t *testing.T) {
	const here, there = "1111111111111111111111111111111111111111", "2222222222222222222222222222222222222222"
	state := func(id, author, identifier, oid string, at nostr.Timestamp) *nostr.Event {
		tags := nostr.Tags{{"d", identifier}, {"refs/heads/main", oid}, {"HEAD", "ref: refs/heads/main"}}
		return &nostr.Event{ID: id, PubKey: author, Kind: client.KindState, CreatedAt: at, Tags: tags}
	}
	was := state("b", "owner", "demo", there, 100)
	s := sighting{refs: map[string]string{"/demo.git": "refs:\n" + here + " refs/heads/main"}, states: []*nostr.Event{was}}
	for name, c := range map[string]struct {
		after *nostr.Event
		want  bool
	}{
		"newer, with its refs":         {state("c", "owner", "demo", here, 101), true},
		"of its time, and a lower id":  {state("a", "owner", "demo", here, 100), true},
		"of its time, and a higher id": {state("c", "owner", "demo", here, 100), false},
		"newer, without its refs":      {state("c", "owner", "demo", there, 101), false},
		"newer, of somebody else":      {state("c", "stranger", "demo", here, 101), false},
		"newer, of another repository": {state("c", "owner", "other", here, 101), false},
		"newer, that names no ref":     {&nostr.Event{ID: "c", PubKey: "owner", CreatedAt: 101, Tags: nostr.Tags{{"d", "demo"}}}, false},
	} {
		if got := s.gaveWay(was.ID, []*nostr.Event{c.after}); got != c.want {
			t.Errorf("%s: got %t, want %t", name, got, c.want)
		}
	}
	empty := &nostr.Event{ID: "c", PubKey: "owner", CreatedAt: 101, Tags: nostr.Tags{{"d", "demo"}}}
	for refs, want := range map[string]bool{"refs:\n": true, "refs:\n" + here + " refs/nostr/" + there: true, "refs:\n" + here + " refs/tags/v1": false, "none": false} {
		s.refs = map[string]string{"/demo.git": refs}
		if got := s.gaveWay(was.ID, []*nostr.Event{empty}); got != want {
			t.Errorf("a state without refs, where %q was seen: got %t, want %t", refs, got, want)
		}
	}
}
