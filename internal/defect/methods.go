package defect

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/graspkit/graspkit/reference/web"
)

// methodsDefects are mistakes of HTTP that show by another method, another body or another place than most clients use.
func methodsDefects() []Defect {
	allowing := func(w http.ResponseWriter, status int) {
		w.Header().Set(allowOrigin, "*")
		w.Header().Set("Access-Control-Allow-Methods", "GET, POST")
		w.Header().Set("Access-Control-Allow-Headers", "Content-Type")
		http.Error(w, "not taken", status)
	}
	refuses := func(name string, status int, bad func(*http.Request) bool) Defect {
		return Defect{Name: name, Front: gate(func(w http.ResponseWriter, r *http.Request) bool {
			if bad(r) {
				allowing(w, status)
				return true
			}
			return false
		})}
	}
	return append([]Defect{
		{Name: "heads-of-nothing-without-cors", Sent: sent(func(r *http.Request, a *Answer) {
			if r.Method == http.MethodHead && a.Status == http.StatusNotFound {
				a.Header.Del(allowOrigin)
			}
		})},
		{Name: "empty-repositories-without-cors", Sent: sent(func(_ *http.Request, a *Answer) {
			if bytes.Contains(a.Body, []byte("capabilities^{}")) {
				a.Header.Del(allowOrigin)
			}
		})},
		{Name: "pushes-to-nothing-without-cors", Sent: sent(func(r *http.Request, a *Answer) {
			if r.Method == http.MethodPost && strings.HasSuffix(pathOf(r), "/git-receive-pack") && a.Status == http.StatusNotFound {
				a.Header.Del(allowOrigin)
			}
		})},
		{Name: "commands-by-put", Front: gate(func(_ http.ResponseWriter, r *http.Request) bool {
			if r.Method == http.MethodPut {
				r.Method = http.MethodPost
			}
			return false
		})},
		{Name: "commands-by-patch-and-delete-fail", Front: gate(func(w http.ResponseWriter, r *http.Request) bool {
			if (r.Method == http.MethodPatch || r.Method == http.MethodDelete) && strings.Contains(r.URL.Path, "/git-") {
				allowing(w, http.StatusInternalServerError)
				return true
			}
			return false
		})},
		refuses("fetches-in-chunks-refused", http.StatusLengthRequired, func(r *http.Request) bool { return fetched(r) && r.ContentLength < 0 }),
		refuses("compressed-fetches-in-chunks-refused", http.StatusLengthRequired, func(r *http.Request) bool {
			return fetched(r) && r.ContentLength < 0 && r.Header.Get("Content-Encoding") != ""
		}),
		refuses("expectations-of-fetches-refused", http.StatusExpectationFailed, func(r *http.Request) bool {
			return fetched(r) && r.Header.Get("Expect") != ""
		}),
		refuses("escaped-paths-of-pushes-refused", http.StatusNotFound, func(r *http.Request) bool {
			return pushed(r) && strings.Contains(r.URL.EscapedPath(), "%")
		}),
		refuses("compressed-negotiation-in-version-1-refused", http.StatusUnsupportedMediaType, func(r *http.Request) bool {
			return fetched(r) && r.Header.Get("Content-Encoding") != "" && r.Header.Get("Git-Protocol") == "version=1"
		}),
		knownKeys("unknown-repositories-of-known-keys-empty", func(q web.Request, r web.Route) web.Route {
			if strings.HasSuffix(q.Path, ".git/git-upload-pack") || strings.HasSuffix(q.Path, ".git/git-receive-pack") {
				r.Response.Status = http.StatusOK
			}
			if other, is := advertises(q.Path, q.Query); is {
				r.Response = web.Response{
					Status: 200, Header: append(web.Config{}.CORS(),
						web.Header{Name: "Content-Type", Value: "application/x-" + string(other.Service) + "-advertisement"}),
					Body: []byte(pktLine("# service="+string(other.Service)+"\n") + "00000000"),
				}
			}
			return r
		}),
		knownKeys("paths-below-known-keys-fail", func(q web.Request, r web.Route) web.Route {
			if strings.Contains(q.Path, ".git/") {
				r.Response.Status = http.StatusInternalServerError
			}
			return r
		}),
		knownKeys("pages-of-known-keys-found", func(q web.Request, r web.Route) web.Route {
			if strings.HasSuffix(q.Path, ".git") {
				r.Response.Status = http.StatusOK
			}
			return r
		}),
	}, contributing([]Defect{
		{Name: "preflights-of-places-unanswered", Answer: func(q web.Request, r web.Route) web.Route {
			if q.Method == http.MethodOptions && strings.HasPrefix(q.Path, "/prs/") {
				r.Response.Status = http.StatusMethodNotAllowed
			}
			return r
		}},
		{Name: "places-without-cors", Sent: sent(func(r *http.Request, a *Answer) {
			if strings.HasPrefix(pathOf(r), "/prs/") {
				a.Header.Del(allowOrigin)
			}
		})},
	})...)
}

// knownKeys changes the answers of what is not there below keys that have announced something.
func knownKeys(name string, change func(web.Request, web.Route) web.Route) Defect {
	places := newPlaceList()
	return Defect{Name: name, Filter: places.filter, Answer: func(q web.Request, r web.Route) web.Route {
		if r.Kind != web.KindRespond || r.Response.Status != http.StatusNotFound {
			return r
		}
		for _, id := range places.all() {
			if strings.HasPrefix(q.Path, "/"+npub(string(id.Owner))+"/") {
				return change(q, r)
			}
		}
		return r
	}}
}
