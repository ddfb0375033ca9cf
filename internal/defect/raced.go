package defect

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// racedDefects are mistakes that show where several clients do things at once, or one behind the other's back.
func racedDefects() []Defect {
	return []Defect{
		{Name: "replaced-states-authorize", Core: func(m core.Machine) core.Machine {
			return remembering(m, func(_ *statesHeard, ev, now *nostr.Event) bool { return now != nil && now.CreatedAt > ev.CreatedAt })
		}},
		{Name: "deleted-states-authorize", Core: func(m core.Machine) core.Machine {
			return remembering(m, func(s *statesHeard, ev, _ *nostr.Event) bool { return s.deleted[ev.ID] })
		}},
		{Name: "newest-author-lost-at-stop", Filter: survivors(func(in core.Started) core.Started {
			in.Stored = withoutNewest(in.Stored)
			return in
		})},
	}
}

// statesHeard are the owners' states that came, whatever became of them.
type statesHeard struct {
	states  []*nostr.Event
	deleted map[string]bool // by id
}

func (s *statesHeard) hear(i core.Input) {
	_, ev := published(i)
	switch {
	case ev == nil:
	case ev.Kind == policy.KindState:
		s.states = append(s.states, ev)
	case ev.Kind == policy.KindDeletion:
		for _, tag := range ev.Tags {
			if len(tag) > 1 && tag[0] == "e" {
				s.deleted[tag[1]] = true
			}
		}
	}
}

// latest is the latest state of a repository that was not deleted so far; nil if there is none.
func (s *statesHeard) latest(id repo.ID) *nostr.Event {
	var latest *nostr.Event
	for _, ev := range s.states {
		own := ev.PubKey == string(id.Owner) && ev.Tags.GetD() == id.Identifier && !s.deleted[ev.ID]
		if own && (latest == nil || ev.CreatedAt > latest.CreatedAt) {
			latest = ev
		}
	}
	return latest
}

// A memory judges pushes by the state that was the latest when somebody asked for the repository before.
type memory struct {
	core.Machine
	heard         *statesHeard
	before, asked map[repo.ID]*nostr.Event
}

// remembering lets refused pushes run that fit the state of the request before, if that is one of those that go on to authorize.
func remembering(m core.Machine, goesOn func(s *statesHeard, ev, now *nostr.Event) bool) core.Machine {
	r := &memory{heard: &statesHeard{deleted: map[string]bool{}}, before: map[repo.ID]*nostr.Event{}, asked: map[repo.ID]*nostr.Event{}}
	r.Machine = &filtered{Machine: m, silent: map[string]int{}, filter: letting(r.heard.hear, func(o core.PushOffered, _ policy.Ruling) bool {
		ev := r.before[o.Repo]
		return ev != nil && goesOn(r.heard, ev, r.heard.latest(o.Repo)) && fits(o, ev)
	})}
	return r
}

// Repository remembers what the latest state is: every git request asks for its repository first, and so does the push itself.
func (r *memory) Repository(id repo.ID) web.Repository {
	r.before[id], r.asked[id] = r.asked[id], r.heard.latest(id)
	return r.Machine.Repository(id)
}

// fits reports whether a push moves every ref as a state says.
func fits(o core.PushOffered, ev *nostr.Event) bool {
	for _, c := range o.Commands {
		at := slices.IndexFunc(ev.Tags, func(t nostr.Tag) bool { return len(t) > 1 && t[0] == c.Ref })
		if at < 0 && !c.New.IsZero() || at >= 0 && ev.Tags[at][1] != string(c.New) {
			return false
		}
	}
	return true
}

// withoutNewest leaves out the newest state of each identifier that has states of several authors.
func withoutNewest(stored []*nostr.Event) []*nostr.Event {
	state := func(ev *nostr.Event) bool { return ev.Kind == policy.KindState }
	return slices.DeleteFunc(slices.Clone(stored), func(ev *nostr.Event) bool {
		several := slices.ContainsFunc(stored, func(other *nostr.Event) bool {
			return state(other) && other.Tags.GetD() == ev.Tags.GetD() && other.PubKey != ev.PubKey
		})
		newer := slices.ContainsFunc(stored, func(other *nostr.Event) bool {
			return state(other) && other.Tags.GetD() == ev.Tags.GetD() && other.CreatedAt > ev.CreatedAt
		})
		return state(ev) && several && !newer
	})
}
