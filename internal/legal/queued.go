package legal

import (
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/graspkit/graspkit/conformance/target"
)

// queued are servers that put things in a queue, and are in no haste with one sort of them.
func queued() []Server {
	return []Server{
		{
			Name: "one-message-after-another", What: "answers one message of anybody after the other, each in 50 ms",
			Near:   []string{"G01-PR-09", "N01-ERR-01", "G01-PUSH-25", "N77-05"},
			habits: func() []habit { return []habit{inTurn(50 * time.Millisecond)} },
		},
		{
			Name: "pushes-take-twelve-seconds", What: "takes twelve seconds for a push, and answers everything else at once",
			Near: []string{"G01-PUSH-01", "G01-PUSH-28", "G01-PURG-07", "G01-PR-01"},
			habits: answering(func(f *front, req *http.Request, next exchange) (*http.Response, error) {
				if isPush(req) {
					if err := f.Sleep(req.Context(), 12*time.Second); err != nil {
						return nil, err
					}
				}
				return next(req)
			}),
		},
		{
			Name: "announcements-take-seven-seconds", What: "makes a repository before it answers the announcement, which takes seven seconds",
			Near: []string{"G01-ANN-01", "G01-PURG-01", "G01-PURG-06", "G01-ANN-16"},
			habits: func() []habit {
				asked := map[string]bool{}
				return []habit{{
					hears: func(_ time.Time, _ *line, msg []byte) ([][]byte, bool) {
						if m := read(msg); m.verb == "EVENT" && m.event != nil && m.event.Kind == kindAnnouncement {
							asked[m.event.ID] = true
						}
						return nil, true
					},
					says: func(_ time.Time, _ *line, msg []byte) (time.Duration, bool) {
						if m := read(msg); m.verb == "OK" && m.yes && asked[m.name] && !strings.HasPrefix(m.text, "duplicate:") {
							return 7 * time.Second, true
						}
						return 0, true
					},
				}}
			},
		},
		{
			Name: "refusals-take-three-seconds", What: "takes three seconds for every answer by which it refuses something",
			Near: []string{"G01-ANN-12", "G01-MNT-01", "G01-HEAD-06", "G01-GIT-11"},
			habits: func() []habit {
				return []habit{{
					says: func(_ time.Time, _ *line, msg []byte) (time.Duration, bool) {
						if m := read(msg); m.verb == "OK" && !m.yes || m.verb == "CLOSED" {
							return 3 * time.Second, true
						}
						return 0, true
					},
					answer: func(f *front, req *http.Request, next exchange) (*http.Response, error) {
						resp, err := next(req)
						if err == nil && resp.StatusCode >= http.StatusBadRequest {
							err = f.Sleep(req.Context(), 3*time.Second)
						}
						return resp, err
					},
				}}
			},
		},
		{
			Name: "bodies-trickle", What: "sends the head of an answer at once, and its body two seconds later",
			Near: []string{"G01-GIT-01", "G01-GIT-19", "G01-N11-01", "G01-DEL-01.halfway"},
			habits: answering(func(f *front, req *http.Request, next exchange) (*http.Response, error) {
				resp, err := next(req)
				if err == nil && resp.StatusCode == http.StatusOK {
					resp.Body = &trickle{ReadCloser: resp.Body, front: f, req: req}
				}
				return resp, err
			}),
		},
		{
			Name: "wakes-up", What: "takes four seconds for the first answer on each connection",
			Near: []string{"N01-WS-01", "N01-REQ-01", "N01-EV-01"},
			habits: func() []habit {
				awake := map[*line]time.Time{}
				return []habit{{
					left: func(l *line) { delete(awake, l) },
					hears: func(now time.Time, l *line, _ []byte) ([][]byte, bool) {
						if awake[l].IsZero() {
							awake[l] = now.Add(4 * time.Second)
						}
						return nil, true
					},
					says: func(now time.Time, l *line, _ []byte) (time.Duration, bool) { return max(0, awake[l].Sub(now)), true },
				}}
			},
		},
		{
			Name: "shows-events-later", What: "shows an event to queries and to those who listen a second and a half after it has taken it",
			Near: []string{"N01-REQ", "N01-REP", "G01-REL", "N09"},
			Owes: map[string]string{"G01-PURG-21": "refs and events are apart for a while"},
			habits: func() []habit {
				const later = 1500 * time.Millisecond
				return []habit{indexing(always(later)), liveIn(func(time.Time) time.Duration { return later })}
			},
		},
		{
			Name: "states-follow", What: "releases an announcement at once, and its state a second and a half later",
			Near: []string{"G01-PURG-07", "G01-PURG-08", "G01-PURG-21"},
			habits: func() []habit {
				h := sweeping(1500 * time.Millisecond)
				says := h.says
				h.says = func(now time.Time, l *line, msg []byte) (time.Duration, bool) {
					if m := read(msg); m.verb == "EVENT" && m.event != nil && m.event.Kind != kindState {
						return 0, true
					}
					return says(now, l, msg)
				}
				return []habit{h}
			},
		},
	}
}

func isPush(req *http.Request) bool {
	at, _, _ := strings.Cut(target.RequestTarget(req), "?")
	return req.Method == http.MethodPost && strings.HasSuffix(at, "/git-receive-pack")
}

// inTurn has one answer after the other go out, whoever it is for, and takes so long for each.
func inTurn(each time.Duration) habit {
	var free time.Time // guarded by the front's lock
	turn := func(now time.Time) time.Duration {
		if free.Before(now) {
			free = now
		}
		free = free.Add(each)
		return free.Sub(now)
	}
	return habit{
		says: func(now time.Time, _ *line, msg []byte) (time.Duration, bool) {
			if read(msg).verb == "EVENT" { // goes with the answer behind it
				return max(0, free.Sub(now)), true
			}
			return turn(now), true
		},
		answer: func(f *front, req *http.Request, next exchange) (*http.Response, error) {
			f.mu.Lock()
			wait := turn(f.Now())
			f.mu.Unlock()
			if err := f.Sleep(req.Context(), wait); err != nil {
				return nil, err
			}
			return next(req)
		},
	}
}

// A trickle is a body that comes a while after its head.
type trickle struct {
	io.ReadCloser

	front *front
	req   *http.Request
	begun bool
}

// Read implements io.Reader.
func (t *trickle) Read(p []byte) (int, error) {
	if !t.begun {
		t.begun = true
		if err := t.front.Sleep(t.req.Context(), 2*time.Second); err != nil {
			return 0, err
		}
	}
	return t.ReadCloser.Read(p) //nolint:wrapcheck // it is the body's own
}
