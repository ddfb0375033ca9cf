package sim

import (
	"net/url"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr/nip19"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim/fault"
	"github.com/graspkit/graspkit/sim/githost"
	"github.com/graspkit/graspkit/sim/kernel"
	"github.com/graspkit/graspkit/sim/network"
)

// outside is one git host of the scenario. The model is nil if its name leads nowhere.
type outside struct {
	name  string
	model *githost.Host
	link  network.Link
	gone  instant.Instant   // its name leads nowhere from then on, if not 0,
	back  instant.Instant   // and until then, if not 0
	as    core.FetchFailure // of who asks it meanwhile,
	slow  kernel.Key        // and how soon: 0 at once
}

// named reports whether the name leads to the host.
func (o *outside) named(now instant.Instant) bool {
	return o.model != nil && (o.gone == 0 || now < o.gone || o.back != 0 && now >= o.back)
}

// addOutside sets the hosts of the scenario up. Their links belong to the network.
func (w *World) addOutside(hosts []scenarios.Host) {
	for _, h := range hosts {
		o := &outside{name: h.Name, link: h.Link}
		o.as = map[string]core.FetchFailure{"trust": core.FetchNoTrust, "git": core.FetchNoGit}[h.GoneAs]
		if h.Erratic {
			o.slow = kernel.NewKey(w.seed, "sim/nowhere").WithText(h.Name)
		}
		if h.Gone > 0 {
			o.gone = Start.Add(h.Gone)
		}
		if h.Back > 0 {
			o.back = Start.Add(h.Back)
		}
		if !h.Absent {
			config := h.Config
			config.Link = network.Link{}
			model, err := githost.New(config, w.seed, Start, w.chooser)
			if err != nil {
				panic("sim: invariant: " + err.Error())
			}
			o.model = model
		}
		w.outside = append(w.outside, o)
	}
}

// locate finds the host that a URL names, nil if none has the name.
func (w *World) locate(u *url.URL) *githost.Host {
	for _, o := range w.outside {
		if o.name == u.Host && o.named(w.engine.Now()) {
			return o.model
		}
	}
	return nil
}

// has reports whether what a URL names has an object at an instant.
func (w *World) has(at instant.Instant, text string, oid repo.OID) bool {
	u, err := url.Parse(text)
	if err != nil {
		return false
	}
	h := w.locate(u)
	return h != nil && h.Has(at, u.Path, oid)
}

// locate is what a URL leads to for a server: a host of the scenario, another server of the world, or nowhere.
func (s *server) locate(text string) Place {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nowhere{failure: core.FetchNoName}
	case s.nameless(): // which says nothing about the name
		return nowhere{failure: core.FetchUnreachable}
	}
	if h := s.world.locate(u); h != nil {
		return &hostPlace{s, h, u.Path}
	}
	for _, other := range s.world.servers {
		if other.service.Host == u.Host && other != s {
			if id, is := repositoryAt(strings.TrimPrefix(u.EscapedPath(), other.service.Base)); is {
				return &peerPlace{s, other, id}
			}
		}
	}
	for _, o := range s.world.outside {
		if o.name == u.Host && o.as != 0 {
			return nowhere{o.as, o.slow}
		}
	}
	return nowhere{failure: core.FetchNoName}
}

// nameless reports whether the server asks for names in vain.
func (s *server) nameless() bool {
	w, now := s.world, s.world.engine.Now()
	return w.net.Way(s.Name, fault.Names).Cut(now) || w.net.Way(fault.Names, s.Name).Cut(now)
}

// repositoryAt is the repository, or the place for contributions, that a server has at a path (G01-GIT-01, G06-URL-01).
func repositoryAt(path string) (repo.ID, bool) {
	rest, contributed := strings.CutPrefix(strings.TrimPrefix(path, "/"), "prs/")
	npub, rest, _ := strings.Cut(rest, "/")
	name, dotted := strings.CutSuffix(rest, ".git")
	identifier, unescaped := url.PathUnescape(name)
	prefix, key, wrong := nip19.Decode(npub)
	owner, is := key.(string)
	if contributed {
		identifier = "prs/" + identifier
	}
	return repo.ID{Owner: repo.PubKey(owner), Identifier: identifier}, wrong == nil && is && prefix == "npub" && dotted && unescaped == nil
}

// nowhere is what a name leads to that nobody has, or that nobody can be asked about.
type nowhere struct {
	failure core.FetchFailure
	slow    kernel.Key // if not 0, each who asks learns that at another time
}

// slowest is how long it takes at most to learn that a name leads nowhere.
const slowest = time.Minute

// Ask implements Place.
func (n nowhere) Ask(now instant.Instant, x *Exchange) {
	if n.slow != 0 {
		now = now.Add(time.Duration(n.slow.With(uint64(x.fetch.Fetch)).Below(int64(slowest))))
	}
	x.EndsAt(now, Ended(n.failure))
}

// Over implements Place.
func (nowhere) Over(instant.Instant, *Exchange) {}

// hostPlace is a repository at a git host of the scenario, as a server reaches it.
type hostPlace struct {
	server *server
	host   *githost.Host
	path   string
}

// Ask implements Place. A host that lacks an object of those that were asked for names it and sends nothing, as git does.
func (p *hostPlace) Ask(now instant.Instant, x *Exchange) {
	w := p.server.world
	content := oidsContent(fetchContent.WithText(p.path), x.OIDs)
	there := w.net.Way(p.server.Name, p.host.Name()).Send(now, content, requestSize)
	arrives := githost.Never
	if there.N > 0 {
		arrives = there.At[0]
	}
	var plan githost.Plan
	x.Number, plan = p.host.Take(now, arrives, p.path, x.OIDs, there.Key)
	if plan.Begins != githost.Never {
		back := w.net.Way(p.host.Name(), p.server.Name).Send(plan.Begins, content, objectSize*len(plan.Objects))
		plan = plan.Travel(back.At[0], back.N > 0)
	}
	ends, result := Ending(now, plan)
	w.see(now, p.host.Name(), "plans", planned{x.fetch.Fetch, x.Number, plan, ends, result})
	x.EndsAt(ends, func(instant.Instant) core.FetchDone {
		failure, failed := FailureOf(result)
		switch {
		case failed:
			return core.FetchDone{Failure: failure, RetryAfter: plan.RetryAfter}
		case len(plan.Lacks) > 0:
			return core.FetchDone{Failure: core.FetchNotOurs, Missing: plan.Lacks[:1]}
		case len(plan.Objects) == 0: // it cheats or lies
			return core.FetchDone{Failure: core.FetchBadData}
		}
		return p.server.take(x.Into, plan.Objects)
	})
}

// Over implements Place.
func (p *hostPlace) Over(now instant.Instant, x *Exchange) { p.host.End(now, x.Number) }

// take puts what a fetch has brought into the store.
func (s *server) take(into repo.ID, oids []repo.OID) core.FetchDone {
	if s.model.Take(into, oids) != nil {
		return core.FetchDone{Failure: core.FetchLocalError}
	}
	return core.FetchDone{Got: true}
}

// peerPlace is a repository at another server of the world.
type peerPlace struct {
	from, to *server
	id       repo.ID
}

// Ask implements Place.
func (p *peerPlace) Ask(now instant.Instant, x *Exchange) {
	w := p.from.world
	content := oidsContent(repoContent(fetchContent, p.id), x.OIDs)
	fate := w.net.Way(p.from.Name, p.to.Name).Send(now, content, requestSize)
	if fate.N > 0 {
		w.engine.At(fate.At[0], fate.Key.Uint64(), &peerAsked{p, x, content})
	}
}

// Over implements Place.
func (*peerPlace) Over(instant.Instant, *Exchange) {}

// peerAsked is the task in which the request of a server reaches another one.
type peerAsked struct {
	place    *peerPlace
	exchange *Exchange
	content  kernel.Key
}

// Run implements Task: the answer goes back, as git gives it to anybody.
func (a *peerAsked) Run(now instant.Instant) {
	p, x := a.place, a.exchange
	w := p.from.world
	answer, size := Ended(core.FetchUnreachable), 0
	if p.to.open {
		admitted := p.to.admitsServer(now, p.from, p.id)
		page := p.to.Server().Repository(p.id)
		missing, err := p.to.model.Missing(p.id, x.OIDs)
		w.see(now, p.from.Name, "page", page)
		switch {
		case !admitted:
			answer = Ended(core.FetchNotFound)
		case err != nil && page.Exists && p.id.IsContribution(): // an empty one
			answer = func(instant.Instant) core.FetchDone {
				return core.FetchDone{Failure: core.FetchNotOurs, Missing: x.OIDs[:1]}
			}
		case err != nil || !page.Exists:
			answer = Ended(core.FetchNotFound)
		case len(missing) > 0:
			answer = func(instant.Instant) core.FetchDone {
				return core.FetchDone{Failure: core.FetchNotOurs, Missing: missing[:1]}
			}
		default:
			size = objectSize * len(x.OIDs)
			answer = func(instant.Instant) core.FetchDone { return p.from.take(x.Into, x.OIDs) }
		}
	}
	if fate := w.net.Way(p.to.Name, p.from.Name).Send(now, a.content, size); fate.N > 0 {
		x.EndsAt(fate.At[0], answer)
	}
}
