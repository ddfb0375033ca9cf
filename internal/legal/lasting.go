package legal

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"
)

// measured are servers that have room for so much, or for so long, and say when that is over.
func measured() []Server {
	return []Server{
		{
			Name: "closes-subscriptions-of-five-minutes", What: "closes a subscription after five minutes, and says so",
			Near:   []string{"N01-REQ-01", "N01-REQ-03"},
			habits: func() []habit { return []habit{closesAfter(5 * time.Minute)} },
		},
		{
			Name: "closes-subscriptions-behind-erasures", What: "closes every subscription and reconciliation of everybody when somebody asks to vanish, and says that it may be opened anew",
			Near:   []string{"N01-REQ-01", "N01-REQ-03", "N62-01", "N77", "N01-EV-03", "G01-PURG-08"},
			habits: func() []habit { return []habit{closesBehindErasures()} },
		},
		{
			Name: "ends-the-fortieth-as-it-is-replaced", What: "ends a subscription on its own, and the word of it crosses the request that takes its id: every fortieth of a connection",
			Near:   []string{"N01-REQ-03"},
			habits: func() []habit { return []habit{endsReplaced(40)} },
		},
		{
			Name: "tag-values-of-255-bytes", What: "refuses events with a longer value in a tag of one letter",
			Near: []string{"N01-REQ-01", "G01-REL-01"},
			habits: func() []habit {
				const longest = 255
				return []habit{judging(func(_ time.Time, _ *line, ev *nostr.Event) string {
					for _, t := range ev.Tags {
						if len(t) > 1 && len(t[0]) == 1 && len(t[1]) > longest {
							return "invalid: the value of a tag is too long"
						}
					}
					return ""
				})}
			},
		},
		{
			Name: "ten-filters-of-fifteen-values", What: "refuses queries of more than ten filters by a NOTICE, and closes those of more than 15 values in a list",
			Near:   []string{"N01-REQ", "G01-PURG-05"},
			habits: func() []habit { return []habit{limiting(map[string]int{"max_filters": 10}), fewValues(10, 15)} },
		},
		{
			Name: "notices-closes-of-nothing", What: "answers CLOSE of a subscription that is not open by a NOTICE",
			Near: []string{"N01-REQ-03", "N01-ERR-01", "N01-REQ-01"},
			habits: func() []habit {
				open := subscribed[bool]{}
				return []habit{{left: open.left, hears: func(now time.Time, l *line, msg []byte) ([][]byte, bool) {
					m := read(msg)
					switch {
					case m.verb == "REQ":
						open.set(l, m.name, true)
					case m.verb == "CLOSE" && !open[l][m.name]:
						return [][]byte{write("NOTICE", "there is no subscription "+m.name)}, false
					case m.verb == "CLOSE":
						delete(open[l], m.name)
					}
					return nil, true
				}}}
			},
		},
		{
			Name: "connections-of-a-hundred-messages", What: "ends a connection on which a hundred messages came",
			Near: []string{"N01-REQ-03", "N01-ERR-01.nothing"},
			habits: func() []habit {
				const most = 100
				heard := map[*line]int{}
				return []habit{{left: func(l *line) { delete(heard, l) }, hears: func(_ time.Time, l *line, _ []byte) ([][]byte, bool) {
					if heard[l]++; heard[l] > most {
						l.hangUp()
					}
					return nil, true
				}}}
			},
		},
		{
			Name: "refuses-by-error", What: "refuses what is invalid with the prefix that is for everything else",
			Near: []string{"N34-ST", "SEC-03", "N01-EV", "N62-01", "G01-ANN-10"},
			habits: saying(func(m message) (bool, string) {
				if reason, invalid := strings.CutPrefix(m.text, "invalid:"); !m.yes && invalid {
					return false, "error:" + reason
				}
				return m.yes, m.text
			}),
		},
		{
			Name: "odd-types-in-the-document", What: "has other types in the optional fields of its document than most",
			Near: []string{"G01-N11", "N34-03", "N01-REQ-02"},
			habits: func() []habit {
				return []habit{rewritten(isDocument, func(_ *http.Response, body []byte) []byte {
					var document map[string]any
					if json.Unmarshal(body, &document) != nil {
						return body
					}
					document["limitation"] = map[string]any{"max_limit": "500", "auth_required": 0, "min_pow_difficulty": nil, "max_message_length": 1e12}
					document["retention"], document["icon"], document["software"], document["fees"] = "for ever", nil, 7, map[string]any{}
					changed, err := json.Marshal(document)
					if err != nil {
						return body
					}
					return changed
				})}
			},
		},
		{
			Name: "answers-for-this-moment", What: "lets answers be kept that have to be asked for again each time, and names the charset of results",
			Near: []string{"G01-GIT-01", "G01-GIT-02", "G01-WEB", "G01-N11"},
			habits: answering(func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
				resp, err := next(req)
				if err != nil {
					return resp, err
				}
				resp.Header.Set("Cache-Control", "private, max-age=0, must-revalidate")
				if kind := resp.Header.Get("Content-Type"); strings.HasSuffix(kind, "-result") {
					resp.Header.Set("Content-Type", kind+"; charset=utf-8")
				}
				return resp, nil
			}),
		},
		{
			Name: "agent-in-capitals", What: "offers a capability that nobody knows in the place of its name",
			Near: []string{"G01-GIT-02", "G01-GIT-03", "G01-GIT-08"},
			habits: func() []habit {
				return []habit{rewritten(func(req *http.Request, resp *http.Response) bool {
					return strings.HasSuffix(req.URL.Path, "/info/refs") && resp.StatusCode == http.StatusOK
				}, func(_ *http.Response, body []byte) []byte {
					return bytes.ReplaceAll(body, []byte("agent="), []byte("AGENT="))
				})}
			},
		},
	}
}

// closesBehindErasures closes what is open when a request to vanish comes, for what everybody may read has to be looked at anew.
func closesBehindErasures() habit {
	const vanish = 62
	open, reconciled := subscribed[int]{}, subscribed[int]{} // how many requests had come before it
	came := 0
	return habit{
		left: func(l *line) { open.left(l); reconciled.left(l) },
		hears: func(_ time.Time, l *line, msg []byte) ([][]byte, bool) {
			switch m := read(msg); m.verb {
			case "REQ":
				open.set(l, m.name, came)
			case "CLOSE":
				delete(open[l], m.name)
			case "NEG-OPEN":
				reconciled.set(l, m.name, came)
			case "NEG-CLOSE":
				delete(reconciled[l], m.name)
			case "EVENT":
				if m.event != nil && m.event.Kind == vanish && wellSigned(m.event) {
					came++
				}
			}
			return nil, true
		},
		looks: func(now time.Time, l *line) {
			for sub, before := range open[l] {
				if before < came {
					delete(open[l], sub)
					l.queue = append(l.queue, delivery{now, write("CLOSED", sub, "blocked: what may be read here has changed; subscribe again")})
				}
			}
			for sub, before := range reconciled[l] {
				if before < came {
					delete(reconciled[l], sub)
					l.queue = append(l.queue, delivery{now, write("NEG-ERR", sub, "closed: what may be read here has changed; begin again")})
				}
			}
		},
		says: open.spoken,
	}
}

// endsReplaced says CLOSED of a subscription at the moment it is replaced, of every such one that a connection replaces.
func endsReplaced(every int) habit {
	open, replaced := subscribed[bool]{}, map[*line]int{}
	return habit{
		left: func(l *line) { open.left(l); delete(replaced, l) },
		hears: func(_ time.Time, l *line, msg []byte) ([][]byte, bool) {
			switch m := read(msg); {
			case m.verb == "REQ" && open[l][m.name]:
				if replaced[l]++; replaced[l]%every == 0 {
					return [][]byte{write("CLOSED", m.name, "error: what may be read here has changed; subscribe again")}, true
				}
			case m.verb == "REQ":
				open.set(l, m.name, true)
			case m.verb == "CLOSE":
				delete(open[l], m.name)
			}
			return nil, true
		},
		says: open.spoken,
	}
}

// closesAfter closes subscriptions of such an age.
func closesAfter(age time.Duration) habit {
	open := subscribed[time.Time]{}
	return habit{
		left: open.left,
		hears: func(now time.Time, l *line, msg []byte) ([][]byte, bool) {
			switch m := read(msg); m.verb {
			case "REQ":
				open.set(l, m.name, now)
			case "CLOSE":
				delete(open[l], m.name)
			}
			return nil, true
		},
		looks: func(now time.Time, l *line) {
			for sub, since := range open[l] {
				if now.Sub(since) > age {
					delete(open[l], sub)
					l.queue = append(l.queue, delivery{now, write("CLOSED", sub, "error: a subscription does not last longer")})
				}
			}
		},
		says: open.spoken,
	}
}

// fewValues takes queries of so many filters, with so many values in a list.
func fewValues(filters, values int) habit {
	return habit{hears: func(_ time.Time, _ *line, msg []byte) ([][]byte, bool) {
		m := read(msg)
		if m.verb != "REQ" || len(m.parts) < 3 {
			return nil, true
		}
		if len(m.parts)-2 > filters {
			return [][]byte{write("NOTICE", "ERROR: bad req: too many filters")}, false
		}
		for _, part := range m.parts[2:] {
			var filter map[string]json.RawMessage
			if json.Unmarshal(part, &filter) != nil {
				continue
			}
			for _, list := range filter {
				var all []json.RawMessage
				if json.Unmarshal(list, &all) == nil && len(all) > values {
					return [][]byte{write("CLOSED", m.name, "invalid: too many values in a filter")}, false
				}
			}
		}
		return nil, true
	}}
}
