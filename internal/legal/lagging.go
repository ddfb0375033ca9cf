package legal

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr/nip19"

	"github.com/graspkit/graspkit/conformance/target"
)

// A past is what was advertised of a repository before its refs moved.
type past struct {
	until time.Time
	by    map[string][]byte // body by query
}

// pasts are those of repositories that are advertised as they were for some time, or until somebody pushes there. The front's lock
// guards them.
type pasts map[place]past

// keep has a repository advertised as it is now for so long. The front's lock is held.
func (p pasts) keep(f *front, now time.Time, where place, lag time.Duration) {
	if now.Before(p[where].until) {
		return
	}
	was := past{now.Add(lag), map[string][]byte{}}
	for _, query := range []string{"service=git-upload-pack", "service=git-receive-pack"} {
		was.by[query] = f.advertisement(where, query)
	}
	p[where] = was
}

// answer answers a request about a repository by what is kept of it. A push ends that, once its effects are asked for.
func (p pasts) answer(f *front, req *http.Request, next exchange, pushed func(now time.Time, where place)) (*http.Response, error) {
	where, is := gitPlace(req)
	_, query, _ := strings.Cut(target.RequestTarget(req), "?")
	if !is {
		return next(req)
	}
	f.mu.Lock()
	now := f.Now()
	if isPush(req) {
		delete(p, where)
		pushed(now, where)
	}
	was := p[where]
	f.mu.Unlock()
	resp, err := next(req)
	body := was.by[query]
	if err != nil || body == nil || !now.Before(was.until) || req.Method != http.MethodGet || resp.StatusCode != http.StatusOK {
		return resp, err
	}
	if _, err := drain(resp); err != nil {
		return nil, err
	}
	refill(resp, bytes.Clone(body))
	return resp, nil
}

// lagging moves the refs of a repository some time after a state of its owner, or as soon as somebody pushes: until then it
// advertises those from before. Who pushes by what it advertised comes too late.
func lagging(lag time.Duration) habit {
	before := pasts{}
	return habit{
		hears: func(now time.Time, l *line, msg []byte) ([][]byte, bool) {
			if m := read(msg); m.verb == "EVENT" && m.event != nil && m.event.Kind == kindState {
				before.keep(l.front, now, placeOf(m.event), lag)
			}
			return nil, true
		},
		answer: func(f *front, req *http.Request, next exchange) (*http.Response, error) {
			return before.answer(f, req, next, func(time.Time, place) {})
		},
	}
}

// laggingBeside does so with the other repositories of the identifier behind a push, which may move their refs, too.
func laggingBeside(lag time.Duration) habit {
	before, announced := pasts{}, map[string]map[place]bool{} // by identifier
	return habit{
		hears: func(_ time.Time, _ *line, msg []byte) ([][]byte, bool) {
			if m := read(msg); m.verb == "EVENT" && m.event != nil && m.event.Kind == kindAnnouncement {
				where := placeOf(m.event)
				if announced[where.identifier] == nil {
					announced[where.identifier] = map[place]bool{}
				}
				announced[where.identifier][where] = true
			}
			return nil, true
		},
		answer: func(f *front, req *http.Request, next exchange) (*http.Response, error) {
			return before.answer(f, req, next, func(now time.Time, pushed place) {
				for other := range announced[pushed.identifier] {
					if other != pushed {
						before.keep(f, now, other, lag)
					}
				}
			})
		},
	}
}

// advertisement is what the server inside advertises of a repository, nil if there is none. The front's lock is held.
func (f *front) advertisement(where place, query string) []byte {
	npub, err := nip19.EncodePublicKey(where.owner)
	if err != nil {
		return nil
	}
	at := f.at + "/" + npub + "/" + url.PathEscape(where.identifier) + ".git/info/refs?" + query
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, at, http.NoBody)
	if err != nil {
		return nil
	}
	resp, err := f.inside.RoundTrip(req)
	if err != nil {
		return nil
	}
	body, err := drain(resp)
	if err != nil || resp.StatusCode != http.StatusOK {
		return nil
	}
	return body
}
