package legal

import (
	"bytes"
	"net/http"
	"strings"
	"time"

	"github.com/graspkit/graspkit/reference/gitproto"
)

// fewRefs takes so many refs of pull requests that nobody has published in a repository.
func fewRefs(most int) habit {
	published := map[string]bool{}
	open := map[place]map[string]bool{}
	return habit{
		hears: func(_ time.Time, _ *line, msg []byte) ([][]byte, bool) {
			if m := read(msg); m.verb == "EVENT" && m.event != nil && wellSigned(m.event) {
				published[m.event.ID] = true
			}
			return nil, true
		},
		answer: func(f *front, req *http.Request, next exchange) (*http.Response, error) {
			where, is := gitPlace(req)
			if !isPush(req) || !is || req.Header.Get("Content-Encoding") != "" {
				return next(req)
			}
			body, err := whole(req)
			if err != nil {
				return nil, err
			}
			list, err := gitproto.ReadCommands(bytes.NewReader(body))
			if err != nil {
				return next(req)
			}
			f.mu.Lock()
			waiting := map[string]bool{}
			for id := range open[where] {
				waiting[id] = !published[id]
			}
			fresh := 0
			for _, c := range list.Commands {
				id, is := strings.CutPrefix(c.Ref, "refs/nostr/")
				if is && len(id) == 64 && !c.New.IsZero() && !published[id] && !open[where][id] {
					fresh++
				}
			}
			count := fresh
			for _, waits := range waiting {
				if waits {
					count++
				}
			}
			full := fresh > 0 && count > most
			if !full && fresh > 0 {
				if open[where] == nil {
					open[where] = map[string]bool{}
				}
				for _, c := range list.Commands {
					if id, is := strings.CutPrefix(c.Ref, "refs/nostr/"); is && len(id) == 64 && !c.New.IsZero() {
						open[where][id] = true
					}
				}
			}
			f.mu.Unlock()
			if full {
				report := gitproto.Status{Unpack: "ok"}
				for _, c := range list.Commands {
					report.Refs = append(report.Refs, gitproto.RefStatus{Ref: c.Ref, Reason: "too many refs wait for their pull requests"})
				}
				return reported(req, list, report)
			}
			return next(req)
		},
	}
}
