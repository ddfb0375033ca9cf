package defect

import (
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
)

// shapesDefects are mistakes with tags of shapes that are proper and less usual, and with whose word counts.
func shapesDefects() []Defect {
	announcing := func(bad func(t nostr.Tag) bool) func() Filter {
		return rejects(func(ev *nostr.Event) bool {
			return ev.Kind == policy.KindAnnouncement && slices.ContainsFunc(ev.Tags, bad)
		})
	}
	return []Defect{
		{Name: "addresses-of-ssh-refused", Filter: announcing(func(t nostr.Tag) bool {
			return t[0] == "clone" && slices.ContainsFunc(t[1:], func(v string) bool { return v != "" && !strings.Contains(v, "://") })
		})},
		{Name: "schemes-of-others-refused", Filter: announcing(func(t nostr.Tag) bool {
			return (t[0] == "clone" || t[0] == "relays") && slices.ContainsFunc(t[1:], func(v string) bool {
				scheme, _, ok := strings.Cut(v, "://")
				return ok && !slices.Contains([]string{"http", "https", "ws", "wss"}, scheme)
			})
		})},
		{Name: "empty-values-of-lists-refused", Filter: announcing(func(t nostr.Tag) bool {
			return (t[0] == "clone" || t[0] == "relays") && slices.Contains(t[1:], "")
		})},
		{Name: "repeated-values-of-lists-refused", Filter: announcing(func(t nostr.Tag) bool {
			list := slices.Sorted(slices.Values(t[1:]))
			return (t[0] == "clone" || t[0] == "relays") && len(slices.Compact(slices.Clone(list))) < len(list)
		})},
		{Name: "empty-maintainers-refused", Filter: announcing(func(t nostr.Tag) bool { return t[0] == "maintainers" && len(t) == 1 })},
		{Name: "many-maintainers-refused", Filter: announcing(func(t nostr.Tag) bool { return t[0] == "maintainers" && len(t) > 17 })},
		{Name: "heads-by-their-last-part", Filter: edited(func(ev *nostr.Event, _ *shelf) bool {
			changed := false
			for n, t := range ev.Tags {
				if ev.Kind == policy.KindState && t[0] == "HEAD" && len(t) > 1 && strings.HasPrefix(t[1], "ref: refs/heads/") {
					short := t[1][strings.LastIndex(t[1], "/")+1:]
					changed = changed || t[1] != "ref: refs/heads/"+short
					ev.Tags[n] = nostr.Tag{"HEAD", "ref: refs/heads/" + short}
				}
			}
			return changed
		})},
		{Name: "prefixes-of-refs-cut-twice", Filter: edited(func(ev *nostr.Event, _ *shelf) bool {
			changed := false
			for n, t := range ev.Tags {
				if name := strings.ReplaceAll(t[0], "refs/heads/refs/heads/", "refs/heads/"); ev.Kind == policy.KindState && name != t[0] {
					ev.Tags[n], changed = append(nostr.Tag{name}, t[1:]...), true
				}
			}
			return changed
		})},
		{Name: "refs-of-one-last-part-refused", Filter: rejects(func(ev *nostr.Event) bool {
			parts := map[string]bool{}
			for _, name := range refsOf(ev) {
				part := name[strings.LastIndex(name, "/")+1:]
				if ev.Kind == policy.KindState && parts[part] {
					return true
				}
				parts[part] = true
			}
			return false
		})},
		{Name: "states-of-tags-only-refused", Filter: rejects(func(ev *nostr.Event) bool {
			refs := refsOf(ev)
			return ev.Kind == policy.KindState && len(refs) > 0 && !slices.ContainsFunc(refs, func(r string) bool { return strings.HasPrefix(r, "refs/heads/") })
		})},
		{Name: "pull-requests-with-two-clones-refused", Filter: rejects(func(ev *nostr.Event) bool {
			return isPull(ev) && len(listedIn(ev, "clone")) > 1
		})},
		{Name: "pull-requests-without-clones-refused", Filter: rejects(func(ev *nostr.Event) bool {
			return isPull(ev) && len(listedIn(ev, "clone")) == 0
		})},
		{Name: "owners-must-list-themselves", Filter: owned(func(a *nostr.Event) bool {
			list := listedBy(a)
			return len(list) > 0 && !slices.Contains(list, a.PubKey)
		})},
		{Name: "who-lists-itself-lists-nobody-else", Filter: edited(func(ev *nostr.Event, _ *shelf) bool {
			if ev.Kind != policy.KindAnnouncement || !slices.Contains(listedBy(ev), ev.PubKey) {
				return false
			}
			ev.Tags = slices.DeleteFunc(ev.Tags, func(t nostr.Tag) bool { return t[0] == "maintainers" })
			return true
		})},
		{Name: "older-links-ignored", Filter: olderLinks},
		{Name: "identifiers-taken-by-who-waits", Filter: func() Filter {
			s := &shelf{map[string]filed{}}
			return rejecting(func(ev *nostr.Event) bool {
				if ev.Kind != policy.KindAnnouncement {
					return false
				}
				for _, e := range s.all() {
					if e.held && e.event.Kind == ev.Kind && e.event.Tags.GetD() == ev.Tags.GetD() && e.event.PubKey != ev.PubKey {
						return !slices.Contains(listedBy(e.event), ev.PubKey)
					}
				}
				return false
			}, func(_ core.Input, effects []core.Effect) { s.note(effects) })
		}},
		{Name: "maintainers-delete-events-of-owners", Filter: requests(func(ev *nostr.Event, s *shelf) {
			for _, t := range ev.Tags {
				for _, e := range s.named(t) {
					a := s.announcement(e.event.PubKey, e.event.Tags.GetD())
					if a.event != nil && slices.Contains(listedBy(a.event), ev.PubKey) {
						ev.PubKey = e.event.PubKey
					}
				}
			}
		})},
		{Name: "owners-delete-contributions", Filter: requests(func(ev *nostr.Event, s *shelf) {
			for _, t := range ev.Tags {
				for _, e := range s.named(t) {
					if e.event.PubKey != ev.PubKey && slices.ContainsFunc(valuesOf(e.event, "a"), func(v string) bool { return strings.Contains(v, ":"+ev.PubKey+":") }) {
						ev.PubKey = e.event.PubKey
					}
				}
			}
		})},
		{Name: "deletions-of-identifiers-with-colons-ignored", Filter: requests(func(ev *nostr.Event, _ *shelf) {
			ev.Tags = slices.DeleteFunc(ev.Tags, func(t nostr.Tag) bool { return t[0] == "a" && len(t) > 1 && strings.Count(t[1], ":") > 2 })
		})},
		{Name: "deletions-of-replaceable-addresses-ignored", Filter: requests(func(ev *nostr.Event, _ *shelf) {
			ev.Tags = slices.DeleteFunc(ev.Tags, func(t nostr.Tag) bool { return t[0] == "a" && len(t) > 1 && strings.HasPrefix(t[1], "1") })
		})},
		{Name: "deletions-of-deleted-refused", Filter: func() Filter {
			gone := map[string]bool{}
			return rejecting(func(ev *nostr.Event) bool {
				return ev.Kind == policy.KindDeletion && slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool { return len(t) > 1 && t[0] == "e" && gone[t[1]] })
			}, func(_ core.Input, effects []core.Effect) {
				for _, e := range effects {
					if r, _ := e.(core.Record); r.Op == core.OpUnstore || r.Op == core.OpDrop {
						gone[r.ID] = true
					}
				}
			})
		}},
		{Name: "second-clone-of-submissions-unread", Config: func(c *core.Config) { c.Contributions.On = true }, Filter: rejects(func(ev *nostr.Event) bool {
			list := listedIn(ev, "clone")
			return isPull(ev) && len(list) > 1 && !strings.Contains(list[0], submissionPath) && submits(ev)
		})},
	}
}

// owned refuses the states of owners whose own announcement is of some kind.
func owned(which func(announcement *nostr.Event) bool) func() Filter {
	return func() Filter {
		s := &shelf{map[string]filed{}}
		return rejecting(func(ev *nostr.Event) bool {
			a := s.announcement(ev.PubKey, ev.Tags.GetD())
			return ev.Kind == policy.KindState && a.event != nil && which(a.event)
		}, func(_ core.Input, effects []core.Effect) { s.note(effects) })
	}
}

// olderLinks refuses the states of those whom only an announcement lists that is older than the one which lists its author.
func olderLinks() Filter {
	s := &shelf{map[string]filed{}}
	return rejecting(func(ev *nostr.Event) bool {
		if ev.Kind != policy.KindState {
			return false
		}
		older, newer := false, false
		for _, e := range s.all() {
			link := e.event
			if link.Kind != policy.KindAnnouncement || link.Tags.GetD() != ev.Tags.GetD() || !slices.Contains(listedBy(link), ev.PubKey) {
				continue
			}
			named := false
			for _, o := range s.all() {
				if slotOf(o.event) != slotOf(link) && o.event.Kind == link.Kind && o.event.Tags.GetD() == link.Tags.GetD() &&
					o.event.PubKey != ev.PubKey && slices.Contains(listedBy(o.event), link.PubKey) {
					named = true
					older = older || o.event.CreatedAt > link.CreatedAt
					newer = newer || o.event.CreatedAt <= link.CreatedAt
				}
			}
			newer = newer || !named
		}
		return older && !newer
	}, func(_ core.Input, effects []core.Effect) { s.note(effects) })
}
