package legal

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/target"
)

// passing are servers that are away now and then, or have only so much room or pace for anybody.
func passing() []Server {
	return []Server{
		{
			Name: "deploys-now-and-then", What: "is made anew every three minutes: ends all connections, and answers 502 for three seconds",
			habits: func() []habit { return []habit{deployed(3*time.Minute, 3*time.Second)} },
		},
		{
			Name: "ends-the-oldest", What: "has room for eight connections, and ends the oldest one for another",
			habits: func() []habit {
				var open []*line
				return []habit{{
					dial: func(_ time.Time, l *line) error {
						if len(open) >= 8 {
							open[0].hangUp()
							open = open[1:]
						}
						open = append(open, l)
						return nil
					},
					left: func(l *line) { open = slices.DeleteFunc(open, func(o *line) bool { return o == l }) },
				}}
			},
		},
		{
			Name: "starts-after-fifty-seconds", What: "can be connected to fifty seconds after it was started again",
			Near: []string{"G01-PURG-14", "G01-GIT-01.restart", "G01-REL-01.restart", "N09-05.restart"}, Mortal: true,
			habits: func() []habit { return []habit{startsLate(50 * time.Second)} },
		},
		{
			Name: "sixty-events-a-minute", What: "takes sixty events a minute on a connection",
			Near: []string{"N77-05", "G01-PURG-23"},
			habits: func() []habit {
				by := map[*line]*bucket{}
				h := judging(func(now time.Time, l *line, _ *nostr.Event) string {
					if by[l] == nil {
						by[l] = &bucket{size: 60, each: time.Second}
					}
					if !by[l].take(now) {
						return "rate-limited: sixty events a minute are taken"
					}
					return ""
				})
				h.left = func(l *line) { delete(by, l) }
				return []habit{h}
			},
		},
		{
			Name: "a-repository-every-twenty-seconds", What: "takes ten new repositories at once and one each twenty seconds",
			habits: func() []habit {
				b, known := &bucket{size: 10, each: 20 * time.Second}, map[place]bool{}
				return []habit{judging(func(now time.Time, _ *line, ev *nostr.Event) string {
					where := placeOf(ev)
					if ev.Kind != kindAnnouncement || known[where] {
						return ""
					}
					if !b.take(now) {
						return "rate-limited: new repositories are made one each twenty seconds"
					}
					known[where] = true
					return ""
				})}
			},
		},
		{
			Name: "sixty-wait-at-most", What: "has room for sixty announcements that wait for git data, and refuses another one until one of them has gone",
			Near:   []string{"G01-PURG-01", "G01-PURG-12"},
			habits: func() []habit { return []habit{waitingRoom(60)} },
		},
	}
}

// deployed is away for a while in each period, behind the first of them.
func deployed(period, away time.Duration) habit {
	var begun time.Time
	opened := map[*line]int{}
	at := func(now time.Time) (n int, gone bool) {
		if begun.IsZero() {
			begun = now
		}
		n = int(now.Sub(begun) / period)
		return n, n > 0 && now.Sub(begun)%period < away
	}
	return habit{
		dial: func(now time.Time, l *line) error {
			n, gone := at(now)
			if gone {
				return turnedAway(http.StatusBadGateway)
			}
			opened[l] = n
			return nil
		},
		left: func(l *line) { delete(opened, l) },
		looks: func(now time.Time, l *line) {
			if n, _ := at(now); n > opened[l] {
				l.hangUp()
			}
		},
		answer: func(f *front, req *http.Request, next exchange) (*http.Response, error) {
			f.mu.Lock()
			_, gone := at(f.Now())
			f.mu.Unlock()
			if gone {
				return page{http.StatusBadGateway, "bad gateway\n"}.to(req), nil
			}
			return next(req)
		},
	}
}

// startsLate cannot be connected to for a while after a start.
func startsLate(after time.Duration) habit {
	started, until := false, time.Time{}
	cold := func(now time.Time) error {
		if started {
			started, until = false, now.Add(after)
		}
		if now.Before(until) {
			return fmt.Errorf("connect: connection refused: %w", target.ErrClosed)
		}
		return nil
	}
	return habit{
		started: func() { started = true },
		dial:    func(now time.Time, _ *line) error { return cold(now) },
		answer: func(f *front, req *http.Request, next exchange) (*http.Response, error) {
			f.mu.Lock()
			err := cold(f.Now())
			f.mu.Unlock()
			if err != nil {
				return nil, err
			}
			return next(req)
		},
	}
}

// waitingRoom takes so many announcements that wait. Each waits until something of its repository is served, it is deleted, or half an
// hour is over.
func waitingRoom(most int) habit {
	waits, since := map[place]string{}, map[place]time.Time{}
	asked := map[string]place{}
	h := judging(func(now time.Time, _ *line, ev *nostr.Event) string {
		for where, at := range since {
			if now.Sub(at) > 31*time.Minute {
				delete(waits, where)
				delete(since, where)
			}
		}
		switch ev.Kind {
		case kindDeletion:
			for where, id := range waits {
				own := fmt.Sprintf("%d:%s:%s", kindAnnouncement, where.owner, where.identifier)
				if where.owner == ev.PubKey && wellSigned(ev) && (ev.Tags.FindWithValue("e", id) != nil || ev.Tags.FindWithValue("a", own) != nil) {
					delete(waits, where)
					delete(since, where)
				}
			}
		case kindAnnouncement:
			where := placeOf(ev)
			if _, known := waits[where]; !known && len(waits) >= most {
				return "restricted: too many announcements wait for git data already"
			}
			asked[ev.ID] = where
		}
		return ""
	})
	h.says = func(now time.Time, _ *line, msg []byte) (time.Duration, bool) {
		m := read(msg)
		switch {
		case m.verb == "OK" && m.yes && m.text == "purgatory: won't be served until git data arrives":
			if where, is := asked[m.name]; is {
				waits[where], since[where] = m.name, now
			}
		case m.verb == "EVENT" && m.event != nil && m.event.Kind == kindAnnouncement:
			delete(waits, placeOf(m.event))
			delete(since, placeOf(m.event))
		}
		return 0, true
	}
	return h
}
