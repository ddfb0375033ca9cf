package defect

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
)

// listeners are the subscriptions that are open, for mistakes that send to them what they must not get.
type listeners struct {
	subs  map[core.ConnID]*relay.Session
	order []core.ConnID
}

// hear follows what clients open and close.
func (l *listeners) hear(i core.Input) {
	switch i := i.(type) {
	case core.ConnOpened:
		if l.subs == nil {
			l.subs = map[core.ConnID]*relay.Session{}
		}
		l.subs[i.Conn] = &relay.Session{}
		l.order = append(l.order, i.Conn)
	case core.ConnClosed:
		delete(l.subs, i.Conn)
		l.order = slices.DeleteFunc(l.order, func(c core.ConnID) bool { return c == i.Conn })
	case core.Message:
		if r, ok := i.Msg.(relay.Req); ok && l.subs[i.Conn] != nil {
			l.subs[i.Conn].Open(r.Sub, relay.Compile(r.Filters...))
		}
	}
}

// tell adds the event to the effects for every subscription that it matches.
func (l *listeners) tell(ev *nostr.Event, effects []core.Effect) []core.Effect {
	for _, conn := range l.order {
		for _, sub := range l.subs[conn].Matching(ev) {
			effects = append(effects, core.Send{Conn: conn, Msg: relay.EventFor{Sub: sub, Event: ev}})
		}
	}
	return effects
}
