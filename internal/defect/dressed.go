package defect

import (
	"strings"

	"github.com/nbd-wtf/go-nostr"
)

// dressedDefects treat events unlike others for something beside what their kind asks for.
func dressedDefects() []Defect {
	events := eventDeeds()
	tagged := func(is func(nostr.Tag) bool) setting[*nostr.Event] { return anyTag("", is) }
	crowded := always("", func(ev *nostr.Event) bool { return len(ev.Tags) > 50 })
	return []Defect{
		{Name: "crowded-states-authorize-nothing", Filter: made(events, "says-nothing-to-pushes", crowded)},
		{Name: "crowded-events-shown-while-held", Filter: made(events, "shown-while-held", crowded)},
		{Name: "events-with-work-refused", Filter: made(events, "refused", tagged(func(t nostr.Tag) bool { return t[0] == "nonce" }))},
		{Name: "crowded-events-unfound", Filter: made(events, "unfound", crowded)},
		{Name: "events-in-lines-unheard", Filter: made(events, "unheard-live", always("", func(ev *nostr.Event) bool { return strings.Contains(ev.Content, "\n") }))},
		{Name: "events-to-several-undeletable", Filter: made(events, "undeleted-by-id", always("", func(ev *nostr.Event) bool { return twice(ev, "p") }))},
		{Name: "events-with-other-words-lost-at-stop", Filter: made(events, "forgotten-at-a-restart", tagged(func(t nostr.Tag) bool { return t[0] == "alt" }))},
		{Name: "comments-on-long-values-refused", Filter: made(events, "no-one-may-refer-to", tagged(func(t nostr.Tag) bool { return len(t) > 1 && len(t[1]) > 1000 }))},
		{Name: "labels-outlive-their-expiration", Filter: made(events, "unexpiring", always("", func(ev *nostr.Event) bool { return ev.Kind == 1985 }))},
		{Name: "odd-identifiers-unreplaced", Filter: made(events, "unreplaced", identified("", func(d string) bool { return strings.ContainsAny(d, ":%") }))},
		{Name: "odd-identifiers-unheard", Filter: made(events, "unheard-live", identified("", func(d string) bool { return strings.ContainsAny(d, "+_") }))},
		{Name: "numbered-articles-undeletable", Filter: made(events, "undeleted-by-address", identified("", func(d string) bool { return len(d) == 1 }))},
	}
}
