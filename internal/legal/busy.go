package legal

import (
	"net/http"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/target"
)

// busied are servers that do one thing at a time, and send away who comes meanwhile.
func busied() []Server {
	var all []Server
	for name, words := range map[string]string{
		"error":      "error: busy with another request; try again",
		"restricted": "restricted: an operation is in progress; retry the event",
	} {
		all = append(all, Server{
			Name: "one-at-a-time-else-" + name,
			What: "serves one request of git at a time, answers 429 to another, and refuses events meanwhile in words that begin with " + name,
			Near: []string{"G01-PUSH-25", "G01-PUSH-26", "G01-ANN-01", "N01-EV-01"},
			habits: func() []habit {
				return []habit{fenced(150*time.Millisecond, words)}
			},
		})
	}
	return all
}

// fenced lets one request of git be at work at a time, for so long at least. Events that come meanwhile are refused.
func fenced(takes time.Duration, words string) habit {
	working := false
	return habit{
		answer: func(f *front, req *http.Request, next exchange) (*http.Response, error) {
			path, _, _ := strings.Cut(target.RequestTarget(req), "?")
			if req.Method == http.MethodOptions || !strings.HasSuffix(path, "/info/refs") && !strings.Contains(path, "/git-") {
				return next(req)
			}
			f.mu.Lock()
			busy := working
			working = true
			f.mu.Unlock()
			if busy {
				return page{http.StatusTooManyRequests, "an operation is in progress; retry\n"}.to(req), nil
			}
			defer func() {
				f.mu.Lock()
				defer f.mu.Unlock()
				working = false
			}()
			if err := f.Sleep(req.Context(), takes); err != nil {
				return nil, err
			}
			return next(req)
		},
		hears: judging(func(time.Time, *line, *nostr.Event) string {
			if working {
				return words
			}
			return ""
		}).hears,
	}
}
