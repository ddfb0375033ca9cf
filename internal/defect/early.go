package defect

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// earlyDefects are mistakes of a server that makes room for a repository before it has judged all of its announcement.
func earlyDefects() []Defect {
	own := ""
	return []Defect{{
		Name:   "refused-announcements-make-repositories",
		Config: func(c *core.Config) { own = c.Service.Host + c.Service.Base },
		Core: func(m core.Machine) core.Machine {
			return &early{Machine: m, own: own, made: map[repo.ID]bool{}, last: extra}
		},
	}}
}

// An early server has a repository for each announcement that lists it and is signed, be it refused or not.
type early struct {
	core.Machine
	own  string
	made map[repo.ID]bool
	last core.RequestID // of those that the machine knows nothing of
}

// Step follows the announcements that arrive, and which of them are refused.
func (e *early) Step(now instant.Instant, in core.Input, out *core.Effects) {
	if done, is := in.(core.RepositoryDone); is && done.Request > extra {
		return
	}
	begun := len(out.List)
	e.Machine.Step(now, in, out)
	m, _ := in.(core.Message)
	sent, is := m.Msg.(relay.Event)
	if !is || sent.Event.Kind != policy.KindAnnouncement || !m.SigOK {
		return
	}
	lists := slices.ContainsFunc(sent.Event.Tags, func(t nostr.Tag) bool {
		return len(t) > 1 && t[0] == "clone" && t[1] == ownURL("clone", e.own, sent.Event)
	})
	refused := slices.ContainsFunc(out.List[begun:], func(effect core.Effect) bool {
		s, _ := effect.(core.Send)
		ok, is := s.Msg.(relay.OK)
		return is && !ok.Accepted
	})
	if !lists || !refused {
		return
	}
	id := repo.ID{Owner: repo.PubKey(sent.Event.PubKey), Identifier: sent.Event.Tags.GetD()}
	e.made[id] = true
	e.last++
	out.List = append(out.List, core.CreateRepository{Request: e.last, Repo: id})
}

// Repository finds what should not be there.
func (e *early) Repository(id repo.ID) web.Repository {
	r := e.Machine.Repository(id)
	r.Exists = r.Exists || e.made[id]
	return r
}
