package defect

import (
	"slices"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

func purgatoryDefects() []Defect {
	return []Defect{
		{
			Name:   "purgatory-short",
			Config: func(c *core.Config) { c.PurgatoryLife = 5 * time.Minute },
		},
		{
			Name:   "purgatory-endless",
			Config: func(c *core.Config) { c.PurgatoryLife = 10 * 365 * 24 * time.Hour },
		},
		{
			Name: "purgatory-without-repository",
			Filter: func() Filter {
				return Filter{View: func(r web.Repository) web.Repository {
					r.Exists = r.Exists && r.Served
					return r
				}}
			},
		},
		{
			Name:   "held-pages-tell",
			Filter: pagesTell,
		},
		{
			Name:   "purgatory-served",
			Filter: leaking,
		},
		{
			Name: "purgatory-silent",
			Filter: ok(func(_ core.Input, m relay.OK) relay.OK {
				if m.Accepted && len(m.Text) > 10 && m.Text[:10] == "purgatory:" {
					m.Text = ""
				}
				return m
			}),
		},
		{
			Name: "release-forgotten",
			Filter: func() Filter {
				return Filter{In: func(i core.Input) (core.Input, bool) {
					if done, ok := i.(core.PushDone); ok {
						done.Report.Results = slices.Clone(done.Report.Results)
						for n := range done.Report.Results {
							done.Report.Results[n].OK = false
						}
						return done, true
					}
					return i, true
				}}
			},
		},
		{
			Name:   "release-on-broken-push",
			Filter: trusting,
		},
		{
			Name:   "purgatory-leaks-live",
			Filter: leakingLive,
		},
		{
			Name: "objects-present-unseen",
			Filter: func() Filter {
				asked := map[core.RequestID][]repo.OID{}
				return Filter{
					In: func(i core.Input) (core.Input, bool) {
						if facts, ok := i.(core.ObjectFacts); ok {
							if oids := asked[facts.Request]; oids != nil {
								facts.Missing = oids
								return facts, true
							}
						}
						return i, true
					},
					Out: func(i core.Input, effects []core.Effect) []core.Effect {
						_, done := i.(core.PushDone)
						for _, e := range effects {
							if ask, ok := e.(core.AskObjects); ok && !done {
								asked[ask.Request] = ask.OIDs
							}
						}
						return effects
					},
				}
			},
		},
		{
			Name:   "head-ignored",
			Filter: heads(func(core.UpdateRefs) bool { return true }),
		},
		{
			Name:   "head-on-push-only",
			Filter: headOnPushOnly,
		},
	}
}

// pagesTell shows the name of the announcement that came last on pages of held repositories.
func pagesTell() Filter {
	name := ""
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			if _, ev := published(i); ev != nil {
				if tag := ev.Tags.Find("name"); tag != nil {
					name = tag[1]
				}
			}
			return i, true
		},
		View: func(r web.Repository) web.Repository {
			if r.Exists && !r.Served {
				r.Served, r.Name = true, name
			}
			return r
		},
	}
}

// trusting takes every push for done, and what it names for being there.
func trusting() Filter {
	broken := false
	taken := map[core.RequestID]bool{}
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			broken = false
			switch i := i.(type) {
			case core.PushDone:
				broken = i.Report.Unpack != gitstore.UnpackOK
				i.Report.Unpack = gitstore.UnpackOK
				i.Report.Results = slices.Clone(i.Report.Results)
				for n := range i.Report.Results {
					i.Report.Results[n].OK = true
				}
				return i, true
			case core.ObjectFacts:
				if taken[i.Request] {
					i.Missing = nil
				}
				return i, true
			}
			return i, true
		},
		Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			for _, e := range effects {
				if ask, ok := e.(core.AskObjects); ok && broken {
					taken[ask.Request] = true
				}
			}
			return effects
		},
	}
}

// leakingLive sends what becomes held to the subscriptions that are open.
func leakingLive() Filter {
	var open listeners
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		open.hear(i)
		for _, e := range slices.Clone(effects) {
			if record, ok := e.(core.Record); ok && record.Op == core.OpHold {
				effects = open.tell(record.Event, effects)
			}
		}
		return effects
	}}
}

// heads makes a filter that forgets where HEAD should go, for some orders.
func heads(forget func(core.UpdateRefs) bool) func() Filter {
	return out(func(_ core.Input, e core.Effect) (core.Effect, bool) {
		if u, ok := e.(core.UpdateRefs); ok && forget(u) {
			u.Head = ""
			return u, true
		}
		return e, true
	})
}

// headOnPushOnly forgets where HEAD should go unless a push has just ended in the repository.
func headOnPushOnly() Filter {
	offered := map[core.PushID]repo.ID{}
	pushed := map[repo.ID]bool{}
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			switch i := i.(type) {
			case core.Message:
				clear(pushed)
			case core.PushOffered:
				offered[i.Push] = i.Repo
			case core.PushDone:
				pushed[offered[i.Push]] = true
			}
			return i, true
		},
		Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			for n, e := range effects {
				u, ok := e.(core.UpdateRefs)
				if !ok {
					continue
				}
				if len(u.Commands) == 0 && !pushed[u.Repo] {
					u.Head = ""
					effects[n] = u
				}
				pushed[u.Repo] = false
			}
			return effects
		},
	}
}

// leaking serves what is held.
func leaking() Filter {
	var held []core.Record
	subs := map[core.ConnID]*relay.Session{}
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		var all []core.Effect
		if m, ok := i.(core.Message); ok {
			if r, ok := m.Msg.(relay.Req); ok {
				if subs[m.Conn] == nil {
					subs[m.Conn] = &relay.Session{}
				}
				wanted := relay.Compile(r.Filters...)
				subs[m.Conn].Open(r.Sub, wanted)
				for _, record := range held {
					if slices.ContainsFunc(wanted, func(m *relay.Matcher) bool { return m.Matches(record.Event) }) {
						all = append(all, core.Send{Conn: m.Conn, Msg: relay.EventFor{Sub: r.Sub, Event: record.Event}})
					}
				}
			}
		}
		for _, e := range effects {
			all = append(all, e)
			record, ok := e.(core.Record)
			if !ok {
				continue
			}
			held = slices.DeleteFunc(held, func(h core.Record) bool { return h.ID == record.ID })
			if record.Op == core.OpHold {
				held = append(held, record)
			}
		}
		return all
	}}
}
