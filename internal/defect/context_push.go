package defect

import (
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/policy"
)

// pushSettings are what may be true of a push.
func pushSettings() []setting[pushing] {
	one := func(name string, is func(gitproto.Command) bool) setting[pushing] {
		return always(name, func(p pushing) bool { return slices.ContainsFunc(p.Commands, is) })
	}
	said := func(name string, is func(*nostr.Event) bool) setting[pushing] {
		return always(name, func(p pushing) bool { s := p.state(); return s != nil && is(s) })
	}
	announced := func(name string, is func(*nostr.Event) bool) setting[pushing] {
		return always(name, func(p pushing) bool {
			a := p.shelf.announcement(string(p.Repo.Owner), p.Repo.Identifier).event
			return a != nil && is(a)
		})
	}
	return []setting[pushing]{
		always("one-command", func(p pushing) bool { return len(p.Commands) == 1 }),
		always("two-commands", func(p pushing) bool { return len(p.Commands) == 2 }),
		always("three-commands-and-more", func(p pushing) bool { return len(p.Commands) > 2 }),
		always("ten-commands-and-more", func(p pushing) bool { return len(p.Commands) > 9 }),
		one("a-ref-made", func(c gitproto.Command) bool { return c.Old.IsZero() && !c.New.IsZero() }),
		one("a-ref-moved", func(c gitproto.Command) bool { return !c.Old.IsZero() && !c.New.IsZero() }),
		one("a-ref-deleted", func(c gitproto.Command) bool { return c.New.IsZero() }),
		always("made-and-moved", func(p pushing) bool {
			return slices.ContainsFunc(p.Commands, func(c gitproto.Command) bool { return c.Old.IsZero() }) &&
				slices.ContainsFunc(p.Commands, func(c gitproto.Command) bool { return !c.Old.IsZero() && !c.New.IsZero() })
		}),
		always("made-and-deleted", func(p pushing) bool {
			return slices.ContainsFunc(p.Commands, func(c gitproto.Command) bool { return c.Old.IsZero() }) &&
				slices.ContainsFunc(p.Commands, func(c gitproto.Command) bool { return c.New.IsZero() })
		}),
		one("a-branch", func(c gitproto.Command) bool { return strings.HasPrefix(c.Ref, "refs/heads/") }),
		one("a-tag", func(c gitproto.Command) bool { return strings.HasPrefix(c.Ref, "refs/tags/") }),
		one("a-pull-request", func(c gitproto.Command) bool { return strings.HasPrefix(c.Ref, "refs/nostr/") }),
		one("a-note", func(c gitproto.Command) bool { return strings.HasPrefix(c.Ref, "refs/notes/") }),
		always("a-branch-and-a-tag", func(p pushing) bool {
			return slices.ContainsFunc(p.Commands, func(c gitproto.Command) bool { return strings.HasPrefix(c.Ref, "refs/heads/") }) &&
				slices.ContainsFunc(p.Commands, func(c gitproto.Command) bool { return strings.HasPrefix(c.Ref, "refs/tags/") })
		}),
		always("a-branch-and-a-pull-request", func(p pushing) bool {
			return slices.ContainsFunc(p.Commands, func(c gitproto.Command) bool { return strings.HasPrefix(c.Ref, "refs/heads/") }) &&
				slices.ContainsFunc(p.Commands, func(c gitproto.Command) bool { return strings.HasPrefix(c.Ref, "refs/nostr/") })
		}),
		one("ref-with-slashes", func(c gitproto.Command) bool { return strings.Count(c.Ref, "/") > 2 }),
		one("ref-with-a-dot", func(c gitproto.Command) bool { return strings.Contains(c.Ref, ".") }),
		one("ref-with-capitals", func(c gitproto.Command) bool { return c.Ref != strings.ToLower(c.Ref) }),
		one("ref-beyond-ascii", func(c gitproto.Command) bool { return beyondASCII(c.Ref) }),
		one("ref-longer-than-sixty", func(c gitproto.Command) bool { return len(c.Ref) > 60 && !strings.HasPrefix(c.Ref, "refs/nostr/") }),
		one("not-main", func(c gitproto.Command) bool {
			return strings.HasPrefix(c.Ref, "refs/heads/") && c.Ref != "refs/heads/main"
		}),
		always("identifier-beyond-ascii", func(p pushing) bool { return beyondASCII(p.Repo.Identifier) }),
		always("identifier-with-a-dot", func(p pushing) bool { return strings.Contains(p.Repo.Identifier, ".") }),
		always("identifier-longer-than-sixty", func(p pushing) bool { return len(p.Repo.Identifier) > 60 }),
		always("without-a-state", func(p pushing) bool { return p.state() == nil }),
		said("state-with-a-head", func(s *nostr.Event) bool { return refersBy(s, "HEAD") }),
		said("state-without-a-head", func(s *nostr.Event) bool { return !refersBy(s, "HEAD") }),
		said("state-of-three-refs", func(s *nostr.Event) bool { return len(s.Tags) > 3 }),
		said("state-of-ten-refs", func(s *nostr.Event) bool { return len(s.Tags) > 10 }),
		said("state-without-refs", func(s *nostr.Event) bool { return len(s.Tags) == 1 }),
		said("state-with-content", func(s *nostr.Event) bool { return s.Content != "" }),
		announced("maintained", func(a *nostr.Event) bool { return refersBy(a, "maintainers") }),
		announced("maintained-by-two", func(a *nostr.Event) bool { return len(listedBy(a)) > 1 }),
		announced("personal-fork", func(a *nostr.Event) bool {
			return slices.ContainsFunc(a.Tags, func(t nostr.Tag) bool { return t[0] == "t" && secondOf(t) == "personal-fork" })
		}),
		announced("with-euc", func(a *nostr.Event) bool {
			return slices.ContainsFunc(a.Tags, func(t nostr.Tag) bool { return t[0] == "r" })
		}),
		announced("with-other-clones", func(a *nostr.Event) bool {
			return slices.ContainsFunc(a.Tags, func(t nostr.Tag) bool { return t[0] == "clone" && len(t) > 2 })
		}),
		always("held", func(p pushing) bool { return p.shelf.announcement(string(p.Repo.Owner), p.Repo.Identifier).held }),
		always("served", func(p pushing) bool {
			e := p.shelf.announcement(string(p.Repo.Owner), p.Repo.Identifier)
			return e.event != nil && !e.held
		}),
		always("as-a-maintainer-says", func(p pushing) bool {
			a := p.shelf.announcement(string(p.Repo.Owner), p.Repo.Identifier).event
			if a == nil {
				return false
			}
			s := p.shelf.latestOf(p.Repo.Identifier, listedBy(a)...)
			return s != nil && declares(s, p.Commands)
		}),
		always("as-a-stranger-says", func(p pushing) bool {
			for _, e := range p.shelf.all() {
				if e.event.Kind == policy.KindState && e.event.Tags.GetD() == p.Repo.Identifier && e.event.PubKey != string(p.Repo.Owner) && declares(e.event, p.Commands) {
					return true
				}
			}
			return false
		}),
		always("as-another-repository-says", func(p pushing) bool {
			for _, e := range p.shelf.all() {
				if e.event.Kind == policy.KindState && e.event.Tags.GetD() != p.Repo.Identifier && declares(e.event, p.Commands) {
					return true
				}
			}
			return false
		}),
		{"second-of-its-repository", func() func(pushing) bool {
			seen, place := map[string]int{}, map[core.PushID]int{}
			return func(p pushing) bool {
				if place[p.Push] == 0 {
					seen[p.Repo.Identifier+string(p.Repo.Owner)]++
					place[p.Push] = seen[p.Repo.Identifier+string(p.Repo.Owner)]
				}
				return place[p.Push] == 2
			}
		}},
		{"fourth-of-its-repository-and-later", func() func(pushing) bool {
			seen, place := map[string]int{}, map[core.PushID]int{}
			return func(p pushing) bool {
				if place[p.Push] == 0 {
					seen[p.Repo.Identifier+string(p.Repo.Owner)]++
					place[p.Push] = seen[p.Repo.Identifier+string(p.Repo.Owner)]
				}
				return place[p.Push] > 3
			}
		}},
	}
}
