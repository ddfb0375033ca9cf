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
			Name: "cors-missing-on-errors", What: "Answers above 399 have no CORS headers.",
			Answer: answer(func(r *web.Response) {
				if r.Status >= 400 {
					drop(r, "Access-Control-Allow-Origin")
				}
			}),
		},
		{
			Name: "cors-echoes-nothing", What: "Answers do not say which methods are allowed.",
			Answer: answer(func(r *web.Response) { drop(r, "Access-Control-Allow-Methods") }),
		},
		{
			Name: "cors-without-content-type", What: "The Content-Type request header is not allowed.",
			Answer: answer(func(r *web.Response) { drop(r, "Access-Control-Allow-Headers") }),
		},
		{
			Name: "preflight-200", What: "A preflight is answered 200 with a body.",
			Answer: answer(func(r *web.Response) {
				if r.Status == 204 {
					r.Status, r.Body = 200, []byte("ok")
				}
			}),
		},
		{
			Name: "nip11-without-grasps", What: "The relay document does not list the supported GRASPs.",
			Answer: document(`"supported_grasps"`, `"other_grasps"`),
		},
		{
			Name: "nip11-without-criteria", What: "The relay document does not say which repositories are taken.",
			Answer: document(`"repo_acceptance_criteria"`, `"criteria"`),
		},
		{
			Name: "nip11-curation-placeholder", What: "The relay document has an empty curation.",
			Answer: document(`{`, `{"curation":"",`),
		},
		{
			Name: "nip11-missing", What: "The relay document is answered as a page.",
			Answer: answer(func(r *web.Response) {
				if isDocument(r) {
					r.Body = []byte("<html>relay</html>")
				}
			}),
		},
		{
			Name: "soft-404", What: "Unknown pages and repositories are answered 200.",
			Answer: answer(func(r *web.Response) {
				if r.Status == 404 {
					r.Status = 200
				}
			}),
		},
		{
			Name: "page-without-client", What: "A repository page names no client to browse with.",
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
