package defect

import (
	"strings"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/web"
)

// tokenDefects are mistakes of git endpoints that are for members alone.
func tokenDefects() []Defect {
	return []Defect{
		{Name: "tokens-of-any-time", Private: true, Core: admitting(forgives("of this time"))},
		{Name: "tokens-short-lived", Private: true, Core: func(m core.Machine) core.Machine { return &hasty{m} }},
		{Name: "tokens-of-any-repository", Private: true, Core: admitting(forgives("name this repository"))},
		{Name: "tokens-of-any-method", Private: true, Core: admitting(forgives("name the method"))},
		{Name: "tokens-of-any-kind", Private: true, Core: admitting(forgives("of another kind"))},
		{Name: "tokens-unverified", Private: true, Core: admitting(forgives("does not fit"))},
		{Name: "tokens-of-anybody", Private: true, Core: admitting(forgives("of no member"))},
		{Name: "missing-repositories-told", Private: true, Core: admitting(func(m core.Machine, t web.Token, r policy.Ruling) policy.Ruling {
			if !m.Repository(t.Repo).Exists {
				return policy.Ruling{Decision: policy.Accept, Requirement: "G08-05"}
			}
			return r
		})},
		{Name: "tokens-asked-in-words", Private: true, Answer: unauthorized(func(r *web.Response) { r.Body = []byte("a token is missing\n") })},
		{Name: "tokens-unasked", Private: true, Answer: unauthorized(func(r *web.Response) { r.Header = web.Config{}.CORS() })},
		{Name: "tokens-asked-of-no-page", Private: true, Answer: unauthorized(func(r *web.Response) {
			r.Header = []web.Header{{Name: "WWW-Authenticate", Value: `Nostr method="GET"`}}
		})},
		{Name: "reading-for-everybody", Private: true, Answer: readable},
	}
}

// A tokenJudge changes what a core says of a token.
type tokenJudge struct {
	core.Machine
	change func(core.Machine, web.Token, policy.Ruling) policy.Ruling
}

// Admits judges a token in another way.
func (j *tokenJudge) Admits(now instant.Instant, t web.Token) policy.Ruling {
	return j.change(j.Machine, t, j.Machine.Admits(now, t))
}

func admitting(change func(core.Machine, web.Token, policy.Ruling) policy.Ruling) func(core.Machine) core.Machine {
	return func(m core.Machine) core.Machine { return &tokenJudge{m, change} }
}

// forgives takes tokens that are refused in some words.
func forgives(words string) func(core.Machine, web.Token, policy.Ruling) policy.Ruling {
	return func(_ core.Machine, _ web.Token, r policy.Ruling) policy.Ruling {
		if !r.Accepted() && strings.Contains(r.Reason, words) {
			return policy.Ruling{Decision: policy.Accept, Requirement: "G08-05"}
		}
		return r
	}
}

// hasty takes no token that is more than some seconds away from now.
type hasty struct{ core.Machine }

// Admits judges the time anew.
func (h *hasty) Admits(now instant.Instant, t web.Token) policy.Ruling {
	if away := int64(t.Event.CreatedAt) - now.Unix(); away < -10 || away > 10 {
		return policy.Ruling{Decision: policy.Refuse, Requirement: "G08-06", Prefix: "auth-required", Reason: "the token is not of now"}
	}
	return h.Machine.Admits(now, t)
}

// unauthorized changes the answer to who has no token that counts.
func unauthorized(change func(*web.Response)) func(web.Request, web.Route) web.Route {
	return func(_ web.Request, r web.Route) web.Route {
		if r.Kind == web.KindRespond && r.Response.Status == 401 {
			change(&r.Response)
		}
		return r
	}
}

// readable advertises for fetching whoever asks.
func readable(q web.Request, r web.Route) web.Route {
	if r.Kind != web.KindRespond || r.Response.Status != 401 || q.Query != "service=git-upload-pack" {
		return r
	}
	if other, is := advertises(q.Path, q.Query); is {
		return other
	}
	return r
}
