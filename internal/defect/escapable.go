package defect

import (
	"net/url"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// escapableDefects do for identifiers that paths have in plain what they do not do for those that need an escape there.
func escapableDefects() []Defect {
	return []Defect{
		{Name: "references-to-escaped-repositories-refused", Filter: rejects(func(ev *nostr.Event) bool {
			return !isPull(ev) && ev.Kind != policy.KindDeletion && slices.ContainsFunc(ev.Tags, escapableAddress)
		})},
		{Name: "deletions-of-escaped-repositories-ignored", Filter: requests(func(ev *nostr.Event, _ *shelf) {
			ev.Tags = slices.DeleteFunc(ev.Tags, escapableAddress)
		})},
		{Name: "pull-requests-to-escaped-repositories-refused", Filter: rejects(func(ev *nostr.Event) bool {
			return isPull(ev) && slices.ContainsFunc(ev.Tags, escapableAddress)
		})},
		{Name: "pull-requests-to-escaped-repositories-stay-held", Filter: func() Filter {
			offers := map[core.PushID]core.PushOffered{}
			return blinded(func(i core.Input) bool {
				if o, is := i.(core.PushOffered); is {
					offers[o.Push] = o
				}
				done, is := i.(core.PushDone)
				o := offers[done.Push]
				return is && escapable(o.Repo.Identifier) && slices.ContainsFunc(o.Commands, namesEvent)
			})()
		}},
		{Name: "refs-of-pull-requests-to-escaped-repositories-refused", Filter: refusesAtOnce(func(o core.PushOffered) bool {
			return escapable(o.Repo.Identifier) && slices.ContainsFunc(o.Commands, func(c gitproto.Command) bool {
				_, is := repo.PullRequestOf(c.Ref)
				return is
			})
		})},
		{Name: "states-of-escaped-repositories-need-pushes", Filter: blinded(func(i core.Input) bool {
			_, ev := published(i)
			return ev != nil && ev.Kind == policy.KindState && escapable(ev.Tags.GetD())
		})},
		{Name: "pages-of-escaped-repositories-not-found", Answer: func(q web.Request, r web.Route) web.Route {
			if strings.Contains(q.Path, "%") && strings.HasSuffix(q.Path, ".git") && r.Response.Status == 200 {
				r.Response.Status, r.Response.Body = 404, []byte("not found\n")
			}
			return r
		}},
	}
}

// escapable reports whether a path has an identifier with escapes.
func escapable(identifier string) bool { return url.PathEscape(identifier) != identifier }

// escapableAddress reports whether a tag is the address of a repository whose path has escapes.
func escapableAddress(t nostr.Tag) bool {
	if len(t) < 2 || !slices.Contains([]string{"a", "A", "q"}, t[0]) {
		return false
	}
	kind, _, identifier, is := coordinate(t[1])
	return is && kind == "30617" && escapable(identifier)
}
