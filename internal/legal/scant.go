package legal

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/relay"
)

// scant are servers whose relay gives so much and no more, to a connection, a subscription or a key.
func scant() []Server {
	return []Server{
		{
			Name: "one-subscription", What: "takes one subscription on a connection, and says so",
			Near:   []string{"N01-REQ", "G01-N11-08", "N01-ERR-01"},
			habits: func() []habit { return []habit{limiting(map[string]int{"max_subscriptions": 1}), subscriptions(1)} },
		},
		{
			Name: "two-subscriptions", What: "takes two subscriptions on a connection, and says so",
			Near:   []string{"N01-REQ", "G01-N11-08", "N01-ERR-01"},
			habits: func() []habit { return []habit{limiting(map[string]int{"max_subscriptions": 2}), subscriptions(2)} },
		},
		{
			Name: "oldest-subscription-gives-way", What: "has room for eight subscriptions on a connection, and closes the oldest one for another",
			Near:   []string{"N01-REQ", "G01-PURG-05", "G01-PURG-08"},
			habits: func() []habit { return []habit{givesWay(8)} },
		},
		{
			Name: "twenty-live-events", What: "closes a subscription behind the twentieth event that came while it was open",
			Near:   []string{"N01-REQ", "G01-PURG-08", "N77-05"},
			habits: func() []habit { return []habit{closesBehind(20)} },
		},
		{
			Name: "large-limits-are-closed", What: "closes queries that ask for more than a hundred events, and says so",
			Near: []string{"N01-REQ", "G01-N11-08", "N77"},
			habits: func() []habit {
				return []habit{limiting(map[string]int{"max_limit": 100, "default_limit": 100}), atMost(100), {
					hears: func(_ time.Time, _ *line, msg []byte) ([][]byte, bool) {
						m := read(msg)
						if m.verb == "REQ" && slices.ContainsFunc(m.parts, func(p json.RawMessage) bool {
							var filter struct {
								Limit int `json:"limit"`
							}
							return json.Unmarshal(p, &filter) == nil && filter.Limit > 100
						}) {
							return [][]byte{write("CLOSED", m.name, "invalid: limit is 100 at most")}, false
						}
						return nil, true
					},
				}}
			},
		},
		{
			Name: "an-event-a-second-of-a-key", What: "takes three events of a key at once and one each second, on whatever connections they come",
			Near: []string{"N01-REP", "N01-EV", "G01-LAT", "N77-05"},
			habits: func() []habit {
				by := map[string]*bucket{}
				return []habit{judging(func(now time.Time, _ *line, ev *nostr.Event) string {
					if by[ev.PubKey] == nil {
						by[ev.PubKey] = &bucket{size: 3, each: time.Second}
					}
					if !by[ev.PubKey].take(now) {
						return "rate-limited: three events of a key at once and one each second are taken"
					}
					return ""
				})}
			},
		},
		{
			Name: "hangs-up-on-long-messages", What: "ends a connection on which a message of more than 16 KiB comes, and says how much it takes",
			Near: []string{"N34-03", "G01-N11-08", "SEC-01"},
			habits: func() []habit {
				return []habit{limiting(map[string]int{"max_message_length": 16 << 10}), {hears: func(_ time.Time, l *line, msg []byte) ([][]byte, bool) {
					if len(msg) > 16<<10 {
						l.hangUp()
					}
					return nil, len(msg) <= 16<<10
				}}}
			},
		},
		{
			Name: "document-of-the-moment", What: "counts in its document what it has answered, and says how busy it is",
			Near: []string{"G01-N11", "G01-CORS-01"},
			habits: func() []habit {
				n := 0 // guarded by the front's lock
				return []habit{{answer: func(f *front, req *http.Request, next exchange) (*http.Response, error) {
					resp, err := next(req)
					if err != nil || !isDocument(req, resp) {
						return resp, err
					}
					body, err := drain(resp)
					if err != nil {
						return nil, err
					}
					if len(body) == 0 {
						return resp, nil
					}
					f.mu.Lock()
					n++
					text := fmt.Sprintf(`{"served":%d,"at":%q,"load":{"one":0.%d},`, n, f.Now().UTC().Format(time.RFC3339Nano), n%10)
					f.mu.Unlock()
					refill(resp, append([]byte(text), body[1:]...))
					return resp, nil
				}}}
			},
		},
	}
}

// givesWay takes any number of subscriptions, and closes the oldest one of a connection where there are more than so many.
func givesWay(most int) habit {
	open, order := subscribed[bool]{}, map[*line][]string{}
	return habit{
		left: func(l *line) { open.left(l); delete(order, l) },
		hears: func(now time.Time, l *line, msg []byte) ([][]byte, bool) {
			m := read(msg)
			if m.verb != "REQ" && m.verb != "CLOSE" || m.name == "" || utf8.RuneCountInString(m.name) > relay.SubIDMax {
				return nil, true
			}
			order[l] = slices.DeleteFunc(order[l], func(sub string) bool { return sub == m.name })
			delete(open[l], m.name)
			if m.verb == "CLOSE" {
				return nil, true
			}
			open.set(l, m.name, true)
			order[l] = append(order[l], m.name)
			if len(order[l]) > most {
				oldest := order[l][0]
				order[l] = order[l][1:]
				delete(open[l], oldest)
				l.queue = append(l.queue, delivery{now, write("CLOSED", oldest, "error: another subscription takes its place")})
			}
			return nil, true
		},
		says: open.spoken,
	}
}

// closesBehind closes a subscription once so many events have come for it that were new.
func closesBehind(most int) habit {
	open := subscribed[int]{} // live events so far; -1 until stored ones are out
	return habit{
		left: open.left,
		hears: func(_ time.Time, l *line, msg []byte) ([][]byte, bool) {
			switch m := read(msg); m.verb {
			case "REQ":
				open.set(l, m.name, -1)
			case "CLOSE":
				delete(open[l], m.name)
			}
			return nil, true
		},
		says: func(now time.Time, l *line, msg []byte) (time.Duration, bool) {
			m := read(msg)
			n, is := open[l][m.name]
			switch {
			case m.verb != "EVENT" && m.verb != "EOSE":
			case !is:
				return 0, false
			case m.verb == "EOSE":
				open.set(l, m.name, 0)
			case n >= 0:
				open.set(l, m.name, n+1)
				if n+1 == most {
					delete(open[l], m.name)
					l.queue = append(l.queue, delivery{now, msg}, delivery{now, write("CLOSED", m.name, "error: twenty events of a subscription are sent")})
					return 0, false
				}
			}
			return 0, true
		},
	}
}
