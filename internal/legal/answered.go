package legal

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/graspkit/graspkit/reference/web"
)

// answered are servers whose relay answers in another manner, or only so much.
func answered() []Server {
	return []Server{
		{
			Name: "stored-events-in-batches", What: "sends three stored events at a time, and the end of them a while later",
			Near:   []string{"N01-REQ-01", "N01-REQ-02"},
			habits: func() []habit { return []habit{inBatches(3, 150*time.Millisecond)} },
		},
		{
			Name: "verbs-of-its-own", What: "sends messages with verbs of its own between those that everybody knows",
			Near: []string{"N01-WS-01", "G01-N11-08"},
			habits: func() []habit {
				return []habit{{says: func(now time.Time, l *line, msg []byte) (time.Duration, bool) {
					switch m := read(msg); m.verb {
					case "OK", "EOSE", "AUTH", "COUNT":
						l.queue = append(l.queue, delivery{now, write("X-LOAD", map[string]any{"load": 0.5})})
					}
					return 0, true
				}}}
			},
		},
		{
			Name: "five-subscriptions", What: "takes five subscriptions on a connection, and says so",
			Near:   []string{"N01-REQ-01", "N01-REQ-03", "G01-N11-08"},
			habits: func() []habit { return []habit{limiting(map[string]int{"max_subscriptions": 5}), subscriptions(5)} },
		},
		{
			Name: "queries-in-a-bucket", What: "takes thirty queries at once and ten each second, and closes more of them as too fast",
			Near: []string{"N01-REQ-01", "N01-CNT-01", "N77-01"},
			habits: func() []habit {
				b := &bucket{size: 30, each: 100 * time.Millisecond}
				return []habit{{hears: func(now time.Time, _ *line, msg []byte) ([][]byte, bool) {
					m := read(msg)
					verb := map[string]string{"REQ": "CLOSED", "COUNT": "CLOSED", "NEG-OPEN": "NEG-ERR"}[m.verb]
					if verb == "" || b.take(now) {
						return nil, true
					}
					return [][]byte{write(verb, m.name, "rate-limited: ten queries each second are taken")}, false
				}}}
			},
		},
		{
			Name: "connections-of-two-minutes", What: "ends every connection after two minutes",
			Near:   []string{"G01-PURG-11", "N01-REQ-03"},
			habits: func() []habit { return []habit{lasting(2*time.Minute, false)} },
		},
		{
			Name: "no-counts-and-no-reconciliations", What: "closes counts and reconciliations as unsupported, and lists neither",
			Near: []string{"N45", "N77", "N01-CNT-01"},
			web:  func(c *web.Config) { c.NIPs = []int{1, 9, 11, 34, 40, 42, 62, 70} },
			habits: func() []habit {
				return []habit{{hears: func(_ time.Time, _ *line, msg []byte) ([][]byte, bool) {
					switch m := read(msg); m.verb {
					case "COUNT":
						return [][]byte{write("CLOSED", m.name, "unsupported: there are no counts here")}, false
					case "NEG-OPEN", "NEG-MSG":
						return [][]byte{write("NEG-ERR", m.name, "blocked: there are no reconciliations here")}, false
					case "NEG-CLOSE":
						return nil, false
					}
					return nil, true
				}}}
			},
		},
		{
			Name: "refuses-broad-queries", What: "closes queries that name no id, author, kind or tag",
			Near: []string{"N01-REQ", "G01-PURG-05", "N77-01", "N01-CNT-01"},
			habits: func() []habit {
				return []habit{{hears: func(_ time.Time, _ *line, msg []byte) ([][]byte, bool) {
					m := read(msg)
					if m.verb != "REQ" && m.verb != "COUNT" || !slices.ContainsFunc(m.parts, isBroad) {
						return nil, true
					}
					return [][]byte{write("CLOSED", m.name, "blocked: the filter is too broad")}, false
				}}}
			},
		},
		{
			Name: "refuses-in-prose", What: "refuses what is not well related in words without a prefix",
			Near: []string{"G01-REL", "G01-MNT", "G01-ANN-02"},
			habits: saying(func(m message) (bool, string) {
				prefix, text, found := strings.Cut(m.text, ": ")
				if !m.yes && found && slices.Contains([]string{"invalid", "restricted", "blocked"}, prefix) {
					return false, text
				}
				return m.yes, m.text
			}),
			Owes: map[string]string{"N01-EV-01": "its refusals have no prefix that a program can read, which is a SHOULD here"},
		},
	}
}

// isBroad tells the filters that ask for everything there is: they want stored events, and name nothing.
func isBroad(part json.RawMessage) bool {
	var filter map[string]json.RawMessage
	if json.Unmarshal(part, &filter) != nil || string(filter["limit"]) == "0" {
		return false
	}
	for name := range filter {
		if name == "ids" || name == "authors" || name == "kinds" || strings.HasPrefix(name, "#") {
			return false
		}
	}
	return true
}

// inBatches sends so many stored events of a connection at a time, and keeps the order of everything on it.
func inBatches(size int, pause time.Duration) habit {
	open := subscribed[int]{}      // stored events so far; gone once all are out
	until := map[*line]time.Time{} // when what was said last is out
	return habit{
		left: func(l *line) { open.left(l); delete(until, l) },
		hears: func(_ time.Time, l *line, msg []byte) ([][]byte, bool) {
			if m := read(msg); m.verb == "REQ" {
				open.set(l, m.name, 0)
			}
			return nil, true
		},
		says: func(now time.Time, l *line, msg []byte) (time.Duration, bool) {
			m := read(msg)
			due := now
			switch n, stored := open[l][m.name]; {
			case stored && m.verb == "EVENT":
				open[l][m.name] = n + 1
				due = now.Add(time.Duration(n/size) * pause)
			case stored && m.verb == "EOSE":
				delete(open[l], m.name)
				due = now.Add(time.Duration(n/size+1) * pause)
			}
			if due.Before(until[l]) {
				due = until[l]
			}
			until[l] = due
			return due.Sub(now), true
		},
	}
}
