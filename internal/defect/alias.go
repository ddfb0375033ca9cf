package defect

import (
	"slices"
	"strings"
	"sync"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// aliasDefects are mistakes with identifiers that look like something else.
func aliasDefects() []Defect {
	return []Defect{
		{Name: "colons-refused", Filter: rejects(func(ev *nostr.Event) bool {
			return (ev.Kind == policy.KindAnnouncement || ev.Kind == policy.KindState) && strings.Contains(ev.Tags.GetD(), ":")
		})},
		{Name: "colons-end-coordinates", Filter: edited(func(ev *nostr.Event, _ *shelf) bool {
			for i, t := range ev.Tags {
				if len(t) < 2 || t[0] != "a" && t[0] != "A" && t[0] != "q" {
					continue
				}
				if kind, owner, identifier, ok := coordinate(t[1]); ok {
					short, _, _ := strings.Cut(identifier, ":")
					ev.Tags[i] = slices.Clone(t)
					ev.Tags[i][1] = kind + ":" + owner + ":" + short
				}
			}
			return true
		})},
		{Name: "coordinates-with-colons-refused", Filter: rejects(func(ev *nostr.Event) bool {
			return slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool {
				return len(t) > 1 && (t[0] == "a" || t[0] == "A") && strings.Count(t[1], ":") > 2
			})
		})},
		{Name: "suffixes-refused", Filter: rejects(func(ev *nostr.Event) bool {
			return (ev.Kind == policy.KindAnnouncement || ev.Kind == policy.KindState) && strings.HasSuffix(ev.Tags.GetD(), ".git")
		})},
		aliased("second-suffix-dropped", func(s string) string { return strings.TrimSuffix(s, ".git") }),
		aliased("identifiers-end-at-the-first-suffix", func(s string) string {
			before, _, _ := strings.Cut(s, ".git")
			return before
		}),
		aliased("identifiers-in-lower-case", strings.ToLower),
	}
}

// aliased leads from the path of a repository to that of another name, if its owner has announced one of that.
func aliased(name string, other func(string) string) Defect {
	var mu sync.Mutex
	announced := map[repo.ID]bool{}
	return Defect{
		Name: name,
		Filter: func() Filter {
			return Filter{Out: func(_ core.Input, effects []core.Effect) []core.Effect {
				for _, e := range effects {
					if r, is := e.(core.Record); is && r.Event != nil && r.Event.Kind == policy.KindAnnouncement {
						mu.Lock()
						announced[repo.ID{Owner: repo.PubKey(r.Event.PubKey), Identifier: r.Event.Tags.GetD()}] = true
						mu.Unlock()
					}
				}
				return effects
			}}
		},
		Answer: func(_ web.Request, r web.Route) web.Route {
			mu.Lock()
			defer mu.Unlock()
			id := repo.ID{Owner: r.Repo.Owner, Identifier: other(r.Repo.Identifier)}
			if r.Kind != web.KindRespond && r.Kind != web.KindWebSocket && announced[id] {
				r.Repo = id
			}
			return r
		},
	}
}
