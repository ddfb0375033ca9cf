package legal

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/nbd-wtf/go-nostr"
)

// paced are servers that take only so much of something, or only so fast.
func paced() []Server {
	return []Server{
		{
			Name: "two-repositories-a-key", What: "takes two repositories of each key",
			habits: func() []habit {
				by := map[string]map[place]bool{}
				return []habit{judging(func(_ time.Time, _ *line, ev *nostr.Event) string {
					if ev.Kind != kindAnnouncement {
						return ""
					}
					own, where := by[ev.PubKey], placeOf(ev)
					if own == nil {
						own = map[place]bool{}
						by[ev.PubKey] = own
					}
					if !own[where] && len(own) >= 2 {
						return "restricted: two repositories for each key are taken"
					}
					own[where] = true
					return ""
				})}
			},
		},
		{
			Name: "room-for-hundred-repositories", What: "has room for a hundred repositories, whoever announces them",
			habits: func() []habit {
				all := map[place]bool{}
				return []habit{judging(func(_ time.Time, _ *line, ev *nostr.Event) string {
					where := placeOf(ev)
					if ev.Kind != kindAnnouncement || all[where] {
						return ""
					}
					if len(all) >= 100 {
						return "restricted: there is no room for more repositories"
					}
					all[where] = true
					return ""
				})}
			},
		},
		{
			Name: "six-connections", What: "takes six connections at a time, and answers 429 to the handshake of another",
			habits: func() []habit { return []habit{connections(6)} },
		},
		{
			Name: "every-third-event-too-fast", What: "asks for a slower pace at every third event",
			habits: func() []habit {
				n := 0
				return []habit{judging(func(_ time.Time, _ *line, _ *nostr.Event) string {
					if n++; n%3 == 0 {
						return "rate-limited: slow down"
					}
					return ""
				})}
			},
		},
		{
			Name: "bucket-of-fifteen-events", What: "takes 15 events at once and one each second",
			habits: func() []habit {
				b := &bucket{size: 15, each: time.Second}
				return []habit{judging(func(now time.Time, _ *line, _ *nostr.Event) string {
					if !b.take(now) {
						return "rate-limited: 15 events at once and one each second are taken"
					}
					return ""
				})}
			},
		},
		{
			Name: "sixty-events-a-connection", What: "takes sixty events on a connection",
			habits: func() []habit {
				return []habit{judging(func(_ time.Time, l *line, _ *nostr.Event) string {
					if l.events++; l.events > 60 {
						return "rate-limited: sixty events on a connection are taken"
					}
					return ""
				})}
			},
		},
		{
			Name: "requests-in-a-bucket", What: "takes 40 HTTP requests at once and ten each second, and answers 429 with Retry-After to more",
			habits: func() []habit {
				every := func(*http.Request) bool { return true }
				return []habit{throttling(&bucket{size: 40, each: 100 * time.Millisecond}, every)}
			},
		},
		{
			Name: "hangs-up-when-idle", What: "ends a connection on which nothing was said for a minute",
			Near:   []string{"G01-PURG-11", "N01-REQ-03"},
			habits: func() []habit { return []habit{lasting(time.Minute, true)} },
		},
	}
}

// lasting ends a connection so long after it was opened or, if that counts, after the client has said something on it.
func lasting(d time.Duration, talk bool) habit {
	since := map[*line]time.Time{}
	return habit{
		dial: func(now time.Time, l *line) error { since[l] = now; return nil },
		left: func(l *line) { delete(since, l) },
		looks: func(now time.Time, l *line) {
			if now.Sub(since[l]) > d {
				l.hangUp()
			}
		},
		hears: func(now time.Time, l *line, _ []byte) ([][]byte, bool) {
			if talk {
				since[l] = now
			}
			return nil, true
		},
	}
}

// judging refuses events by what verdict says; "" lets one pass.
func judging(verdict func(now time.Time, l *line, ev *nostr.Event) string) habit {
	return habit{hears: func(now time.Time, l *line, msg []byte) ([][]byte, bool) {
		m := read(msg)
		if m.verb != "EVENT" || m.event == nil {
			return nil, true
		}
		if text := verdict(now, l, m.event); text != "" {
			return refusal(m.event, text), false
		}
		return nil, true
	}}
}

// A bucket holds some tokens at most, and gains one each so long. The zero time finds it full.
type bucket struct {
	size int
	each time.Duration
	full time.Time // when it will be full
}

func (b *bucket) take(now time.Time) bool {
	if b.full.Before(now) {
		b.full = now
	}
	if b.full.Sub(now) > time.Duration(b.size-1)*b.each {
		return false
	}
	b.full = b.full.Add(b.each)
	return true
}

// throttling answers 429, with the whole seconds after which to try again, to requests of a kind that a bucket has no token for.
func throttling(b *bucket, which func(*http.Request) bool) habit {
	return habit{answer: func(f *front, req *http.Request, next exchange) (*http.Response, error) {
		if !which(req) {
			return next(req)
		}
		f.mu.Lock()
		taken := b.take(f.Now())
		f.mu.Unlock()
		if taken {
			return next(req)
		}
		resp := page{http.StatusTooManyRequests, "slow down\n"}.to(req)
		resp.Header.Set("Retry-After", fmt.Sprint(max(1, int(b.each/time.Second))))
		return resp, nil
	}}
}

// errHandshake is a handshake that was answered by something else, in the words of a live client.
var errHandshake = errors.New("expected handshake response status code 101")

// turnedAway is the end of a handshake that is answered so.
func turnedAway(status int) error {
	return fmt.Errorf("WebSocket handshake answered with HTTP %d: %w", status, errHandshake)
}

// connections turns away who would have more of them open than a number.
func connections(most int) habit {
	open := 0
	return habit{
		dial: func(time.Time, *line) error {
			if open >= most {
				return turnedAway(http.StatusTooManyRequests)
			}
			open++
			return nil
		},
		left: func(*line) { open-- },
	}
}
