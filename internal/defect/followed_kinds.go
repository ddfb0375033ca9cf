package defect

import (
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// followedKindsDefects are mistakes of a server that follows other relays, with some events, relays and repositories.
func followedKindsDefects() []Defect {
	return []Defect{
		{Name: "patches-unheard", Filter: kindsUnheard(1617)},
		{Name: "statuses-unheard", Filter: kindsUnheard(1630, 1631, 1632, 1633)},
		{Name: "labels-unheard", Filter: kindsUnheard(1985)},
		{Name: "deletions-by-address-unheard", Filter: unheard(func(_ *followed, _ subscription, m relay.EventFor) bool {
			return m.Event.Kind == policy.KindDeletion && m.Event.Tags.Find("a") != nil
		})},
		{Name: "states-of-maintainers-unheard", Filter: statesOfOthers},
		{Name: "later-events-of-second-relays-unheard", Filter: secondUnheard},
		{Name: "second-outages-final", Filter: outageFinal},
	}
}

// statesOfOthers loses the states of everybody but who has announced the repository first.
func statesOfOthers() Filter {
	first := map[string]string{}
	lose := unheard(func(_ *followed, _ subscription, m relay.EventFor) bool {
		return m.Event.Kind == policy.KindState && first[m.Event.Tags.GetD()] != m.Event.PubKey
	})()
	hear := lose.In
	lose.In = func(i core.Input) (core.Input, bool) {
		if _, ev := published(i); ev != nil && ev.Kind == policy.KindAnnouncement && first[ev.Tags.GetD()] == "" {
			first[ev.Tags.GetD()] = ev.PubKey
		}
		return hear(i)
	}
	return lose
}

// secondUnheard loses what relays tell later that are not the first one which was connected to.
func secondUnheard() Filter {
	first := ""
	return unheard(func(f *followed, s subscription, _ relay.EventFor) bool {
		if first == "" {
			first = f.urls[s.peer]
		}
		return f.live[s] && f.urls[s.peer] != first
	})()
}

// outageFinal connects to no relay again that was connected to twice.
func outageFinal() Filter {
	f := newFollowed()
	filter := undialed(f.hear, func(url string) bool { return f.opened[url] > 1 })
	drop := filter.Out
	filter.Out = func(i core.Input, effects []core.Effect) []core.Effect {
		effects = drop(i, effects)
		f.see(effects)
		return effects
	}
	return filter
}
