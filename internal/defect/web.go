package defect

import (
	"bytes"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/web"
)

func webDefects() []Defect {
	return []Defect{
		{
			Name: "cors-missing-on-errors",
			Answer: answer(func(r *web.Response) {
				if r.Status >= 400 {
					drop(r, "Access-Control-Allow-Origin")
				}
			}),
		},
		{
			Name:   "cors-without-methods",
			Answer: answer(func(r *web.Response) { drop(r, "Access-Control-Allow-Methods") }),
		},
		{
			Name:   "cors-without-content-type",
			Answer: answer(func(r *web.Response) { drop(r, "Access-Control-Allow-Headers") }),
		},
		{
			Name: "preflight-200",
			Answer: answer(func(r *web.Response) {
				if r.Status == 204 {
					r.Status, r.Body = 200, []byte("ok")
				}
			}),
		},
		{
			Name:   "nip11-without-grasps",
			Answer: document(`"supported_grasps"`, `"other_grasps"`),
		},
		{
			Name:   "nip11-without-criteria",
			Answer: document(`"repo_acceptance_criteria"`, `"criteria"`),
		},
		{
			Name:   "nip11-curation-placeholder",
			Answer: document(`{`, `{"curation":"",`),
		},
		{
			Name: "nip11-missing",
			Answer: answer(func(r *web.Response) {
				if isDocument(r) {
					r.Body = []byte("<html>relay</html>")
				}
			}),
		},
		{
			Name: "soft-404",
			Answer: answer(func(r *web.Response) {
				if r.Status == 404 {
					r.Status = 200
				}
			}),
		},
		{
			Name:   "page-without-client",
			Answer: answer(func(r *web.Response) { r.Body = bytes.ReplaceAll(r.Body, []byte("href"), []byte("data-x")) }),
		},
	}
}

// answer makes a hook that changes the answers that the server makes by itself.
func answer(change func(*web.Response)) func(web.Request, web.Route) web.Route {
	return func(_ web.Request, r web.Route) web.Route {
		if r.Kind == web.KindRespond {
			r.Response.Header = slices.Clone(r.Response.Header)
			change(&r.Response)
		}
		return r
	}
}

func drop(r *web.Response, name string) {
	r.Header = slices.DeleteFunc(r.Header, func(h web.Header) bool { return strings.EqualFold(h.Name, name) })
}

func isDocument(r *web.Response) bool {
	return slices.ContainsFunc(r.Header, func(h web.Header) bool {
		return strings.EqualFold(h.Name, "Content-Type") && strings.Contains(h.Value, "nostr+json")
	})
}

// document makes a hook that changes one text of the relay document.
func document(old, put string) func(web.Request, web.Route) web.Route {
	return answer(func(r *web.Response) {
		if isDocument(r) {
			r.Body = bytes.Replace(r.Body, []byte(old), []byte(put), 1)
		}
	})
}
