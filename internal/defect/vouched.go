package defect

import (
	"strings"
	"unicode/utf8"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
)

// vouchedDefects are mistakes of servers that take one thing for another because they look alike in a form that is theirs alone: a proof
// for that of what was found right before, a name for that which its bytes make in another reading.
func vouchedDefects() []Defect {
	return []Defect{
		{Name: "events-verified-once-for-their-id", Filter: vouched(func(ev relay.Event) string { return ev.Event.ID }, true)},
		{Name: "events-verified-once-for-their-signature", Filter: vouched(func(ev relay.Event) string { return ev.Event.Sig }, false)},
		{Name: "missing-identifiers-called-undefined", Filter: replaces(func(own, other string) bool { return own == "" && other == "undefined" })},
		{Name: "missing-identifiers-called-null", Filter: replaces(func(own, other string) bool { return own == "" && other == "null" })},
		{Name: "missing-identifiers-called-none", Filter: replaces(func(own, other string) bool { return own == "" && other == "None" })},
		// The present has ten digits, and begins with 1.
		{Name: "early-expirations-compared-as-texts", Filter: unexpiring(func(ev *nostr.Event) bool {
			t := ev.Tags.Find("expiration")
			return len(t) > 1 && len(t[1]) < 10 && t[1] > "2"
		})},
		{Name: "late-expirations-compared-as-texts", Filter: rejects(func(ev *nostr.Event) bool {
			t := ev.Tags.Find("expiration")
			return len(t) > 1 && len(t[1]) > 10 && t[1] < "17"
		})},
		{Name: "expirations-of-zero-unread", Filter: unexpiring(func(ev *nostr.Event) bool { return ev.Tags.FindWithValue("expiration", "0") != nil })},
		misread("names-judged-without-eighth-bits", func(ref string) string {
			masked := []byte(ref)
			for n := range masked {
				masked[n] &= 0x7f
			}
			return string(masked)
		}),
		misread("names-judged-by-low-bytes", func(ref string) string {
			if !utf8.ValidString(ref) {
				return ref
			}
			var low []byte
			for _, r := range ref {
				low = append(low, byte(r))
			}
			return string(low)
		}),
		misread("names-judged-as-latin-1", func(ref string) string {
			var read strings.Builder
			for _, b := range []byte(ref) {
				read.WriteRune(rune(b))
			}
			return read.String()
		}),
		misread("names-judged-composed", func(ref string) string { return strings.ReplaceAll(ref, "e\u0301", "\u00e9") }),
	}
}

// vouched takes an event for right if one that was right has had the same key: with the id as key, its id is not looked at either.
func vouched(key func(relay.Event) string, id bool) func() Filter {
	return func() Filter {
		known := map[string]bool{}
		return in(func(m core.Message) core.Message {
			ev, ok := m.Msg.(relay.Event)
			if !ok {
				return m
			}
			if k := key(ev); ev.IDOK && m.SigOK {
				known[k] = true
			} else if known[k] {
				ev.IDOK = ev.IDOK || id
				m.Msg, m.SigOK = ev, ev.IDOK
			}
			return m
		})()
	}
}
