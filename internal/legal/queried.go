package legal

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/web"
)

// queried are servers that answer queries within other limits, or in another order.
func queried() []Server {
	return []Server{
		{
			Name: "messages-of-16-kib", What: "takes messages of 16 KiB, and says so",
			Near: []string{"N34-03", "G01-N11-08"},
			habits: func() []habit {
				return []habit{limiting(map[string]int{"max_message_length": 16 << 10}), messagesOf(16 << 10)}
			},
		},
		{
			Name: "two-thousand-subscriptions", What: "takes 2,000 subscriptions on a connection, and says so",
			habits: func() []habit {
				return []habit{limiting(map[string]int{"max_subscriptions": 2000}), subscriptions(2000)}
			},
		},
		{
			Name: "ten-subscriptions", What: "takes ten subscriptions on a connection, and says so",
			habits: func() []habit { return []habit{limiting(map[string]int{"max_subscriptions": 10}), subscriptions(10)} },
		},
		{
			Name: "forty-events-an-answer", What: "gives forty events for a query at most, and says so",
			Near: []string{"N01-REQ-02", "N77-01"},
			habits: func() []habit {
				return []habit{limiting(map[string]int{"max_limit": 40, "default_limit": 40}), atMost(40)}
			},
		},
		{
			Name: "stored-events-in-any-order", What: "sends the oldest first where no limit is asked for",
			habits: func() []habit { return []habit{oldestFirst()} },
		},
		{
			Name: "filter-by-filter", What: "answers the filters of a query one behind another",
			Near:   []string{"N01-REQ-02", "N01-REQ-01"},
			habits: func() []habit { return []habit{filterByFilter()} },
		},
		{
			Name: "three-nips", What: "lists the NIPs that every server has, and speaks no other verbs than theirs",
			web: func(c *web.Config) { c.NIPs = []int{1, 11, 34} },
			habits: func() []habit {
				return []habit{{
					hears: func(_ time.Time, _ *line, msg []byte) ([][]byte, bool) {
						switch m := read(msg); m.verb {
						case "COUNT", "AUTH", "NEG-OPEN", "NEG-MSG", "NEG-CLOSE":
							return [][]byte{write("NOTICE", "unsupported: no such verb here")}, false
						}
						return nil, true
					},
					says: func(_ time.Time, _ *line, msg []byte) (time.Duration, bool) { return 0, read(msg).verb != "AUTH" },
				}}
			},
		},
	}
}

// limiting states other limits in the relay information document.
func limiting(limits map[string]int) habit {
	return rewritten(isDocument, func(_ *http.Response, body []byte) []byte {
		var document map[string]any
		if json.Unmarshal(body, &document) != nil {
			return body
		}
		stated, _ := document["limitation"].(map[string]any)
		if stated == nil {
			stated = map[string]any{}
		}
		for name, limit := range limits {
			stated[name] = limit
		}
		document["limitation"] = stated
		changed, err := json.Marshal(document)
		if err != nil {
			return body
		}
		return changed
	})
}

// subscriptions takes so many on a connection. Those beyond what the server inside takes are never given anything.
func subscriptions(most int) habit {
	open := map[*line][]string{}
	return habit{
		left: func(l *line) { delete(open, l) },
		hears: func(_ time.Time, l *line, msg []byte) ([][]byte, bool) {
			m := read(msg)
			at := slices.Index(open[l], m.name)
			switch {
			case m.verb == "CLOSE" && at >= 0:
				open[l] = slices.Delete(open[l], at, at+1)
			case m.verb != "REQ" || at >= 0 || m.name == "" || utf8.RuneCountInString(m.name) > relay.SubIDMax:
			case len(open[l]) >= most:
				return [][]byte{write("CLOSED", m.name, "error: too many subscriptions")}, false
			default:
				open[l] = append(open[l], m.name)
				if len(open[l]) > relay.SubscriptionsMax {
					return [][]byte{write("EOSE", m.name)}, false
				}
			}
			return nil, true
		},
	}
}

// atMost gives so many stored events for a subscription.
func atMost(most int) habit {
	given := subscribed[int]{} // -1 once all stored ones are out
	return habit{
		left: given.left,
		hears: func(_ time.Time, l *line, msg []byte) ([][]byte, bool) {
			if m := read(msg); m.verb == "REQ" {
				given.set(l, m.name, 0)
			}
			return nil, true
		},
		says: func(_ time.Time, l *line, msg []byte) (time.Duration, bool) {
			m := read(msg)
			if m.verb == "EOSE" {
				given.set(l, m.name, -1)
			}
			if n := given[l][m.name]; m.verb == "EVENT" && n >= 0 {
				given.set(l, m.name, n+1)
				return 0, n < most
			}
			return 0, true
		},
	}
}

// oldestFirst turns the stored events of a query around, unless the query has a limit.
func oldestFirst() habit {
	waiting := subscribed[[][]byte]{}
	return habit{
		left: waiting.left,
		hears: func(_ time.Time, l *line, msg []byte) ([][]byte, bool) {
			m := read(msg)
			if m.verb == "REQ" {
				delete(waiting[l], m.name)
				if !slices.ContainsFunc(m.parts, func(p json.RawMessage) bool {
					var filter struct {
						Limit *int `json:"limit"`
					}
					return json.Unmarshal(p, &filter) == nil && filter.Limit != nil
				}) {
					waiting.set(l, m.name, nil)
				}
			}
			return nil, true
		},
		says: func(now time.Time, l *line, msg []byte) (time.Duration, bool) {
			m := read(msg)
			kept, waits := waiting[l][m.name]
			switch {
			case !waits:
			case m.verb == "EVENT":
				waiting.set(l, m.name, append(kept, msg))
				return 0, false
			case m.verb == "EOSE":
				for _, old := range slices.Backward(kept) {
					l.queue = append(l.queue, delivery{now, old})
				}
				delete(waiting[l], m.name)
			}
			return 0, true
		},
	}
}
