package defect

import (
	"bytes"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

func pathDefects() []Defect {
	return []Defect{
		{Name: "cors-missing-on-head", Answer: func(q web.Request, r web.Route) web.Route {
			if q.Method != "HEAD" {
				return r
			}
			return answer(func(r *web.Response) { drop(r, "Access-Control-Allow-Origin") })(q, r)
		}},
		{Name: "nips-as-text", Answer: document(`"supported_nips":[`, `"supported_nips":["1",`)},
		{Name: "limits-understated", Answer: answer(func(r *web.Response) {
			if isDocument(r) { // half of each that can be exceeded by one message
				r.Body = bytes.Replace(r.Body, []byte(`"max_subid_length":64`), []byte(`"max_subid_length":32`), 1)
				most := strconv.Itoa(relay.MessageBytesMax)
				r.Body = bytes.Replace(r.Body, []byte(`"max_message_length":`+most), []byte(`"max_message_length":`+strconv.Itoa(relay.MessageBytesMax/2)), 1)
			}
		})},
		{Name: "root-for-relays-only", Answer: responds(400, func(q web.Request) bool {
			return q.Path == "/" && strings.Contains(q.Header("Accept"), "text/html")
		})},
		{Name: "gzip-refused", Answer: responds(415, func(q web.Request) bool { return q.Header("Content-Encoding") == "gzip" })},
		{Name: "head-method-refused", Answer: responds(405, func(q web.Request) bool {
			return q.Method == "HEAD" && strings.HasSuffix(q.Path, "/info/refs")
		})},
		{Name: "unknown-versions-refused", Answer: responds(400, func(q web.Request) bool {
			return q.Header("Git-Protocol") == "version=99"
		})},
		{Name: "version-1-refused", Answer: responds(400, func(q web.Request) bool { return q.Header("Git-Protocol") == "version=1" })},
		{Name: "malformed-paths-fail", Answer: answer(func(r *web.Response) {
			if r.Status == 400 {
				r.Status = 500
			}
		})},
		{Name: "canonical-paths-only", Answer: responds(404, func(q web.Request) bool {
			return strings.Contains(q.Path, "gc%2") || strings.Contains(q.Path, "%6C")
		})},
		{Name: "signs-of-paths-are-spaces", Answer: responds(404, func(q web.Request) bool { return strings.Contains(q.Path, "+") })},
		{Name: "signs-of-paths-refused", Answer: responds(400, func(q web.Request) bool { return strings.ContainsAny(q.Path, "!$()*,=@;") })},
		{Name: "escaped-paths-refused", Answer: responds(400, func(q web.Request) bool { return strings.Contains(q.Path, "%") })},
		{Name: "service-started-by-name", Answer: serviceStarted},
		{Name: "content-type-ignored", Answer: answer(func(r *web.Response) {
			if r.Status == 415 {
				r.Status = 200
			}
		})},
		{Name: "plus-is-space", Answer: plusIsSpace},
		{Name: "identifiers-shared", Answer: identifiersShared()},
	}
}

// responds makes a hook that answers some requests with a status.
func responds(status int, which func(web.Request) bool) func(web.Request, web.Route) web.Route {
	return func(q web.Request, r web.Route) web.Route {
		if !which(q) {
			return r
		}
		return web.Route{Kind: web.KindRespond, Response: web.Response{Status: status, Header: web.Config{}.CORS()}}
	}
}

// serviceStarted starts the program that a query names as its service, which here is one that prints what it is told.
func serviceStarted(q web.Request, r web.Route) web.Route {
	_, query, _ := strings.Cut(q.Query, "service=")
	if !strings.HasSuffix(q.Path, "/info/refs") || !strings.HasSuffix(query, "echo") {
		return r
	}
	body := pktLine("# service=echo\n") + "0000--stateless-rpc --advertise-refs .\n"
	return web.Route{Kind: web.KindRespond, Response: web.Response{Status: 200, Header: web.Config{}.CORS(), Body: []byte(body)}}
}

// advertises returns the route to the advertisement of a path, read without its first part.
func advertises(path, query string) (web.Route, bool) {
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	if len(parts) != 4 || parts[2] != "info" {
		return web.Route{}, false
	}
	owner, err := repo.ParseNpub(parts[0])
	name, err2 := url.PathUnescape(parts[1])
	if err != nil || err2 != nil {
		return web.Route{}, false
	}
	return web.Route{
		Kind: web.KindAdvertise, Service: gitproto.Service(strings.TrimPrefix(query, "service=")),
		Repo: repo.ID{Owner: owner, Identifier: strings.TrimSuffix(name, ".git")},
	}, true
}

// plusIsSpace finds under a space what has a plus sign there.
func plusIsSpace(q web.Request, r web.Route) web.Route {
	if r.Kind != web.KindRespond || r.Response.Status != 404 || !strings.Contains(q.Path, "%20") {
		return r
	}
	other, ok := advertises(strings.ReplaceAll(q.Path, "%20", "+"), q.Query)
	if !ok {
		return r
	}
	return other
}

// identifiersShared leads to the repository that was asked for first of all with the identifier.
func identifiersShared() func(web.Request, web.Route) web.Route {
	var mu sync.Mutex
	first := map[string]repo.ID{}
	return func(_ web.Request, r web.Route) web.Route {
		if r.Kind == web.KindRespond || r.Kind == web.KindWebSocket {
			return r
		}
		mu.Lock()
		defer mu.Unlock()
		if _, known := first[r.Repo.Identifier]; !known {
			first[r.Repo.Identifier] = r.Repo
		}
		r.Repo = first[r.Repo.Identifier]
		return r
	}
}
