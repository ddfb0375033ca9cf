package legal

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
)

// deferred are servers that do what they owe a while later than most, within what the text gives them.
func deferred() []Server {
	const erasure = 62
	return []Server{
		{
			Name: "deletes-three-seconds-later", What: "carries out what was asked to be deleted or to vanish three seconds after it has said yes",
			Near:   []string{"N09", "G01-DEL", "N62"},
			habits: func() []habit { return []habit{putOff(3*time.Second, kindDeletion, erasure)} },
		},
		{
			Name: "live-events-two-seconds-late", What: "sends what comes to those who listen two seconds after it has taken it",
			Near:   []string{"N01-REQ-01", "G01-PURG-08", "N01-REQ-03"},
			habits: func() []habit { return []habit{liveIn(func(time.Time) time.Duration { return 2 * time.Second })} },
			Owes:   map[string]string{"G01-PURG-21": "refs and events are apart for two seconds"},
		},
		{
			Name: "discards-after-21-minutes", What: "keeps what waits for git data for 21 minutes (AMB-15)",
			Near:   []string{"G01-PURG-11", "G01-PURG-12", "G01-PURG-13", "G01-PR-07", "G01-PR-08"},
			config: func(c *core.Config) { c.PurgatoryLife = 21 * time.Minute },
		},
		{
			Name: "discards-after-34-minutes", What: "keeps what waits for git data for 34 minutes, and refs without events for 24 (AMB-15)",
			Near:   []string{"G01-PURG-11", "G01-PURG-12", "G01-PURG-13", "G01-PR-07", "G01-PR-08"},
			config: func(c *core.Config) { c.PurgatoryLife, c.PlaceholderLife = 34*time.Minute, 24*time.Minute },
		},
		{
			Name: "clock-two-minutes-ahead", What: "has a clock that is two minutes ahead", ahead: 2 * time.Minute,
			Owes: map[string]string{"N40-01": "it tells by a clock that is off what has expired"},
			Near: []string{"N40", "N42", "G01-LAT", "N09"},
		},
		{
			Name: "clock-two-minutes-behind", What: "has a clock that is two minutes behind", ahead: -2 * time.Minute,
			Owes: map[string]string{"N40-01": "it tells by a clock that is off what has expired"},
			Near: []string{"N40", "N42", "G01-LAT", "N09"},
		},
		{
			Name: "warms-up-after-a-start", What: "answers 503 to everything for ten seconds after it was started again",
			Near: []string{"G01-PURG-14"}, Mortal: true,
			habits: warmingUp,
		},
	}
}

// protected reports whether an event has the tag of NIP-70, which needs no value.
func protected(ev *nostr.Event) bool {
	return slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool { return len(t) > 0 && t[0] == "-" })
}

// putOff says yes to events of some kinds, and takes them up a while later.
func putOff(after time.Duration, kinds ...int) habit {
	type waiting struct {
		due time.Time
		msg []byte
	}
	var kept []waiting
	flush := func(f *front, now time.Time) {
		for len(kept) > 0 && !kept[0].due.After(now) {
			f.tell(kept[0].msg)
			kept = kept[1:]
		}
	}
	return habit{
		looks: func(now time.Time, l *line) { flush(l.front, now) },
		hears: func(now time.Time, _ *line, msg []byte) ([][]byte, bool) {
			m := read(msg)
			if m.verb != "EVENT" || m.event == nil || !wellSigned(m.event) || protected(m.event) { // whose that may be is looked at first
				return nil, true
			}
			for _, kind := range kinds {
				if m.event.Kind == kind {
					kept = append(kept, waiting{now.Add(after), msg})
					return [][]byte{write("OK", m.event.ID, true, "")}, false
				}
			}
			return nil, true
		},
		answer: func(f *front, req *http.Request, next exchange) (*http.Response, error) {
			f.mu.Lock()
			err := f.catchUp(req.Context())
			if err == nil {
				flush(f, f.Now())
			}
			f.mu.Unlock()
			if err != nil {
				return nil, err
			}
			return next(req)
		},
	}
}

// tell says something to the server inside, on a connection of the front's own. The front's lock is held, and the server is in the present.
func (f *front) tell(msg []byte) {
	conn, err := f.inside.Dial(context.Background())
	if err != nil {
		return
	}
	_ = conn.Send(context.Background(), msg) // a simulated connection that was just opened takes it
	_ = conn.Close()
}

// warmingUp answers nobody for a while after a start.
func warmingUp() []habit {
	started, until := false, time.Time{}
	return []habit{{
		started: func() { started = true },
		dial: func(now time.Time, _ *line) error {
			if started {
				started, until = false, now.Add(10*time.Second)
			}
			if now.Before(until) {
				return turnedAway(http.StatusServiceUnavailable)
			}
			return nil
		},
		answer: func(f *front, req *http.Request, next exchange) (*http.Response, error) {
			f.mu.Lock()
			if started {
				started, until = false, f.Now().Add(10*time.Second)
			}
			cold := f.Now().Before(until)
			f.mu.Unlock()
			if cold {
				return page{http.StatusServiceUnavailable, "starting\n"}.to(req), nil
			}
			return next(req)
		},
	}}
}

// liveIn sends what comes to those who listen so much later.
func liveIn(after func(now time.Time) time.Duration) habit {
	ended := subscribed[bool]{}
	return habit{
		left: ended.left,
		hears: func(_ time.Time, l *line, msg []byte) ([][]byte, bool) {
			if m := read(msg); m.verb == "REQ" {
				ended.set(l, m.name, false)
			}
			return nil, true
		},
		says: func(now time.Time, l *line, msg []byte) (time.Duration, bool) {
			m := read(msg)
			switch {
			case m.verb == "EOSE":
				ended.set(l, m.name, true)
			case m.verb == "EVENT" && ended[l][m.name]:
				return after(now), true
			}
			return 0, true
		},
	}
}
