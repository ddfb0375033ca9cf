package defect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/policy"
)

// breathDefects are mistakes of servers that look at a message when it comes and are done with it a little later: of two that are under
// way one knows nothing of the other. Who waits for each answer never meets them.
func breathDefects() []Defect {
	return []Defect{
		{Name: "copies-under-way-refused", Burst: spoilt(func(b *burst, ev *nostr.Event, before []*nostr.Event) bool {
			copied := slices.ContainsFunc(before, func(o *nostr.Event) bool { return o.ID == ev.ID })
			if copied {
				b.answer(ev, false, "error: UNIQUE constraint failed: event.id")
			}
			return copied
		})},
		{Name: "first-of-versions-under-way-wins", Burst: spoilt(func(b *burst, ev *nostr.Event, before []*nostr.Event) bool {
			second := slices.ContainsFunc(before, func(o *nostr.Event) bool { return versions(o, ev) })
			if second {
				b.answer(ev, true, "")
			}
			return second
		})},
		{Name: "last-of-versions-under-way-wins", Burst: fromTheEnd(spoilt(func(b *burst, ev *nostr.Event, behind []*nostr.Event) bool {
			first := slices.ContainsFunc(behind, func(o *nostr.Event) bool { return versions(o, ev) })
			if first {
				b.answer(ev, true, "")
			}
			return first
		}))},
		{Name: "what-is-under-way-not-deleted", Burst: spoilt(func(b *burst, ev *nostr.Event, before []*nostr.Event) bool {
			doomed := ev.Kind == policy.KindDeletion && slices.ContainsFunc(before, func(o *nostr.Event) bool { return names(ev, o.ID) })
			if doomed {
				b.answer(ev, true, "")
			}
			return doomed
		})},
		{Name: "queries-beside-events-forgotten", Burst: func(messages [][]byte) (passed, answers [][]byte) {
			sent := false
			for _, m := range messages {
				verb, sub, _ := message(m)
				if sent && verb == "REQ" {
					answers = append(answers, fmt.Appendf(nil, `["EOSE",%s]`, sub))
					continue
				}
				sent = sent || verb == "EVENT"
				passed = append(passed, m)
			}
			return passed, answers
		}},
		{Name: "queries-end-those-before", Burst: queriesBeside(func(*burst, []byte) {})},
		{Name: "queries-beside-others-cut-off", Burst: queriesBeside(func(b *burst, query []byte) {
			b.passed = append(b.passed, anyLimit.ReplaceAll(query, []byte(`"limit":10`)))
		})},
		{Name: "first-of-replacing-queries-wins", Burst: func(messages [][]byte) (passed, answers [][]byte) {
			var asked []string
			for _, m := range messages {
				verb, sub, _ := message(m)
				if verb == "REQ" && slices.Contains(asked, string(sub)) {
					continue
				}
				if verb == "REQ" {
					asked = append(asked, string(sub))
				}
				passed = append(passed, m)
			}
			return passed, nil
		}},
		{Name: "closes-fall-behind-queries", Burst: func(messages [][]byte) (passed, answers [][]byte) {
			rank := func(m []byte) int {
				if verb, _, _ := message(m); verb == "CLOSE" {
					return 1
				}
				return 0
			}
			slices.SortStableFunc(messages, func(a, b []byte) int { return rank(a) - rank(b) })
			return messages, nil
		}},
		{Name: "closes-overtake-queries", Burst: func(messages [][]byte) (passed, answers [][]byte) {
			rank := func(m []byte) int {
				if verb, _, _ := message(m); verb == "CLOSE" {
					return 0
				}
				return 1
			}
			slices.SortStableFunc(messages, func(a, b []byte) int { return rank(a) - rank(b) })
			return messages, nil
		}},
	}
}

// anyLimit is the limit of a filter.
var anyLimit = regexp.MustCompile(`"limit":[0-9]+`)

// queriesBeside spoils a query of another id behind which another one comes.
func queriesBeside(spoil func(b *burst, query []byte)) func([][]byte) (passed, answers [][]byte) {
	return func(messages [][]byte) ([][]byte, [][]byte) {
		b := &burst{}
		for n, m := range messages {
			verb, sub, _ := message(m)
			if verb == "REQ" && slices.ContainsFunc(messages[n+1:], func(o []byte) bool {
				later, other, _ := message(o)
				return later == "REQ" && !bytes.Equal(sub, other)
			}) {
				spoil(b, m)
				continue
			}
			b.passed = append(b.passed, m)
		}
		return b.passed, b.answers
	}
}

// versions reports whether of two events one takes the place of the other.
func versions(a, b *nostr.Event) bool {
	return a.ID != b.ID && slotOf(a) == slotOf(b) && (nostr.IsAddressableKind(a.Kind) || nostr.IsReplaceableKind(a.Kind))
}

// A burst is what becomes of messages that came together.
type burst struct{ passed, answers [][]byte }

func (b *burst) answer(ev *nostr.Event, accepted bool, text string) {
	b.answers = append(b.answers, fmt.Appendf(nil, `["OK",%q,%t,%q]`, ev.ID, accepted, text))
}

// spoilt answers some events in the place of the relay, by those that came before them.
func spoilt(takes func(b *burst, ev *nostr.Event, before []*nostr.Event) bool) func([][]byte) (passed, answers [][]byte) {
	return func(messages [][]byte) ([][]byte, [][]byte) {
		b := &burst{}
		var before []*nostr.Event
		for _, m := range messages {
			_, _, ev := message(m)
			if ev != nil && takes(b, ev, before) {
				continue
			}
			b.passed = append(b.passed, m)
			if ev != nil {
				before = append(before, ev)
			}
		}
		return b.passed, b.answers
	}
}

// fromTheEnd goes through the messages from the last one on; the relay has them in their order.
func fromTheEnd(by func([][]byte) (passed, answers [][]byte)) func([][]byte) (passed, answers [][]byte) {
	return func(messages [][]byte) (passed, answers [][]byte) {
		slices.Reverse(messages)
		passed, answers = by(messages)
		slices.Reverse(passed)
		return passed, answers
	}
}

// message takes a message of a client apart: its second element as it is written, or the event that it brings.
func message(text []byte) (verb string, second json.RawMessage, ev *nostr.Event) {
	var parts []json.RawMessage
	if json.Unmarshal(text, &parts) != nil || len(parts) < 2 || json.Unmarshal(parts[0], &verb) != nil {
		return "", nil, nil
	}
	var sent nostr.Event
	if verb == "EVENT" && json.Unmarshal(parts[1], &sent) == nil {
		ev = &sent
	}
	return verb, parts[1], ev
}
