package defect

import (
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// namedDefects are mistakes with names: of refs that are like others, of branches that are not plain, of people and places.
func namedDefects() []Defect {
	states := func(bad func(refs []string) bool) func() Filter {
		return rejects(func(ev *nostr.Event) bool { return ev.Kind == policy.KindState && bad(refsOf(ev)) })
	}
	anyOf := func(bad func(ref string) bool) func() Filter {
		return states(func(refs []string) bool { return slices.ContainsFunc(refs, bad) })
	}
	return []Defect{
		{Name: "refs-in-any-case-authorized", Filter: likened(strings.EqualFold)},
		{Name: "declared-refs-are-globs", Filter: likened(func(declared, ref string) bool {
			is, err := path.Match(declared, ref)
			return is && err == nil
		})},
		{Name: "declared-refs-are-expressions", Filter: likened(func(declared, ref string) bool {
			is, err := regexp.MatchString("^"+declared+"$", ref)
			return is && err == nil
		})},
		{Name: "declared-refs-are-patterns", Filter: likened(fitsPattern)},
		{Name: "longer-refs-authorized", Filter: likened(func(declared, ref string) bool { return strings.HasPrefix(ref, declared) })},
		{Name: "shorter-refs-authorized", Filter: likened(strings.HasPrefix)},
		{Name: "refs-compared-by-their-last-part", Filter: likened(func(declared, ref string) bool {
			return declared[strings.LastIndexByte(declared, '/'):] == ref[strings.LastIndexByte(ref, '/'):]
		})},
		{Name: "states-without-branches-refused", Filter: states(func(refs []string) bool {
			return len(refs) > 0 && !slices.ContainsFunc(refs, func(ref string) bool { return strings.HasPrefix(ref, "refs/heads/") })
		})},
		{Name: "branches-with-slashes-refused", Filter: anyOf(func(ref string) bool { return strings.Count(ref, "/") > 2 })},
		{Name: "branches-with-dots-refused", Filter: anyOf(func(ref string) bool { return strings.HasPrefix(ref, "refs/heads/") && strings.Contains(ref, ".") })},
		{Name: "branches-with-signs-refused", Filter: anyOf(func(ref string) bool {
			return strings.HasPrefix(ref, "refs/heads/") && strings.ContainsAny(ref, "#+=,")
		})},
		{Name: "branches-beyond-ascii-refused", Filter: anyOf(func(ref string) bool {
			return strings.ContainsFunc(ref, func(r rune) bool { return r > unicode.MaxASCII })
		})},
		{Name: "long-branches-refused", Filter: anyOf(func(ref string) bool { return len(ref) > 100 })},
		{Name: "odd-states-fail", Filter: ok(func(_ core.Input, m relay.OK) relay.OK {
			if !m.Accepted && strings.Contains(m.Text, "Invalid state") {
				m.Text = "error: internal server error"
			}
			return m
		})},
		{Name: "people-are-maintainers", Filter: renamed("p", "maintainers")},
		{Name: "maintainers-one-by-one-count", Filter: renamed("maintainer", "maintainers")},
		{Name: "authors-are-maintainers", Filter: renamed("author", "maintainers")},
		{Name: "paths-of-relays-unread", Filter: edited(func(ev *nostr.Event, _ *shelf) bool {
			if ev.Kind != policy.KindAnnouncement {
				return false
			}
			for n, t := range ev.Tags {
				if t[0] == "relays" {
					t = slices.Clone(t)
					for i := range t {
						t[i] = withoutPath(t[i])
					}
					ev.Tags[n] = t
				}
			}
			return true
		})},
		{Name: "pull-request-refs-of-several-unjudged", Filter: func() Filter {
			return letting(nil, func(o core.PushOffered, _ policy.Ruling) bool {
				return len(o.Commands) > 1 && !slices.ContainsFunc(o.Commands, func(c gitproto.Command) bool { return !namesEvent(c) })
			})
		}},
		answersHave("advertisements-may-be-kept", "/info/refs", "Cache-Control", "public, max-age=300"),
		answersHave("fetch-results-of-another-type", "/git-upload-pack", "Content-Type", "application/octet-stream"),
		answersHave("push-results-of-another-type", "/git-receive-pack", "Content-Type", "application/octet-stream"),
	}
}

// refsOf are the refs that a state names.
func refsOf(ev *nostr.Event) (refs []string) {
	for _, t := range ev.Tags {
		if strings.HasPrefix(t[0], "refs/") {
			refs = append(refs, t[0])
		}
	}
	return refs
}

// likened lets a push run of refs that the owner's state does not name, if one of his, taken or not, has refs that are like them at the same
// commits.
func likened(like func(declared, ref string) bool) func() Filter {
	return func() Filter {
		var came []*nostr.Event
		says := func(ev *nostr.Event, c gitproto.Command) bool {
			return slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool {
				return len(t) > 1 && strings.HasPrefix(t[0], "refs/") && like(t[0], c.Ref) && t[1] == string(c.New)
			})
		}
		hears := func(i core.Input) {
			if _, ev := published(i); ev != nil && ev.Kind == policy.KindState {
				came = append(came, ev)
			}
		}
		return letting(hears, func(o core.PushOffered, r policy.Ruling) bool {
			if r.Requirement != "G01-PUSH-04" && r.Requirement != "G01-PUSH-05" {
				return false
			}
			for _, ev := range came {
				if slotOf(ev) == (slotted{policy.KindState, string(o.Repo.Owner), o.Repo.Identifier}) &&
					!slices.ContainsFunc(o.Commands, func(c gitproto.Command) bool { return !says(ev, c) }) {
					return true
				}
			}
			return false
		})
	}
}

// renamed takes the tags of one name in announcements for tags of another.
func renamed(from, to string) func() Filter {
	return edited(func(ev *nostr.Event, _ *shelf) bool {
		if ev.Kind != policy.KindAnnouncement {
			return false
		}
		for _, t := range slices.Clone(ev.Tags) {
			if t[0] == from && len(t) > 1 {
				ev.Tags = append(ev.Tags, nostr.Tag{to, t[1]})
			}
		}
		return true
	})
}

// withoutPath is a URL up to its host and port.
func withoutPath(url string) string {
	scheme, rest, found := strings.Cut(url, "://")
	if !found {
		return url
	}
	host, _, _ := strings.Cut(rest, "/")
	return scheme + "://" + host
}

// answersHave sends successes of git at the end of a path with another header.
func answersHave(name, end, header, value string) Defect {
	return Defect{Name: name, Sent: func(r *http.Request, a *Answer) error {
		if a.Status == http.StatusOK && strings.HasSuffix(pathOf(r), end) {
			a.Header.Set(header, value)
		}
		return nil
	}}
}
