package relay

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"
)

// A Filter says which events a subscription wants (NIP-01). A nil list asks for nothing in particular; a list that is
// there and empty matches no event.
type Filter struct {
	IDs, Authors []string // 64 lower-case hex digits each, whole values only
	Kinds        []int
	Tags         []TagFilter // sorted by letter, each letter once
	Since, Until *int64      // seconds since the Unix epoch, both inclusive
	Limit        *int        // most events of the first answer; 0 asks for none
}

// A TagFilter asks for a tag with a one-letter name and one of the values as its first value.
type TagFilter struct {
	Letter byte
	Values []string
}

// Matches reports whether an event meets all conditions of the filter; the limit is none (N01-REQ-01).
func (f Filter) Matches(ev *nostr.Event) bool {
	created := int64(ev.CreatedAt)
	if f.Since != nil && created < *f.Since || f.Until != nil && created > *f.Until {
		return false
	}
	if f.Kinds != nil && !slices.Contains(f.Kinds, ev.Kind) ||
		f.Authors != nil && !slices.Contains(f.Authors, ev.PubKey) ||
		f.IDs != nil && !slices.Contains(f.IDs, ev.ID) {
		return false
	}
	for _, tag := range f.Tags {
		if !tag.matches(ev.Tags) {
			return false
		}
	}
	return true
}

func (f TagFilter) matches(tags nostr.Tags) bool {
	for _, tag := range tags {
		if len(tag) > 1 && len(tag[0]) == 1 && tag[0][0] == f.Letter && slices.Contains(f.Values, tag[1]) {
			return true
		}
	}
	return false
}
