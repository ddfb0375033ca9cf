package legal

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/web"
)

// plainIdentifier is what every server has to take (AMB-22).
var plainIdentifier = regexp.MustCompile(`^[A-Za-z0-9._-]*$`)

// worded are servers that say what they say in another form, or know it a while later.
func worded() []Server {
	return []Server{
		{
			Name: "json-in-another-hand", What: "writes its messages with blanks, and slashes with a backslash",
			Near:   []string{"N01-REQ-01", "N01-REQ-03", "N01-EV-01", "G01-N11-08"},
			habits: func() []habit { return []habit{inAnotherHand()} },
		},
		{
			Name: "says-saved", What: "says of what it takes that it is saved, with a word that nobody knows before it",
			Near: []string{"N01-EV-01", "G01-PURG-09"},
			habits: saying(func(m message) (bool, string) {
				if m.yes && m.text == "" {
					return true, "info: saved"
				}
				return m.yes, m.text
			}),
		},
		{
			Name: "notices-the-time", What: "tells by a NOTICE before each answer to a query how long it took",
			Near: []string{"N01-REQ-01", "N45", "N77"},
			habits: func() []habit {
				return []habit{{says: func(now time.Time, l *line, msg []byte) (time.Duration, bool) {
					switch read(msg).verb {
					case "EOSE", "COUNT", "NEG-MSG", "CLOSED":
						l.queue = append(l.queue, delivery{now, write("NOTICE", "this took 2 ms")})
					}
					return 0, true
				}}}
			},
		},
		{
			Name: "asks-who-it-is", What: "sends a challenge on every connection, lists no NIP-42, and asks nobody to answer",
			Near: []string{"N42", "N70", "N01-WS-01", "G01-N11-08"},
			web:  func(c *web.Config) { c.NIPs = []int{1, 9, 11, 34, 40, 45, 62, 77} },
			habits: func() []habit {
				return []habit{{
					dial: func(now time.Time, l *line) error {
						l.queue = append(l.queue, delivery{now, write("AUTH", "who-is-it")})
						return nil
					},
				}}
			},
		},
		{
			Name: "hundred-events-unsaid", What: "gives a hundred events for a query at most, and says so nowhere",
			Near:   []string{"N01-REQ-02", "N77-01", "G01-PURG-05"},
			habits: func() []habit { return []habit{atMost(100)} },
		},
		{
			Name: "few-tags", What: "takes events with sixty tags and contents of 8,000 characters, and says so",
			Near: []string{"G01-PUSH-24", "N34-03", "G01-MNT-10", "SEC-01"},
			habits: func() []habit {
				return []habit{
					limiting(map[string]int{"max_event_tags": 60, "max_content_length": 8000}),
					judging(func(_ time.Time, _ *line, ev *nostr.Event) string {
						if len(ev.Tags) > 60 || len([]rune(ev.Content)) > 8000 {
							return "invalid: this is too much"
						}
						return ""
					}),
				}
			},
		},
		{
			Name: "plain-identifiers-only", What: "takes repositories with plain identifiers, of letters, digits and three marks",
			Near: []string{"G01-ANN-10", "G01-ANN-11", "G01-ANN-12", "G01-GIT-17"},
			habits: func() []habit {
				return []habit{judging(func(_ time.Time, _ *line, ev *nostr.Event) string {
					if ev.Kind == kindAnnouncement && !plainIdentifier.MatchString(ev.Tags.GetD()) {
						return "invalid: the identifier has other characters than letters, digits, dots, dashes and underscores"
					}
					return ""
				})}
			},
			Owes: map[string]string{
				"G01-ANN-11": "other identifiers are legal, which is a SHOULD", "G01-ANN-12": "its addresses are of identifiers that it does not take",
				"G01-GIT-17": "its addresses are of identifiers that it does not take",
			},
		},
		{
			Name: "connections-in-a-bucket", What: "takes twenty handshakes at once and one each second, and answers 429 to more",
			Near: []string{"SEC-08", "N01-WS-01"},
			habits: func() []habit {
				b := &bucket{size: 20, each: time.Second}
				return []habit{{dial: func(now time.Time, _ *line) error {
					if !b.take(now) {
						return turnedAway(http.StatusTooManyRequests)
					}
					return nil
				}}}
			},
		},
		{
			Name: "compressed-answers", What: "compresses its answers for those who take that",
			Near:   []string{"G01-GIT-20", "G01-WEB", "G01-N11"},
			habits: answering(compressed),
		},
		{
			Name: "known-half-a-second-later", What: "finds an event by queries half a second after it has taken it",
			Near:   []string{"N01-REQ", "N01-REP", "G01-REL"},
			habits: func() []habit { return []habit{indexing(always(500 * time.Millisecond))} },
		},
		{
			Name: "connections-of-four-views", What: "finds an event by queries 300, 500, 700 or 400 ms after it has taken it, each connection in its own time",
			Near:   []string{"N01-REQ", "N01-REP", "G01-REL"},
			habits: func() []habit { return []habit{indexing(views(300, 500, 700, 400))} },
		},
		{
			Name: "one-view-of-four-is-fresh", What: "finds an event by queries at once on one connection of four, and up to 450 ms after it has taken it on others",
			Near:   []string{"N01-REQ", "N01-REP", "G01-PURG-05"},
			habits: func() []habit { return []habit{indexing(views(0, 450, 300, 400))} },
		},
	}
}

// compressed compresses an answer for a client that asks for it.
func compressed(_ *front, req *http.Request, next exchange) (*http.Response, error) {
	resp, err := next(req)
	if err != nil || !strings.Contains(req.Header.Get("Accept-Encoding"), "gzip") || resp.StatusCode == http.StatusNoContent || req.Method == http.MethodHead {
		return resp, err
	}
	body, err := drain(resp)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(body) // memory takes everything
	_ = w.Close()
	refill(resp, out.Bytes())
	resp.Header.Set("Content-Encoding", "gzip")
	resp.Header.Add("Vary", "Accept-Encoding")
	return resp, nil
}

// always is the same time for every connection.
func always(after time.Duration) func(*line) time.Duration {
	return func(*line) time.Duration { return after }
}

// views are so many milliseconds for one connection after the other.
func views(each ...int) func(*line) time.Duration {
	of, next := map[*line]time.Duration{}, 0
	return func(l *line) time.Duration {
		if _, known := of[l]; !known {
			of[l] = time.Duration(each[next%len(each)]) * time.Millisecond
			next++
		}
		return of[l]
	}
}

// indexing leaves what has been taken just now out of the stored events of queries; who listens gets it at once.
func indexing(after func(*line) time.Duration) habit {
	taken := map[string]time.Time{} // by id
	open := subscribed[bool]{}      // whose stored events are not all out
	return habit{
		left: open.left,
		hears: func(_ time.Time, l *line, msg []byte) ([][]byte, bool) {
			if m := read(msg); m.verb == "REQ" {
				open.set(l, m.name, true)
			}
			return nil, true
		},
		says: func(now time.Time, l *line, msg []byte) (time.Duration, bool) {
			m := read(msg)
			switch {
			case m.verb == "OK" && m.yes:
				if _, known := taken[m.name]; !known {
					taken[m.name] = now
				}
			case m.verb == "EOSE":
				delete(open[l], m.name)
			case m.verb == "EVENT" && m.event != nil && open[l][m.name]:
				at, known := taken[m.event.ID]
				return 0, !known || now.Sub(at) >= after(l)
			}
			return 0, true
		},
	}
}

// inAnotherHand writes the same messages with blanks of all sorts, and slashes with a backslash (RFC 8259).
func inAnotherHand() habit {
	return habit{changes: func(msg []byte) []byte {
		m := read(msg)
		var parts []string
		for _, part := range m.parts {
			parts = append(parts, strings.ReplaceAll(string(part), "/", `\/`))
		}
		return []byte("[ " + strings.Join(parts, " ,\n\t") + " ]\n")
	}}
}
