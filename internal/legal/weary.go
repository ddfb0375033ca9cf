package legal

import (
	"hash/fnv"
	"net/http"
	"time"
)

// weary are servers that grow slow, or turn away who asks much, and those whose answers overtake each other.
func weary() []Server {
	return []Server{
		{
			Name: "weary-behind-a-thousand-answers", What: "takes three seconds for every answer once it has given a thousand",
			Near:   []string{"N01-EV", "G01-PUSH-0"},
			habits: func() []habit { return []habit{tires(1000, 3*time.Second)} },
		},
		{
			Name: "slower-behind-refusals", What: "takes five seconds for every answer on a connection on which it has refused three events",
			Near:   []string{"N01-EV-01", "G01-ANN-10", "N01-ERR-01"},
			habits: func() []habit { return []habit{tarpit(3, 5*time.Second)} },
		},
		{
			Name: "queries-past-each-other", What: "takes up to three seconds for a query, and answers others meanwhile",
			Near:   []string{"N01-REQ-02", "G01-PURG-05", "G01-PUSH-21"},
			habits: func() []habit { return []habit{pastEachOther(3 * time.Second)} },
		},
		{
			Name: "last-first", What: "says twice a second what it has come to of the events that came meanwhile, of the last one first, and sends them out before",
			Near: []string{"N01-EV-03", "N01-REP", "G01-PURG-08", "G01-LAT-01"},
			habits: func() []habit {
				const tick = 500 * time.Millisecond
				n := 0
				return []habit{{says: func(now time.Time, _ *line, msg []byte) (time.Duration, bool) {
					if read(msg).verb != "OK" {
						return 0, true
					}
					n++
					return now.Truncate(tick).Add(tick).Sub(now) + time.Duration(999-n%1000)*time.Microsecond, true
				}}}
			},
		},
		{
			Name: "forbidden-for-a-minute", What: "answers 403 to every request and handshake where there were more than six hundred in a minute, until there were fewer",
			habits: func() []habit { return []habit{forbids(600, time.Minute)} },
		},
		{
			Name: "asks-for-an-agent", What: "answers 403 to whoever does not say what program he uses",
			Near: []string{"G01-CORS", "G01-N11", "G01-GIT-1"},
			habits: answering(func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
				if req.Header.Get("User-Agent") == "" {
					return page{http.StatusForbidden, "say who you are\n"}.to(req), nil
				}
				return next(req)
			}),
		},
	}
}

// tires takes so long for each answer once it has given so many.
func tires(first int, late time.Duration) habit {
	n := 0 // guarded by the front's lock
	slower := func() time.Duration {
		if n++; n > first {
			return late
		}
		return 0
	}
	until := map[*line]time.Time{} // what follows waits for what was said before
	return habit{
		left: func(l *line) { delete(until, l) },
		says: func(now time.Time, l *line, _ []byte) (time.Duration, bool) {
			if due := now.Add(slower()); due.After(until[l]) {
				until[l] = due
			}
			return until[l].Sub(now), true
		},
		answer: func(f *front, req *http.Request, next exchange) (*http.Response, error) {
			f.mu.Lock()
			wait := slower()
			f.mu.Unlock()
			if err := f.Sleep(req.Context(), wait); err != nil {
				return nil, err
			}
			return next(req)
		},
	}
}

// tarpit takes so long for each answer on a connection on which it has refused so many events.
func tarpit(most int, late time.Duration) habit {
	refused, until := map[*line]int{}, map[*line]time.Time{}
	return habit{
		left: func(l *line) { delete(refused, l); delete(until, l) },
		says: func(now time.Time, l *line, msg []byte) (time.Duration, bool) {
			m := read(msg)
			if refused[l] >= most && m.verb != "EVENT" {
				until[l] = now.Add(late)
			}
			if m.verb == "OK" && !m.yes {
				refused[l]++
			}
			return max(0, until[l].Sub(now)), true
		},
	}
}

// pastEachOther answers each query in a time of its own, by the name of its subscription. What was stored for it, and its end,
// come together.
func pastEachOther(most time.Duration) habit {
	until := subscribed[time.Time]{} // when the stored events of a query are out
	return habit{
		left: until.left,
		hears: func(now time.Time, l *line, msg []byte) ([][]byte, bool) {
			m := read(msg)
			switch m.verb {
			case "REQ", "COUNT":
				h := fnv.New32a()
				_, _ = h.Write([]byte(m.name)) // a hash takes everything
				until.set(l, m.name, now.Add(most*time.Duration(h.Sum32()%100)/100))
			}
			return nil, true
		},
		says: func(now time.Time, l *line, msg []byte) (time.Duration, bool) {
			m := read(msg)
			switch m.verb {
			case "EVENT", "EOSE", "COUNT":
				return max(0, until[l][m.name].Sub(now)), true
			}
			return 0, true
		},
	}
}

// forbids answers 403 to everybody while there were more requests and handshakes than so many in a while.
func forbids(most int, span time.Duration) habit {
	var asked []time.Time // guarded by the front's lock; the last of them
	over := func(now time.Time) bool {
		asked = append(asked, now)
		if len(asked) > most+1 {
			asked = asked[1:]
		}
		return len(asked) > most && now.Sub(asked[0]) < span
	}
	return habit{
		dial: func(now time.Time, _ *line) error {
			if over(now) {
				return turnedAway(http.StatusForbidden)
			}
			return nil
		},
		answer: func(f *front, req *http.Request, next exchange) (*http.Response, error) {
			f.mu.Lock()
			forbidden := over(f.Now())
			f.mu.Unlock()
			if forbidden {
				return page{http.StatusForbidden, "Request blocked.\n"}.to(req), nil
			}
			return next(req)
		},
	}
}
