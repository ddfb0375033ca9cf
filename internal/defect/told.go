package defect

import (
	"context"
	"slices"
	"sync"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// toldDefects are mistakes of what goes between services: what they tell each other, and what they take from each other.
func toldDefects() []Defect {
	return []Defect{
		{Name: "marked-repositories-told", Config: plusOn, Filter: telling},
		{Name: "private-repositories-told", Private: true, Filter: telling},
		backedUp("pull-requests-backed-up"),
	}
}

// telling asks every relay that it gets to about every repository that is announced.
func telling() Filter {
	var addresses []string
	told := map[core.PeerID]bool{}
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		if _, ev := published(i); ev != nil && ev.Kind == policy.KindAnnouncement {
			addresses = append(addresses, "30617:"+ev.PubKey+":"+ev.Tags.GetD())
		}
		if said, is := i.(core.PeerSaid); is && len(addresses) > 0 && !told[said.Peer] {
			ask := relay.Req{Sub: "told", Filters: []relay.Filter{{Tags: []relay.TagFilter{{Letter: 'a', Values: slices.Clone(addresses)}}}}}
			told[said.Peer] = true
			return append([]core.Effect{core.SendPeer{Peer: said.Peer, Msg: ask}}, effects...) // before it hangs up
		}
		return effects
	}}
}

// A backing store keeps the commits of pull requests at the places of their signers as well, unless they were pushed.
type backing struct {
	backend
	signers *signers
}

type signers struct {
	mu sync.Mutex
	of map[string]repo.PubKey // by event; guarded by mu
}

func (b backing) Update(id repo.ID, commands []gitproto.Command, head string) error {
	if err := b.backend.Update(id, commands, head); err != nil || id.IsContribution() {
		return err //nolint:wrapcheck // it is the backend's own
	}
	b.signers.mu.Lock()
	defer b.signers.mu.Unlock()
	for _, c := range commands {
		event, named := repo.PullRequestOf(c.Ref)
		signer := b.signers.of[event]
		if !named || c.New.IsZero() || signer == "" {
			continue
		}
		place := repo.Contribution(signer, id.Identifier)
		if b.Create(place) == nil && b.Copy(context.Background(), place, id, []repo.OID{c.New}) == nil {
			_ = b.backend.Update(place, []gitproto.Command{{Ref: c.Ref, Old: repo.ZeroOID, New: c.New}}, "") // one that is there stays
		}
	}
	return nil
}

// backedUp is a server with such a store.
func backedUp(name string) Defect {
	known := &signers{of: map[string]repo.PubKey{}}
	return Defect{
		Name: name, Config: func(c *core.Config) { c.Contributions.On = true },
		Backend: func(b gitstore.Backend) gitstore.Backend { return backing{backend{b}, known} },
		Filter: func() Filter {
			return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
				if _, ev := published(i); ev != nil && isPull(ev) {
					known.mu.Lock()
					defer known.mu.Unlock()
					known.of[ev.ID] = repo.PubKey(ev.PubKey)
				}
				return effects
			}}
		},
	}
}
