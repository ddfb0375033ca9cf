package legal

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/web"
)

// guarded are servers that do not let everybody write everything, and say so.
func guarded() []Server {
	return []Server{
		{
			Name: "members-only", What: "takes events of its members, of whom none is known here",
			web: func(c *web.Config) { c.Curation = "Only members may publish." },
			habits: func() []habit {
				return []habit{judging(func(time.Time, *line, *nostr.Event) string { return "restricted: only members may publish" })}
			},
		},
		{
			Name: "members-of-a-list", What: "takes events of the six members of its list",
			web: func(c *web.Config) { c.Curation = "Only members may publish." }, Members: members(),
			Near: []string{"G01-REL-05", "N09-02", "N09-03", "G01-PURG-11"},
			habits: func() []habit {
				known := map[string]bool{}
				for _, secret := range members() {
					pubkey, err := nostr.GetPublicKey(secret)
					if err != nil {
						panic("legal: invariant: own member: " + err.Error())
					}
					known[pubkey] = true
				}
				return []habit{judging(func(_ time.Time, _ *line, ev *nostr.Event) string {
					if !known[ev.PubKey] {
						return "restricted: only members may publish"
					}
					return ""
				})}
			},
		},
		{
			Name: "few-owners", What: "takes announcements of its members only, of whom none is known here, and everything else of everybody",
			web: func(c *web.Config) { c.Criteria = "Repositories of members." },
			habits: func() []habit {
				return []habit{judging(func(_ time.Time, _ *line, ev *nostr.Event) string {
					if ev.Kind == kindAnnouncement {
						return "restricted: only members may announce repositories"
					}
					return ""
				})}
			},
		},
		{
			Name: "asks-for-work", What: "asks for eight bits of work in the id of every event",
			config: func(c *core.Config) { c.MinWork = 8 }, web: func(c *web.Config) { c.MinWork = 8 },
		},
		{
			Name: "no-deletion-requests", What: "takes no deletion requests, and lists none",
			Near: []string{"N09", "G01-DEL"},
			web:  func(c *web.Config) { c.NIPs = []int{1, 11, 34, 40, 42, 45, 70, 77} },
			habits: func() []habit {
				return []habit{judging(func(_ time.Time, _ *line, ev *nostr.Event) string {
					if ev.Kind == kindDeletion {
						return "blocked: deletion requests are not taken here"
					}
					return ""
				})}
			},
		},
		{
			Name: "no-dates-of-long-ago-or-ahead", What: "takes events dated no more than half an hour back and a minute ahead, and says so",
			Near: []string{"G01-LAT", "N40", "N01-REQ-02"},
			habits: func() []habit {
				return []habit{
					limiting(map[string]int{"created_at_lower_limit": 1800, "created_at_upper_limit": 60}),
					judging(func(now time.Time, _ *line, ev *nostr.Event) string {
						switch at := ev.CreatedAt.Time(); {
						case at.After(now.Add(time.Minute)):
							return "invalid: the event is dated ahead"
						case at.Before(now.Add(-30 * time.Minute)):
							return "invalid: the event is too old"
						}
						return ""
					}),
				}
			},
		},
		{
			Name: "hangs-up-on-nonsense", What: "ends a connection on which a message came that is malformed, and answers 400 to requests of git that are",
			Near:   []string{"N01-REQ-01", "N77-03", "N01-EV-02", "SEC-01"},
			habits: func() []habit { return []habit{hangsUp(), badRequests()} },
			Owes:   map[string]string{"N01-ERR-01": "the connection does not stay usable, which is a SHOULD"},
		},
		{
			Name: "notice-for-nonsense", What: "answers a malformed event with a NOTICE",
			Near: []string{"N01-EV-02"},
			habits: func() []habit {
				return []habit{{hears: func(_ time.Time, _ *line, msg []byte) ([][]byte, bool) {
					m := read(msg)
					if m.verb == "EVENT" && (m.event == nil || len(m.event.ID) != 64 || len(m.event.Sig) != 128 || len(m.event.PubKey) != 64) {
						return [][]byte{write("NOTICE", "invalid: this is no event")}, false
					}
					return nil, true
				}}}
			},
		},
		{
			Name: "hook-dies-on-certificates", What: "answers 200 and nothing to a push certificate, and moves no ref",
			Near: []string{"G01-PUSH-18", "SEC-10"},
			habits: answering(func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
				body, err := whole(req)
				if err != nil {
					return nil, err
				}
				if strings.HasSuffix(target.RequestTarget(req), "/git-receive-pack") && bytes.Contains(body[:min(len(body), 64)], []byte("push-cert")) {
					resp := page{status: http.StatusOK}.to(req)
					resp.Header.Set("Content-Type", "application/x-git-receive-pack-result")
					return resp, nil
				}
				return next(req)
			}),
		},
	}
}

// members are the secret keys of those on a list.
func members() []string {
	var all []string
	for i := range 6 {
		all = append(all, fmt.Sprintf("%064x", 0x1000+i))
	}
	return all
}

// hangsUp ends the connection on a message that is no array of JSON with a known verb.
func hangsUp() habit {
	return habit{
		hears: func(_ time.Time, l *line, msg []byte) ([][]byte, bool) {
			switch m := read(msg); m.verb {
			case "EVENT", "REQ", "CLOSE", "AUTH", "COUNT", "NEG-OPEN", "NEG-MSG", "NEG-CLOSE":
				return nil, true
			}
			l.hangUp()
			return nil, false
		},
		says: func(_ time.Time, l *line, msg []byte) (time.Duration, bool) {
			m := read(msg)
			if m.verb == "NOTICE" || m.verb == "CLOSED" && strings.HasPrefix(m.text, "invalid:") {
				l.hangUp()
				return 0, false
			}
			return 0, true
		},
	}
}

// badRequests answers 400 where the server inside says within the protocol of git that a request is malformed.
func badRequests() habit {
	return habit{answer: func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
		resp, err := next(req)
		if err != nil || req.Method != http.MethodPost || resp.StatusCode != http.StatusOK {
			return resp, err
		}
		body, err := drain(resp)
		if err != nil {
			return nil, err
		}
		if bytes.Contains(body, []byte("ERR ")) && bytes.Contains(body, []byte("is not a ")) {
			return page{http.StatusBadRequest, "malformed request\n"}.to(req), nil
		}
		refill(resp, body)
		return resp, nil
	}}
}
