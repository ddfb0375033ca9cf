package relay

import "github.com/nbd-wtf/go-nostr"

// A selector is one thing by which a filter selects events, and which an event that it wants must have.
type selector struct {
	by    uint16 // a letter, or one of those below
	kind  int    // with byKind
	value string // with a letter, byID and byAuthor
}

const (
	byID uint16 = 1<<8 + iota // above all letters
	byAuthor
	byKind
	byNothing // what every event has
)

// eachSelector yields selectors of which every event that the filter wants has at least one: ids if it names any, else
// the shortest list of authors or values of a tag, else kinds, which many events share, else that of every event. A
// filter that can want nothing has none.
func (f Filter) eachSelector(yield func(selector)) {
	if f.IDs != nil && len(f.IDs) == 0 || f.Authors != nil && len(f.Authors) == 0 || f.Kinds != nil && len(f.Kinds) == 0 {
		return
	}
	by, values := byNothing, []string(nil)
	if f.Authors != nil {
		by, values = byAuthor, f.Authors
	}
	for _, tag := range f.Tags {
		switch {
		case len(tag.Values) == 0:
			return
		case by == byNothing || len(tag.Values) < len(values):
			by, values = uint16(tag.Letter), tag.Values
		}
	}
	if f.IDs != nil {
		by, values = byID, f.IDs
	}
	for _, value := range values {
		yield(selector{by: by, value: value})
	}
	switch {
	case by != byNothing:
	case f.Kinds == nil:
		yield(selector{by: byNothing})
	default:
		for _, kind := range f.Kinds {
			yield(selector{by: byKind, kind: kind})
		}
	}
}

// eachSelectorOf yields what filters can select an event by, some perhaps twice.
func eachSelectorOf(ev *nostr.Event, yield func(selector)) {
	yield(selector{by: byNothing})
	yield(selector{by: byID, value: ev.ID})
	yield(selector{by: byAuthor, value: ev.PubKey})
	yield(selector{by: byKind, kind: ev.Kind})
	for _, tag := range ev.Tags {
		if len(tag) > 1 && len(tag[0]) == 1 {
			yield(selector{by: uint16(tag[0][0]), value: tag[1]})
		}
	}
}
