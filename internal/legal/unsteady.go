package legal

import (
	"net/http"
	"sync"
	"time"
)

// unsteady are servers that are not as fast each time as they were before, or stand still for a while.
func unsteady() []Server {
	return []Server{
		{
			Name: "notices-before-late-answers", What: "says by a NOTICE that it is at work on what is asked, and answers two seconds later",
			Near:   []string{"N01-EV", "N45", "N77", "G01-ANN-0", "G01-PURG-0"},
			habits: func() []habit { return []habit{atWork(2 * time.Second)} },
		},
		{
			Name: "git-stands-still-once", What: "answers nothing about repositories for 20 s, once",
			Near:   []string{"G01-GIT-0", "G01-PUSH-0", "G01-PR-0", "G01-HEAD", "G01-PURG-0"},
			habits: func() []habit { return []habit{standingStill(150, 20*time.Second)} },
		},
		{
			Name: "git-takes-25-seconds", What: "takes 25 s for every request about a repository",
			Near: []string{"G01-PR-07", "G01-PR-08", "G01-PR-16", "G01-PURG-11", "G01-PUSH-0"},
			habits: answering(func(f *front, req *http.Request, next exchange) (*http.Response, error) {
				if _, is := gitPlace(req); is && req.Method != http.MethodOptions {
					if err := f.Sleep(req.Context(), 25*time.Second); err != nil {
						return nil, err
					}
				}
				return next(req)
			}),
		},
		{
			Name: "git-one-after-the-other", What: "answers one request about repositories after the other, each in a third of a second",
			Near: []string{"G01-PUSH-25", "G01-PUSH-26", "G01-GIT-19", "SEC-08"},
			habits: func() []habit {
				turn := inTurn(time.Second / 3).answer
				return []habit{{answer: func(f *front, req *http.Request, next exchange) (*http.Response, error) {
					if _, is := gitPlace(req); is && req.Method != http.MethodOptions {
						return turn(f, req, next)
					}
					return next(req)
				}}}
			},
		},
		{
			Name: "compacts-each-minute", What: "answers 503 with Retry-After to all requests and handshakes in the last four seconds of each minute",
			habits: func() []habit {
				at := func(now time.Time) bool { return now.Second() >= 56 }
				return []habit{{
					dial: func(now time.Time, _ *line) error {
						if at(now) {
							return turnedAway(http.StatusServiceUnavailable)
						}
						return nil
					},
					answer: func(f *front, req *http.Request, next exchange) (*http.Response, error) {
						if at(f.Now()) {
							resp := page{http.StatusServiceUnavailable, "compacting\n"}.to(req)
							resp.Header.Set("Retry-After", "4")
							return resp, nil
						}
						return next(req)
					},
				}}
			},
		},
		{
			Name: "one-answer-in-forty-is-late", What: "takes four seconds for every fortieth answer",
			Near: []string{"N01-REQ", "N01-EV", "G01-GIT-0"},
			habits: func() []habit {
				var mu sync.Mutex
				n := 0
				late := func() bool {
					mu.Lock()
					defer mu.Unlock()
					n++
					return n%40 == 0
				}
				until := map[*line]time.Time{} // what follows waits for what was said before
				return []habit{{
					left: func(l *line) { delete(until, l) },
					says: func(now time.Time, l *line, _ []byte) (time.Duration, bool) {
						if late() {
							until[l] = now.Add(4 * time.Second)
						}
						return max(0, until[l].Sub(now)), true
					},
					answer: func(f *front, req *http.Request, next exchange) (*http.Response, error) {
						if late() {
							if err := f.Sleep(req.Context(), 4*time.Second); err != nil {
								return nil, err
							}
						}
						return next(req)
					},
				}}
			},
		},
		{
			Name: "live-events-in-ticks", What: "sends what comes to those who listen every three seconds",
			Near: []string{"N01-REQ", "G01-PURG-08", "N77"},
			habits: func() []habit {
				return []habit{liveIn(func(now time.Time) time.Duration { return now.Truncate(3 * time.Second).Add(3 * time.Second).Sub(now) })}
			},
		},
		{
			Name: "counts-in-four-seconds", What: "takes four seconds to count, and to reconcile",
			Near: []string{"N45", "N77", "N01-CNT", "G01-PURG-05"},
			habits: func() []habit {
				return []habit{{says: func(_ time.Time, _ *line, msg []byte) (time.Duration, bool) {
					switch read(msg).verb {
					case "COUNT", "NEG-MSG", "NEG-ERR":
						return 4 * time.Second, true
					}
					return 0, true
				}}}
			},
		},
	}
}

// atWork says of what will be answered that it is at work on it, and sends the answer so much later.
func atWork(late time.Duration) habit {
	return habit{says: func(now time.Time, l *line, msg []byte) (time.Duration, bool) {
		switch read(msg).verb {
		case "OK", "COUNT", "NEG-MSG":
			l.queue = append(l.queue, delivery{now, write("NOTICE", "this will take a moment")})
			return late, true
		}
		return 0, true
	}}
}

// standingStill answers so many requests about repositories, then none for a while, and all again.
func standingStill(first int, still time.Duration) habit {
	n, until := 0, time.Time{} // guarded by the front's lock
	return habit{answer: func(f *front, req *http.Request, next exchange) (*http.Response, error) {
		if _, is := gitPlace(req); !is {
			return next(req)
		}
		f.mu.Lock()
		now := f.Now()
		if n++; n == first {
			until = now.Add(still)
		}
		wait := until.Sub(now)
		f.mu.Unlock()
		if wait > 0 {
			if err := f.Sleep(req.Context(), wait); err != nil {
				return nil, err
			}
		}
		return next(req)
	}}
}
