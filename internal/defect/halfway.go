package defect

import (
	"slices"
	"sync/atomic"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// halfwayDefects are mistakes that show where something goes while something else waits, is under way, or is like it.
func halfwayDefects() []Defect {
	return []Defect{
		duringPushes("deletions-of-states-during-pushes-ignored", func(e filed) bool { return e.event.Kind == policy.KindState }),
		duringPushes("deletions-of-held-announcements-during-pushes-ignored", func(e filed) bool { return e.held && e.event.Kind == policy.KindAnnouncement }),
		duringPushes("deletions-of-pull-requests-during-pushes-ignored", func(e filed) bool { return isPull(e.event) }),
		duringPushes("deletions-of-served-announcements-during-pushes-ignored", func(e filed) bool { return !e.held && e.event.Kind == policy.KindAnnouncement }),
		{Name: "replaced-ids-delete-what-waits", Filter: replacedDeleteHeld},
		{Name: "deleted-while-held-taken-again", Filter: heldAgain(false)},
		{Name: "deleted-while-held-taken-behind-a-start", Filter: heldAgain(true)},
		{Name: "pull-requests-beside-branches-unserved", Filter: besideBranches(isPull)},
		{Name: "refs-of-one-commit-go-together", Backend: func(b gitstore.Backend) gitstore.Backend {
			return aligning{backend{b}, func(id repo.ID, c []gitproto.Command, head string) ([]gitproto.Command, string) {
				return ofOneCommit(b, id, c), head
			}}
		}},
		{Name: "ids-below-pull-requests-refused", Backend: func(b gitstore.Backend) gitstore.Backend { return wantsRefused{backend{b}, pullTipsOnly} }},
		{Name: "locks-outlive-who-left", Backend: func(b gitstore.Backend) gitstore.Backend {
			return &latched{backend: backend{b}, locked: map[repo.ID]bool{}}
		}},
		{Name: "owners-vanish-with-states-of-others", Filter: ownersVanish},
	}
}

// duringPushes answers requests to delete some events by id OK true while a push is under way, and does nothing on them.
func duringPushes(name string, spared func(filed) bool) Defect {
	var under atomic.Int64
	return Defect{
		Name:  name,
		Front: countingPushes(&under),
		Filter: edited(func(ev *nostr.Event, s *shelf) bool {
			ev.Tags = slices.DeleteFunc(ev.Tags, func(t nostr.Tag) bool {
				named := len(t) > 1 && t[0] == "e" && s.byID[t[1]].event != nil
				return named && spared(s.byID[t[1]]) && ev.Kind == policy.KindDeletion && under.Load() > 0
			})
			return ev.Kind == policy.KindDeletion
		}),
	}
}

// replacedDeleteHeld deletes, with an event that waited and was replaced, what waits in its place.
func replacedDeleteHeld() Filter {
	known := map[string]*nostr.Event{}
	return edited(func(ev *nostr.Event, s *shelf) bool {
		known[ev.ID] = ev
		if ev.Kind != policy.KindDeletion {
			return false
		}
		for _, t := range slices.Clone(ev.Tags) {
			if len(t) < 2 || t[0] != "e" || known[t[1]] == nil || known[t[1]].PubKey != ev.PubKey {
				continue
			}
			for id, e := range s.all() {
				if e.held && nostr.IsAddressableKind(e.event.Kind) && slotOf(e.event) == slotOf(known[t[1]]) {
					ev.Tags = append(ev.Tags, nostr.Tag{"e", id})
				}
			}
		}
		return true
	})()
}

// heldAgain answers events OK true that were deleted while they waited and are sent again: at any time, or behind a start alone.
func heldAgain(started bool) func() Filter {
	deleted := map[string]bool{} // from one start to the next
	return func() Filter {
		before := map[string]bool{}
		for id := range deleted {
			before[id] = true
		}
		f := ok(func(_ core.Input, m relay.OK) relay.OK {
			if again := before[m.ID] || !started && deleted[m.ID]; again && !m.Accepted {
				m.Accepted, m.Text = true, "purgatory: won't be served until git data arrives"
			}
			return m
		})()
		out := f.Out
		f.Out = func(i core.Input, effects []core.Effect) []core.Effect {
			_, ev := published(i)
			for _, e := range effects {
				if r, is := e.(core.Record); is && r.Op == core.OpDrop && ev != nil && ev.Kind == policy.KindDeletion {
					deleted[r.ID] = true
				}
			}
			return out(i, effects)
		}
		return f
	}
}

// besideBranches never serves some pull requests whose commits came together with a branch.
func besideBranches(which func(*nostr.Event) bool) func() Filter {
	return func() Filter {
		beside, offers := map[string]bool{}, map[core.PushID]core.PushOffered{}
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			switch in := i.(type) {
			case core.PushOffered:
				offers[in.Push] = in
			case core.PushDone:
				commands := offers[in.Push].Commands
				for _, c := range commands {
					if id, is := repo.PullRequestOf(c.Ref); is && slices.ContainsFunc(commands, namesBranch) {
						beside[id] = true
					}
				}
			}
			return slices.DeleteFunc(slices.Clone(effects), func(e core.Effect) bool {
				send, _ := e.(core.Send)
				m, is := send.Msg.(relay.EventFor)
				return is && beside[m.Event.ID] && which(m.Event)
			})
		}}
	}
}

// ofOneCommit adds to the refs of pull requests that go all others of the same commits.
func ofOneCommit(b gitstore.Backend, id repo.ID, commands []gitproto.Command) []gitproto.Command {
	refs, err := b.Refs(id)
	if err != nil {
		return commands
	}
	all := slices.Clone(commands)
	for _, c := range commands {
		for _, ref := range refs.Refs {
			also := gitproto.Command{Old: ref.OID, New: repo.ZeroOID, Ref: ref.Name}
			if c.New.IsZero() && namesEvent(c) && namesEvent(also) && also.Old == c.Old && also.Ref != c.Ref {
				all = append(all, also)
			}
		}
	}
	return all
}

// ownersVanish deletes, with an owner who vanishes, the states of others for identifiers that he has announced.
func ownersVanish() Filter {
	return tiedGo(policy.KindVanish, func(was, other filed) bool {
		return !was.held && was.event.Kind == policy.KindAnnouncement && !other.held && other.event.Kind == policy.KindState && other.event.PubKey != was.event.PubKey && alike(was, other)
	})
}
