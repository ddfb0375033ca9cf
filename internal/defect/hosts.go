package defect

import (
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/hunt"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// hostDefects are mistakes in how much, where and for what other hosts are asked.
func hostDefects() []Defect {
	return []Defect{
		{Name: "a-sixth-request-at-once", Config: func(c *core.Config) { c.Hunt.Concurrent = hunt.Concurrent + 1 }},
		{Name: "one-request-more-in-a-minute", Config: func(c *core.Config) { c.Hunt.Rate = hunt.Rate + 1 }},
		{
			Name: "requests-forgotten-in-a-crash",
			Filter: survivors(func(in core.Started) core.Started {
				in.Marks = slices.DeleteFunc(slices.Clone(in.Marks), func(m core.Mark) bool { return m.Kind == core.MarkAsked })
				return in
			}),
		},
		inSource("hosts-woken-late"),
		inSource("turns-not-taken"),
		{Name: "urls-asked-twice-at-once", Filter: doubled},
		{Name: "failures-asked-again-at-once", Filter: askedAgain},
		inSource("busy-hosts-passed-by"),
		{Name: "look-alikes-left-out", Filter: out(lookAlikes)},
		{Name: "any-text-asked-for", Filter: out(anyText)},
		{Name: "users-make-urls", Filter: usersKept},
		{Name: "slow-hosts-keep-their-places", Web: lists02, Filter: placesKept},
		{Name: "broken-hosts-asked-on", Filter: brokenForgotten},
		{Name: "schemes-taken-for-http", Web: lists02, Filter: schemesForgotten},
		{Name: "refs-of-others-made", Web: lists02, Filter: othersRefs},
	}
}

// extra is where the numbers of fetches and requests begin that the core knows nothing of.
const extra = 1 << 62

// beside is a filter whose fetches and requests beyond the core's own end unheard.
func beside(see func(core.Input, []core.Effect) []core.Effect) Filter {
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			switch i := i.(type) {
			case core.FetchDone:
				return i, i.Fetch < extra
			case core.RepositoryDone:
				return i, i.Request < extra
			}
			return i, true
		},
		Out: see,
	}
}

// doubled starts every fetch a second time.
func doubled() Filter {
	return beside(func(_ core.Input, effects []core.Effect) []core.Effect {
		all := effects
		for _, e := range effects {
			if f, ok := e.(core.StartFetch); ok {
				f.Fetch += extra
				all = append(all, f)
			}
		}
		return all
	})
}

// askedAgain repeats a fetch that has brought nothing.
func askedAgain() Filter {
	open := map[core.FetchID]core.StartFetch{}
	return beside(func(i core.Input, effects []core.Effect) []core.Effect {
		if done, ok := i.(core.FetchDone); ok && !done.Got {
			if f, known := open[done.Fetch]; known {
				f.Fetch += extra
				effects = append(effects, f)
			}
		}
		for _, e := range effects {
			if f, ok := e.(core.StartFetch); ok && f.Fetch < extra {
				open[f.Fetch] = f
			}
		}
		return effects
	})
}

// lookAlikes takes every URL with a path like those of the own service for the own service.
func lookAlikes(_ core.Input, e core.Effect) (core.Effect, bool) {
	if f, ok := e.(core.StartFetch); ok && strings.Contains(f.URL, "/npub1") {
		f.URL = "http://nobody.invalid/"
		return f, true
	}
	return e, true
}

// anyText asks for something that is no object id.
func anyText(_ core.Input, e core.Effect) (core.Effect, bool) {
	if f, ok := e.(core.StartFetch); ok {
		f.OIDs = append([]repo.OID{"HEAD"}, f.OIDs...)
		return f, true
	}
	return e, true
}

// usersKept asks URLs with a user beside those without.
func usersKept() Filter {
	var users []string
	f := beside(func(i core.Input, effects []core.Effect) []core.Effect {
		all := effects
		for _, e := range effects {
			f, ok := e.(core.StartFetch)
			for n, text := range users {
				scheme, rest, _ := strings.Cut(text, "://")
				if _, place, _ := strings.Cut(rest, "@"); ok && f.URL == scheme+"://"+place {
					other := f
					other.URL, other.Fetch = text, f.Fetch+extra+core.FetchID(n)<<32
					all = append(all, other)
				}
			}
		}
		if _, ev := published(i); ev != nil && ev.Kind == policy.KindAnnouncement {
			if tag := ev.Tags.Find("clone"); tag != nil {
				for _, text := range tag[1:] {
					if strings.Contains(text, "@") {
						users = append(users, text)
					}
				}
			}
		}
		return all
	})
	return f
}

// placesKept never hears of fetches that took too long.
func placesKept() Filter {
	return Filter{In: func(i core.Input) (core.Input, bool) {
		done, ok := i.(core.FetchDone)
		return i, !ok || done.Failure != core.FetchTimeout
	}}
}

// brokenForgotten takes a host that is broken for one that was not reached.
func brokenForgotten() Filter {
	return Filter{In: func(i core.Input) (core.Input, bool) {
		if done, ok := i.(core.FetchDone); ok {
			switch done.Failure { //nolint:exhaustive // the others list no host
			case core.FetchNoName, core.FetchNoTrust, core.FetchNoGit:
				done.Failure = core.FetchUnreachable
			}
			return done, true
		}
		return i, true
	}}
}

// schemesForgotten asks at every place that a URL of an announcement names, by whatever scheme.
func schemesForgotten() Filter {
	var places []string
	return beside(func(i core.Input, effects []core.Effect) []core.Effect {
		all := effects
		for _, e := range effects {
			if f, ok := e.(core.StartFetch); ok {
				for n, place := range places {
					other := f
					other.URL, other.Fetch = "http://"+place, f.Fetch+extra+core.FetchID(n)<<32
					all = append(all, other)
				}
			}
		}
		if _, ev := published(i); ev != nil && ev.Kind == policy.KindAnnouncement {
			if tag := ev.Tags.Find("clone"); tag != nil {
				for _, text := range tag[1:] {
					if scheme, place, ok := strings.Cut(text, "://"); ok && scheme != "http" && scheme != "https" {
						places = append(places, place)
					}
				}
			}
		}
		return all
	})
}

// othersRefs makes a branch of what another host has sent.
func othersRefs() Filter {
	open := map[core.FetchID]core.StartFetch{}
	return beside(func(i core.Input, effects []core.Effect) []core.Effect {
		for _, e := range effects {
			if f, ok := e.(core.StartFetch); ok {
				open[f.Fetch] = f
			}
		}
		done, ok := i.(core.FetchDone)
		if f := open[done.Fetch]; ok && done.Got && len(done.Missing) == 0 {
			effects = append(effects, core.UpdateRefs{
				Request: core.RequestID(extra + uint64(done.Fetch)), Repo: f.Repo,
				Commands: []gitproto.Command{{Ref: "refs/heads/extra", Old: repo.ZeroOID, New: f.OIDs[0]}},
			})
		}
		return effects
	})
}
