package defect

import (
	"slices"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// never is a time that no run lasts.
const never = 1000 * time.Hour

// followedDefects are mistakes of a server that follows other relays, but for those about relays that answer badly.
func followedDefects() []Defect {
	return []Defect{
		{Name: "relays-not-followed", Web: lists02, Config: func(c *core.Config) { c.Sync.On = false }},
		{Name: "relays-followed-unlisted", Web: unlists02},
		{Name: "later-events-unheard", Filter: unheard(func(f *followed, s subscription, _ relay.EventFor) bool { return f.live[s] })},
		{Name: "relays-trusted", Filter: trustedRelays},
		{Name: "relays-tell-anything", Filter: leak(func(i core.Input, _ []core.Effect) *nostr.Event {
			said, _ := i.(core.PeerSaid)
			if m, is := said.Msg.(relay.EventFor); is && said.Good {
				return m.Event
			}
			return nil
		})},
		{Name: "replies-by-e-unheard", Filter: unaskedBy('e', false)},
		{Name: "replies-by-large-e-unheard", Filter: unaskedBy('E', false)},
		{Name: "replies-by-q-unheard", Filter: unaskedBy('q', false)},
		{Name: "comments-by-large-a-unheard", Filter: unaskedBy('A', true)},
		{Name: "newer-relays-ignored", Filter: newerIgnored},
		{Name: "left-relays-followed", Filter: leftFollowed},
		{Name: "deletions-unheard", Filter: kindsUnheard(policy.KindDeletion, policy.KindVanish)},
		{Name: "deletions-heard-of-anybody", Filter: deletionsOfAnybody},
		{Name: "relays-taken-for-users", Filter: takenForUsers},
		{Name: "announcements-unheard", Filter: kindsUnheard(policy.KindAnnouncement)},
	}
}

// A subscription is one at another relay.
type subscription struct {
	peer core.PeerID
	sub  string
}

// A followed is what a filter knows of the connections to other relays.
type followed struct {
	urls   map[core.PeerID]string
	opened map[string]int        // connections that came about, by URL
	live   map[subscription]bool // those that ask for no history
}

func newFollowed() *followed {
	return &followed{urls: map[core.PeerID]string{}, opened: map[string]int{}, live: map[subscription]bool{}}
}

// hear follows an input.
func (f *followed) hear(i core.Input) {
	if o, is := i.(core.PeerOpened); is {
		f.opened[f.urls[o.Peer]]++
	}
}

// see follows the effects of an input.
func (f *followed) see(effects []core.Effect) {
	for _, e := range effects {
		switch e := e.(type) {
		case core.DialPeer:
			f.urls[e.Peer] = e.URL
		case core.SendPeer:
			if r, is := e.Msg.(relay.Req); is {
				f.live[subscription{e.Peer, r.Sub}] = forLater(r)
			}
		}
	}
}

// forLater reports whether a request asks for no history.
func forLater(r relay.Req) bool {
	return !slices.ContainsFunc(r.Filters, func(f relay.Filter) bool { return f.Limit == nil || *f.Limit > 0 })
}

// unheard loses events of other relays.
func unheard(lost func(*followed, subscription, relay.EventFor) bool) func() Filter {
	return func() Filter {
		f := newFollowed()
		return Filter{
			In: func(i core.Input) (core.Input, bool) {
				f.hear(i)
				said, _ := i.(core.PeerSaid)
				m, is := said.Msg.(relay.EventFor)
				return i, !is || !lost(f, subscription{said.Peer, m.Sub}, m)
			},
			Out: func(_ core.Input, effects []core.Effect) []core.Effect {
				f.see(effects)
				return effects
			},
		}
	}
}

// unaskedBy asks other relays for nothing in place of what refers by this tag to repositories, or else to other events.
func unaskedBy(letter byte, repositories bool) func() Filter {
	changed := func(f relay.Filter) relay.Filter {
		f.Tags = slices.Clone(f.Tags)
		for i, tag := range f.Tags {
			if tag.Letter == letter && strings.Contains(strings.Join(tag.Values, ""), ":") == repositories {
				f.Tags[i].Values = []string{"nothing"}
			}
		}
		return f
	}
	return func() Filter {
		return Filter{Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			effects = slices.Clone(effects)
			for i, e := range effects {
				said, is := e.(core.SendPeer)
				if !is {
					continue
				}
				switch msg := said.Msg.(type) {
				case relay.Req:
					msg.Filters = slices.Clone(msg.Filters)
					for j, f := range msg.Filters {
						msg.Filters[j] = changed(f)
					}
					said.Msg = msg
				case relay.NegOpen:
					msg.Filter = changed(msg.Filter)
					said.Msg = msg
				}
				effects[i] = said
			}
			return effects
		}}
	}
}

// kindsUnheard loses events of some kinds.
func kindsUnheard(kinds ...int) func() Filter {
	return unheard(func(_ *followed, _ subscription, m relay.EventFor) bool { return slices.Contains(kinds, m.Event.Kind) })
}

// trustedRelays takes every event of another relay for one whose signature fits.
func trustedRelays() Filter {
	return Filter{In: func(i core.Input) (core.Input, bool) {
		if said, is := i.(core.PeerSaid); is {
			said.Good = true
			return said, true
		}
		return i, true
	}}
}

// newerIgnored connects only to the relays that the first announcement of a repository lists.
func newerIgnored() Filter {
	first := map[string]bool{} // repositories that were announced
	listed := map[string]bool{}
	return undialed(func(i core.Input) {
		_, ev := published(i)
		if ev == nil || ev.Kind != policy.KindAnnouncement || first[ev.PubKey+ev.Tags.GetD()] {
			return
		}
		first[ev.PubKey+ev.Tags.GetD()] = true
		for _, url := range ev.Tags.Find("relays") {
			listed[plainURL(url)] = true
		}
	}, func(url string) bool { return !listed[plainURL(url)] })
}

// plainURL is a URL without what makes no difference.
func plainURL(url string) string { return strings.TrimSuffix(strings.ToLower(url), "/") }

// undialed has attempts at connections come to nothing without trying.
func undialed(hear func(core.Input), bad func(url string) bool) Filter {
	var closed []core.Input
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			hear(i)
			return i, true
		},
		Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			return slices.DeleteFunc(slices.Clone(effects), func(e core.Effect) bool {
				dial, is := e.(core.DialPeer)
				if is = is && bad(dial.URL); is {
					closed = append(closed, core.PeerClosed{Peer: dial.Peer, Failure: core.PeerUnreachable})
				}
				return is
			})
		},
		Also: func(core.Input, []core.Effect) []core.Input {
			all := closed
			closed = nil
			return all
		},
	}
}

// ours is a client that is none: by it mistakes give the server what other relays say as if a user had.
const ours core.ConnID = 1 << 40

// fromUser makes an event of another relay one of a user.
func fromUser(i core.Input) (core.Message, bool) {
	said, _ := i.(core.PeerSaid)
	m, is := said.Msg.(relay.EventFor)
	if !is || !said.Good {
		return core.Message{}, false
	}
	return core.Message{Conn: ours, Msg: relay.Event{Event: m.Event, IDOK: true}, SigOK: true}, true
}

// unsentToOurs are effects without what is sent to our client.
func unsentToOurs(effects []core.Effect) []core.Effect {
	return slices.DeleteFunc(slices.Clone(effects), func(e core.Effect) bool {
		send, is := e.(core.Send)
		return is && send.Conn == ours
	})
}

// takenForUsers takes what other relays say as if users did.
func takenForUsers() Filter {
	opened := false
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			if m, is := fromUser(i); is {
				return m, true
			}
			return i, true
		},
		Out: func(_ core.Input, effects []core.Effect) []core.Effect { return unsentToOurs(effects) },
		Also: func(i core.Input, _ []core.Effect) []core.Input {
			if _, is := i.(core.PeerOpened); !is || opened {
				return nil
			}
			opened = true
			return []core.Input{core.ConnOpened{Conn: ours}}
		},
	}
}

// leftFollowed goes on with a relay that is to be left: it asks for whatever comes, and takes that as from a user.
func leftFollowed() Filter {
	kept := map[core.PeerID]bool{}
	opened := false
	var left []core.PeerID
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			switch i := i.(type) {
			case core.PeerSaid:
				return i, !kept[i.Peer]
			case core.PeerClosed:
				return i, !kept[i.Peer]
			}
			return i, true
		},
		Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			all := unsentToOurs(effects)
			for n, e := range all {
				if hang, is := e.(core.HangUp); is {
					kept[hang.Peer] = true
					left = append(left, hang.Peer)
					all[n] = core.SendPeer{Peer: hang.Peer, Msg: relay.Req{Sub: "ours", Filters: []relay.Filter{{}}}}
				}
			}
			return all
		},
		Also: func(i core.Input, _ []core.Effect) []core.Input {
			var all []core.Input
			if !opened && len(left) > 0 {
				opened = true
				all = append(all, core.ConnOpened{Conn: ours})
			}
			for _, id := range left {
				all = append(all, core.PeerClosed{Peer: id, Failure: core.PeerEnded})
			}
			left = nil
			said, _ := i.(core.PeerSaid)
			if m, is := fromUser(i); is && kept[said.Peer] {
				all = append(all, m)
			}
			return all
		},
	}
}

// deletionsOfAnybody takes back what a deletion request of another relay names, whoever wrote it.
func deletionsOfAnybody() Filter {
	gone := map[string]bool{}
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			said, _ := i.(core.PeerSaid)
			if m, is := said.Msg.(relay.EventFor); is && said.Good && m.Event.Kind == policy.KindDeletion {
				for tag := range m.Event.Tags.FindAll("e") {
					gone[tag[1]] = true
				}
			}
			return i, true
		},
		Out: out(func(_ core.Input, e core.Effect) (core.Effect, bool) {
			send, _ := e.(core.Send)
			m, is := send.Msg.(relay.EventFor)
			return e, !is || !gone[m.Event.ID]
		})().Out,
	}
}
