package defect

import (
	"slices"
	"strconv"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/eventstore"
	"github.com/graspkit/graspkit/reference/policy"
)

// datedDefects are mistakes with up to when a request to delete counts, and for what.
func datedDefects() []Defect {
	return []Defect{
		{Name: "deletions-by-address-spare-held-states-of-their-second", Filter: requests(func(ev *nostr.Event, s *shelf) {
			ev.Tags = slices.DeleteFunc(ev.Tags, func(t nostr.Tag) bool {
				return t[0] == "a" && slices.ContainsFunc(s.named(t), func(e filed) bool {
					return e.held && e.event.Kind == policy.KindState && e.event.CreatedAt == ev.CreatedAt
				})
			})
		})},
		{Name: "deletions-by-id-cover-addresses", Filter: requests(func(ev *nostr.Event, s *shelf) {
			for _, t := range slices.Clone(ev.Tags) {
				for _, e := range s.named(t) {
					if t[0] == "e" && e.event.PubKey == ev.PubKey && eventstore.IsAddressable(e.event.Kind) {
						ev.Tags = append(ev.Tags, nostr.Tag{"a", addressOf(e.event)})
					}
				}
			}
		})},
		{Name: "deletions-of-states-cover-announcements", Filter: coveringAnnouncements},
	}
}

// coveringAnnouncements refuses announcements up to the time of a request to delete the states of their repository by address.
func coveringAnnouncements() Filter {
	until := map[string]nostr.Timestamp{} // by the address of the states
	statesOf := func(ev *nostr.Event) string {
		return addressOf(&nostr.Event{Kind: policy.KindState, PubKey: ev.PubKey, Tags: nostr.Tags{{"d", ev.Tags.GetD()}}})
	}
	return rejecting(func(ev *nostr.Event) bool {
		at, asked := until[statesOf(ev)]
		return ev.Kind == policy.KindAnnouncement && asked && ev.CreatedAt <= at
	}, func(i core.Input, _ []core.Effect) {
		_, ev := published(i)
		if ev == nil || ev.Kind != policy.KindDeletion {
			return
		}
		for _, t := range ev.Tags {
			if kind, author, _, _ := coordinate(valueAt(t)); kind == strconv.Itoa(policy.KindState) && author == ev.PubKey {
				until[t[1]] = max(until[t[1]], ev.CreatedAt)
			}
		}
	})
}

// valueAt is the value of a tag that is an address, or nothing.
func valueAt(t nostr.Tag) string {
	if len(t) > 1 && t[0] == "a" {
		return t[1]
	}
	return ""
}
