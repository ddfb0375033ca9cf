package relay

import (
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"
)

// A Matcher is a filter that is ready to be asked about many events: an answer costs by the size of the event, and not
// by how many values the filter lists. It is not changed once it is made.
type Matcher struct {
	Filter Filter // what it was made of, not to be changed either

	ids, authors set[string]
	kinds        set[int]
	letters      string        // of the tags that are asked for, each once
	values       []set[string] // of each letter
}

// Compile makes the filter ready to be asked. Its lists are shared and must not change afterwards.
func (f Filter) Compile() *Matcher {
	m := &Matcher{Filter: f, ids: setOf(f.IDs), authors: setOf(f.Authors), kinds: setOf(f.Kinds)}
	letters := make([]byte, len(f.Tags))
	for i, tag := range f.Tags {
		letters[i] = tag.Letter
		m.values = append(m.values, setOf(tag.Values))
	}
	m.letters = string(letters)
	return m
}

// Compile makes filters ready to be asked.
func Compile(filters ...Filter) []*Matcher {
	matchers := make([]*Matcher, len(filters))
	for i, f := range filters {
		matchers[i] = f.Compile()
	}
	return matchers
}

// Matches reports whether an event meets all conditions of the filter; the limit is none (N01-REQ-01).
func (m *Matcher) Matches(ev *nostr.Event) bool { return m.matchesFields(ev) && m.matchesTags(ev.Tags) }

func (m *Matcher) matchesFields(ev *nostr.Event) bool {
	created := int64(ev.CreatedAt)
	if m.Filter.Since != nil && created < *m.Filter.Since || m.Filter.Until != nil && created > *m.Filter.Until {
		return false
	}
	return (m.Filter.Kinds == nil || m.kinds.has(ev.Kind)) &&
		(m.Filter.Authors == nil || m.authors.has(ev.PubKey)) &&
		(m.Filter.IDs == nil || m.ids.has(ev.ID))
}

// matchesTags goes through the tags of an event once, whatever number of letters is asked for.
func (m *Matcher) matchesTags(tags nostr.Tags) bool {
	wanted := len(m.letters)
	if wanted == 0 {
		return true
	}
	var met [256]bool // by place in letters, which are bytes
	for _, tag := range tags {
		if len(tag) < 2 || len(tag[0]) != 1 {
			continue
		}
		at := strings.IndexByte(m.letters, tag[0][0])
		if at < 0 || met[at] || !m.values[at].has(tag[1]) {
			continue
		}
		met[at] = true
		if wanted--; wanted == 0 {
			return true
		}
	}
	return false
}

// wantAny reports whether any of the filters matches an event.
func wantAny(matchers []*Matcher, s *subject) bool {
	return slices.ContainsFunc(matchers, func(m *Matcher) bool { return m.wants(s) })
}

// fewMax is how many values are looked through one by one: below it that is faster than a map, and smaller.
const fewMax = 8

// A set answers whether a value is in a list, at the same cost for any list.
type set[K comparable] struct {
	few  []K
	many map[K]struct{} // in place of few
}

func setOf[K comparable](list []K) set[K] {
	if len(list) <= fewMax {
		return set[K]{few: list}
	}
	many := make(map[K]struct{}, len(list))
	for _, value := range list {
		many[value] = struct{}{}
	}
	return set[K]{many: many}
}

func (s set[K]) has(value K) bool {
	if s.many != nil {
		_, ok := s.many[value]
		return ok
	}
	return slices.Contains(s.few, value)
}
