package suite

import (
	"testing"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// An event that several filters of a query select may come once for each; more copies, and those of one filter, may not.
func TestCopiesOfWhatSeveralFiltersSelect(t *testing.T) {
	ev := &nostr.Event{ID: "aa11223344556677", Kind: 1621}
	w := &world{sent: sent{byLabel: map[string]*nostr.Event{`issue "red"`: ev}, posted: []*nostr.Event{ev}}}
	byID, byKind, other := client.Filter{IDs: []string{ev.ID}}, client.Filter{Kinds: []int{1621}}, client.Filter{Kinds: []int{1}}
	for _, c := range []struct {
		name    string
		filters []client.Filter
		copies  int
		held    bool
	}{
		{"one", []client.Filter{byID}, 1, true},
		{"one filter, two copies", []client.Filter{byID}, 2, false},
		{"two filters, two copies", []client.Filter{byID, byKind}, 2, true},
		{"two filters, one copy", []client.Filter{byID, byKind}, 1, true},
		{"two filters, three copies", []client.Filter{byID, byKind}, 3, false},
		{"two filters of which one selects it", []client.Filter{byID, other}, 2, false},
		{"none", []client.Filter{byID}, 0, false},
	} {
		var got []*nostr.Event
		for range c.copies {
			got = append(got, ev)
		}
		if out := w.fits("a query", c.filters, got, []string{"red"}); out.held() != c.held {
			t.Errorf("%s: got %q", c.name, out.reason)
		}
	}
}
