package defect

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/graspkit/graspkit/reference/web"
)

const allowOrigin = "Access-Control-Allow-Origin"

// browserDefects are mistakes that only the pages of browsers meet.
func browserDefects() []Defect {
	fromPage := func(req *http.Request) bool { return req.Header.Get("Origin") != "" }
	isPush := func(req *http.Request) bool {
		return req.Method == http.MethodPost && strings.HasSuffix(req.URL.RequestURI(), "/git-receive-pack")
	}
	return []Defect{
		{Name: "origins-allowed-twice", Sent: sent(func(req *http.Request, r *Answer) {
			if fromPage(req) {
				r.Header.Add(allowOrigin, "*")
			}
		})},
		{Name: "origins-allowed-twice-by-git", Sent: sent(func(req *http.Request, r *Answer) {
			if fromPage(req) && strings.Contains(r.Header.Get("Content-Type"), "x-git-") {
				r.Header.Add(allowOrigin, "*")
			}
		})},
		{Name: "origins-echoed", Sent: sent(func(req *http.Request, r *Answer) {
			if fromPage(req) {
				r.Header.Set(allowOrigin, req.Header.Get("Origin"))
			}
		})},
		{Name: "origins-allowed-on-request-only", Sent: sent(func(req *http.Request, r *Answer) {
			if !fromPage(req) {
				r.Header.Del(allowOrigin)
			}
		})},
		{Name: "pages-of-browsers-unallowed", Sent: sent(func(req *http.Request, r *Answer) {
			if fromPage(req) && req.Method != http.MethodOptions {
				r.Header.Del(allowOrigin)
			}
		})},
		{Name: "landing-page-without-cors", Answer: func(q web.Request, r web.Route) web.Route {
			if q.Path != "/" || strings.Contains(q.Header("Accept"), "nostr+json") || q.Method == http.MethodOptions {
				return r
			}
			return answer(func(r *web.Response) { drop(r, allowOrigin) })(q, r)
		}},
		{Name: "accepted-pushes-without-cors", Sent: sent(func(req *http.Request, r *Answer) {
			if isPush(req) && !bytes.Contains(r.Body, []byte("ng refs/")) {
				r.Header.Del(allowOrigin)
			}
		})},
		{Name: "wrong-methods-without-cors", Answer: answer(func(r *web.Response) {
			if r.Status == http.StatusMethodNotAllowed {
				drop(r, allowOrigin)
			}
		})},
		{Name: "pushes-applied-and-answered-500", Sent: sent(func(req *http.Request, r *Answer) {
			if isPush(req) && bytes.Contains(r.Body, []byte("ok refs/")) {
				r.Status = http.StatusInternalServerError
			}
		})},
		{Name: "refused-pushes-cut-off", Sent: func(req *http.Request, r *Answer) error {
			if isPush(req) && bytes.Contains(r.Body, []byte("ng refs/")) {
				return errCutOff
			}
			return nil
		}},
	}
}
