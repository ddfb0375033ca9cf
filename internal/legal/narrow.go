package legal

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/web"
)

// narrow are servers that have little room, or little patience, and say what is too much in their own ways.
func narrow() []Server {
	return []Server{
		{
			Name: "sixteen-repositories", What: "has room for sixteen repositories, and for three of a key, until one is deleted",
			Near:   []string{"G01-ANN-01", "G01-PURG-12"},
			habits: func() []habit { return []habit{roomFor(16, 3)} },
		},
		{
			Name: "little-of-everything", What: "takes ten subscriptions, five filters and twenty values, gives a hundred events, ends them late, and tells the time meanwhile",
			Near: []string{"N01-REQ", "G01-N11-08", "G01-PURG-05"},
			habits: func() []habit {
				return []habit{
					limiting(map[string]int{"max_subscriptions": 10, "max_filters": 5, "max_limit": 100}),
					subscriptions(10), fewValues(5, 20), atMost(100), endsLate(2500 * time.Millisecond), tellsTheTime(),
				}
			},
		},
		{
			Name: "hangs-up-after-ten-seconds", What: "ends a connection on which nothing was said for ten seconds",
			Near:   []string{"G01-PURG-07", "G01-PURG-08", "N01-REQ-03"},
			habits: func() []habit { return []habit{lasting(10*time.Second, true)} },
		},
		{
			Name: "hangs-up-on-the-ninth", What: "opens the ninth connection, says that it is one too many, and ends it",
			habits: func() []habit { return []habit{oneTooMany(8)} },
		},
		{
			Name: "hangs-up-in-haste", What: "ends a connection on which more than twenty events came at once, or five in a second",
			Near: []string{"N77-05", "N01-REQ-02"},
			habits: func() []habit {
				by := map[*line]*bucket{}
				return []habit{{left: func(l *line) { delete(by, l) }, hears: func(now time.Time, l *line, msg []byte) ([][]byte, bool) {
					if read(msg).verb != "EVENT" {
						return nil, true
					}
					if by[l] == nil {
						by[l] = &bucket{size: 20, each: 200 * time.Millisecond}
					}
					if by[l].take(now) {
						return nil, true
					}
					l.deliver(write("NOTICE", "rate-limited: twenty events at once and five in a second are taken"))
					l.hangUp()
					return nil, false
				}}}
			},
		},
		{
			Name: "busy-until-a-date", What: "answers 503 to every ninth request, with the date on which to come again",
			habits: func() []habit {
				var mu sync.Mutex
				n := 0
				return []habit{{answer: func(f *front, req *http.Request, next exchange) (*http.Response, error) {
					mu.Lock()
					n++
					busy := n%9 == 0
					mu.Unlock()
					if !busy {
						return next(req)
					}
					resp := page{http.StatusServiceUnavailable, "busy\n"}.to(req)
					resp.Header.Set("Retry-After", f.Now().Add(2*time.Second).UTC().Format(http.TimeFormat))
					return resp, nil
				}}}
			},
		},
		{
			Name: "too-fast-without-a-date", What: "takes forty HTTP requests at once and ten each second, and answers a bare 429 to more",
			habits: func() []habit {
				b := &bucket{size: 40, each: 100 * time.Millisecond}
				return []habit{{answer: func(f *front, req *http.Request, next exchange) (*http.Response, error) {
					f.mu.Lock()
					taken := b.take(f.Now())
					f.mu.Unlock()
					if taken {
						return next(req)
					}
					return page{http.StatusTooManyRequests, ""}.to(req), nil
				}}}
			},
		},
		{
			Name: "git-alone", What: "takes events of git and what goes with them, and nothing else, and says so",
			Near: []string{"G01-REL", "N01-REP", "N34"},
			web:  func(c *web.Config) { c.Curation = "Only the events of git are taken: NIP-34, comments and deletions." },
			habits: func() []habit {
				kinds := []int{5, 62, 1111, 1617, 1618, 1619, 1621, 1622, 1630, 1631, 1632, 1633, 10317, 22242, 30617, 30618}
				return []habit{judging(func(_ time.Time, _ *line, ev *nostr.Event) string {
					if !slices.Contains(kinds, ev.Kind) {
						return fmt.Sprintf("blocked: kind %d is none of git", ev.Kind)
					}
					return ""
				})}
			},
		},
		{
			Name: "authenticates-who-publishes", What: "takes events of whoever has authenticated as their author, and says so",
			Near:   []string{"N42", "N70", "N01-EV", "G01-PUSH-0"},
			web:    func(c *web.Config) { c.Curation = "Authors authenticate." },
			filter: challengesAll, habits: func() []habit { return []habit{authenticating()} },
		},
		{
			Name: "private-announcements-refused", What: "refuses announcements that are marked as private",
			Near: []string{"G01-ANN-2", "G08"},
			habits: func() []habit {
				return []habit{judging(func(_ time.Time, _ *line, ev *nostr.Event) string {
					if ev.Kind == kindAnnouncement && ev.Tags.Find("private") != nil {
						return "restricted: this is a public service"
					}
					return ""
				})}
			},
		},
		{
			Name: "pushes-of-two-mib", What: "answers 413 to a push of more than two MiB, and reads it first",
			Near: []string{"G01-GIT-19", "G01-PUSH-24", "G01-PUSH-28", "G01-PR-09"},
			habits: answering(func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
				body, err := whole(req)
				if err != nil {
					return nil, err
				}
				if isLargePush(req, len(body)-2<<20) {
					return page{http.StatusRequestEntityTooLarge, "a push has two MiB at most\n"}.to(req), nil
				}
				return next(req)
			}),
		},
		{
			Name: "reconciles-narrowly", What: "reconciles what names an author, an id, a kind or a tag, and refuses to reconcile everything",
			Near: []string{"N77", "G01-PURG-05"},
			habits: func() []habit {
				return []habit{{hears: func(_ time.Time, _ *line, msg []byte) ([][]byte, bool) {
					if m := read(msg); m.verb == "NEG-OPEN" && len(m.parts) > 2 && isBroad(m.parts[2]) {
						return [][]byte{write("NEG-ERR", m.name, "blocked: this query is too big")}, false
					}
					return nil, true
				}}}
			},
		},
	}
}

// roomFor takes so many repositories, and so many of a key. One whose announcement is deleted makes room.
func roomFor(most, each int) habit {
	all := map[place]string{} // id of the announcement
	h := judging(func(_ time.Time, _ *line, ev *nostr.Event) string {
		switch ev.Kind {
		case kindDeletion:
			for where, id := range all {
				own := fmt.Sprintf("%d:%s:%s", kindAnnouncement, where.owner, where.identifier)
				if where.owner == ev.PubKey && wellSigned(ev) && (ev.Tags.FindWithValue("e", id) != nil || ev.Tags.FindWithValue("a", own) != nil) {
					delete(all, where)
				}
			}
		case kindAnnouncement:
			where := placeOf(ev)
			if _, known := all[where]; known {
				return ""
			}
			own := 0
			for other := range all {
				if other.owner == where.owner {
					own++
				}
			}
			if len(all) >= most {
				return "restricted: there is no room for more repositories here"
			}
			if own >= each {
				return fmt.Sprintf("restricted: %d repositories of a key are taken", each)
			}
			all[where] = ev.ID
		}
		return ""
	})
	h.says = func(_ time.Time, _ *line, msg []byte) (time.Duration, bool) {
		if m := read(msg); m.verb == "OK" && !m.yes { // what is refused takes no room
			maps.DeleteFunc(all, func(_ place, id string) bool { return id == m.name })
		}
		return 0, true
	}
	return h
}

// endsLate sends the end of the stored events a while after them.
func endsLate(after time.Duration) habit {
	return habit{says: func(_ time.Time, _ *line, msg []byte) (time.Duration, bool) {
		if read(msg).verb == "EOSE" {
			return after, true
		}
		return 0, true
	}}
}

// tellsTheTime sends a NOTICE every ten seconds on a connection that is in use.
func tellsTheTime() habit {
	last := map[*line]time.Time{}
	return habit{
		left: func(l *line) { delete(last, l) },
		looks: func(now time.Time, l *line) {
			if now.Sub(last[l]) > 10*time.Second {
				last[l] = now
				l.queue = append(l.queue, delivery{now, write("NOTICE", "it is "+now.UTC().Format(time.TimeOnly))})
			}
		},
	}
}

// oneTooMany opens any connection, and ends one beyond a number at once.
func oneTooMany(most int) habit {
	open, over := map[*line]bool{}, map[*line]bool{}
	return habit{
		dial: func(now time.Time, l *line) error {
			if len(open) >= most {
				over[l] = true
				l.queue = append(l.queue, delivery{now, write("NOTICE", "rate-limited: too many connections")})
				return nil
			}
			open[l] = true
			return nil
		},
		looks: func(_ time.Time, l *line) {
			if over[l] {
				l.hangUp()
			}
		},
		left: func(l *line) { delete(open, l); delete(over, l) },
	}
}

// challengesAll sends a challenge on every connection as soon as it is open.
func challengesAll() defect.Filter {
	return defect.Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		if opened, is := i.(core.ConnOpened); is {
			return append(effects, core.Send{Conn: opened.Conn, Msg: relay.Challenge{Text: opened.Challenge}})
		}
		return effects
	}}
}

// authenticating refuses events of whom a connection has not authenticated.
func authenticating() habit {
	asked, known := map[string]string{}, subscribed[bool]{} // author by id of an authentication; who has authenticated
	return habit{
		left: known.left,
		hears: func(_ time.Time, l *line, msg []byte) ([][]byte, bool) {
			m := read(msg)
			var auth nostr.Event
			if m.verb == "AUTH" && len(m.parts) > 1 && json.Unmarshal(m.parts[1], &auth) == nil {
				asked[auth.ID] = auth.PubKey
			}
			if m.verb == "EVENT" && m.event != nil && wellSigned(m.event) && !known[l][m.event.PubKey] {
				return refusal(m.event, "auth-required: authenticate as the author of the event"), false
			}
			return nil, true
		},
		says: func(_ time.Time, l *line, msg []byte) (time.Duration, bool) {
			if m := read(msg); m.verb == "OK" && m.yes && asked[m.name] != "" {
				known.set(l, asked[m.name], true)
			}
			return 0, true
		},
	}
}
