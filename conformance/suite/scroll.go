package suite

import (
	"cmp"
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// comeByPages asks for the issues of a check as clients do that scroll back: so many at a time, those that are older than the last one
// before. A relay may bring fewer at a time than are asked for.
func (w *world) comeByPages(actor string, size int) outcome {
	left := slices.Clone(w.sent.posted)
	slices.SortFunc(left, func(a, b *nostr.Event) int { return cmp.Compare(b.CreatedAt, a.CreatedAt) })
	filter := client.Filter{Authors: []string{w.key(actor).Pubkey}, Kinds: []int{client.KindIssue}, Limit: &size}
	for page := 1; len(left) > 0; page++ {
		events, out := w.query(filter)
		if !out.held() {
			return out
		}
		if len(events) == 0 {
			return violated("page %d is empty, and %d of %d issues have not come", page, len(left), len(w.sent.posted))
		}
		for i, ev := range events {
			if i == len(left) || i == size || ev.ID != left[i].ID {
				return violated("on page %d, at place %d, there is %s dated %d, want the %d newest of %d issues that have not come, newest first",
					page, i+1, describe(ev), ev.CreatedAt, min(size, len(left)), len(left))
			}
		}
		left = left[len(events):]
		until := int64(events[len(events)-1].CreatedAt) - 1
		filter.Until = &until
	}
	return outcome{}
}
