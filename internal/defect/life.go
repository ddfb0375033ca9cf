package defect

import (
	"slices"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// lifeDefects are mistakes that any server may make when it ends and begins again.
func lifeDefects() []Defect {
	return []Defect{
		{Name: "young-refs-lost-at-stop", Filter: youngLost},
		{Name: "lost-repositories-answer", Core: func(m core.Machine) core.Machine { return &haunted{Machine: m, ghosts: map[repo.ID]bool{}} }},
		{Name: "deletions-forgotten-at-stop", Filter: survivors(func(in core.Started) core.Started {
			in.Stored = slices.Clone(in.Stored)
			for n := len(in.Stored) - 1; n >= 0; n-- {
				if in.Stored[n].Kind == policy.KindDeletion {
					in.Stored = slices.Delete(in.Stored, n, n+1)
				}
			}
			in.Marks = slices.DeleteFunc(slices.Clone(in.Marks), func(m core.Mark) bool {
				return m.Kind == core.MarkDeletedState || m.Kind == core.MarkDeletedAnnouncement
			})
			return in
		})},
		{Name: "talk-lost-at-stop", Filter: survivors(func(in core.Started) core.Started {
			in.Stored = slices.Clone(in.Stored)
			for n := len(in.Stored) - 1; n >= 0; n-- {
				if k := in.Stored[n].Kind; k == 1621 || k == 1111 {
					in.Stored = slices.Delete(in.Stored, n, n+1)
				}
			}
			return in
		})},
	}
}

// youngLost removes at the start the refs that wait for their pull requests.
func youngLost() Filter {
	requests := core.RequestID(extra)
	return beside(func(i core.Input, effects []core.Effect) []core.Effect {
		in, is := i.(core.Started)
		if !is {
			return effects
		}
		for _, r := range in.Repositories {
			for _, ref := range r.Refs.Refs {
				waits := slices.ContainsFunc(in.Marks, func(m core.Mark) bool {
					return m.Kind == core.MarkPlaceholder && m.Repo == r.ID && ref.Name == repo.PullRequestPrefix+m.Event
				})
				if waits {
					requests++
					effects = append(effects, core.UpdateRefs{
						Request: requests, Repo: r.ID, Commands: []gitproto.Command{{Old: ref.OID, New: repo.ZeroOID, Ref: ref.Name}},
					})
				}
			}
		}
		return effects
	})
}

// A haunted server has lost what it held, and the repositories of that answer on.
type haunted struct {
	core.Machine
	ghosts map[repo.ID]bool
}

// Step forgets what is held at the start, and removes no repository there.
func (h *haunted) Step(now instant.Instant, in core.Input, out *core.Effects) {
	started, is := in.(core.Started)
	if !is {
		h.Machine.Step(now, in, out)
		return
	}
	started.Held = nil
	var own core.Effects
	h.Machine.Step(now, started, &own)
	for n := 0; n < len(own.List); n++ {
		r, removes := own.List[n].(core.RemoveRepository)
		if !removes {
			out.List = append(out.List, own.List[n])
			continue
		}
		h.ghosts[r.Repo] = true
		h.Machine.Step(now, core.RepositoryDone{Request: r.Request, OK: true}, &own)
	}
}

// Repository finds what should be gone.
func (h *haunted) Repository(id repo.ID) web.Repository {
	r := h.Machine.Repository(id)
	r.Exists = r.Exists || h.ghosts[id]
	return r
}
