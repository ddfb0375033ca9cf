package defect

import (
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// patternDefects are mistakes of databases: identifiers that are patterns, or columns too short, and lists that are cut or paired.
func patternDefects() []Defect {
	return []Defect{
		{Name: "identifiers-in-filters-are-patterns", Filter: foundByTags(func(f relay.Filter, ev *nostr.Event) bool {
			at := slices.IndexFunc(f.Tags, func(t relay.TagFilter) bool { return t.Letter == 'd' })
			if at < 0 || !slices.ContainsFunc(f.Tags[at].Values, func(v string) bool { return alikeByPattern(v, ev.Tags.GetD()) }) {
				return false
			}
			f.Tags = slices.Delete(slices.Clone(f.Tags), at, at+1)
			return f.Compile().Matches(ev)
		})},
		{Name: "identifiers-replace-by-pattern", Filter: replaces(alikeByPattern)},
		{Name: "identifiers-of-one-long-beginning-replaced", Filter: replaces(func(own, other string) bool {
			return len(own) > shortColumn && len(other) > shortColumn && own[:shortColumn] == other[:shortColumn]
		})},
		{Name: "addresses-of-deletions-are-patterns", Filter: requests(func(ev *nostr.Event, s *shelf) {
			for _, t := range slices.Clone(ev.Tags) {
				for id, kept := range s.all() {
					o := kept.event
					if len(t) > 1 && t[0] == "a" && o.PubKey == ev.PubKey && o.CreatedAt <= ev.CreatedAt && alikeByPattern(t[1], addressOf(o)) {
						ev.Tags = append(ev.Tags, nostr.Tag{"e", id})
					}
				}
			}
		})},
		{Name: "identifiers-in-pushes-are-patterns", Filter: otherwiseNamed(alikeByPattern)},
		{Name: "pushes-judged-by-what-stands-before-a-colon", Filter: otherwiseNamed(func(own, other string) bool {
			before, _, cut := strings.Cut(own, ":")
			return cut && before == other
		})},
		aliased("identifiers-begin-behind-the-last-colon", func(s string) string { return s[strings.LastIndex(s, ":")+1:] }),
		{Name: "authors-and-identifiers-paired", Filter: sifting(func(f relay.Filter, ev *nostr.Event) bool {
			for _, t := range f.Tags {
				if t.Letter == 'd' && len(t.Values) > 1 && len(t.Values) == len(f.Authors) {
					return f.Compile().Matches(ev) && slices.Index(t.Values, ev.Tags.GetD()) == slices.Index(f.Authors, ev.PubKey)
				}
			}
			return f.Compile().Matches(ev)
		})},
		{Name: "services-of-pages-count-as-listed", Filter: edited(func(ev *nostr.Event, _ *shelf) bool {
			if ev.Kind != policy.KindAnnouncement {
				return false
			}
			for _, url := range listedIn(ev, "web") {
				ev.Tags = append(ev.Tags, nostr.Tag{"clone", url})
			}
			return true
		})},
		{Name: "deletions-take-announcements-of-namesakes", Filter: namesakesGo},
	}
}

// shortColumn is how many bytes of an identifier a database with short columns keeps.
const shortColumn = 64

// alikeByPattern reports whether a text fits a pattern of a database, in which _ stands for a byte and % for any.
func alikeByPattern(pattern, text string) bool {
	return strings.ContainsAny(pattern, "_%") && pattern != text && fitsPattern(pattern, text)
}

func fitsPattern(pattern, text string) bool {
	switch {
	case pattern == "":
		return text == ""
	case pattern[0] == '%':
		return fitsPattern(pattern[1:], text) || text != "" && fitsPattern(pattern, text[1:])
	default:
		return text != "" && (pattern[0] == '_' || pattern[0] == text[0]) && fitsPattern(pattern[1:], text[1:])
	}
}

// otherwiseNamed lets pushes run that the owner's state of another identifier says, if it is like that of the repository.
func otherwiseNamed(like func(own, other string) bool) func() Filter {
	return func() Filter {
		s := &shelf{map[string]filed{}}
		f := letting(nil, func(o core.PushOffered, _ policy.Ruling) bool {
			for _, e := range s.all() {
				if ev := e.event; ev.Kind == policy.KindState && ev.PubKey == string(o.Repo.Owner) && like(o.Repo.Identifier, ev.Tags.GetD()) && declares(ev, o.Commands) {
					return true
				}
			}
			return false
		})
		out := f.Out
		f.Out = func(i core.Input, effects []core.Effect) []core.Effect {
			s.note(effects)
			return out(i, effects)
		}
		return f
	}
}

// namesakesGo deletes, with an announcement that its author deletes, those of others for the same identifier.
func namesakesGo() Filter {
	return tiedGo(policy.KindDeletion, func(was, other filed) bool {
		return !was.held && was.event.Kind == policy.KindAnnouncement && other.event.Kind == was.event.Kind && other.event.PubKey != was.event.PubKey && alike(was, other)
	})
}
