package defect

import (
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// behindRefsDefects are such mistakes with refs: those of pull requests, and those that clients are told before they push.
func behindRefsDefects() []Defect {
	return []Defect{
		clearing("held-announcements-renewed-without-refs", func(r core.Record, held *nostr.Event) bool { return r.Op == core.OpDrop && held != nil }),
		clearing("released-announcements-without-refs", func(r core.Record, held *nostr.Event) bool { return r.Op == core.OpStore && held != nil }),
		sameCommitGoes("deleted-pull-requests-take-refs-of-their-commit"),
		namesakesShow("pull-requests-shown-by-namesakes"),
		{Name: "push-advertisements-kept", Backend: func(b gitstore.Backend) gitstore.Backend {
			return keeping(b, gitproto.ReceivePackService)
		}},
	}
}

// clear removes refs of pull requests from a repository.
func (p *pointer) clear(id repo.ID, which func(repo.Ref) bool) {
	refs, err := p.in.Refs(id)
	if err != nil { // it has gone
		return
	}
	var gone []gitproto.Command
	for _, ref := range refs.Refs {
		if c := (gitproto.Command{Old: ref.OID, New: repo.ZeroOID, Ref: ref.Name}); namesEvent(c) && which(ref) {
			gone = append(gone, c)
		}
	}
	_ = p.in.Update(id, gone, "") // what could not be removed stays
}

// clearing removes the refs of pull requests with some records about an announcement that waits.
func clearing(name string, which func(r core.Record, held *nostr.Event) bool) Defect {
	var p pointer
	return Defect{Name: name, Backend: p.lend, Filter: func() Filter {
		held := map[string]*nostr.Event{}
		return Filter{Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			for _, e := range effects {
				r, _ := e.(core.Record)
				if ev := held[r.ID]; which(r, ev) {
					p.clear(repo.ID{Owner: repo.PubKey(ev.PubKey), Identifier: ev.Tags.GetD()}, func(repo.Ref) bool { return true })
				}
				if r.Op == core.OpHold && r.Event.Kind == policy.KindAnnouncement {
					held[r.ID] = r.Event
				}
			}
			return effects
		}}
	}}
}

// sameCommitGoes removes, with a pull request that its author deletes, the refs of all others of its commit.
func sameCommitGoes(name string) Defect {
	var p pointer
	return Defect{Name: name, Backend: p.lend, Filter: func() Filter {
		s := &shelf{map[string]filed{}}
		return Filter{Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			for _, e := range effects {
				r, _ := e.(core.Record)
				was := s.byID[r.ID].event
				if r.Op != core.OpUnstore || was == nil || !isPull(was) {
					continue
				}
				for _, id := range p.made {
					p.clear(id, func(ref repo.Ref) bool { return string(ref.OID) == valueOf(was, "c") })
				}
			}
			s.note(effects)
			return effects
		}}
	}}
}

// namesakesShow puts the ref of a pull request that is served into all repositories of the identifiers that it names.
func namesakesShow(name string) Defect {
	var p pointer
	return Defect{Name: name, Backend: p.lend, Filter: func() Filter {
		return Filter{Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			for _, e := range effects {
				r, _ := e.(core.Record)
				if r.Op != core.OpStore || !isPull(r.Event) {
					continue
				}
				commit := repo.OID(valueOf(r.Event, "c"))
				_, owner, identifier, _ := coordinate(valueOf(r.Event, "a"))
				for _, id := range p.made {
					if id.Identifier != identifier || string(id.Owner) == owner {
						continue
					}
					if p.in.Copy(nil, id, repo.ID{Owner: repo.PubKey(owner), Identifier: identifier}, []repo.OID{commit}) == nil {
						_ = p.in.Update(id, []gitproto.Command{{Old: repo.ZeroOID, New: commit, Ref: repo.PullRequestPrefix + r.ID}}, "")
					}
				}
			}
			return effects
		}}
	}}
}
