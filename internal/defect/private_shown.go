package defect

import (
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// privateShownDefects are mistakes of private services that show in one corner only: to who was a member, to whose token says nearly the
// right thing, and beside the endpoints of git.
func privateShownDefects() []Defect {
	return []Defect{
		{Name: "tokens-of-a-part", Private: true, Core: admitting(namesNearly(func(named, path string) bool { return strings.HasPrefix(path, named) }))},
		{Name: "tokens-that-begin-so", Private: true, Core: admitting(namesNearly(strings.HasPrefix))},
		{Name: "tokens-of-who-was-a-member", Private: true, Core: func(m core.Machine) core.Machine { return &mindful{m, map[repo.PubKey]bool{}} }},
		{Name: "one-challenge-for-all", Private: true, Filter: func() Filter {
			return Filter{In: func(i core.Input) (core.Input, bool) {
				if opened, is := i.(core.ConnOpened); is {
					opened.Challenge = "the-challenge"
					return opened, true
				}
				return i, true
			}}
		}},
		{Name: "removed-members-overhear", Private: true, Filter: overhearing},
		privateRootNames("private-root-names-repositories"),
		privatePages("private-pages-shown"),
		{Name: "private-places-open", Private: true, Config: func(c *core.Config) { c.Contributions.On = true }, Answer: func(q web.Request, r web.Route) web.Route {
			path, below := strings.CutPrefix(q.Path, "/prs")
			other, is := advertises(path, q.Query)
			if r.Kind != web.KindRespond || r.Response.Status != 401 || !below || !is {
				return r
			}
			other.Repo = repo.Contribution(other.Repo.Owner, other.Repo.Identifier)
			return other
		}},
		{Name: "private-unlisted", Private: true, Web: func(c *web.Config) {
			c.Grasps = slices.DeleteFunc(slices.Clone(c.Grasps), func(g string) bool { return g == web.GraspPrivate })
		}},
		{Name: "private-listed-and-public", Web: lists(web.GraspPrivate)},
	}
}

// namesNearly takes tokens whose URL names nearly the path of the repository.
func namesNearly(nearly func(named, path string) bool) func(core.Machine, web.Token, policy.Ruling) policy.Ruling {
	return func(_ core.Machine, t web.Token, r policy.Ruling) policy.Ruling {
		u := t.Event.Tags.Find("u")
		if r.Accepted() || len(u) < 2 || !strings.Contains(r.Reason, "name this repository") {
			return r
		}
		_, rest, _ := strings.Cut(u[1], "://")
		if at := strings.IndexByte(rest, '/'); at >= 0 && !strings.HasPrefix(rest, "grasp.example.invalid") && nearly(rest[at:], t.Repo.Path()) {
			return policy.Ruling{Decision: policy.Accept, Requirement: "G08-05"}
		}
		return r
	}
}

// A mindful core goes on taking the tokens of who was a member.
type mindful struct {
	core.Machine
	ever map[repo.PubKey]bool
}

// Step hears who the members are.
func (m *mindful) Step(now instant.Instant, in core.Input, out *core.Effects) {
	if read, is := in.(core.MembersRead); is {
		for _, key := range read.Members {
			m.ever[key] = true
		}
	}
	m.Machine.Step(now, in, out)
}

// Admits judges a token.
func (m *mindful) Admits(now instant.Instant, t web.Token) policy.Ruling {
	r := m.Machine.Admits(now, t)
	if !r.Accepted() && strings.Contains(r.Reason, "of no member") && m.ever[repo.PubKey(t.Event.PubKey)] {
		return policy.Ruling{Decision: policy.Accept, Requirement: "G08-05"}
	}
	return r
}

// overhearing goes on sending to who is told that a subscription is over.
func overhearing() Filter {
	over := map[core.ConnID]string{}
	var order []core.ConnID
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		all := effects
		for _, e := range effects {
			send, _ := e.(core.Send)
			if closed, is := send.Msg.(relay.Closed); is {
				if _, read := i.(core.MembersRead); read && over[send.Conn] == "" {
					over[send.Conn], order = closed.Sub, append(order, send.Conn)
				}
			}
			if heard, is := send.Msg.(relay.EventFor); is {
				for _, conn := range order {
					all = append(all[:len(all):len(all)], core.Send{Conn: conn, Msg: relay.EventFor{Sub: over[conn], Event: heard.Event}})
				}
			}
		}
		return all
	}}
}

// privateRootNames names every repository on the page for browsers.
func privateRootNames(name string) Defect {
	places := newPlaceList()
	return Defect{Name: name, Private: true, Filter: places.filter, Answer: func(q web.Request, r web.Route) web.Route {
		if q.Path == "/" && r.Kind == web.KindRespond && r.Response.Status == 200 && !strings.Contains(q.Header("Accept"), "nostr+json") {
			for _, id := range places.all() {
				r.Response.Body = append(slices.Clip(r.Response.Body), id.Path()...)
			}
		}
		return r
	}}
}

// privatePages answers to whoever asks for the page of a repository, if it is there.
func privatePages(name string) Defect {
	places := newPlaceList()
	return Defect{Name: name, Private: true, Filter: places.filter, Answer: func(q web.Request, r web.Route) web.Route {
		other, is := advertises(q.Path+"/info/refs", "")
		if r.Kind != web.KindRespond || r.Response.Status != 401 || !is || !strings.HasSuffix(q.Path, ".git") {
			return r
		}
		status := 404
		if made, _ := places.has(other); made {
			status = 200
		}
		r.Response = web.Response{Status: status, Header: web.Config{}.CORS(), Body: []byte("a page\n")}
		return r
	}}
}

// OpenTo answers whoever comes for a service of git as a public server does.
func OpenTo(service string) func(web.Request, web.Route) web.Route {
	return func(q web.Request, r web.Route) web.Route {
		if r.Kind != web.KindRespond || r.Response.Status != 401 {
			return r
		}
		if path, posted := strings.CutSuffix(q.Path, "/"+service); posted {
			other, is := advertises(path+"/info/refs", "service="+service)
			if other.Kind = web.KindUploadPack; service == string(gitproto.ReceivePackService) {
				other.Kind = web.KindReceivePack
			}
			if is {
				return other
			}
		}
		if other, is := advertises(q.Path, q.Query); is && q.Query == "service="+service {
			return other
		}
		return r
	}
}
