package defect

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/policy"
)

// keptDefects are mistakes of what is kept of an answer, and of requests that come by address while a push is under way.
func keptDefects() []Defect {
	return []Defect{
		marked("advertisements-unchanged-since-a-day", "Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT", "If-Modified-Since"),
		marked("advertisements-marked-for-good", "Etag", `"repository"`, "If-None-Match"),
		{Name: "fetch-results-said-to-be-compressed", Sent: sent(func(r *http.Request, a *Answer) {
			if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") && strings.HasSuffix(pathOf(r), "/git-upload-pack") && a.Status == http.StatusOK {
				a.Header.Set("Content-Encoding", "gzip") // which it is not
			}
		})},
		advertisementsStay("advertisements-outlive-announcements"),
		goneForGood("what-has-gone-stays-away"),
		duringPushesByAddress("deletions-by-address-of-states-during-pushes-ignored", func(e filed) bool { return e.event.Kind == policy.KindState }),
		duringPushesByAddress("deletions-by-address-of-held-announcements-during-pushes-ignored", func(e filed) bool {
			return e.held && e.event.Kind == policy.KindAnnouncement
		}),
		duringPushesByAddress("deletions-by-address-of-served-announcements-during-pushes-ignored", func(e filed) bool {
			return !e.held && e.event.Kind == policy.KindAnnouncement
		}),
	}
}

// marked gives every advertisement the same mark, and tells who has kept one that nothing has changed.
func marked(name, header, mark, condition string) Defect {
	return Defect{Name: name, Sent: sent(func(r *http.Request, a *Answer) {
		if a.Status != http.StatusOK || !strings.HasSuffix(pathOf(r), "/info/refs") {
			return
		}
		a.Header.Set(header, mark)
		if r.Header.Get(condition) == mark {
			a.Status, a.Body = http.StatusNotModified, nil
		}
	})}
}

// advertisementsStay answers with the last advertisement where there is none any more.
func advertisementsStay(name string) Defect {
	var mu sync.Mutex
	kept := map[string]Answer{}
	return Defect{Name: name, Sent: sent(func(r *http.Request, a *Answer) {
		if r.Method != http.MethodGet || !strings.HasSuffix(pathOf(r), "/info/refs") {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		at := r.URL.RequestURI() + r.Header.Get("Git-Protocol")
		switch old, is := kept[at]; {
		case a.Status == http.StatusOK:
			kept[at] = Answer{a.Status, a.Header.Clone(), bytes.Clone(a.Body)}
		case is:
			a.Status, a.Body = old.Status, old.Body
			a.Header.Set("Content-Type", old.Header.Get("Content-Type"))
		}
	})}
}

// goneForGood finds nothing any more where something was, and then was not.
func goneForGood(name string) Defect {
	var mu sync.Mutex
	was, gone := map[string]bool{}, map[string]bool{}
	return Defect{Name: name, Sent: sent(func(r *http.Request, a *Answer) {
		path, below, inside := strings.Cut(pathOf(r), ".git")
		if !inside || below == "" || r.Method == http.MethodOptions {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		switch {
		case gone[path]:
			a.Status, a.Body = http.StatusNotFound, []byte("not found\n")
		case a.Status == http.StatusOK:
			was[path] = true
		case a.Status == http.StatusNotFound:
			gone[path] = was[path]
		}
	})}
}

// duringPushesByAddress answers requests to delete some events by address OK true while a push is under way, and does nothing on them.
func duringPushesByAddress(name string, spared func(filed) bool) Defect {
	var under atomic.Int64
	return Defect{
		Name:  name,
		Front: countingPushes(&under),
		Filter: requests(func(ev *nostr.Event, s *shelf) {
			ev.Tags = slices.DeleteFunc(ev.Tags, func(t nostr.Tag) bool {
				return t[0] == "a" && under.Load() > 0 && slices.ContainsFunc(s.named(t), spared)
			})
		}),
	}
}

// countingPushes counts the pushes that are under way.
func countingPushes(under *atomic.Int64) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if pushed(r) {
				under.Add(1)
				defer under.Add(-1)
			}
			next.ServeHTTP(w, r)
		})
	}
}
