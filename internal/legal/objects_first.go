package legal

import (
	"bytes"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

// objectsFirst takes the objects of a push before it looks at the names of its refs. So a state that names a ref which no repository can
// have waits like any other, and is served in place of the one before it once its objects are here, by the push whose ref was refused.
func objectsFirst() habit {
	var mu sync.Mutex
	sent, waiting, shown := map[string]*nostr.Event{}, map[string]*nostr.Event{}, map[string]*nostr.Event{}
	byID := map[string]bool{} // subscriptions for ids
	at := func(ev *nostr.Event) string { return ev.PubKey + ":" + ev.Tags.GetD() }
	odd := func(ev *nostr.Event) bool {
		for _, tag := range ev.Tags {
			if len(tag) > 1 && strings.HasPrefix(tag[0], "refs/") && !repo.IsRefName(tag[0]) {
				return true
			}
		}
		return false
	}
	return habit{
		hears: func(_ time.Time, _ *line, msg []byte) ([][]byte, bool) {
			mu.Lock()
			defer mu.Unlock()
			switch m := read(msg); {
			case m.verb == "REQ":
				byID[m.name] = bytes.Contains(msg, []byte(`"ids"`))
			case m.verb == "EVENT" && m.event != nil && m.event.Kind == kindState && odd(m.event):
				sent[m.event.ID] = m.event
			}
			return nil, true
		},
		changes: func(msg []byte) []byte {
			mu.Lock()
			defer mu.Unlock()
			m := read(msg)
			switch {
			case m.verb == "OK" && sent[m.name] != nil && !m.yes && strings.Contains(m.text, "Invalid state"):
				ev := sent[m.name]
				waiting[at(ev)] = ev
				return write("OK", m.name, true, "purgatory: won't be served until git data arrives")
			case m.verb == "EVENT" && m.event != nil && m.event.Kind == kindState:
				now := shown[at(m.event)]
				if now == nil || now.CreatedAt <= m.event.CreatedAt {
					break
				}
				if byID[m.name] {
					return write("NOTICE", "there is a newer one")
				}
				return write("EVENT", m.name, now)
			}
			return msg
		},
		answer: func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
			body, err := whole(req)
			if err != nil {
				return nil, err
			}
			resp, err := next(req)
			if err != nil || req.Method != http.MethodPost {
				return resp, err
			}
			said, err := drain(resp)
			if err != nil {
				return nil, err
			}
			refill(resp, said)
			if bytes.Contains(said, []byte("ok refs/")) {
				return resp, nil
			}
			mu.Lock()
			defer mu.Unlock()
			for where, ev := range waiting {
				for _, tag := range ev.Tags {
					if len(tag) > 1 && strings.HasPrefix(tag[0], "refs/") && bytes.Contains(body, []byte(tag[1]+" "+tag[0]+"\x00")) {
						shown[where] = ev
					}
				}
			}
			return resp, nil
		},
	}
}
