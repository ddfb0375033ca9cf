package legal

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/relay"
)

// particular are servers that are particular about an order, a place or a ref of which the texts say nothing.
func particular() []Server {
	return []Server{
		{
			Name: "announcements-follow", What: "releases a state at once, and its announcement a second and a half later",
			Near: []string{"G01-PURG-07", "G01-PURG-08", "G01-PUSH-30", "G01-XR"},
			habits: func() []habit {
				h := sweeping(1500 * time.Millisecond)
				says := h.says
				h.says = func(now time.Time, l *line, msg []byte) (time.Duration, bool) {
					if m := read(msg); m.verb == "EVENT" && m.event != nil && m.event.Kind != kindAnnouncement {
						return 0, true
					}
					return says(now, l, msg)
				}
				return []habit{h}
			},
		},
		{
			Name: "document-at-the-root", What: "shows everybody its document at its root, whatever he accepts",
			Near: []string{"G01-WEB-04", "G01-N11", "G01-CORS"},
			habits: answering(func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
				if at, _, _ := strings.Cut(target.RequestTarget(req), "?"); at == "/" && req.Header.Get("Upgrade") == "" {
					req = req.Clone(req.Context())
					req.Header.Set("Accept", "application/nostr+json")
				}
				return next(req)
			}),
		},
		{
			Name: "closes-subscriptions-of-twenty-seconds", What: "closes a subscription after twenty seconds, and says so",
			Near:   []string{"N01-REQ-01", "N01-REQ-03", "G01-PURG-08"},
			habits: func() []habit { return []habit{closesAfter(20 * time.Second)} },
		},
		{
			Name: "waiting-refs-stay", What: "refuses pushes that delete refs of pull requests, and removes those itself whose events do not come",
			Near: []string{"G01-PR"},
			habits: func() []habit {
				return []habit{refusingRefs("refs of pull requests go by themselves", func(c gitproto.Command) bool { return c.New.IsZero() })}
			},
		},
		{
			Name: "waiting-refs-stand-still", What: "refuses pushes that move a ref of a pull request",
			Near: []string{"G01-PR"},
			habits: func() []habit {
				return []habit{refusingRefs("the ref is there", func(c gitproto.Command) bool { return !c.Old.IsZero() && !c.New.IsZero() && c.Old != c.New })}
			},
		},
		{
			Name: "links-in-another-hand", What: "writes the links of its pages without a scheme and without quotation marks, in capital letters",
			Near: []string{"G01-WEB"},
			habits: func() []habit {
				link := regexp.MustCompile(`href="https:(//[^"]*)"`)
				return []habit{rewritten(isPage, func(_ *http.Response, body []byte) []byte { return link.ReplaceAll(body, []byte("HREF=$1")) })}
			},
		},
		{
			Name: "room-told-by-notices", What: "tells by a NOTICE, a moment behind each OK, how much room the pace leaves",
			Near: []string{"N01-EV-0", "N01-REQ-02", "N40-01"},
			habits: func() []habit {
				return []habit{{says: func(now time.Time, l *line, msg []byte) (time.Duration, bool) {
					if read(msg).verb == "OK" {
						l.queue = append(l.queue, delivery{now.Add(210 * time.Millisecond), write("NOTICE", "rate-limited: 93 events are left in this minute")})
					}
					return 200 * time.Millisecond, true
				}}}
			},
		},
		{
			Name: "links-by-address", What: "names a repository on its page by the address of its announcement alone",
			Near: []string{"G01-WEB"},
			habits: func() []habit {
				link, address := regexp.MustCompile(`https://gitworkshop\.dev/npub1[^"]*`), regexp.MustCompile(`naddr1[a-z0-9]+`)
				return []habit{rewritten(isPage, func(_ *http.Response, body []byte) []byte {
					if naddr := address.Find(body); naddr != nil {
						return link.ReplaceAll(body, append([]byte("https://gitworkshop.dev/"), naddr...))
					}
					return body
				})}
			},
		},
		{
			Name: "challenges-each-time", What: "sends another challenge behind each authentication that it takes, and takes the last one alone",
			Near:   []string{"N42", "N70"},
			filter: challengesAnew,
		},
		{
			Name: "filter-after-filter", What: "answers a query of several filters one after the other, and sends each event once",
			Near:   []string{"N01-REQ"},
			Owes:   map[string]string{"N01-REQ-02": "each filter has an order of its own, and the answer none"},
			habits: func() []habit { return []habit{filterAfterFilter()} },
		},
	}
}

// refusingRefs refuses a push with a command for the ref of a pull request that is not taken.
func refusingRefs(reason string, bad func(gitproto.Command) bool) habit {
	return habit{answer: func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
		if !isPush(req) || req.Header.Get("Content-Encoding") != "" {
			return next(req)
		}
		body, err := whole(req)
		if err != nil {
			return nil, err
		}
		list, err := gitproto.ReadCommands(bytes.NewReader(body))
		if err != nil || !slices.ContainsFunc(list.Commands, func(c gitproto.Command) bool {
			return strings.HasPrefix(c.Ref, "refs/nostr/") && bad(c)
		}) {
			return next(req)
		}
		report := gitproto.Status{Unpack: "ok"}
		for _, c := range list.Commands {
			report.Refs = append(report.Refs, gitproto.RefStatus{Ref: c.Ref, Reason: reason})
		}
		return reported(req, list, report)
	}}
}

// challengesAnew sends another challenge behind each authentication, which takes the place of the one before.
func challengesAnew() defect.Filter {
	first, last, n := map[core.ConnID]string{}, map[core.ConnID]string{}, 0
	return defect.Filter{
		In: func(i core.Input) (core.Input, bool) {
			if opened, is := i.(core.ConnOpened); is {
				first[opened.Conn], last[opened.Conn] = opened.Challenge, opened.Challenge
			}
			m, _ := i.(core.Message)
			auth, is := m.Msg.(relay.Auth)
			if !is {
				return i, true
			}
			changed := *auth.Event
			changed.Tags = slices.Clone(changed.Tags)
			for at, t := range changed.Tags {
				switch {
				case len(t) < 2 || t[0] != "challenge":
				case t[1] == last[m.Conn]:
					changed.Tags[at] = nostr.Tag{"challenge", first[m.Conn]}
				case t[1] == first[m.Conn]:
					changed.Tags[at] = nostr.Tag{"challenge", "that is over"}
				}
			}
			auth.Event = &changed
			m.Msg = auth
			return m, true
		},
		Out: func(i core.Input, effects []core.Effect) []core.Effect {
			m, _ := i.(core.Message)
			_, is := m.Msg.(relay.Auth)
			all := effects
			for _, e := range effects {
				send, _ := e.(core.Send)
				if answer, said := send.Msg.(relay.OK); is && said && answer.Accepted {
					n++
					last[m.Conn] = first[m.Conn] + "-" + strconv.Itoa(n)
					all = append(all[:len(all):len(all)], core.Send{Conn: m.Conn, Msg: relay.Challenge{Text: last[m.Conn]}})
				}
			}
			return all
		},
	}
}

// filterAfterFilter sends what is stored by the first filter first, whatever the others match.
func filterAfterFilter() habit {
	type asked struct {
		filters []nostr.Filter
		kept    [][]byte // of the events that are out at the end
	}
	open := subscribed[*asked]{}
	return habit{
		left: open.left,
		hears: func(_ time.Time, l *line, msg []byte) ([][]byte, bool) {
			if m := read(msg); m.verb == "REQ" {
				delete(open[l], m.name)
				a := &asked{}
				for _, part := range m.parts[min(len(m.parts), 2):] {
					var f nostr.Filter
					if json.Unmarshal(part, &f) != nil {
						return nil, true
					}
					a.filters = append(a.filters, f)
				}
				if len(a.filters) > 1 {
					open.set(l, m.name, a)
				}
			}
			return nil, true
		},
		says: func(now time.Time, l *line, msg []byte) (time.Duration, bool) {
			m := read(msg)
			a := open[l][m.name]
			if a == nil {
				return 0, true
			}
			switch {
			case m.verb == "EVENT" && m.event != nil:
				a.kept = append(a.kept, msg)
				return 0, false
			case m.verb == "EOSE":
				delete(open[l], m.name)
				first := func(raw []byte) int {
					return slices.IndexFunc(a.filters, func(f nostr.Filter) bool { return f.Matches(read(raw).event) })
				}
				slices.SortStableFunc(a.kept, func(x, y []byte) int { return first(x) - first(y) })
				for _, raw := range a.kept {
					l.queue = append(l.queue, delivery{now, raw})
				}
			case m.verb == "CLOSED":
				delete(open[l], m.name)
			}
			return 0, true
		},
	}
}
