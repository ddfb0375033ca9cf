package defect

import (
	"slices"
	"sync"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// sequelDefects are mistakes that show in the third step of a story: what was right when it came first, and when it went, is wrong when
// it comes again.
func sequelDefects() []Defect {
	return []Defect{
		{Name: "states-deleted-with-announcements-authorize-again", Filter: deletedTogether},
		{Name: "vanished-maintainers-name-others", Filter: vanishedName},
		{Name: "third-maintainers-unread", Filter: edited(func(ev *nostr.Event, _ *shelf) bool {
			const read = 3 // the name of the tag and two keys
			if ev.Kind != policy.KindAnnouncement {
				return false
			}
			for n, t := range ev.Tags {
				if t[0] == "maintainers" && len(t) > read {
					ev.Tags[n] = slices.Clone(t[:read])
					return true
				}
			}
			return false
		})},
		{Name: "missing-lists-keep-maintainers", Filter: edited(func(ev *nostr.Event, s *shelf) bool {
			if ev.Kind != policy.KindAnnouncement || ev.Tags.Find("maintainers") != nil {
				return false
			}
			old := s.announcement(ev.PubKey, ev.Tags.GetD()).event
			if old == nil || old.Tags.Find("maintainers") == nil {
				return false
			}
			ev.Tags = append(ev.Tags, old.Tags.Find("maintainers"))
			return true
		})},
		{Name: "commits-of-deleted-pull-requests-refused", Filter: deletedCommits},
		{Name: "collected-refs-never-again", Filter: collectedNever},
		{Name: "branches-deleted-by-a-push-stay-away", Filter: deletedBranchesAway},
		{Name: "branches-dropped-by-a-state-stay-away", Backend: func(b gitstore.Backend) gitstore.Backend {
			return &dropping{backend: backend{b}, gone: map[repo.ID]map[string]bool{}}
		}},
		{Name: "states-that-drop-branches-take-refs-of-pull-requests", Backend: func(b gitstore.Backend) gitstore.Backend { return pruning{backend{b}} }},
		{Name: "head-that-was-named-before-not-set", Filter: namedBefore},
		{Name: "fourth-versions-unserved", Filter: fourthVersions(policy.KindAnnouncement)},
		{Name: "fourth-states-unserved", Filter: fourthVersions(policy.KindState)},
		{Name: "served-updates-replaced", Filter: updatesReplaced},
		{Name: "deletions-of-held-pull-requests-take-others", Filter: heldPullsGo},
		{Name: "deletions-sent-again-delete-anew", Filter: deletedAnew},
		{Name: "states-beside-pull-requests-unserved", Filter: statesBeside},
		{Name: "new-events-to-two-connections", Filter: twoConnections},
	}
}

// deletedTogether lets the last state authorize pushes again that was deleted, once its repository was deleted and announced anew.
func deletedTogether() Filter {
	heard := &statesHeard{deleted: map[string]bool{}}
	announced, again, ids := map[repo.ID]int{}, map[repo.ID]bool{}, map[string]repo.ID{}
	return letting(func(i core.Input) {
		_, ev := published(i)
		switch {
		case ev == nil:
		case ev.Kind == policy.KindState:
			heard.hear(i)
		case ev.Kind == policy.KindAnnouncement:
			id := repo.ID{Owner: repo.PubKey(ev.PubKey), Identifier: ev.Tags.GetD()}
			announced[id]++
			ids[ev.ID] = id
		case ev.Kind == policy.KindDeletion:
			for _, a := range policy.ParseDeletion(ev).Addresses {
				if a.Kind == policy.KindAnnouncement {
					again[repo.ID{Owner: repo.PubKey(ev.PubKey), Identifier: a.Identifier}] = true
				}
			}
			for _, named := range valuesOf(ev, "e") {
				again[ids[named]] = true
			}
		}
	}, func(o core.PushOffered, _ policy.Ruling) bool {
		state := heard.latest(o.Repo)
		return again[o.Repo] && announced[o.Repo] > 1 && state != nil && fits(o, state)
	})
}

// vanishedName lets pushes run that a state says by somebody whom only a maintainer has named who has vanished.
func vanishedName() Filter {
	heard, c, vanished := &statesHeard{deleted: map[string]bool{}}, newChain(), map[string]bool{}
	return letting(func(i core.Input) {
		heard.hear(i)
		c.hear(i)
		if _, ev := published(i); ev != nil && ev.Kind == policy.KindVanish {
			vanished[ev.PubKey] = true
		}
	}, func(o core.PushOffered, _ policy.Ruling) bool {
		owner, d := string(o.Repo.Owner), o.Repo.Identifier
		for _, by := range c.first[d][owner] {
			for _, key := range c.ever[d][by] {
				state := heard.latest(repo.ID{Owner: repo.PubKey(key), Identifier: d})
				if vanished[by] && key != owner && state != nil && fits(o, state) {
					return true
				}
			}
		}
		return false
	})
}

// collectedNever refuses the ref of a pull request that was there and was removed because its event did not come.
func collectedNever() Filter {
	gone := map[string]bool{}
	filter := refusesAtOnce(func(o core.PushOffered) bool {
		return slices.ContainsFunc(o.Commands, func(c gitproto.Command) bool { return gone[c.Ref] })
	})()
	out := filter.Out
	filter.Out = func(i core.Input, effects []core.Effect) []core.Effect {
		for _, e := range effects {
			u, _ := e.(core.UpdateRefs)
			for _, c := range u.Commands {
				if _, is := repo.PullRequestOf(c.Ref); is && c.New.IsZero() {
					gone[c.Ref] = true
				}
			}
		}
		return out(i, effects)
	}
	return filter
}

// deletedBranchesAway refuses to make a branch again that a push has deleted.
func deletedBranchesAway() Filter {
	type branch struct {
		id  repo.ID
		ref string
	}
	offers, gone := map[core.PushID]core.PushOffered{}, map[branch]bool{}
	filter := refusesAtOnce(func(o core.PushOffered) bool {
		return slices.ContainsFunc(o.Commands, func(c gitproto.Command) bool { return gone[branch{o.Repo, c.Ref}] && !c.New.IsZero() })
	})()
	out := filter.Out
	filter.Out = func(i core.Input, effects []core.Effect) []core.Effect {
		effects = out(i, effects)
		switch in := i.(type) {
		case core.PushOffered:
			offers[in.Push] = in
		case core.PushDone:
			for _, r := range in.Report.Results {
				for _, c := range offers[in.Push].Commands {
					if r.OK && c.Ref == r.Ref && c.New.IsZero() && namesBranch(c) {
						gone[branch{offers[in.Push].Repo, c.Ref}] = true
					}
				}
			}
		}
		return effects
	}
	return filter
}

// A dropping backend makes no branch again without a push that it has removed without one.
type dropping struct {
	backend
	mu   sync.Mutex
	gone map[repo.ID]map[string]bool
}

// Update implements gitstore.Backend.
func (d *dropping) Update(id repo.ID, commands []gitproto.Command, head string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.gone[id] == nil {
		d.gone[id] = map[string]bool{}
	}
	var kept []gitproto.Command
	for _, c := range commands {
		if d.gone[id][c.Ref] && !c.New.IsZero() {
			continue
		}
		if c.New.IsZero() && namesBranch(c) {
			d.gone[id][c.Ref] = true
		}
		kept = append(kept, c)
	}
	return d.Backend.Update(id, kept, head)
}

// A pruning backend removes whatever else the state does not name when it removes a branch without a push.
type pruning struct{ backend }

// Update implements gitstore.Backend.
func (p pruning) Update(id repo.ID, commands []gitproto.Command, head string) error {
	if err := p.Backend.Update(id, commands, head); err != nil {
		return err
	}
	if !slices.ContainsFunc(commands, func(c gitproto.Command) bool { return c.New.IsZero() && namesBranch(c) }) {
		return nil
	}
	refs, err := p.Refs(id)
	var gone []gitproto.Command
	for _, ref := range refs.Refs {
		if _, is := repo.PullRequestOf(ref.Name); is {
			gone = append(gone, gitproto.Command{Old: ref.OID, New: repo.ZeroOID, Ref: ref.Name})
		}
	}
	if err != nil || len(gone) == 0 {
		return err
	}
	return p.Backend.Update(id, gone, "")
}

// namedBefore leaves HEAD where it is if the owner's state names the branch that the one before it has named.
func namedBefore() Filter {
	named, same := map[slotted]string{}, map[repo.ID]bool{}
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		if _, ev := published(i); ev != nil && ev.Kind == policy.KindState && ev.Tags.Find("HEAD") != nil {
			id := repo.ID{Owner: repo.PubKey(ev.PubKey), Identifier: ev.Tags.GetD()}
			same[id] = named[slotOf(ev)] == headOf(ev)
			named[slotOf(ev)] = headOf(ev)
		}
		for n, e := range effects {
			if u, is := e.(core.UpdateRefs); is && same[u.Repo] {
				u.Head = ""
				effects[n] = u
			}
		}
		return effects
	}}
}
