package defect

import (
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// closingDefects are mistakes with what a request to delete does to git, be it that the event stays, or that it comes again.
func closingDefects() []Defect {
	return []Defect{
		closingFor("early-deletions-close-repositories", false, func(r request) bool {
			return r.own && r.present && r.byAddress && r.event.CreatedAt > r.at
		}),
		closingFor("deletions-by-strangers-close-repositories", false, func(r request) bool { return !r.own && r.present }),
		closingFor("deletions-of-former-announcements-close-repositories", false, func(r request) bool { return r.own && !r.present && !r.byAddress }),
		closingFor("deleted-repositories-stay-closed", true, func(r request) bool {
			return r.own && r.present && (!r.byAddress || r.event.CreatedAt <= r.at)
		}),
		{Name: "early-deletions-of-states-end-their-authority", Filter: endedStates(true)},
		{Name: "deletions-of-former-states-end-their-authority", Filter: endedStates(false)},
	}
}

// A request asks to delete an announcement.
type request struct {
	event     *nostr.Event // the announcement
	present   bool         // it has not been replaced
	own       bool         // its author asks
	byAddress bool
	at        nostr.Timestamp
}

// closingFor has git find no repository from some requests on, until it is announced anew, or for ever.
func closingFor(name string, forever bool, shut func(request) bool) Defect {
	return Defect{Name: name, Core: func(m core.Machine) core.Machine {
		return &shutter{
			Machine: m, shut: shut, forever: forever, shelf: &shelf{map[string]filed{}}, known: map[string]*nostr.Event{}, closed: map[repo.ID]bool{},
		}
	}}
}

type shutter struct {
	core.Machine
	shut    func(request) bool
	forever bool
	shelf   *shelf
	known   map[string]*nostr.Event // announcements that were taken at some time, by id
	closed  map[repo.ID]bool
}

// Step follows the requests that arrive, and what is announced.
func (c *shutter) Step(now instant.Instant, in core.Input, out *core.Effects) {
	if _, ev := published(in); ev != nil && ev.Kind == policy.KindDeletion {
		c.ask(ev)
	}
	begun := len(out.List)
	c.Machine.Step(now, in, out)
	c.shelf.note(out.List[begun:])
	for _, e := range out.List[begun:] {
		r, _ := e.(core.Record)
		if r.Event == nil || r.Event.Kind != policy.KindAnnouncement || c.known[r.ID] != nil {
			continue
		}
		c.known[r.ID] = r.Event
		if !c.forever {
			delete(c.closed, repositoryBy(r.Event))
		}
	}
}

// ask closes what a request to delete names.
func (c *shutter) ask(by *nostr.Event) {
	for id, ev := range c.known {
		for _, t := range by.Tags {
			byAddress := len(t) > 1 && t[0] == "a" && t[1] == addressOf(ev)
			if !byAddress && (len(t) < 2 || t[0] != "e" || t[1] != id) {
				continue
			}
			_, present := c.shelf.byID[id]
			if c.shut(request{ev, present, by.PubKey == ev.PubKey, byAddress, by.CreatedAt}) {
				c.closed[repositoryBy(ev)] = true
			}
		}
	}
}

// Repository finds nothing where something is closed.
func (c *shutter) Repository(id repo.ID) web.Repository {
	r := c.Machine.Repository(id)
	r.Exists = r.Exists && !c.closed[id]
	return r
}

// repositoryBy is the repository of an announcement or a state.
func repositoryBy(ev *nostr.Event) repo.ID {
	return repo.ID{Owner: repo.PubKey(ev.PubKey), Identifier: ev.Tags.GetD()}
}

// endedStates refuses pushes to a repository once its owner has asked to delete older states than the one that is here, by their address or
// by the id of one that was replaced, until the next one comes.
func endedStates(byAddress bool) func() Filter {
	return func() Filter {
		s, known, ended := &shelf{map[string]filed{}}, map[string]*nostr.Event{}, map[repo.ID]bool{}
		filter := refuses(func(o core.PushOffered) bool { return ended[o.Repo] })()
		ask := func(by *nostr.Event) {
			for id, state := range known {
				here := s.byID[id].event != nil
				for _, t := range by.Tags {
					if by.PubKey == state.PubKey && len(t) > 1 && (byAddress && here && t[1] == addressOf(state) || !byAddress && !here && t[1] == id) {
						ended[repositoryBy(state)] = true
					}
				}
			}
		}
		return Filter{In: filter.In, Out: func(i core.Input, effects []core.Effect) []core.Effect {
			effects = filter.Out(i, effects)
			s.note(effects)
			switch _, ev := published(i); {
			case ev != nil && ev.Kind == policy.KindState:
				known[ev.ID], ended[repositoryBy(ev)] = ev, false
			case ev != nil && ev.Kind == policy.KindDeletion:
				ask(ev)
			}
			return effects
		}}
	}
}
