package defect

import (
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/policy"
)

// crossDefects are mistakes that take a part of one thing for a part of another: of a state, of an announcement, of a
// reference.
func crossDefects() []Defect {
	return append(contributing([]Defect{
		{Name: "updates-have-no-place", Filter: rejects(func(ev *nostr.Event) bool {
			return ev.Kind == policy.KindPullRequestUpdate && submits(ev)
		})},
	}), []Defect{
		{Name: "objects-and-refs-crossed", Filter: saysEach(func(state *nostr.Event, c gitproto.Command) bool {
			return slices.Contains(refsOf(state), c.Ref) && slices.Contains(declared(state), c.New)
		})},
		{Name: "further-values-of-refs-authorize", Filter: saysEach(func(state *nostr.Event, c gitproto.Command) bool {
			return slices.ContainsFunc(state.Tags, func(t nostr.Tag) bool {
				return len(t) > 1 && t[0] == c.Ref && slices.Contains(t[1:], string(c.New))
			})
		})},
		{Name: "peeled-entries-authorize", Filter: saysEach(func(state *nostr.Event, c gitproto.Command) bool {
			return slices.ContainsFunc(state.Tags, func(t nostr.Tag) bool {
				return len(t) > 1 && strings.TrimSuffix(t[0], "^{}") == c.Ref && t[1] == string(c.New)
			})
		})},
		{Name: "unlisted-refs-may-come-where-the-state-is-empty", Filter: byState(func(state *nostr.Event, o core.PushOffered) bool {
			return len(refsOf(state)) == 0
		})},
		{Name: "deletions-of-any-ref-pushed", Filter: byState(func(state *nostr.Event, o core.PushOffered) bool {
			return !slices.ContainsFunc(o.Commands, func(c gitproto.Command) bool { return !c.New.IsZero() || namesEvent(c) })
		})},
		{Name: "chains-of-first-announcements", Filter: firstChains},
		{Name: "removed-maintainers-never-return", Filter: neverReturn},
		{Name: "references-of-any-owner", Filter: edited(func(ev *nostr.Event, s *shelf) bool {
			return rereferred(ev, s, func(owner, identifier string, a *nostr.Event) bool { return identifier == a.Tags.GetD() })
		})},
		{Name: "references-by-prefix", Filter: edited(func(ev *nostr.Event, s *shelf) bool {
			return rereferred(ev, s, func(owner, identifier string, a *nostr.Event) bool {
				return owner == a.PubKey && strings.HasPrefix(identifier, a.Tags.GetD())
			})
		})},
		{Name: "references-to-any-kind", Filter: edited(func(ev *nostr.Event, _ *shelf) bool {
			changed := false
			for n, t := range ev.Tags {
				if len(t) > 1 && (t[0] == "a" || t[0] == "A" || t[0] == "q") {
					if _, rest, is := strings.Cut(t[1], ":"); is {
						ev.Tags[n] = nostr.Tag{t[0], "30617:" + rest}
						changed = true
					}
				}
			}
			return changed && ev.Kind != policy.KindDeletion
		})},
	}...)
}

// byState lets refused pushes run by the owner's newest state, served or held.
func byState(lets func(state *nostr.Event, o core.PushOffered) bool) func() Filter {
	return func() Filter {
		s := &shelf{map[string]filed{}}
		filter := letting(nil, func(o core.PushOffered, _ policy.Ruling) bool {
			state := s.latestOf(o.Repo.Identifier, string(o.Repo.Owner))
			return state != nil && s.announcement(string(o.Repo.Owner), o.Repo.Identifier).event != nil && lets(state, o)
		})
		return Filter{In: filter.In, Out: func(i core.Input, effects []core.Effect) []core.Effect {
			s.note(effects)
			return filter.Out(i, effects)
		}}
	}
}

// saysEach lets a push run if the owner's newest state says each of its commands in some way.
func saysEach(says func(state *nostr.Event, c gitproto.Command) bool) func() Filter {
	return byState(func(state *nostr.Event, o core.PushOffered) bool {
		return !slices.ContainsFunc(o.Commands, func(c gitproto.Command) bool { return c.New.IsZero() || !says(state, c) })
	})
}

// firstChains keeps for the announcements of those whom others list the maintainers that their first ones have named.
func firstChains() Filter {
	first := map[slotted]nostr.Tags{}
	return edited(func(ev *nostr.Event, s *shelf) bool {
		if ev.Kind != policy.KindAnnouncement {
			return false
		}
		tags, known := first[slotOf(ev)]
		if !known {
			first[slotOf(ev)] = slices.Collect(ev.Tags.FindAll("maintainers"))
			return false
		}
		listed := false
		for _, e := range s.all() {
			o := e.event
			listed = listed || o.Kind == ev.Kind && o.PubKey != ev.PubKey && o.Tags.GetD() == ev.Tags.GetD() && slices.Contains(listedBy(o), ev.PubKey)
		}
		if !listed {
			return false
		}
		ev.Tags = append(slices.DeleteFunc(ev.Tags, func(t nostr.Tag) bool { return t[0] == "maintainers" }), tags...)
		return true
	})()
}

// neverReturn does not read the names of maintainers who were left out once.
func neverReturn() Filter {
	last, gone := map[slotted][]string{}, map[slotted][]string{}
	return edited(func(ev *nostr.Event, _ *shelf) bool {
		if ev.Kind != policy.KindAnnouncement {
			return false
		}
		at, now := slotOf(ev), listedBy(ev)
		for _, key := range last[at] {
			if !slices.Contains(now, key) {
				gone[at] = append(gone[at], key)
			}
		}
		last[at] = now
		for n, t := range ev.Tags {
			if t[0] == "maintainers" {
				ev.Tags[n] = slices.DeleteFunc(slices.Clone(t), func(key string) bool { return slices.Contains(gone[at], key) })
			}
		}
		return len(gone[at]) > 0
	})()
}

// rereferred takes a reference to a repository that is not here for one to another that is.
func rereferred(ev *nostr.Event, s *shelf, like func(owner, identifier string, a *nostr.Event) bool) bool {
	if ev.Kind == policy.KindDeletion {
		return false
	}
	changed := false
	for n, t := range ev.Tags {
		if len(t) < 2 || t[0] != "a" && t[0] != "A" && t[0] != "q" {
			continue
		}
		kind, owner, identifier, is := coordinate(t[1])
		if !is || kind != "30617" || s.announcement(owner, identifier).event != nil {
			continue
		}
		for _, e := range s.all() {
			if a := e.event; !e.held && a.Kind == policy.KindAnnouncement && like(owner, identifier, a) {
				ev.Tags[n] = nostr.Tag{t[0], "30617:" + a.PubKey + ":" + a.Tags.GetD()}
				changed = true
			}
		}
	}
	return changed
}
