package defect

import (
	"slices"
	"strings"
	"sync"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// headedDefects let what is refused point HEAD elsewhere.
func headedDefects() []Defect { return []Defect{refusedPushesMoveHead(), refusedStatesMoveHead()} }

// A pointer points HEAD of repositories.
type pointer struct {
	mu   sync.Mutex
	in   gitstore.Backend
	made []repo.ID
}

// A pointed backend tells a pointer which repositories there are.
type pointed struct {
	backend
	by *pointer
}

func (p *pointer) lend(b gitstore.Backend) gitstore.Backend {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.in = b
	return pointed{backend{b}, p}
}

// Create implements gitstore.Backend.
func (p pointed) Create(id repo.ID) error {
	p.by.mu.Lock()
	p.by.made = append(p.by.made, id)
	p.by.mu.Unlock()
	return p.Backend.Create(id)
}

// point points HEAD of every repository that fits to a branch.
func (p *pointer) point(to string, fits func(repo.ID) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, id := range p.made {
		if fits(id) {
			_ = p.in.Update(id, nil, to) // one that is gone has none
		}
	}
}

// refusedPushesMoveHead points HEAD to the first branch of a push that is refused.
func refusedPushesMoveHead() Defect {
	var p pointer
	return Defect{Name: "refused-pushes-move-head", Backend: p.lend, Filter: func() Filter {
		offers := map[core.PushID]core.PushOffered{}
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			if o, is := i.(core.PushOffered); is {
				offers[o.Push] = o
			}
			for _, e := range effects {
				r, is := e.(core.PushRefused)
				if !is {
					continue
				}
				o := offers[r.Push]
				for _, c := range o.Commands {
					if strings.HasPrefix(c.Ref, "refs/heads/") {
						p.point(c.Ref, func(id repo.ID) bool { return id == o.Repo })
						break
					}
				}
			}
			return effects
		}}
	}}
}

// refusedStatesMoveHead points HEAD to the branch that a refused state names, in all repositories of its identifier.
func refusedStatesMoveHead() Defect {
	var p pointer
	return Defect{Name: "refused-states-move-head", Backend: p.lend, Filter: func() Filter {
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			m, _ := i.(core.Message)
			sent, _ := m.Msg.(relay.Event)
			refused := slices.ContainsFunc(effects, func(e core.Effect) bool {
				send, _ := e.(core.Send)
				ok, is := send.Msg.(relay.OK)
				return is && !ok.Accepted
			})
			if ev := sent.Event; refused && ev != nil && ev.Kind == policy.KindState {
				p.point(headOf(ev), func(id repo.ID) bool { return id.Identifier == ev.Tags.GetD() })
			}
			return effects
		}}
	}}
}

// headOf is the branch that a state has for HEAD, or another one than most have.
func headOf(ev *nostr.Event) string {
	if tag := ev.Tags.Find("HEAD"); len(tag) > 1 {
		return strings.TrimPrefix(tag[1], "ref: ")
	}
	return "refs/heads/evil"
}
