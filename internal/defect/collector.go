package defect

import (
	"slices"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// collectorDefects are mistakes that remove refs of pull requests which are to stay.
func collectorDefects() []Defect {
	collecting := func(life time.Duration, mergedOnly bool) func(core.Machine) core.Machine {
		return func(m core.Machine) core.Machine {
			return &collector{Machine: m, life: life, mergedOnly: mergedOnly, offers: map[core.PushID]core.PushOffered{}}
		}
	}
	return []Defect{
		{Name: "merged-refs-collected-later", Core: collecting(20*time.Minute, true)},
		{Name: "accepted-refs-collected-later", Core: collecting(20*time.Minute, false)},
		{Name: "merged-refs-collected-in-a-minute", Core: collecting(time.Minute, true)},
	}
}

// A tip is the ref of a pull request.
type tip struct {
	repo repo.ID
	ref  string
	oid  repo.OID
	due  instant.Instant
	set  bool // due is
}

// A collector removes refs of pull requests some time after they were merged, or after they came.
type collector struct {
	core.Machine
	life       time.Duration
	mergedOnly bool
	offers     map[core.PushID]core.PushOffered
	tips       []tip
	last       core.RequestID
}

// Step hears of pushes, and removes what is due.
func (c *collector) Step(now instant.Instant, in core.Input, out *core.Effects) {
	switch i := in.(type) {
	case core.RepositoryDone:
		if i.Request >= extra {
			return
		}
	case core.PushOffered:
		c.offers[i.Push] = i
	case core.PushDone:
		c.pushed(now, c.offers[i.Push])
		delete(c.offers, i.Push)
	}
	from := len(out.List)
	c.Machine.Step(now, in, out)
	for _, e := range out.List[from:] {
		if u, is := e.(core.UpdateRefs); is {
			c.moved(now, u.Repo, u.Commands)
		}
	}
	c.tips = slices.DeleteFunc(c.tips, func(t tip) bool {
		if !t.set || t.due > now {
			return false
		}
		c.last++
		out.List = append(out.List, core.UpdateRefs{
			Request: extra + c.last, Repo: t.repo, Commands: []gitproto.Command{{Old: t.oid, New: repo.ZeroOID, Ref: t.ref}},
		})
		return true
	})
}

func (c *collector) pushed(now instant.Instant, o core.PushOffered) {
	for _, command := range o.Commands {
		if namesEvent(command) && !command.New.IsZero() {
			c.tips = append(c.tips, tip{repo: o.Repo, ref: command.Ref, oid: command.New, due: now.Add(c.life), set: !c.mergedOnly})
		}
	}
	c.moved(now, o.Repo, o.Commands)
}

// moved looks which tips a branch has come to.
func (c *collector) moved(now instant.Instant, id repo.ID, commands []gitproto.Command) {
	for n, t := range c.tips {
		merged := slices.ContainsFunc(commands, func(command gitproto.Command) bool { return namesBranch(command) && command.New == t.oid })
		if c.mergedOnly && !t.set && t.repo == id && merged {
			c.tips[n].due, c.tips[n].set = now.Add(c.life), true
		}
	}
}

// Deadline is that of the server, or when something is to be removed before.
func (c *collector) Deadline() (instant.Instant, bool) {
	at, any := c.Machine.Deadline()
	for _, t := range c.tips {
		if t.set && (!any || t.due < at) {
			at, any = t.due, true
		}
	}
	return at, any
}
