package replicate

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
)

// A live is a subscription to what comes from now on.
type live struct {
	sub      string
	matchers []*relay.Matcher
	at       instant.Instant // when it was asked for
	heard    bool            // the relay has answered it
	doubted  bool            // it may not have heard it
	until    instant.Instant // when nothing more is on its way, once we have ended it
}

// Limits of one live subscription: relays have limits for filters and for the length of a message.
const (
	liveFilters = 10
	liveBytes   = 96 << 10 // of values
)

// listen opens live subscriptions for items that have none. Where they would become too many, and more than twice as many as it
// takes, or most of what they ask for is not
// wanted any more, all of them are made anew from all that is wanted; the old ones end behind the new ones, so that
// nothing is ever without a subscription (D-32).
func (m *Machine) listen(now instant.Instant, l *link, items []item) {
	items = slices.DeleteFunc(slices.Clone(items), func(it item) bool { return it.once() || l.wanted[it].live == l.epoch })
	list := filters(items, m.cfg.ValuesMax)
	var old []*live
	if l.renewLive || len(l.live)+packed(list) > max(m.cfg.LiveMax, 2*l.least) {
		all := l.items(func(*standing) bool { return true })
		items = slices.DeleteFunc(all, func(it item) bool { return it.once() })
		list = filters(items, m.cfg.ValuesMax)
		old, l.live, l.renewLive = l.live, nil, false
		clear(l.gone)
		l.least = packed(list)
	}
	for _, it := range items {
		l.wanted[it].live = l.epoch
	}
	for len(list) > 0 {
		n := pack(list)
		s := &live{sub: l.sub("l"), at: now}
		none := 0
		asked := slices.Clone(list[:n])
		for i := range asked {
			asked[i].Limit = &none
			s.matchers = append(s.matchers, list[i].Compile())
		}
		list = list[n:]
		l.live = append(l.live, s)
		m.send(l, relay.Req{Sub: s.sub, Filters: asked})
	}
	l.retired = slices.DeleteFunc(l.retired, func(s *live) bool { return s.until <= now })
	for _, s := range old {
		m.send(l, relay.Close{Sub: s.sub})
		s.until = now.Add(m.cfg.Answer)
	}
	if l.retired = append(l.retired, old...); len(l.retired) > retiredMax {
		l.retired = slices.Delete(l.retired, 0, len(l.retired)-retiredMax)
	}
}

// retiredMax is how many subscriptions that we have ended are remembered.
const retiredMax = 256

// listens reports whether an event is one of a live subscription, and which: one that we have ended counts as long as what came before
// its end may be on its way.
func (l *link) listens(now instant.Instant, sub string, ev *nostr.Event) *live {
	of := func(s *live) bool { return s.sub == sub && (s.until == 0 || now < s.until) }
	matches := func(f *relay.Matcher) bool { return f.Matches(ev) }
	for _, list := range [][]*live{l.live, l.retired} {
		if at := slices.IndexFunc(list, of); at >= 0 && slices.ContainsFunc(list[at].matchers, matches) {
			return list[at]
		}
	}
	return nil
}

// pack is how many of the filters go into one subscription.
func pack(list []relay.Filter) int {
	bytes := 0
	for n, f := range list {
		if bytes += size(f); n == liveFilters || n > 0 && bytes > liveBytes {
			return n
		}
	}
	return len(list)
}

// size is how many bytes the values of a filter have.
func size(f relay.Filter) int {
	n := 0
	for _, list := range [][]string{f.IDs, f.Authors} {
		for _, value := range list {
			n += len(value) + 3
		}
	}
	for _, tag := range f.Tags {
		for _, value := range tag.Values {
			n += len(value) + 3
		}
	}
	return n
}

// packed is how many subscriptions filters make.
func packed(list []relay.Filter) int {
	subs := 0
	for ; len(list) > 0; subs++ {
		list = list[pack(list):]
	}
	return subs
}

// left notes that a live subscription asks for an item in vain.
func (l *link) left(it item) {
	l.gone[it] = true
	if len(l.gone) > goneMin && len(l.gone) > len(l.wanted) {
		l.renewLive = true
	}
}

// stillLive is the epoch of the live subscription that asks for an item which is wanted again; 0 if there is none. A second one would
// have all come twice.
func (l *link) stillLive(it item) uint64 {
	if !l.gone[it] {
		return 0
	}
	delete(l.gone, it)
	return l.epoch
}

// goneMin is how many items may have gone until live subscriptions are made anew for them.
const goneMin = 32

// liveClosed takes the end of a live subscription that the relay has decided: a gap. All of them are made anew after a while.
func (m *Machine) liveClosed(now instant.Instant, l *link, s *live, text string) {
	l.live = slices.DeleteFunc(l.live, func(other *live) bool { return other == s })
	if limits(text) {
		m.limited(now, l, text)
	}
	m.gapOpens(now, l, now)
}

// gapOpens notes that nothing that came since an instant was heard.
func (m *Machine) gapOpens(now instant.Instant, l *link, since instant.Instant) {
	l.lost = true
	if l.since == 0 || since < l.since {
		l.since = since
	}
	m.again(now, l)
}

// doubt takes it that a relay which has just said that it is asked too much has perhaps not heard what was subscribed to and it has
// not answered.
func (m *Machine) doubt(now instant.Instant, l *link) {
	for _, s := range l.live {
		s.doubted = s.doubted || !s.heard
	}
	m.unheardLive(now, l)
}

// unheardLive takes what is doubted for not heard, if the relay answers other things. Of one that ends no answer at all nobody knows.
func (m *Machine) unheardLive(now instant.Instant, l *link) {
	for _, s := range l.live {
		if s.doubted && !s.heard && l.answers {
			s.doubted = false
			m.gapOpens(now, l, s.at)
		}
	}
}
