package defect

import (
	"maps"
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// tieDefects are mistakes with the event that loses against another one of its author and its second: it is refused, and
// counts all the same.
func tieDefects() []Defect {
	return []Defect{
		{Name: "losers-of-ties-authorize", Filter: func() Filter {
			var lost losers
			return letting(lost.hear, func(o core.PushOffered, _ policy.Ruling) bool { return lost.say(o) })
		}},
		{Name: "losers-of-ties-move-refs", Filter: losersMove},
		{Name: "older-states-released-move-refs", Filter: olderReleasedMove},
		{Name: "losers-of-ties-name-the-page", Filter: losersName},
		{Name: "refused-states-authorize", Filter: func() Filter { return refusedAuthorize("") }},
		{Name: "older-states-authorize", Filter: func() Filter { return refusedAuthorize("G01-LAT-02") }},
	}
}

// losers are the states that another one of their author and second has beaten.
type losers struct {
	best map[string]*nostr.Event // by author and identifier
	lost []*nostr.Event
}

func (l *losers) hear(i core.Input) {
	_, ev := published(i)
	if ev == nil || ev.Kind != policy.KindState {
		return
	}
	if l.best == nil {
		l.best = map[string]*nostr.Event{}
	}
	key := ev.PubKey + ev.Tags.GetD()
	switch best := l.best[key]; {
	case best == nil || ev.CreatedAt > best.CreatedAt:
		l.best[key] = ev
		l.lost = slices.DeleteFunc(l.lost, func(old *nostr.Event) bool { return old.PubKey+old.Tags.GetD() == key })
	case ev.CreatedAt == best.CreatedAt && ev.ID < best.ID:
		l.best[key] = ev
		l.lost = append(l.lost, best)
	case ev.CreatedAt == best.CreatedAt && ev.ID > best.ID:
		l.lost = append(l.lost, ev)
	}
}

func (l *losers) say(o core.PushOffered) bool {
	return slices.ContainsFunc(l.lost, func(ev *nostr.Event) bool {
		return ev.PubKey == string(o.Repo.Owner) && ev.Tags.GetD() == o.Repo.Identifier && declares(ev, o.Commands)
	})
}

// losersMove moves the refs of the author's repository to what a refused state of the very second of the latest one says.
func losersMove() Filter {
	s, requests := &shelf{map[string]filed{}}, core.RequestID(extra)
	return beside(func(i core.Input, effects []core.Effect) []core.Effect {
		_, ev := published(i)
		s.note(effects)
		if ev == nil || ev.Kind != policy.KindState || !refusedBy(effects, ev.ID, "G01-LAT-02") {
			return effects
		}
		for _, kept := range s.all() {
			if o := kept.event; o.Kind != policy.KindState || o.PubKey != ev.PubKey || o.Tags.GetD() != ev.Tags.GetD() || o.CreatedAt != ev.CreatedAt {
				continue
			}
			return append(effects, moving(&requests, ev.PubKey, ev, kept.event)...)
		}
		return effects
	})
}

// olderReleasedMove moves the refs to what a state says that has waited, once it is served, though a newer one of somebody else is served.
func olderReleasedMove() Filter {
	s, requests := &shelf{map[string]filed{}}, core.RequestID(extra)
	return beside(func(_ core.Input, effects []core.Effect) []core.Effect {
		before := maps.Clone(s.byID)
		s.note(effects)
		for _, id := range slices.Sorted(maps.Keys(before)) {
			late := s.byID[id]
			if !before[id].held || late.held || late.event == nil || late.event.Kind != policy.KindState {
				continue
			}
			for _, other := range slices.Sorted(maps.Keys(before)) {
				newer := before[other]
				if o := newer.event; o.Kind == policy.KindState && !newer.held && o.PubKey != late.event.PubKey &&
					o.Tags.GetD() == late.event.Tags.GetD() && o.CreatedAt > late.event.CreatedAt {
					effects = append(effects, moving(&requests, o.PubKey, late.event, o)...)
				}
			}
		}
		return effects
	})
}

// moving orders each ref that two states put at different commits of an owner moved from the one to the other.
func moving(requests *core.RequestID, owner string, to, from *nostr.Event) []core.Effect {
	state, _ := repo.ParseState(to)
	was, _ := repo.ParseState(from)
	var effects []core.Effect
	for _, ref := range state.Refs {
		old, found := was.Lookup(ref.Name)
		if !found || old == ref.OID {
			continue
		}
		*requests++
		effects = append(effects, core.UpdateRefs{
			Request: *requests, Repo: repo.ID{Owner: repo.PubKey(owner), Identifier: state.Identifier},
			Commands: []gitproto.Command{{Old: old, New: ref.OID, Ref: ref.Name}},
		})
	}
	return effects
}

// refusedBy reports whether an event was refused by a rule.
func refusedBy(effects []core.Effect, id, requirement string) bool {
	return slices.ContainsFunc(effects, func(e core.Effect) bool {
		n, is := e.(core.Note)
		return is && n.Fact == core.EventRefused && n.Event == id && (requirement == "" || n.Requirement == requirement)
	})
}

// losersName shows on pages the name in the announcement that was refused last.
func losersName() Filter {
	name := map[string]string{} // by the name that won
	won := map[string]*nostr.Event{}
	return Filter{
		Out: func(i core.Input, effects []core.Effect) []core.Effect {
			for _, e := range effects {
				if r, is := e.(core.Record); is && r.Event != nil && r.Event.Kind == policy.KindAnnouncement {
					won[r.Event.PubKey+r.Event.Tags.GetD()] = r.Event
				}
			}
			_, ev := published(i)
			if ev == nil || ev.Kind != policy.KindAnnouncement {
				return effects
			}
			best := won[ev.PubKey+ev.Tags.GetD()]
			answered := slices.ContainsFunc(effects, func(e core.Effect) bool {
				send, _ := e.(core.Send)
				m, is := send.Msg.(relay.OK)
				return is && m.ID == ev.ID
			})
			if best == nil || best.ID == ev.ID || !answered || best.CreatedAt != ev.CreatedAt {
				return effects
			}
			if theirs, its := ev.Tags.Find("name"), best.Tags.Find("name"); len(theirs) > 1 && len(its) > 1 {
				name[its[1]] = theirs[1]
			}
			return effects
		},
		View: func(r web.Repository) web.Repository {
			if other := name[r.Name]; other != "" && r.Served {
				r.Name = other
			}
			return r
		},
	}
}

// refusedAuthorize lets pushes run that a state of the owner says which was refused by a rule; with "" by any, but for its
// signature.
func refusedAuthorize(rule string) Filter {
	var refused []*nostr.Event
	filter := letting(nil, func(o core.PushOffered, _ policy.Ruling) bool {
		return slices.ContainsFunc(refused, func(ev *nostr.Event) bool {
			return ev.PubKey == string(o.Repo.Owner) && ev.Tags.GetD() == o.Repo.Identifier && declares(ev, o.Commands)
		})
	})
	return Filter{In: filter.In, Out: func(i core.Input, effects []core.Effect) []core.Effect {
		if _, ev := published(i); ev != nil && ev.Kind == policy.KindState && refusedBy(effects, ev.ID, rule) {
			refused = append(refused, ev)
		}
		return filter.Out(i, effects)
	}}
}
