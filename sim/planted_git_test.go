package sim_test

import (
	"slices"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim"
)

// careless is a git that does more, or less, than it is told.
type careless struct {
	sim.Git
	ghosts  bool // moves a ref that nobody has named
	strays  bool // moves HEAD elsewhere
	invents bool // makes a repository beside the one that is ordered
	idles   bool // says that it has moved refs which it has left where they were
}

func (c careless) Update(id repo.ID, commands []gitproto.Command, head string) error {
	if c.idles {
		commands = slices.DeleteFunc(slices.Clone(commands), func(c gitproto.Command) bool {
			return !c.Old.IsZero() && !c.New.IsZero()
		})
	}
	if err := c.Git.Update(id, commands, head); err != nil || len(commands) == 0 {
		return err
	}
	if c.strays {
		return c.Git.Update(id, nil, "refs/heads/astray")
	}
	if at := slices.IndexFunc(commands, func(c gitproto.Command) bool { return !c.New.IsZero() }); at >= 0 && c.ghosts {
		_ = c.Git.Update(id, []gitproto.Command{{Old: repo.ZeroOID, New: commands[at].New, Ref: "refs/heads/ghost"}}, "")
	}
	return nil
}

func (c careless) Create(id repo.ID) error {
	if c.invents {
		_ = c.Git.Create(repo.ID{Owner: id.Owner, Identifier: id.Identifier + "x"})
	}
	return c.Git.Create(id)
}

func git(c careless) func() sim.Options {
	return func() sim.Options {
		return sim.Options{Git: func(_ int, g sim.Git) sim.Git { c.Git = g; return c }}
	}
}

// silent is a plant that leaves effects out.
func silent(which func(core.Effect) bool) func() sim.Options {
	return func() sim.Options {
		return each(func(e core.Effect) []core.Effect {
			if which(e) {
				return nil
			}
			return []core.Effect{e}
		})
	}
}

func removal(e core.Effect) bool { _, is := e.(core.RemoveRepository); return is }

// The plants of what git is told, and of what it has.
var gitPlants = []plant{
	{"INV-16 wanted-object-removed", func() sim.Options {
		return each(func(e core.Effect) []core.Effect {
			if t, ok := e.(core.TidyRepository); ok {
				t.Keep = nil
				return []core.Effect{t}
			}
			return []core.Effect{e}
		})
	}},
	{"INV-04 moved-without-authority", func() sim.Options {
		return each(func(e core.Effect) []core.Effect {
			if r, ok := e.(core.PushRefused); ok && (r.Ruling.Requirement == "G01-PUSH-03" || r.Ruling.Requirement == "G01-PUSH-14") {
				return []core.Effect{core.PushAdmitted{Push: r.Push}}
			}
			return []core.Effect{e}
		})
	}},
	{"INV-06 held-without-repository", func() sim.Options {
		return records(core.OpHold, func(r core.Record) []core.Effect {
			r.Soft = false
			return []core.Effect{r}
		})
	}},
	{"INV-06 soft-with-repository", silent(removal)},
	{"INV-14 moved-by-nobody", git(careless{ghosts: true})},
	{"INV-14 head-by-nobody", git(careless{strays: true})},
	{"INV-15 no-object-id", func() sim.Options {
		return each(func(e core.Effect) []core.Effect {
			if ask, ok := e.(core.AskObjects); ok {
				ask.OIDs = append(slices.Clone(ask.OIDs), "--all")
				return []core.Effect{ask}
			}
			return []core.Effect{e}
		})
	}},
	{"INV-18 repository-of-nobody", silent(removal)},
	{"INV-18 ref-of-nobody", silent(func(e core.Effect) bool {
		r, is := e.(core.Record)
		return is && r.Op == core.OpMark && r.Mark.Kind == core.MarkPlaceholder
	})},
	{"INV-22 moved-elsewhere", git(careless{idles: true})},
	{"INV-23 repository-unordered", git(careless{invents: true})},
	{"INV-32 waits-for-ever", silent(func(e core.Effect) bool { _, is := e.(core.PushRefused); return is })},
}
