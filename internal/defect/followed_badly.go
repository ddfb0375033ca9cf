package defect

import (
	"slices"
	"strings"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// followedBadlyDefects are mistakes of a server that follows other relays, and some of these go away, refuse or say nothing.
func followedBadlyDefects() []Defect {
	return []Defect{
		{Name: "relay-gaps-left", Filter: unheard(func(f *followed, s subscription, _ relay.EventFor) bool {
			return f.opened[f.urls[s.peer]] > 1 && !f.live[s]
		})},
		{Name: "relays-tried-once", Filter: triedOneTime},
		{Name: "relays-tried-without-pause", Config: func(c *core.Config) { c.Sync.BackoffMax = 30 * time.Second }},
		{Name: "relay-silence-unnoticed", Config: func(c *core.Config) { c.Sync.Probe = never }},
		{Name: "relay-answers-awaited-forever", Config: func(c *core.Config) { c.Sync.Answer = never }},
		{Name: "pages-unturned", Filter: unasked(func(r relay.Req) bool { return r.Filters[0].Until != nil })},
		{Name: "cut-answers-whole", Filter: askedForOnce},
		{Name: "pages-turned-forever", Filter: turnedForever},
		{Name: "negentropy-alone", Filter: unasked(func(r relay.Req) bool { return len(r.Filters[0].IDs) == 0 && !forLater(r) })},
		{Name: "relay-refusals-final", Filter: deaf(func(m relay.ServerMessage) bool {
			_, is := m.(relay.Closed)
			return is
		})},
		{Name: "relay-notices-final", Filter: deaf(func(m relay.ServerMessage) bool {
			_, is := m.(relay.Notice)
			return is
		})},
		{Name: "relays-that-repeat-dropped", Filter: repeating},
		{Name: "relay-waits-for-relay", Filter: oneByOne},
	}
}

// triedOneTime connects to no relay again to which a connection did not come about, or ended.
func triedOneTime() Filter {
	f := newFollowed()
	lost := map[string]bool{}
	filter := undialed(func(i core.Input) {
		if end, is := i.(core.PeerClosed); is {
			lost[f.urls[end.Peer]] = true
		}
	}, func(url string) bool { return lost[url] })
	drop := filter.Out
	filter.Out = func(i core.Input, effects []core.Effect) []core.Effect {
		effects = drop(i, effects)
		f.see(effects)
		return effects
	}
	return filter
}

// unasked takes some requests for answered without sending them: nothing has come.
func unasked(never func(relay.Req) bool) func() Filter {
	return func() Filter {
		var ended []core.Input
		return Filter{
			Out: func(_ core.Input, effects []core.Effect) []core.Effect {
				return slices.DeleteFunc(slices.Clone(effects), func(e core.Effect) bool {
					send, _ := e.(core.SendPeer)
					r, is := send.Msg.(relay.Req)
					if is = is && never(r); is {
						ended = append(ended, core.PeerSaid{Peer: send.Peer, Msg: relay.EOSE{Sub: r.Sub}})
					}
					return is
				})
			},
			Also: func(core.Input, []core.Effect) []core.Input {
				all := ended
				ended = nil
				return all
			},
		}
	}
}

// askedForOnce takes every further request for an event by its id for answered: nothing more has come.
func askedForOnce() Filter {
	asked := map[string]bool{}
	return unasked(func(r relay.Req) bool {
		again := false
		for _, id := range r.Filters[0].IDs {
			again = again || asked[id]
			asked[id] = true
		}
		return again
	})()
}

// turnedForever asks for a page that brought nothing new again, until it is empty.
func turnedForever() Filter {
	const most = 4000 // of one page, for a relay that answers each at once
	asked := map[subscription]core.SendPeer{}
	count := map[subscription]int{}
	old := map[subscription]int{}
	seen := map[string]bool{} // events
	again := func(i core.Input) (at subscription, is bool) {
		said, _ := i.(core.PeerSaid)
		m, is := said.Msg.(relay.EOSE)
		at = subscription{said.Peer, m.Sub}
		return at, is && asked[at].Msg != nil && old[at] > 0 && count[at] < most
	}
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			said, _ := i.(core.PeerSaid)
			if m, is := said.Msg.(relay.EventFor); is {
				at := subscription{said.Peer, m.Sub}
				if seen[m.Event.ID] {
					old[at]++
				} else {
					old[at] = -1 << 20 // the page is a good one
				}
				seen[m.Event.ID] = true
				return i, count[at] == 0
			}
			_, repeated := again(i)
			return i, !repeated
		},
		Out: func(i core.Input, effects []core.Effect) []core.Effect {
			for _, e := range effects {
				send, _ := e.(core.SendPeer)
				if r, is := send.Msg.(relay.Req); is && r.Filters[0].Until != nil {
					asked[subscription{send.Peer, r.Sub}] = send
				}
			}
			if at, repeated := again(i); repeated {
				count[at]++
				old[at] = 0
				effects = append(effects, asked[at])
			}
			return effects
		},
	}
}

// deaf hears nothing more from a relay that has once said such a thing.
func deaf(final func(relay.ServerMessage) bool) func() Filter {
	return func() Filter {
		f := newFollowed()
		over := map[string]bool{}
		return Filter{
			In: func(i core.Input) (core.Input, bool) {
				said, is := i.(core.PeerSaid)
				if !is {
					return i, true
				}
				url := f.urls[said.Peer]
				heard := !over[url]
				over[url] = over[url] || final(said.Msg)
				return i, heard
			},
			Out: func(_ core.Input, effects []core.Effect) []core.Effect {
				f.see(effects)
				return effects
			},
		}
	}
}

// repeating hears nothing more from a relay that has sent the same event twice on one subscription.
func repeating() Filter {
	seen := map[string]bool{}
	over := map[core.PeerID]bool{}
	return Filter{In: func(i core.Input) (core.Input, bool) {
		said, _ := i.(core.PeerSaid)
		if m, is := said.Msg.(relay.EventFor); is {
			key := strings.Join([]string{m.Sub, m.Event.ID}, " ")
			over[said.Peer] = over[said.Peer] || seen[key]
			seen[key] = true
		}
		return i, said.Msg == nil || !over[said.Peer]
	}}
}

// oneByOne loses the events of a relay as long as one that the same announcement lists before it has answered nothing.
func oneByOne() Filter {
	f := newFollowed()
	before := map[string][]string{}
	whole := map[string]bool{}
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			if _, ev := published(i); ev != nil && ev.Kind == policy.KindAnnouncement {
				listed := ev.Tags.Find("relays")
				for n := 2; n < len(listed); n++ { // behind this service
					before[plainURL(listed[n])] = listed[2:n]
				}
			}
			said, _ := i.(core.PeerSaid)
			url := plainURL(f.urls[said.Peer])
			switch m := said.Msg.(type) {
			case relay.EventFor:
				whole[url] = true
				return i, !slices.ContainsFunc(before[url], func(url string) bool { return !whole[plainURL(url)] })
			case relay.EOSE:
				whole[url] = whole[url] || !f.live[subscription{said.Peer, m.Sub}]
			}
			return i, true
		},
		Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			f.see(effects)
			return effects
		},
	}
}
