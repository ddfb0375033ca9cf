package defect

import (
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/internal/archived"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// archivePushDefects are mistakes of archives that hold in one corner only.
func archivePushDefects() []Defect {
	const readOnly = "G05-04"
	return []Defect{
		{Name: "read-only-archives-take-new-branches", ReadOnly: true, Filter: func() Filter {
			return letting(nil, func(o core.PushOffered, r policy.Ruling) bool {
				return r.Requirement == readOnly && len(o.Commands) > 0 &&
					!slices.ContainsFunc(o.Commands, func(c gitproto.Command) bool { return !c.Old.IsZero() || !namesBranch(c) })
			})
		}},
		{Name: "read-only-archives-take-first-pushes", ReadOnly: true, Filter: firstTaken(readOnly)},
		{Name: "archived-look-alikes-kept", Archive: true, Filter: ok(func(i core.Input, m relay.OK) relay.OK {
			_, ev := published(i)
			if ev != nil && ev.Kind == policy.KindAnnouncement && slices.ContainsFunc(ev.Tags.Find("clone"), func(v string) bool { return strings.Contains(v, archived.Service) }) {
				m.Accepted = true
			}
			return m
		})},
		{Name: "archived-repositories-take-any-push", Archive: true, Filter: func() Filter {
			archived := map[repo.ID]bool{}
			return letting(func(i core.Input) {
				if _, ev := published(i); ev != nil && ev.Kind == policy.KindAnnouncement {
					archived[repo.ID{Owner: repo.PubKey(ev.PubKey), Identifier: ev.Tags.GetD()}] = keptAlone(ev)
				}
			}, func(o core.PushOffered, r policy.Ruling) bool { return archived[o.Repo] })
		}},
	}
}

// keptAlone reports whether an announcement lists the archived service.
func keptAlone(ev *nostr.Event) bool {
	return slices.ContainsFunc(ev.Tags.Find("clone"), func(v string) bool { return strings.HasPrefix(v, archived.Service+"/") })
}

// firstTaken lets pushes run to repositories that have nothing yet, though a rule refuses them.
func firstTaken(requirement string) func() Filter {
	return func() Filter {
		filled := map[repo.ID]bool{}
		f := letting(nil, func(o core.PushOffered, r policy.Ruling) bool {
			return r.Requirement == requirement && !filled[o.Repo]
		})
		out := f.Out
		f.Out = func(i core.Input, effects []core.Effect) []core.Effect {
			for _, e := range effects {
				if u, is := e.(core.UpdateRefs); is {
					filled[u.Repo] = true
				}
			}
			return out(i, effects)
		}
		return f
	}
}
