package legal

import (
	"net/http"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"
)

// slow takes some time for every message, and for every HTTP exchange.
func slow(each time.Duration) habit {
	return habit{
		says: func(time.Time, *line, []byte) (time.Duration, bool) { return each, true },
		answer: func(f *front, req *http.Request, next exchange) (*http.Response, error) {
			if err := f.Sleep(req.Context(), each); err != nil {
				return nil, err
			}
			return next(req)
		},
	}
}

// sweeping releases what was held at the next full period after git data has come: until then it is in no answer, and
// goes to those who listen when it is released.
func sweeping(period time.Duration) habit {
	due := map[string]time.Time{} // by id of an event that was held; zero until the server inside shows it
	open := subscribed[bool]{}    // whether its stored events are out
	return habit{
		hears: func(_ time.Time, l *line, msg []byte) ([][]byte, bool) {
			if m := read(msg); m.verb == "REQ" {
				open.set(l, m.name, false)
			}
			return nil, true
		},
		left: open.left,
		says: func(now time.Time, l *line, msg []byte) (time.Duration, bool) {
			m := read(msg)
			switch {
			case m.verb == "EOSE":
				open.set(l, m.name, true)
			case m.verb == "OK" && m.yes && strings.HasPrefix(m.text, "purgatory:"):
				due[m.name] = time.Time{}
			case m.verb == "EVENT" && m.event != nil:
				return swept(now, due, period, m.event, open[l][m.name])
			}
			return 0, true
		},
	}
}

// swept says when an event goes out, live or as one that is stored.
func swept(now time.Time, due map[string]time.Time, period time.Duration, ev *nostr.Event, live bool) (time.Duration, bool) {
	at, held := due[ev.ID]
	if !held {
		return 0, true
	}
	if at.IsZero() {
		at = now.Truncate(period).Add(period)
		due[ev.ID] = at
	}
	return max(at.Sub(now), 0), live || !now.Before(at)
}
