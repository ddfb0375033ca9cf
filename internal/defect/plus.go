package defect

import (
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// plusDefects are mistakes of services that list sync plus.
func plusDefects() []Defect {
	return []Defect{
		{Name: "plus-listed-alone", Config: plusOn, Web: unlists02},
		{Name: "plus-listed-idle", Web: lists("GRASP-03")},
		{Name: "profiles-left-elsewhere", Config: plusOn, Filter: left(func(kind int) bool { return kind == 0 || kind == policy.KindUserGraspList })},
		{Name: "answers-left-elsewhere", Config: plusOn, Filter: left(func(kind int) bool { return kind == 1111 })},
		{Name: "own-profiles-refused", Config: plusOn, Filter: rejects(func(ev *nostr.Event) bool { return ev.Kind == 0 })},
	}
}

// plusOn has a server look for what participants have elsewhere.
func plusOn(c *core.Config) { c.Sync.Plus.On = true }

// left takes no events of some kinds from other relays.
func left(these func(kind int) bool) func() Filter {
	return func() Filter {
		return Filter{In: func(i core.Input) (core.Input, bool) {
			said, _ := i.(core.PeerSaid)
			found, is := said.Msg.(relay.EventFor)
			return i, !is || !these(found.Event.Kind)
		}}
	}
}
