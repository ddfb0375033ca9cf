package defect

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// grantedDefects are mistakes of whom something is granted: by who has authenticated, by what a browser asks leave for, by what a client
// says to take, by how long an id may be.
func grantedDefects() []Defect {
	return []Defect{
		{Name: "held-events-shown-to-their-authors", Filter: shownToAuthors},
		{Name: "protected-events-shown-to-their-authors-alone", Filter: protectedHidden},
		{Name: "challenges-spent-at-once", Filter: challengesSpent},
		{Name: "subscription-ids-counted-in-bytes", Filter: subscriptionsRefused(func(sub string) bool {
			return len(sub) > 64 && utf8.RuneCountInString(sub) <= 64
		})},
		{Name: "subscription-ids-of-sixty-four-refused", Filter: subscriptionsRefused(func(sub string) bool { return len(sub) == 64 })},
		{Name: "subscription-ids-beyond-ascii-refused", Filter: subscriptionsRefused(func(sub string) bool {
			return strings.ContainsFunc(sub, func(r rune) bool { return r > 0x7f })
		})},
		{Name: "preflights-for-other-headers-without-cors", Sent: bare(func(r *http.Request, _ *Answer) bool {
			asked := strings.Split(r.Header.Get("Access-Control-Request-Headers"), ",")
			return r.Method == http.MethodOptions && slices.ContainsFunc(asked, func(h string) bool {
				h = strings.TrimSpace(h)
				return h != "" && !strings.EqualFold(h, "content-type")
			})
		})},
		{Name: "preflights-for-get-refused", Sent: sent(func(r *http.Request, a *Answer) {
			if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") == http.MethodGet {
				a.Status, a.Body = http.StatusMethodNotAllowed, []byte("not allowed\n")
			}
		})},
		{Name: "documents-compressed-unsaid", Sent: sent(func(r *http.Request, a *Answer) {
			if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") && strings.Contains(a.Header.Get("Content-Type"), "nostr+json") {
				var b bytes.Buffer
				z := gzip.NewWriter(&b)
				_, _ = z.Write(a.Body)
				_ = z.Close()
				a.Body = b.Bytes()
			}
		})},
		{Name: "heads-of-advertisements-untyped", Sent: sent(func(r *http.Request, a *Answer) {
			if r.Method == http.MethodHead && strings.HasSuffix(pathOf(r), "/info/refs") {
				a.Header.Del("Content-Type")
			}
		})},
		repositoriesOf("ten-repositories-of-a-key-answer", 10),
		{Name: "letters-composed-in-replacing", Filter: replaces(func(own, other string) bool {
			composed := strings.NewReplacer("e\u0301", "\u00e9").Replace
			return own != other && composed(own) == composed(other)
		})},
	}
}

// shownToAuthors shows what waits to who has authenticated as its author.
func shownToAuthors() Filter {
	var held []*nostr.Event
	known := keysOn{}
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		known.hear(i, effects)
		m, _ := i.(core.Message)
		own := slices.DeleteFunc(slices.Clone(held), func(ev *nostr.Event) bool { return !known.as(m.Conn, ev.PubKey) })
		held = heldOf(held, effects)
		return showing(i, effects, own)
	}}
}

// protectedHidden sends what is protected to who has authenticated as its author, and to nobody else.
func protectedHidden() Filter {
	known := keysOn{}
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		known.hear(i, effects)
		return slices.DeleteFunc(slices.Clone(effects), func(e core.Effect) bool {
			send, _ := e.(core.Send)
			m, is := send.Msg.(relay.EventFor)
			return is && protected(m.Event) && !known.as(send.Conn, m.Event.PubKey)
		})
	}}
}

func protected(ev *nostr.Event) bool {
	return slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool { return t[0] == "-" })
}

// challengesSpent takes one authentication a connection, for its challenge is spent then.
func challengesSpent() Filter {
	known := keysOn{}
	spent := false
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			m, _ := i.(core.Message)
			_, is := m.Msg.(relay.Auth)
			spent = is && len(known[m.Conn]) > 0
			return i, !spent
		},
		Out: func(i core.Input, effects []core.Effect) []core.Effect {
			m, _ := i.(core.Message)
			if auth, is := m.Msg.(relay.Auth); is && spent {
				return append(effects, core.Send{Conn: m.Conn, Msg: relay.OK{ID: auth.Event.ID, Text: "auth-required: this challenge was used"}})
			}
			known.hear(i, effects)
			return effects
		},
	}
}

// keysOn are the keys that have authenticated on each connection.
type keysOn map[core.ConnID][]string

func (k keysOn) hear(i core.Input, effects []core.Effect) {
	m, _ := i.(core.Message)
	auth, is := m.Msg.(relay.Auth)
	for _, e := range effects {
		send, _ := e.(core.Send)
		if answer, said := send.Msg.(relay.OK); is && said && answer.Accepted {
			k[m.Conn] = append(k[m.Conn], auth.Event.PubKey)
		}
	}
}

func (k keysOn) as(conn core.ConnID, key string) bool { return slices.Contains(k[conn], key) }

// subscriptionsRefused ends subscriptions with some ids at once.
func subscriptionsRefused(bad func(sub string) bool) func() Filter {
	return func() Filter {
		return Filter{
			In: func(i core.Input) (core.Input, bool) {
				at, is := asks(i)
				return i, !is || !bad(at.sub)
			},
			Out: func(i core.Input, effects []core.Effect) []core.Effect {
				if at, is := asks(i); is && bad(at.sub) {
					return append(effects, core.Send{Conn: at.conn, Msg: relay.Closed{Sub: at.sub, Text: "invalid: the id is too long"}})
				}
				return effects
			},
		}
	}
}

// repositoriesOf finds the newest repositories of a key over git, so many of them.
func repositoriesOf(name string, most int) Defect {
	var (
		mu  sync.Mutex
		all = map[repo.PubKey][]string{}
	)
	return Defect{Name: name, Filter: func() Filter {
		return Filter{Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			mu.Lock()
			defer mu.Unlock()
			for _, e := range effects {
				if c, is := e.(core.CreateRepository); is && !slices.Contains(all[c.Repo.Owner], c.Repo.Identifier) {
					all[c.Repo.Owner] = append(all[c.Repo.Owner], c.Repo.Identifier)
				}
			}
			return effects
		}}
	}, Answer: func(_ web.Request, r web.Route) web.Route {
		mu.Lock()
		defer mu.Unlock()
		if at := slices.Index(all[r.Repo.Owner], r.Repo.Identifier); at >= 0 && at < len(all[r.Repo.Owner])-most {
			return web.Route{Kind: web.KindRespond, Response: web.Response{Status: http.StatusNotFound, Header: web.Config{}.CORS(), Body: []byte("not found\n")}}
		}
		return r
	}}
}
