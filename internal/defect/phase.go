package defect

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
)

// phaseDefects are mistakes that are made while one side is held and the other is served.
func phaseDefects() []Defect {
	return []Defect{
		{Name: "strangers-held-states-authorize", Filter: authorizing(func(s *shelf, o core.PushOffered, state filed) bool {
			mine := s.announcement(string(o.Repo.Owner), o.Repo.Identifier)
			theirs := s.announcement(state.event.PubKey, o.Repo.Identifier)
			return mine.event != nil && !mine.held && theirs.event != nil && theirs.held && state.held
		})},
		{Name: "strangers-served-states-authorize-held", Filter: authorizing(func(s *shelf, o core.PushOffered, state filed) bool {
			mine := s.announcement(string(o.Repo.Owner), o.Repo.Identifier)
			return mine.event != nil && mine.held && !state.held && state.event.PubKey != string(o.Repo.Owner)
		})},
		{Name: "older-announcements-replace-held", Filter: older(policy.KindAnnouncement)},
		{Name: "older-states-replace-held", Filter: older(policy.KindState)},
	}
}

// announcement returns what announces a repository.
func (s *shelf) announcement(owner, identifier string) filed {
	for _, e := range s.all() {
		if e.event.Kind == policy.KindAnnouncement && e.event.PubKey == owner && e.event.Tags.GetD() == identifier {
			return e
		}
	}
	return filed{}
}

// authorizing lets pushes run that a state of the identifier says, if it may for the phases that things are in.
func authorizing(may func(s *shelf, o core.PushOffered, state filed) bool) func() Filter {
	return func() Filter {
		s := &shelf{map[string]filed{}}
		filter := letting(nil, func(o core.PushOffered, _ policy.Ruling) bool {
			for _, e := range s.all() {
				if e.event.Kind == policy.KindState && e.event.Tags.GetD() == o.Repo.Identifier && declares(e.event, o.Commands) && may(s, o, e) {
					return true
				}
			}
			return false
		})
		return Filter{In: filter.In, Out: func(i core.Input, effects []core.Effect) []core.Effect {
			s.note(effects)
			return filter.Out(i, effects)
		}}
	}
}

// older lets an event of a kind replace a newer one that is held, and shows clients what was signed.
func older(kind int) func() Filter {
	return edited(func(ev *nostr.Event, s *shelf) bool {
		if ev.Kind != kind {
			return false
		}
		for _, e := range s.all() {
			if o := e.event; e.held && o.Kind == kind && o.PubKey == ev.PubKey && o.Tags.GetD() == ev.Tags.GetD() && o.ID != ev.ID {
				ev.CreatedAt = max(ev.CreatedAt, o.CreatedAt+1)
			}
		}
		return true
	})
}

// hintsOf are the relays that the tags of an event name in their third place.
func hintsOf(ev *nostr.Event) []string {
	var hints []string
	for _, t := range ev.Tags {
		if len(t) > 2 && slices.Contains([]string{"a", "A", "e", "E", "q"}, t[0]) && t[2] != "" {
			hints = append(hints, t[2])
		}
	}
	return hints
}
