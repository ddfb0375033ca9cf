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

// lagging moves the refs of a repository some time after a state of its owner, or as soon as somebody pushes: until then it
// advertises those from before. Who pushes by what it advertised comes too late.
func lagging(lag time.Duration) habit {
	type advertised struct {
		until time.Time
		by    map[string][]byte // body by query
	}
	before := map[place]advertised{}
	return habit{
		hears: func(now time.Time, l *line, msg []byte) ([][]byte, bool) {
			m := read(msg)
			if m.verb != "EVENT" || m.event == nil || m.event.Kind != kindState || now.Before(before[placeOf(m.event)].until) {
				return nil, true
			}
			where := placeOf(m.event)
			was := advertised{now.Add(lag), map[string][]byte{}}
			for _, query := range []string{"service=git-upload-pack", "service=git-receive-pack"} {
				was.by[query] = l.front.advertisement(where, query)
			}
			before[where] = was
			return nil, true
		},
		answer: func(f *front, req *http.Request, next exchange) (*http.Response, error) {
			where, is := gitPlace(req)
			path, query, _ := strings.Cut(target.RequestTarget(req), "?")
			if !is {
				return next(req)
			}
			f.mu.Lock()
			if strings.HasSuffix(path, "/git-receive-pack") {
				delete(before, where)
			}
			was, now := before[where], f.Now()
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
