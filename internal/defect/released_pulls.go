package defect

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// An offering knows what was offered to be pushed, and how that ended.
type offering map[core.PushID]core.PushOffered

// failed are the commands for refs of events in the push that failed by an input: one that was broken, or one that was refused.
func (offered offering) failed(i core.Input, effects []core.Effect, broken bool) []gitproto.Command {
	if o, is := i.(core.PushOffered); is {
		offered[o.Push] = o
	}
	var ended core.PushOffered
	if done, is := i.(core.PushDone); is && broken && !done.Report.Whole() {
		ended = offered[done.Push]
	}
	for _, e := range effects {
		if r, is := e.(core.PushRefused); is && !broken {
			ended = offered[r.Push]
		}
	}
	return slices.DeleteFunc(slices.Clone(ended.Commands), func(c gitproto.Command) bool { return !namesEvent(c) })
}

// pushesRelease shows a pull request that waits when a push that names its commit has come, though it was broken, or refused for another
// ref: the server released it before the push was carried out.
func pushesRelease(name string, broken bool) Defect {
	return Defect{Name: name, Filter: func() Filter {
		s, offered, shown := &shelf{map[string]filed{}}, offering{}, []*nostr.Event(nil)
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			s.note(effects)
			for _, c := range offered.failed(i, effects, broken) {
				event, _ := repo.PullRequestOf(c.Ref)
				if e := s.byID[event]; e.held && isPull(e.event) && valueOf(e.event, "c") == string(c.New) {
					shown = append(shown, e.event)
				}
			}
			return showing(i, effects, shown)
		}}
	}}
}

// brokenAwait shows a pull request as soon as it comes if a push of its commit has come before, though that was broken.
func brokenAwait(name string) Defect {
	return Defect{Name: name, Filter: func() Filter {
		offered, awaited, shown := offering{}, map[string]repo.OID{}, []*nostr.Event(nil)
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			for _, c := range offered.failed(i, effects, true) {
				awaited[c.Ref] = c.New
			}
			for _, e := range effects {
				r, _ := e.(core.Record)
				if r.Op == core.OpHold && r.Event.Kind == policy.KindPullRequest && valueOf(r.Event, "c") == string(awaited[repo.PullRequestPrefix+r.ID]) {
					shown = append(shown, r.Event)
				}
			}
			return showing(i, effects, slices.Clone(shown))
		}}
	}}
}
