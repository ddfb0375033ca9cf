package defect

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
)

// writtenDefects are mistakes with how events and messages are written.
func writtenDefects() []Defect {
	holding := func(name string, texts ...string) Defect {
		return Defect{Name: name, Filter: rejects(func(ev *nostr.Event) bool {
			return slices.ContainsFunc(texts, func(text string) bool {
				return strings.Contains(ev.Content, text) || slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool {
					return slices.ContainsFunc(t, func(v string) bool { return strings.Contains(v, text) })
				})
			})
		})}
	}
	return []Defect{
		holding("angle-brackets-refused", "<", ">", "&"),
		holding("line-separators-refused", "\u2028", "\u2029"),
		holding("deletes-refused", "\x7f"),
		holding("backspaces-refused", "\b", "\f"),
		holding("characters-beyond-16-bits-refused", "🚀", "😀", "👍"),
		holding("marks-of-order-refused", "\ufeff"),
		{Name: "equal-tags-merged", Filter: sentAs(func(tags nostr.Tags) nostr.Tags {
			var kept nostr.Tags
			for _, t := range tags {
				if !slices.ContainsFunc(kept, func(o nostr.Tag) bool { return slices.Equal(o, t) }) {
					kept = append(kept, t)
				}
			}
			return kept
		})},
		{Name: "empty-values-dropped", Filter: sentAs(func(tags nostr.Tags) nostr.Tags {
			var kept nostr.Tags
			for _, t := range tags {
				kept = append(kept, slices.DeleteFunc(slices.Clone(t), func(v string) bool { return v == "" }))
			}
			return kept
		})},
		{Name: "tags-of-one-element-refused", Filter: rejects(func(ev *nostr.Event) bool {
			return slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool { return len(t) == 1 && t[0] != "-" })
		})},
		{Name: "spaced-messages-unread", Heard: func(msg []byte) []byte {
			if spaced.Match(msg) {
				return []byte(`{}`)
			}
			return msg
		}},
		{Name: "escaped-slashes-misread", Heard: func(msg []byte) []byte { return []byte(strings.ReplaceAll(string(msg), `\/`, `\\/`)) }},
		{Name: "pairs-of-escapes-misread", Heard: func(msg []byte) []byte { return pairs.ReplaceAll(msg, []byte(`\ufffd\ufffd`)) }},
		{Name: "subscription-ids-unescaped", Frame: func(frame []byte) []byte {
			var parts []json.RawMessage
			var id string
			if json.Unmarshal(frame, &parts) != nil || len(parts) < 2 || string(parts[0]) == `"OK"` || string(parts[0]) == `"NOTICE"` ||
				json.Unmarshal(parts[1], &id) != nil {
				return frame
			}
			return []byte(strings.Replace(string(frame), string(parts[1]), `"`+id+`"`, 1))
		}},
		{Name: "acknowledgements-of-three", Frame: func(frame []byte) []byte {
			return []byte(strings.Replace(string(frame), `,true,""]`, `,true]`, 1))
		}},
		{Name: "counts-as-text", Frame: func(frame []byte) []byte { return countOf.ReplaceAll(frame, []byte(`"count":"$1"`)) }},
		{Name: "ends-name-no-subscription", Frame: func(frame []byte) []byte {
			if strings.HasPrefix(string(frame), `["EOSE"`) {
				return []byte(`["EOSE"]`)
			}
			return frame
		}},
	}
}

var (
	spaced  = regexp.MustCompile(`^\s*\[\s+"|^\s+\[|^\["[A-Z]+"\s+,`)
	pairs   = regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}`)
	countOf = regexp.MustCompile(`"count":(\d+)`)
)

// sentAs sends events with other tags than they came with.
func sentAs(change func(nostr.Tags) nostr.Tags) func() Filter {
	return out(func(_ core.Input, e core.Effect) (core.Effect, bool) {
		send, _ := e.(core.Send)
		m, is := send.Msg.(relay.EventFor)
		if !is {
			return e, true
		}
		ev := *m.Event
		ev.Tags = change(ev.Tags)
		m.Event = &ev
		send.Msg = m
		return send, true
	})
}
