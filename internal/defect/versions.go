package defect

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/eventstore"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// versionDefects are mistakes with the second version of something: of what waits, of what is served, and of what was refused.
func versionDefects() []Defect {
	return []Defect{
		{Name: "next-versions-of-held-announcements-served", Filter: nextServed(policy.KindAnnouncement)},
		{Name: "next-versions-of-held-states-served", Filter: nextServed(policy.KindState)},
		{Name: "older-versions-told", Filter: olderTold},
		{Name: "refused-pull-requests-remembered", Filter: refusedOf(policy.KindPullRequest, policy.KindPullRequestUpdate)},
		{Name: "refused-announcements-remembered", Filter: refusedOf(policy.KindAnnouncement)},
		{Name: "failed-reconciliations-end-subscriptions", Filter: hushed(func(_ core.Input, effects []core.Effect) (core.ConnID, string, bool) {
			for _, e := range effects {
				send, _ := e.(core.Send)
				if failed, is := send.Msg.(relay.NegError); is {
					return send.Conn, failed.Sub, true
				}
			}
			return 0, "", false
		})},
		{Name: "events-sent-once-to-an-id", Filter: sentOnce(false)},
		{Name: "events-sent-once-to-a-connection", Filter: sentOnce(true)},
		waitingRefsCleared("newer-announcements-clear-refs-that-wait"),
		{Name: "emptied-repositories-unserved", Filter: emptiedUnserved},
		{Name: "emptied-repositories-closed", Filter: emptiedClosed},
	}
}

// nextServed serves what waits in place of another version that waited.
func nextServed(kind int) func() Filter {
	return func() Filter {
		waited := map[string]bool{} // by address
		return leak(func(_ core.Input, effects []core.Effect) *nostr.Event {
			for _, e := range effects {
				r, _ := e.(core.Record)
				if r.Op != core.OpHold || r.Event.Kind != kind {
					continue
				}
				at := addressOf(r.Event)
				if waited[at] {
					return r.Event
				}
				waited[at] = true
			}
			return nil
		})()
	}
}

// olderTold sends a version to who listens although a newer one is here.
func olderTold() Filter {
	var open listeners
	s := &shelf{map[string]filed{}}
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		open.hear(i)
		if _, ev := published(i); ev != nil && eventstore.IsAddressable(ev.Kind) {
			for _, e := range s.all() {
				if !e.held && e.event.Kind == ev.Kind && addressOf(e.event) == addressOf(ev) && repo.Newer(e.event, ev) {
					effects = open.tell(ev, effects)
				}
			}
		}
		s.note(effects)
		return effects
	}}
}

// refusedOf refuses events of some kinds for ever that were refused once.
func refusedOf(kinds ...int) func() Filter {
	return func() Filter {
		refused := map[string]bool{}
		return rejecting(func(ev *nostr.Event) bool { return refused[ev.ID] }, func(i core.Input, effects []core.Effect) {
			_, ev := published(i)
			for _, e := range effects {
				if n, ok := e.(core.Note); ok && ev != nil && n.Fact == core.EventRefused && slices.Contains(kinds, n.Kind) {
					refused[n.Event] = true
				}
			}
		})
	}
}

// sentOnce sends no event again that a subscription of the same id has had, or any one of the same connection.
func sentOnce(byConn bool) func() Filter {
	return func() Filter {
		type sent struct {
			openedAt
			id string
		}
		had := map[sent]bool{}
		return out(func(_ core.Input, e core.Effect) (core.Effect, bool) {
			send, _ := e.(core.Send)
			m, is := send.Msg.(relay.EventFor)
			if !is {
				return e, true
			}
			to := sent{openedAt{send.Conn, m.Sub}, m.Event.ID}
			if byConn {
				to.sub = ""
			}
			before := had[to]
			had[to] = true
			return e, !before
		})()
	}
}

// waitingRefsCleared removes the refs whose events have not come with every further announcement that is served.
func waitingRefsCleared(name string) Defect {
	var p pointer
	return Defect{Name: name, Backend: p.lend, Filter: func() Filter {
		s, served := &shelf{map[string]filed{}}, map[string]bool{}
		return Filter{Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			s.note(effects)
			for _, e := range effects {
				r, _ := e.(core.Record)
				if r.Op != core.OpStore || r.Event.Kind != policy.KindAnnouncement {
					continue
				}
				if at := addressOf(r.Event); served[at] {
					p.clear(repositoryBy(r.Event), func(ref repo.Ref) bool {
						event, _ := repo.PullRequestOf(ref.Name)
						return s.byID[event].event == nil
					})
				} else {
					served[at] = true
				}
			}
			return effects
		}}
	}}
}

// branches are those of all repositories, and tags, as orders and pushes leave them.
type branches struct {
	offers map[core.PushID]core.PushOffered
	refs   map[repo.ID]map[string]bool
}

func newBranches() *branches {
	return &branches{map[core.PushID]core.PushOffered{}, map[repo.ID]map[string]bool{}}
}

// gone reports whether a repository has had some and has none any more.
func (b *branches) gone(id repo.ID) bool { return b.refs[id] != nil && len(b.refs[id]) == 0 }

func (b *branches) moved(id repo.ID, commands []gitproto.Command) {
	for _, c := range commands {
		if namesEvent(c) {
			continue
		}
		if b.refs[id] == nil {
			b.refs[id] = map[string]bool{}
		}
		if b.refs[id][c.Ref] = true; c.New.IsZero() {
			delete(b.refs[id], c.Ref)
		}
	}
}

func (b *branches) note(i core.Input, effects []core.Effect) {
	switch i := i.(type) {
	case core.PushOffered:
		b.offers[i.Push] = i
	case core.PushDone:
		b.moved(b.offers[i.Push].Repo, b.offers[i.Push].Commands)
	}
	for _, e := range effects {
		if u, is := e.(core.UpdateRefs); is {
			b.moved(u.Repo, u.Commands)
		}
	}
}

// emptiedUnserved serves no announcement of a repository that has had branches or tags and has none any more.
func emptiedUnserved() Filter {
	b := newBranches()
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		b.note(i, effects)
		return slices.DeleteFunc(slices.Clone(effects), func(e core.Effect) bool {
			send, _ := e.(core.Send)
			m, is := send.Msg.(relay.EventFor)
			return is && m.Event.Kind == policy.KindAnnouncement && b.gone(repositoryBy(m.Event))
		})
	}}
}

// emptiedClosed refuses pushes to a repository that has had branches or tags and has none any more.
func emptiedClosed() Filter {
	b := newBranches()
	filter := refuses(func(o core.PushOffered) bool { return b.gone(o.Repo) })()
	return Filter{In: filter.In, Out: func(i core.Input, effects []core.Effect) []core.Effect {
		effects = filter.Out(i, effects)
		b.note(i, effects)
		return effects
	}}
}
