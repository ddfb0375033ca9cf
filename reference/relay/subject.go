package relay

import "github.com/nbd-wtf/go-nostr"

// manyTags is from how many tags on an event is sorted by them before filters are asked.
const manyTags = 16

// A subject is an event that many filters are asked about. One with many tags is sorted once, so that a filter costs by
// its own values or by the tags of its letters, whichever are fewer: thousands of small filters are no way to have
// thousands of tags gone through for each.
type subject struct {
	ev     *nostr.Event
	values map[byte][]string // by letter; nil if the tags are few, or not sorted yet
	has    map[selector]struct{}
}

// wants reports the same as Matches.
func (m *Matcher) wants(s *subject) bool {
	if len(s.ev.Tags) < manyTags || len(m.values) == 0 {
		return m.Matches(s.ev)
	}
	if !m.matchesFields(s.ev) {
		return false
	}
	s.sort()
	for i, tag := range m.Filter.Tags {
		if !s.meets(tag, m.values[i]) {
			return false
		}
	}
	return true
}

func (s *subject) sort() {
	if s.values != nil {
		return
	}
	s.values, s.has = map[byte][]string{}, make(map[selector]struct{}, len(s.ev.Tags))
	eachSelectorOf(s.ev, func(by selector) {
		if _, known := s.has[by]; known || by.by >= byID {
			return
		}
		s.has[by] = struct{}{}
		s.values[byte(by.by)] = append(s.values[byte(by.by)], by.value)
	})
}

func (s *subject) meets(tag TagFilter, wanted set[string]) bool {
	values := s.values[tag.Letter]
	if len(values) <= len(tag.Values) {
		for _, value := range values {
			if wanted.has(value) {
				return true
			}
		}
		return false
	}
	for _, value := range tag.Values {
		if _, ok := s.has[selector{by: uint16(tag.Letter), value: value}]; ok {
			return true
		}
	}
	return false
}
