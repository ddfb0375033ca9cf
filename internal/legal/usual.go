package legal

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"
)

// usual are servers with the habits of common relays, proxies and forges that keep their clients short, or say a little more.
func usual() []Server {
	return []Server{
		{
			Name: "one-filter", What: "takes one filter in a query, and says so",
			Near: []string{"N01-REQ-01", "G01-N11-08", "G01-PURG-05", "N01-CNT-01"},
			habits: func() []habit {
				return []habit{limiting(map[string]int{"max_filters": 1}), {hears: func(_ time.Time, _ *line, msg []byte) ([][]byte, bool) {
					if m := read(msg); (m.verb == "REQ" || m.verb == "COUNT") && len(m.parts) > 3 && m.name != "" {
						return [][]byte{write("CLOSED", m.name, "invalid: one filter at a time is taken")}, false
					}
					return nil, true
				}}}
			},
		},
		{
			Name: "four-connections", What: "takes four connections at a time, and answers 429 to the handshake of another",
			Near:   []string{"G01-ANN-05.host", "N01-REQ-03"},
			habits: func() []habit { return []habit{connections(4)} },
		},
		{
			Name: "hangs-up-behind-five-refusals", What: "ends a connection on which it has refused five events, with a NOTICE",
			Near:   []string{"N01-EV-01", "G01-ANN-1", "G01-REL-0"},
			habits: func() []habit { return []habit{refusesAtMost(5)} },
		},
		{
			Name: "fifty-queries-a-connection", What: "ends a connection on which fifty queries came, without a word",
			Near:   []string{"N01-REQ", "G01-PURG-05", "N77-01"},
			habits: func() []habit { return []habit{queriesAtMost(50)} },
		},
		{
			Name: "ten-messages-a-second", What: "reads ten messages a second of a connection, and lets others wait",
			Near:   []string{"N01-REQ-01", "N01-EV-0", "G01-PURG-05"},
			habits: func() []habit { return []habit{readsSlowly(100 * time.Millisecond)} },
		},
		{
			Name: "ends-connections-without-subscriptions", What: "ends a connection on which nothing was subscribed to for ten seconds",
			Near:   []string{"N01-EV", "N01-REQ-03", "G01-PURG-07"},
			habits: func() []habit { return []habit{subscribedWithin(10 * time.Second)} },
		},
		{
			Name: "live-events-before-the-end", What: "sends what comes meanwhile before the end of what was stored, which takes almost a second",
			Near:   []string{"N01-REQ", "G01-PUSH-25", "G01-PURG-17", "G01-LAT-02", "G01-DEL-01"},
			habits: func() []habit { return []habit{endsLate(900 * time.Millisecond)} },
		},
		{
			Name: "unknown-keys-come-again", What: "asks whoever it does not know to come again two seconds later",
			Near:   []string{"N01-EV", "G01-ANN-0", "G01-REL-0"},
			habits: func() []habit { return []habit{greylisting(2 * time.Second)} },
		},
		{
			Name: "database-is-locked", What: "refuses every seventh event because its database is locked",
			Near: []string{"N01-EV", "G01-ANN-0", "N01-REP"},
			habits: func() []habit {
				n := 0
				return []habit{judging(func(time.Time, *line, *nostr.Event) string {
					if n++; n%7 == 0 {
						return "error: database is locked"
					}
					return ""
				})}
			},
		},
		{
			Name: "counts-with-registers", What: "sends the registers of its estimate with each count, and says that it is exact",
			Near: []string{"N01-CNT", "N45", "G01-PURG-05"},
			habits: func() []habit {
				return []habit{{changes: func(msg []byte) []byte {
					m := read(msg)
					var told map[string]any
					if m.verb != "COUNT" || len(m.parts) != 3 || json.Unmarshal(m.parts[2], &told) != nil {
						return msg
					}
					told["hll"], told["approximate"] = strings.Repeat("07", 256), false
					return write("COUNT", m.name, told)
				}}}
			},
		},
		{
			Name: "document-of-nulls", What: "writes its document over many lines, with null for what it has not",
			Near:   []string{"G01-N11", "N34-03", "N01-REQ-01"},
			habits: func() []habit { return []habit{rewritten(isDocument, ofNulls)} },
		},
		{
			Name: "errors-are-long-pages", What: "answers what is not there, or not well, by a page of 200 KiB",
			Near: []string{"G01-GIT-01", "G01-WEB", "G01-CORS", "G01-DEL-0"},
			habits: func() []habit {
				failed := func(req *http.Request, resp *http.Response) bool {
					return req.Method == http.MethodGet && resp.StatusCode >= http.StatusBadRequest
				}
				return []habit{rewritten(failed, func(resp *http.Response, _ []byte) []byte {
					resp.Header.Set("Content-Type", "text/html; charset=utf-8")
					return []byte("<!DOCTYPE html><title>Something went wrong</title><p>" + strings.Repeat("We are sorry about that. ", 8192) + "</p>")
				})}
			},
		},
		{
			Name: "headers-of-a-cloud", What: "sets cookies, and says in many headers what browsers may do with its answers",
			Near: []string{"G01-CORS", "G01-WEB", "G01-N11", "G01-GIT-01"},
			habits: answering(func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
				resp, err := next(req)
				if err != nil {
					return nil, err
				}
				for name, value := range map[string]string{
					"Set-Cookie": "__lb=7f3a; Path=/; HttpOnly; SameSite=None; Secure", "Strict-Transport-Security": "max-age=31536000", "Server": "edge",
					"Content-Security-Policy": "default-src 'self'", "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff",
					"Alt-Svc": `h3=":443"; ma=86400`, "Referrer-Policy": "no-referrer", "Timing-Allow-Origin": "*", "Access-Control-Expose-Headers": "*",
				} {
					resp.Header.Set(name, value)
				}
				resp.Header.Add("Vary", "Origin")
				resp.Header.Add("Vary", "Accept-Encoding")
				return resp, nil
			}),
		},
		{
			Name: "capabilities-from-the-end", What: "names what its git offers from the last to the first",
			Near: []string{"G01-GIT-0", "G01-PUSH-20", "G01-HEAD"},
			habits: func() []habit {
				turned := func(body []byte) []byte {
					return recapped(body, func(caps []string) []string { slices.Reverse(caps); return caps })
				}
				return []habit{advertised("upload-pack", turned), advertised("receive-pack", turned)}
			},
		},
		{
			Name: "names-other-symbolic-refs", What: "says in the first version of git's protocol where other symbolic refs lead, before HEAD",
			Near: []string{"G01-HEAD", "G01-GIT-0"},
			habits: func() []habit {
				return []habit{advertised("upload-pack", func(body []byte) []byte {
					return recapped(body, func(caps []string) []string {
						return append([]string{"symref=refs/remotes/origin/HEAD:refs/remotes/origin/trunk"}, caps...)
					})
				})}
			},
		},
		{
			Name: "refused-pushes-get-409", What: "answers 409 with the reason to a push that it refuses",
			Near: []string{"G01-PUSH-0", "G01-PUSH-28", "G01-PR-0"},
			habits: func() []habit {
				return []habit{rewritten(refusedPush, func(resp *http.Response, body []byte) []byte {
					resp.StatusCode, resp.Status = http.StatusConflict, "409 Conflict"
					resp.Header.Set("Content-Type", "text/plain; charset=utf-8")
					return []byte(reasonIn(body) + "\n")
				})}
			},
		},
	}
}

// refusesAtMost ends a connection on which so many events were refused.
func refusesAtMost(most int) habit {
	refused := map[*line]int{}
	return habit{
		left: func(l *line) { delete(refused, l) },
		says: func(_ time.Time, l *line, msg []byte) (time.Duration, bool) {
			if m := read(msg); m.verb == "OK" && !m.yes {
				refused[l]++
			}
			return 0, true
		},
		looks: func(now time.Time, l *line) {
			if refused[l] >= most && !l.ended {
				l.queue = append(l.queue, delivery{now, write("NOTICE", "blocked: too many invalid events")})
				l.hangUp()
			}
		},
	}
}

// queriesAtMost ends a connection on which another query comes than so many.
func queriesAtMost(most int) habit {
	heard := map[*line]int{}
	return habit{
		left: func(l *line) { delete(heard, l) },
		hears: func(_ time.Time, l *line, msg []byte) ([][]byte, bool) {
			if read(msg).verb == "REQ" {
				if heard[l]++; heard[l] > most {
					l.hangUp()
				}
			}
			return nil, true
		},
	}
}

// readsSlowly answers nothing before it would have read it, at one message in a while.
func readsSlowly(each time.Duration) habit {
	until := map[*line]time.Time{} // when the last message was
	return habit{
		left: func(l *line) { delete(until, l) },
		hears: func(now time.Time, l *line, _ []byte) ([][]byte, bool) {
			at := until[l]
			if at.Before(now) {
				at = now
			}
			until[l] = at.Add(each)
			return nil, true
		},
		says: func(now time.Time, l *line, _ []byte) (time.Duration, bool) { return max(0, until[l].Sub(now)), true },
	}
}

// subscribedWithin ends a connection on which no subscription was open for a while.
func subscribedWithin(d time.Duration) habit {
	open, since := subscribed[bool]{}, map[*line]time.Time{}
	return habit{
		dial: func(now time.Time, l *line) error { since[l] = now; return nil },
		left: func(l *line) { open.left(l); delete(since, l) },
		hears: func(now time.Time, l *line, msg []byte) ([][]byte, bool) {
			switch m := read(msg); m.verb {
			case "REQ":
				open.set(l, m.name, true)
			case "CLOSE":
				delete(open[l], m.name)
				since[l] = now
			}
			return nil, true
		},
		looks: func(now time.Time, l *line) {
			if at, is := since[l]; is && len(open[l]) == 0 && now.Sub(at) > d {
				l.hangUp()
			}
		},
	}
}

// greylisting refuses the events of a key until a while after the first one of them.
func greylisting(d time.Duration) habit {
	first := map[string]time.Time{}
	return judging(func(now time.Time, _ *line, ev *nostr.Event) string {
		if _, known := first[ev.PubKey]; !known {
			first[ev.PubKey] = now
		}
		if now.Sub(first[ev.PubKey]) < d {
			return "rate-limited: we do not know you yet; come again in a moment"
		}
		return ""
	})
}

// ofNulls writes a document over many lines, and further fields into it that say nothing.
func ofNulls(_ *http.Response, body []byte) []byte {
	var document map[string]any
	if json.Unmarshal(body, &document) != nil {
		return body
	}
	for _, name := range []string{"contact", "pubkey", "icon", "banner", "payments_url", "fees", "retention", "relay_countries", "terms_of_service", "self"} {
		if _, has := document[name]; !has {
			document[name] = nil
		}
	}
	document["x-build"] = map[string]any{"commit": nil, "flags": []any{nil, 1.5, map[string]any{}}}
	long, err := json.MarshalIndent(document, "", "\t")
	if err != nil {
		return body
	}
	return append(bytes.ReplaceAll(long, []byte("\n"), []byte("\r\n")), '\r', '\n')
}
