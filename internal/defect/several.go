package defect

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// severalDefects are mistakes that show when an author has more than one repository, or a request names more than one
// event.
func severalDefects() []Defect {
	return []Defect{
		{Name: "states-of-other-repositories-authorize", Filter: func() Filter { return otherStates(false) }},
		{Name: "latest-state-of-the-author-decides", Filter: func() Filter { return otherStates(true) }},
		{Name: "second-announcement-erases-the-first", Filter: oneEach(policy.KindAnnouncement)},
		{Name: "second-state-erases-the-first", Filter: oneEach(policy.KindState)},
		{Name: "longer-identifiers-replaced", Filter: replaces(func(own, other string) bool { return strings.HasPrefix(other, own) })},
		{Name: "shorter-identifiers-replaced", Filter: replaces(strings.HasPrefix)},
		{Name: "capitals-of-identifiers-ignored", Filter: replaces(strings.EqualFold)},
		{Name: "blanks-around-identifiers-ignored", Filter: replaces(sameOnce(strings.TrimSpace))},
		{Name: "identifiers-unescaped", Filter: replaces(sameOnce(func(d string) string {
			if plain, err := url.PathUnescape(d); err == nil {
				return plain
			}
			return d
		}))},
		{Name: "letters-of-identifiers-composed", Filter: replaces(sameOnce(func(d string) string { return strings.ReplaceAll(d, "e\u0301", "\u00e9") }))},
		{Name: "identifiers-replace-as-numbers", Filter: replaces(sameOnce(func(d string) string {
			if n, err := strconv.ParseFloat(d, 64); err == nil {
				return fmt.Sprint(n)
			}
			return d
		}))},
		{Name: "maintainers-of-any-repository-count", Filter: maintainersOfAny},
		{Name: "mixed-deletions-by-id", Filter: mixedDeletions("e")},
		{Name: "mixed-deletions-by-address", Filter: mixedDeletions("a")},
		{Name: "first-deletion-only", Filter: requests(func(ev *nostr.Event, _ *shelf) { ev.Tags = firstOf(ev.Tags, "e", "a") })},
		{Name: "first-repository-of-pull-requests", Filter: edited(func(ev *nostr.Event, _ *shelf) bool {
			ev.Tags = firstOf(ev.Tags, "a")
			return isPull(ev)
		})},
		{Name: "first-reference-of-talk", Filter: edited(func(ev *nostr.Event, _ *shelf) bool {
			ev.Tags = firstOf(ev.Tags, "a", "A", "e", "E", "q")
			return ev.Kind < 30_000 && ev.Kind != policy.KindDeletion && !isPull(ev)
		})},
		{Name: "owners-and-identifiers-crossed", Filter: edited(func(ev *nostr.Event, _ *shelf) bool {
			ev.Tags = append(ev.Tags, crossed(ev.Tags)...)
			return isPull(ev)
		})},
	}
}

// otherStates lets pushes run that any state of the owner says, of whatever repository; with latest his latest one, which
// is then the only one that counts.
func otherStates(latest bool) Filter {
	states := map[string][]*nostr.Event{} // by author, each identifier once
	said := func(o core.PushOffered, states []*nostr.Event) bool {
		return slices.ContainsFunc(states, func(ev *nostr.Event) bool {
			return ev.Tags.GetD() != o.Repo.Identifier && declares(ev, o.Commands)
		})
	}
	newest := func(author string) []*nostr.Event {
		list := states[author]
		if len(list) == 0 {
			return nil
		}
		return []*nostr.Event{slices.MaxFunc(list, func(a, b *nostr.Event) int { return int(a.CreatedAt - b.CreatedAt) })}
	}
	filter := letting(func(i core.Input) {
		_, ev := published(i)
		if ev == nil || ev.Kind != policy.KindState {
			return
		}
		list := slices.DeleteFunc(slices.Clone(states[ev.PubKey]), func(old *nostr.Event) bool {
			return old.Tags.GetD() == ev.Tags.GetD() && old.CreatedAt <= ev.CreatedAt
		})
		states[ev.PubKey] = append(list, ev)
	}, func(o core.PushOffered, _ policy.Ruling) bool {
		if latest {
			return said(o, newest(string(o.Repo.Owner)))
		}
		return said(o, states[string(o.Repo.Owner)])
	})
	return filter
}

// declares reports whether a state names each of some refs at its commit.
func declares(ev *nostr.Event, commands []gitproto.Command) bool {
	for _, c := range commands {
		if !slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool { return len(t) > 1 && t[0] == c.Ref && t[1] == string(c.New) }) {
			return false
		}
	}
	return len(commands) > 0
}

// oneEach keeps one event of a kind for each author: whatever else he has of it goes when another one comes.
func oneEach(kind int) func() Filter {
	return replacing(func(ev, _ *nostr.Event) bool { return ev.Kind == kind })
}

// replaces lets an addressable event take the place of those whose identifiers are like its own.
func replaces(like func(own, other string) bool) func() Filter {
	return replacing(func(ev, other *nostr.Event) bool {
		return nostr.IsAddressableKind(ev.Kind) && like(ev.Tags.GetD(), other.Tags.GetD())
	})
}

// sameOnce takes identifiers for one that are the same once something was done to both.
func sameOnce(done func(string) string) func(own, other string) bool {
	return func(own, other string) bool { return done(own) == done(other) }
}

// replacing erases, when an event is taken, what else its author has of its kind and under other identifiers, as far as it goes.
func replacing(goes func(ev, other *nostr.Event) bool) func() Filter {
	return func() Filter {
		s, hidden, from := &shelf{map[string]filed{}}, map[string]bool{}, map[string]core.ConnID{}
		return Filter{
			Out: func(i core.Input, effects []core.Effect) []core.Effect {
				if conn, ev := published(i); ev != nil {
					from[ev.ID] = conn
				}
				s.note(effects)
				return hiding(hidden, effects)
			},
			Also: func(_ core.Input, effects []core.Effect) []core.Input {
				var more []core.Input
				for _, e := range effects {
					r, is := e.(core.Record)
					if !is || r.Event == nil || hidden[mirror(r.ID)] {
						continue
					}
					if gone := s.erasing(r.Event, goes); gone != nil {
						hidden[gone.ID] = true
						more = append(more, core.Message{Conn: from[r.ID], Msg: relay.Event{Event: gone, IDOK: true}, SigOK: true})
					}
				}
				return more
			},
		}
	}
}

// erasing makes a request to delete what else the author of an event has of its kind, as far as it goes; nil if nothing does.
func (s *shelf) erasing(ev *nostr.Event, goes func(ev, other *nostr.Event) bool) *nostr.Event {
	gone := &nostr.Event{ID: mirror(ev.ID), PubKey: ev.PubKey, Kind: policy.KindDeletion, CreatedAt: ev.CreatedAt + 1}
	for id, kept := range s.all() {
		if o := kept.event; o.Kind == ev.Kind && o.PubKey == ev.PubKey && o.Tags.GetD() != ev.Tags.GetD() && goes(ev, o) {
			gone.Tags = append(gone.Tags, nostr.Tag{"e", id})
		}
	}
	if len(gone.Tags) == 0 {
		return nil
	}
	return gone
}

// hiding leaves out what would show some events to clients.
func hiding(hidden map[string]bool, effects []core.Effect) []core.Effect {
	return slices.DeleteFunc(slices.Clone(effects), func(e core.Effect) bool {
		send, _ := e.(core.Send)
		m, is := send.Msg.(relay.EventFor)
		return is && hidden[m.Event.ID]
	})
}

// maintainersOfAny adds to each announcement the maintainers that its author has named for other repositories.
func maintainersOfAny() Filter {
	return edited(func(ev *nostr.Event, s *shelf) bool {
		if ev.Kind != policy.KindAnnouncement {
			return false
		}
		for _, kept := range s.all() {
			other := kept.event
			if other.Kind == ev.Kind && other.PubKey == ev.PubKey && other.Tags.GetD() != ev.Tags.GetD() {
				ev.Tags = append(ev.Tags, slices.Collect(other.Tags.FindAll("maintainers"))...)
			}
		}
		return true
	})()
}

// mixedDeletions lets a request that names something of its author delete all that it names by one kind of tag.
func mixedDeletions(name string) func() Filter {
	return func() Filter {
		s, hidden := &shelf{map[string]filed{}}, map[string]bool{}
		var doomed []filed
		return Filter{
			In: func(i core.Input) (core.Input, bool) {
				doomed = nil
				_, ev := published(i)
				if ev == nil || ev.Kind != policy.KindDeletion {
					return i, true
				}
				own := false
				for _, t := range ev.Tags {
					for _, e := range s.named(t) {
						if e.event.PubKey == ev.PubKey {
							own = true
						} else if t[0] == name {
							doomed = append(doomed, e)
						}
					}
				}
				if !own {
					doomed = nil
				}
				return i, true
			},
			Out: func(_ core.Input, effects []core.Effect) []core.Effect {
				s.note(effects)
				return hiding(hidden, effects)
			},
			Also: func(i core.Input, _ []core.Effect) []core.Input {
				conn, ev := published(i)
				var more []core.Input
				for _, e := range doomed {
					gone := *ev
					gone.ID, gone.PubKey, gone.Tags = mirror(e.event.ID), e.event.PubKey, nostr.Tags{{"e", e.event.ID}}
					hidden[gone.ID] = true
					more = append(more, core.Message{Conn: conn, Msg: relay.Event{Event: &gone, IDOK: true}, SigOK: true})
				}
				doomed = nil
				return more
			},
		}
	}
}

// firstOf leaves of the tags with one of some names only the first.
func firstOf(tags nostr.Tags, names ...string) nostr.Tags {
	seen := false
	return slices.DeleteFunc(tags, func(t nostr.Tag) bool {
		if !slices.Contains(names, t[0]) {
			return false
		}
		was := seen
		seen = true
		return was
	})
}

// crossed pairs every owner in a list of repositories with every identifier.
func crossed(tags nostr.Tags) nostr.Tags {
	var owners, identifiers []string
	for t := range tags.FindAll("a") {
		if kind, owner, identifier, ok := coordinate(t[1]); ok && kind == strconv.Itoa(policy.KindAnnouncement) {
			owners, identifiers = append(owners, owner), append(identifiers, identifier)
		}
	}
	var all nostr.Tags
	for _, owner := range owners {
		for _, identifier := range identifiers {
			all = append(all, nostr.Tag{"a", strconv.Itoa(policy.KindAnnouncement) + ":" + owner + ":" + identifier})
		}
	}
	return all
}
