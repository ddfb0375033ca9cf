package defect

import (
	"net/http"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// tokenPartsDefects are mistakes of private services with one part of a token, and with one way to ask.
func tokenPartsDefects() []Defect {
	return []Defect{
		{Name: "tokens-without-method", Private: true, Core: admitting(func(_ core.Machine, t web.Token, r policy.Ruling) policy.Ruling {
			if !r.Accepted() && strings.Contains(r.Reason, "name the method") && t.Event.Tags.Find("method") == nil {
				return policy.Ruling{Decision: policy.Accept, Requirement: "G08-05"}
			}
			return r
		})},
		portless("tokens-of-any-port"),
		{Name: "tokens-of-any-owner", Private: true, Core: func(m core.Machine) core.Machine { return &respelled{m, ownerless} }},
		{Name: "tokens-of-any-id", Private: true, Core: func(m core.Machine) core.Machine { return &signedOnly{m} }},
		{Name: "tokens-of-any-scheme", Private: true, Front: gate(func(_ http.ResponseWriter, r *http.Request) bool {
			if _, token, is := strings.Cut(r.Header.Get("Authorization"), " "); is {
				r.Header.Set("Authorization", "Nostr "+token)
			}
			return false
		})},
		{Name: "removed-members-publish", Private: true, Filter: removedPublish},
		{Name: "pushes-without-tokens-asked-of-no-page", Private: true, Sent: sent(func(r *http.Request, a *Answer) {
			if strings.HasSuffix(pathOf(r), "/git-receive-pack") && a.Status == http.StatusUnauthorized {
				a.Header.Del(allowOrigin)
			}
		})},
		{Name: "private-heads-shown", Private: true, Answer: func(q web.Request, r web.Route) web.Route {
			if q.Method != http.MethodHead {
				return r
			}
			return readable(q, r)
		}},
		{Name: "private-authentications-of-any-kind", Private: true, Filter: authenticated(func(ev *nostr.Event) { ev.Kind = policy.KindAuthentication })},
	}
}

// A respelled core reads the URLs of tokens in another way.
type respelled struct {
	core.Machine
	as func(u string, id repo.ID) string
}

// Admits judges a token as if it had named another URL.
func (r *respelled) Admits(now instant.Instant, t web.Token) policy.Ruling {
	if u := t.Event.Tags.Find("u"); len(u) > 1 && t.Genuine {
		other := *t.Event
		other.Tags = nil
		for _, tag := range t.Event.Tags {
			if tag[0] == "u" {
				tag = nostr.Tag{"u", r.as(u[1], t.Repo)}
			}
			other.Tags = append(other.Tags, tag)
		}
		t.Event = &other
	}
	return r.Machine.Admits(now, t)
}

// portless takes the URL of a service at another port of this host for one of this service.
func portless(name string) Defect {
	var own repo.Service
	return Defect{Name: name, Private: true, Config: func(c *core.Config) { own = c.Service }, Core: func(m core.Machine) core.Machine {
		return &respelled{m, func(u string, _ repo.ID) string {
			scheme, rest, _ := strings.Cut(u, "://")
			host, path, _ := strings.Cut(rest, "/")
			named, _, _ := strings.Cut(host, ":")
			if mine, _, _ := strings.Cut(own.Host, ":"); named != mine {
				return u
			}
			return scheme + "://" + own.Host + "/" + path
		}}
	}}
}

// ownerless takes a URL for that of the repository by its identifier alone.
func ownerless(u string, id repo.ID) string {
	at := strings.Index(u, "/npub1")
	if at < 0 || !strings.HasSuffix(u, u[strings.LastIndexByte(id.Path(), '/')+at:]) {
		return u
	}
	return u[:at] + id.Path()
}

// signedOnly looks at the signature of a token, and not at its id.
type signedOnly struct{ core.Machine }

// Admits judges a token.
func (s *signedOnly) Admits(now instant.Instant, t web.Token) policy.Ruling {
	t.Genuine = t.Genuine || relay.Verify(t.Event)
	return s.Machine.Admits(now, t)
}

// removedPublish acknowledges what comes on the connections of who was a member.
func removedPublish() Filter {
	was, over := map[core.ConnID]bool{}, map[core.ConnID]bool{}
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		m, _ := i.(core.Message)
		if _, read := i.(core.MembersRead); read {
			for conn := range was {
				over[conn] = true
			}
		}
		_, ev := published(i)
		for n, e := range effects {
			send, _ := e.(core.Send)
			answer, is := send.Msg.(relay.OK)
			if is && isAuth(m) && answer.Accepted {
				was[send.Conn] = true
			}
			if is && ev != nil && over[send.Conn] && turnsAway(answer) {
				send.Msg = relay.OK{ID: answer.ID, Accepted: true}
				effects[n] = send
			}
		}
		return effects
	}}
}
