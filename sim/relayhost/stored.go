package relayhost

import (
	"cmp"
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/relay"
)

// compare orders events as relays answer: newest first, and of one second the lower id first.
func compare(a, b *nostr.Event) int {
	return cmp.Or(cmp.Compare(b.CreatedAt, a.CreatedAt), cmp.Compare(a.ID, b.ID))
}

// address is what versions of an event share; false if the event has none.
func address(ev *nostr.Event) (string, bool) {
	switch k := ev.Kind; {
	case k == 0 || k == 3 || k >= 10000 && k < 20000:
		return ev.PubKey, true
	case k >= 30000 && k < 40000:
		return ev.PubKey + ":" + ev.Tags.GetD(), true
	}
	return "", false
}

// keeps reports whether an event is new here: not there, and no version of one that stands before it.
func (h *Host) keeps(ev *nostr.Event) bool {
	key, versions := address(ev)
	return !slices.ContainsFunc(h.events, func(other *nostr.Event) bool {
		if other.ID == ev.ID {
			return true
		}
		otherKey, _ := address(other)
		return versions && other.Kind == ev.Kind && otherKey == key && compare(other, ev) < 0
	})
}

// keep takes an event, in the place of its older version, and reports whether it is new. What is ephemeral is new and not
// kept.
func (h *Host) keep(ev *nostr.Event) bool {
	if ev.Kind >= 20000 && ev.Kind < 30000 {
		return true
	}
	if !h.keeps(ev) {
		return false
	}
	if key, versions := address(ev); versions {
		h.events = slices.DeleteFunc(h.events, func(other *nostr.Event) bool {
			otherKey, _ := address(other)
			return other.Kind == ev.Kind && otherKey == key
		})
	}
	at, _ := slices.BinarySearchFunc(h.events, ev, compare)
	h.events = slices.Insert(h.events, at, ev)
	return true
}

// selected are the events that filters ask for, in the order of answers, each once: of each filter at most so many as it
// says, and at most the number given.
func (h *Host) selected(filters []relay.Filter, most int) []*nostr.Event {
	var found []*nostr.Event
	for _, f := range filters {
		left := most
		if f.Limit != nil {
			left = min(left, *f.Limit)
		}
		for _, ev := range h.events {
			if left <= 0 {
				break
			}
			if matches(f, ev) {
				left--
				found = append(found, ev)
			}
		}
	}
	slices.SortFunc(found, compare)
	return slices.Compact(found)
}

func matchesAny(filters []relay.Filter, ev *nostr.Event) bool {
	return slices.ContainsFunc(filters, func(f relay.Filter) bool { return matches(f, ev) })
}

// matches reports whether a filter asks for an event; its limit aside.
func matches(f relay.Filter, ev *nostr.Event) bool {
	at := int64(ev.CreatedAt)
	switch {
	case f.IDs != nil && !slices.Contains(f.IDs, ev.ID),
		f.Authors != nil && !slices.Contains(f.Authors, ev.PubKey),
		f.Kinds != nil && !slices.Contains(f.Kinds, ev.Kind),
		f.Since != nil && at < *f.Since,
		f.Until != nil && at > *f.Until:
		return false
	}
	for _, wanted := range f.Tags {
		if !slices.ContainsFunc(ev.Tags, func(tag nostr.Tag) bool {
			return len(tag) > 1 && tag[0] == string(wanted.Letter) && slices.Contains(wanted.Values, tag[1])
		}) {
			return false
		}
	}
	return true
}

// timeless are filters without their times.
func timeless(filters []relay.Filter) []relay.Filter {
	out := slices.Clone(filters)
	for i := range out {
		out[i].Since, out[i].Until = nil, nil
	}
	return out
}
