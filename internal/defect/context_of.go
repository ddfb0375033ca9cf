package defect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// beyondASCII reports whether a text has a character that is no ASCII.
func beyondASCII(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r > 0x7e })
}

// astral reports whether a text has a character that takes two units of UTF-16.
func astral(s string) bool { return strings.ContainsFunc(s, func(r rune) bool { return r > 0xffff }) }

// anyTag is a setting of events with such a tag.
func anyTag(name string, is func(nostr.Tag) bool) setting[*nostr.Event] {
	return always(name, func(ev *nostr.Event) bool { return slices.ContainsFunc(ev.Tags, is) })
}

// anyValue is a setting of events with such a value in a tag.
func anyValue(name string, is func(string) bool) setting[*nostr.Event] {
	return anyTag(name, func(t nostr.Tag) bool { return len(t) > 1 && slices.ContainsFunc(t[1:], is) })
}

// identified is a setting of events with such an identifier.
func identified(name string, is func(string) bool) setting[*nostr.Event] {
	return anyTag("identifier-"+name, func(t nostr.Tag) bool { return len(t) > 1 && t[0] == "d" && is(t[1]) })
}

// twice reports whether a tag of a name is there more than once.
func twice(ev *nostr.Event, name string) bool {
	n := 0
	for _, t := range ev.Tags {
		if t[0] == name {
			n++
		}
	}
	return n > 1
}

// eventSettings are what may be true of an event.
func eventSettings() []setting[*nostr.Event] {
	type ev = *nostr.Event
	var all []setting[ev]
	for _, kind := range []int{0, 1, 5, 1111, 1617, 1618, 1619, 1621, 1630, 1631, 1632, 1633, 1985, 7, 9735, 10002, 10317, 30023, 30078, 30617, 30618} {
		all = append(all, always(fmt.Sprint("kind-", kind), func(e ev) bool { return e.Kind == kind }))
	}
	return append(all, []setting[ev]{
		always("content-empty", func(e ev) bool { return e.Content == "" }),
		always("content-of-a-kilobyte", func(e ev) bool { return len(e.Content) > 1000 }),
		always("content-of-eight-kilobytes", func(e ev) bool { return len(e.Content) > 8000 }),
		always("content-in-lines", func(e ev) bool { return strings.Contains(e.Content, "\n") }),
		always("content-with-quotes", func(e ev) bool { return strings.Contains(e.Content, `"`) }),
		always("content-with-backslashes", func(e ev) bool { return strings.Contains(e.Content, `\`) }),
		always("content-beyond-ascii", func(e ev) bool { return beyondASCII(e.Content) }),
		always("content-with-astral-characters", func(e ev) bool { return astral(e.Content) }),
		always("content-of-json", func(e ev) bool { return strings.HasPrefix(e.Content, "{") }),
		always("content-with-markup", func(e ev) bool { return strings.ContainsAny(e.Content, "<>&") }),
		always("content-with-blanks-around", func(e ev) bool { return strings.TrimSpace(e.Content) != e.Content }),
		always("without-tags", func(e ev) bool { return len(e.Tags) == 0 }),
		always("one-tag", func(e ev) bool { return len(e.Tags) == 1 }),
		always("more-than-ten-tags", func(e ev) bool { return len(e.Tags) > 10 }),
		always("more-than-fifty-tags", func(e ev) bool { return len(e.Tags) > 50 }),
		anyTag("tag-of-a-name-alone", func(t nostr.Tag) bool { return len(t) == 1 }),
		anyTag("tag-of-five-elements", func(t nostr.Tag) bool { return len(t) > 4 }),
		anyTag("tag-with-a-capital-name", func(t nostr.Tag) bool { return len(t[0]) == 1 && t[0] >= "A" && t[0] <= "Z" }),
		anyTag("tag-with-a-name-of-capitals", func(t nostr.Tag) bool { return len(t[0]) > 1 && t[0] != strings.ToLower(t[0]) }),
		anyTag("tag-p", func(t nostr.Tag) bool { return t[0] == "p" }),
		anyTag("tag-q", func(t nostr.Tag) bool { return t[0] == "q" }),
		anyTag("tag-e-with-a-relay", func(t nostr.Tag) bool { return len(t) > 2 && t[0] == "e" && t[2] != "" }),
		anyTag("tag-a-with-a-relay", func(t nostr.Tag) bool { return len(t) > 2 && t[0] == "a" && t[2] != "" }),
		anyTag("tag-e-marked-root", func(t nostr.Tag) bool { return len(t) > 3 && t[0] == "e" && t[3] == "root" }),
		anyTag("tag-e-marked-reply", func(t nostr.Tag) bool { return len(t) > 3 && t[0] == "e" && t[3] == "reply" }),
		anyTag("tag-expiration", func(t nostr.Tag) bool { return t[0] == "expiration" }),
		anyTag("tag-nonce", func(t nostr.Tag) bool { return t[0] == "nonce" }),
		anyTag("tag-protected", func(t nostr.Tag) bool { return t[0] == "-" }),
		anyTag("tag-alt", func(t nostr.Tag) bool { return t[0] == "alt" }),
		anyTag("tag-of-a-commit", func(t nostr.Tag) bool { return t[0] == "c" || t[0] == "r" || t[0] == "commit" }),
		anyTag("state-with-a-tag-ref", func(t nostr.Tag) bool { return strings.HasPrefix(t[0], "refs/tags/") }),
		anyTag("state-with-a-peeled-ref", func(t nostr.Tag) bool { return strings.HasSuffix(t[0], "^{}") }),
		anyTag("state-with-parents", func(t nostr.Tag) bool { return strings.HasPrefix(t[0], "refs/") && len(t) > 2 }),
		anyTag("state-with-head", func(t nostr.Tag) bool { return t[0] == "HEAD" }),
		always("state-without-refs", func(e ev) bool {
			return e.Kind == policy.KindState && !slices.ContainsFunc(e.Tags, func(t nostr.Tag) bool { return strings.HasPrefix(t[0], "refs/") })
		}),
		anyTag("ref-with-slashes", func(t nostr.Tag) bool { return strings.HasPrefix(t[0], "refs/heads/") && strings.Count(t[0], "/") > 2 }),
		anyTag("ref-beyond-ascii", func(t nostr.Tag) bool { return strings.HasPrefix(t[0], "refs/") && beyondASCII(t[0]) }),
		anyTag("ref-with-capitals", func(t nostr.Tag) bool { return strings.HasPrefix(t[0], "refs/") && t[0] != strings.ToLower(t[0]) }),
		anyTag("two-maintainers-in-a-tag", func(t nostr.Tag) bool { return t[0] == "maintainers" && len(t) > 2 }),
		anyTag("maintainers", func(t nostr.Tag) bool { return t[0] == "maintainers" }),
		always("maintainers-in-two-tags", func(e ev) bool { return twice(e, "maintainers") }),
		anyTag("two-clones-in-a-tag", func(t nostr.Tag) bool { return t[0] == "clone" && len(t) > 2 }),
		always("clones-in-two-tags", func(e ev) bool { return twice(e, "clone") }),
		anyTag("two-relays-in-a-tag", func(t nostr.Tag) bool { return t[0] == "relays" && len(t) > 2 }),
		always("two-addresses", func(e ev) bool { return twice(e, "a") }),
		always("two-references", func(e ev) bool { return twice(e, "e") }),
		always("two-identifiers", func(e ev) bool { return twice(e, "d") }),
		always("two-people", func(e ev) bool { return twice(e, "p") }),
		anyValue("value-empty", func(v string) bool { return v == "" }),
		anyValue("value-longer-than-a-hundred", func(v string) bool { return len(v) > 100 && !strings.HasPrefix(v, "http") }),
		anyValue("value-longer-than-a-kilobyte", func(v string) bool { return len(v) > 1000 }),
		anyValue("value-beyond-ascii", beyondASCII),
		anyValue("value-with-quotes", func(v string) bool { return strings.Contains(v, `"`) }),
		anyValue("value-with-a-comma", func(v string) bool { return strings.Contains(v, ",") }),
		anyValue("value-with-lines", func(v string) bool { return strings.Contains(v, "\n") }),
		anyValue("value-of-capital-hex", func(v string) bool {
			return len(v) == 64 && strings.Trim(v, "0123456789abcdefABCDEF") == "" && v != strings.ToLower(v)
		}),
		identified("of-one-character", func(d string) bool { return len(d) == 1 }),
		identified("longer-than-thirty", func(d string) bool { return len(d) > 30 }),
		identified("longer-than-sixty", func(d string) bool { return len(d) > 60 }),
		identified("with-a-dot", func(d string) bool { return strings.Contains(d, ".") }),
		identified("with-capitals", func(d string) bool { return d != strings.ToLower(d) }),
		identified("with-an-underscore", func(d string) bool { return strings.Contains(d, "_") }),
		identified("with-a-blank", func(d string) bool { return strings.Contains(d, " ") }),
		identified("with-a-percent-sign", func(d string) bool { return strings.Contains(d, "%") }),
		identified("with-a-colon", func(d string) bool { return strings.Contains(d, ":") }),
		identified("with-a-plus", func(d string) bool { return strings.Contains(d, "+") }),
		identified("beyond-ascii", beyondASCII),
		identified("of-digits", func(d string) bool { return d != "" && strings.Trim(d, "0123456789") == "" }),
		identified("ending-in-git", func(d string) bool { return strings.HasSuffix(d, ".git") }),
		identified("beginning-with-a-dash", func(d string) bool { return strings.HasPrefix(d, "-") }),
		identified("empty", func(d string) bool { return d == "" }),
		always("dated-before-2020", func(e ev) bool { return e.CreatedAt < 1_577_836_800 }),
		always("dated-zero", func(e ev) bool { return e.CreatedAt == 0 }),
		{"a-day-older-than-the-newest", olderBy(86_400)},
		{"a-minute-older-than-the-newest", olderBy(60)},
		{"newest-so-far", func() func(ev) bool {
			var newest nostr.Timestamp
			return func(e ev) bool {
				is := e.CreatedAt > newest
				newest = max(newest, e.CreatedAt)
				return is
			}
		}},
		{"of-the-date-of-another", func() func(ev) bool {
			seen := map[nostr.Timestamp]string{}
			return func(e ev) bool {
				other, is := seen[e.CreatedAt]
				if !is {
					seen[e.CreatedAt] = e.ID
				}
				return is && other != e.ID
			}
		}},
		{"first-of-its-author", nth(func(e ev) string { return e.PubKey }, func(n int) bool { return n == 1 })},
		{"tenth-of-its-author-and-later", nth(func(e ev) string { return e.PubKey }, func(n int) bool { return n >= 10 })},
		{"second-of-its-kind-and-author", nth(func(e ev) string { return fmt.Sprint(e.Kind, e.PubKey) }, func(n int) bool { return n == 2 })},
		{"third-of-its-kind-and-author", nth(func(e ev) string { return fmt.Sprint(e.Kind, e.PubKey) }, func(n int) bool { return n == 3 })},
		{"third-version", nth(func(e ev) string { return fmt.Sprint(slotOf(e)) }, func(n int) bool { return n == 3 })},
		{"identifier-of-another-author", func() func(ev) bool {
			by := map[string]string{}
			return func(e ev) bool {
				d := e.Tags.GetD()
				if d == "" {
					return false
				}
				if by[d] == "" {
					by[d] = e.PubKey
				}
				return by[d] != e.PubKey
			}
		}},
		{"second-repository-of-its-owner", func() func(ev) bool {
			first := map[string]string{}
			return func(e ev) bool {
				d := e.Tags.GetD()
				if e.Kind != policy.KindAnnouncement && e.Kind != policy.KindState {
					return false
				}
				if first[e.PubKey] == "" {
					first[e.PubKey] = d
				}
				return first[e.PubKey] != d
			}
		}},
	}...)
}

// olderBy is true of what is that much older than the newest event so far.
func olderBy(seconds nostr.Timestamp) func() func(*nostr.Event) bool {
	return func() func(*nostr.Event) bool {
		var newest nostr.Timestamp
		return func(e *nostr.Event) bool {
			newest = max(newest, e.CreatedAt)
			return e.CreatedAt < newest-seconds
		}
	}
}

// nth is true of the events that are so many-th of those that share a key.
func nth(key func(*nostr.Event) string, is func(int) bool) func() func(*nostr.Event) bool {
	return func() func(*nostr.Event) bool {
		count, place := map[string]int{}, map[string]int{}
		return func(e *nostr.Event) bool {
			if place[e.ID] == 0 {
				count[key(e)]++
				place[e.ID] = count[key(e)]
			}
			return is(place[e.ID])
		}
	}
}

// querySettings are what may be true of a query.
func querySettings() []setting[query] {
	one := func(name string, is func(relay.Filter) bool) setting[query] {
		return always(name, func(q query) bool { return slices.ContainsFunc(q.filters, is) })
	}
	tag := func(letter byte) setting[query] {
		return one("tag-"+string(rune(letter)), func(f relay.Filter) bool {
			return slices.ContainsFunc(f.Tags, func(t relay.TagFilter) bool { return t.Letter == letter })
		})
	}
	all := []setting[query]{
		always("two-filters", func(q query) bool { return len(q.filters) == 2 }),
		always("three-filters", func(q query) bool { return len(q.filters) >= 3 }),
		one("ids", func(f relay.Filter) bool { return len(f.IDs) > 0 }),
		one("two-ids", func(f relay.Filter) bool { return len(f.IDs) > 1 }),
		one("twenty-ids", func(f relay.Filter) bool { return len(f.IDs) > 19 }),
		one("ids-and-kinds", func(f relay.Filter) bool { return len(f.IDs) > 0 && len(f.Kinds) > 0 }),
		one("ids-and-authors", func(f relay.Filter) bool { return len(f.IDs) > 0 && len(f.Authors) > 0 }),
		one("ids-and-a-limit", func(f relay.Filter) bool { return len(f.IDs) > 0 && f.Limit != nil }),
		one("ids-and-tags", func(f relay.Filter) bool { return len(f.IDs) > 0 && len(f.Tags) > 0 }),
		one("authors-alone", func(f relay.Filter) bool {
			return len(f.Authors) > 0 && len(f.Kinds) == 0 && len(f.Tags) == 0 && len(f.IDs) == 0
		}),
		one("two-authors", func(f relay.Filter) bool { return len(f.Authors) > 1 }),
		one("two-authors-and-kinds", func(f relay.Filter) bool { return len(f.Authors) > 1 && len(f.Kinds) > 0 }),
		one("two-authors-two-kinds", func(f relay.Filter) bool { return len(f.Authors) > 1 && len(f.Kinds) > 1 }),
		one("kinds-alone", func(f relay.Filter) bool {
			return len(f.Kinds) > 0 && len(f.Authors) == 0 && len(f.Tags) == 0 && len(f.IDs) == 0
		}),
		one("two-kinds", func(f relay.Filter) bool { return len(f.Kinds) > 1 }),
		one("five-kinds", func(f relay.Filter) bool { return len(f.Kinds) > 4 }),
		one("kinds-and-tags", func(f relay.Filter) bool { return len(f.Kinds) > 0 && len(f.Tags) > 0 }),
		one("tags-alone", func(f relay.Filter) bool {
			return len(f.Tags) > 0 && len(f.Authors) == 0 && len(f.Kinds) == 0 && len(f.IDs) == 0
		}),
		one("authors-and-tags", func(f relay.Filter) bool { return len(f.Authors) > 0 && len(f.Tags) > 0 }),
		one("authors-kinds-and-tags", func(f relay.Filter) bool { return len(f.Authors) > 0 && len(f.Tags) > 0 && len(f.Kinds) > 0 }),
		one("two-tags", func(f relay.Filter) bool { return len(f.Tags) > 1 }),
		one("two-values", func(f relay.Filter) bool {
			return slices.ContainsFunc(f.Tags, func(t relay.TagFilter) bool { return len(t.Values) > 1 })
		}),
		one("ten-values", func(f relay.Filter) bool {
			return slices.ContainsFunc(f.Tags, func(t relay.TagFilter) bool { return len(t.Values) > 9 })
		}),
		one("since", func(f relay.Filter) bool { return f.Since != nil }),
		one("until", func(f relay.Filter) bool { return f.Until != nil }),
		one("since-and-until", func(f relay.Filter) bool { return f.Since != nil && f.Until != nil }),
		one("since-and-tags", func(f relay.Filter) bool { return f.Since != nil && len(f.Tags) > 0 }),
		one("until-and-tags", func(f relay.Filter) bool { return f.Until != nil && len(f.Tags) > 0 }),
		one("until-and-a-limit", func(f relay.Filter) bool { return f.Until != nil && f.Limit != nil }),
		one("since-and-a-limit", func(f relay.Filter) bool { return f.Since != nil && f.Limit != nil }),
		one("since-and-authors", func(f relay.Filter) bool { return f.Since != nil && len(f.Authors) > 0 }),
		one("limit", func(f relay.Filter) bool { return f.Limit != nil }),
		one("limit-one", func(f relay.Filter) bool { return f.Limit != nil && *f.Limit == 1 }),
		one("limit-and-tags", func(f relay.Filter) bool { return f.Limit != nil && len(f.Tags) > 0 }),
		one("limit-and-authors", func(f relay.Filter) bool { return f.Limit != nil && len(f.Authors) > 0 }),
		one("limit-beyond-a-hundred", func(f relay.Filter) bool { return f.Limit != nil && *f.Limit > 100 }),
		one("limit-beyond-a-thousand", func(f relay.Filter) bool { return f.Limit != nil && *f.Limit > 1000 }),
		one("nothing", func(f relay.Filter) bool {
			return len(f.IDs)+len(f.Authors)+len(f.Kinds)+len(f.Tags) == 0 && f.Since == nil && f.Until == nil && f.Limit == nil
		}),
		one("limit-alone", func(f relay.Filter) bool {
			return len(f.IDs)+len(f.Authors)+len(f.Kinds)+len(f.Tags) == 0 && f.Limit != nil
		}),
		always("two-filters-one-with-a-limit", func(q query) bool {
			return len(q.filters) > 1 && slices.ContainsFunc(q.filters, func(f relay.Filter) bool { return f.Limit != nil })
		}),
		always("id-of-one-character", func(q query) bool { return len(q.sub) == 1 }),
		always("id-of-forty", func(q query) bool { return len(q.sub) >= 40 }),
		always("id-beyond-ascii", func(q query) bool { return beyondASCII(q.sub) }),
		always("id-with-a-colon", func(q query) bool { return strings.Contains(q.sub, ":") }),
		{"tenth-of-its-connection-and-later", func() func(query) bool {
			asked := map[core.ConnID]int{}
			return func(q query) bool { asked[q.conn]++; return asked[q.conn] >= 10 }
		}},
		{"fourth-of-its-connection", func() func(query) bool {
			asked := map[core.ConnID]int{}
			return func(q query) bool { asked[q.conn]++; return asked[q.conn] == 4 }
		}},
		againUnderItsID(),
		{"asked-before-on-another-connection", func() func(query) bool {
			asked := map[string]core.ConnID{}
			return func(q query) bool {
				other, is := asked[filterKey(q.filters...)]
				if !is {
					asked[filterKey(q.filters...)] = q.conn
				}
				return is && other != q.conn
			}
		}},
	}
	for _, letter := range []byte("aAeEpPqdktrcKg") {
		all = append(all, tag(letter))
	}
	for _, kind := range []int{0, 1, 5, 1111, 1617, 1618, 1619, 1621, 1630, 30617, 30618} {
		all = append(all, one(fmt.Sprint("kind-", kind), func(f relay.Filter) bool { return slices.Contains(f.Kinds, kind) }))
	}
	return all
}

// againUnderItsID is the setting of a query under an id that its connection has had before.
func againUnderItsID() setting[query] {
	return setting[query]{"again-under-its-id", func() func(query) bool {
		asked := map[openedAt]bool{}
		return func(q query) bool {
			at := openedAt{q.conn, q.sub}
			is := asked[at]
			asked[at] = true
			return is
		}
	}}
}
