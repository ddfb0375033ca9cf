package web

import (
	"strings"
)

// Route says where a request goes. It never panics, whatever the request.
func (c Config) Route(v View, r Request) Route {
	if r.Method == "OPTIONS" {
		return Route{Kind: KindRespond, Response: Response{Status: 204, Header: append(c.CORS(), remembered)}}
	}
	path, ok := c.strip(r.Path)
	if ok && !c.admitted(v, r, path) { // before anything is looked up
		return Route{Kind: KindRespond, Response: c.unauthorized()}
	}
	if !ok {
		return c.respondPage(r, c.notFound())
	}
	if place, ok := c.splitContribution(path); ok && place.endpoint != "" { // it has no page (G06-WEB-01)
		return c.routeGit(v, r, place)
	}
	if place, ok := splitPath(path); ok {
		if place.endpoint != "" {
			return c.routeGit(v, r, place)
		}
		return c.respondPage(r, c.repositoryPage(v, place))
	}
	if response, ok := c.repositoryMoved(v, path); ok {
		return c.respondPage(r, response)
	}
	if path != "" && path != "/" {
		return c.respondPage(r, c.notFound())
	}
	switch {
	case (r.Method == "GET" || r.Method == "HEAD") && accepts(r.Header("Accept"), "application/nostr+json"):
		return Route{Kind: KindRespond, Response: c.nip11()}
	case r.Method == "GET" && hasToken(r.Header("Connection"), "upgrade") && hasToken(r.Header("Upgrade"), "websocket"):
		return Route{Kind: KindWebSocket}
	}
	return c.respondPage(r, c.landingPage())
}

// strip takes the base path off. The root of the service may be written with or without its slash.
func (c Config) strip(path string) (string, bool) {
	rest, ok := strings.CutPrefix(path, c.Service.Base)
	return rest, ok && (rest == "" || rest[0] == '/')
}

// respondPage answers with a page, which can be read and nothing else.
func (c Config) respondPage(r Request, page Response) Route {
	if r.Method != "GET" && r.Method != "HEAD" && page.Status != 404 {
		page = c.methodNotAllowed("GET, HEAD")
	}
	return Route{Kind: KindRespond, Response: page}
}

func (c Config) methodNotAllowed(allowed string) Response {
	response := c.Error(405, "Method not allowed")
	response.Header = append(response.Header, Header{"Allow", allowed})
	return response
}

// accepts reports whether an Accept header names a media type, with any parameters.
func accepts(header, mediaType string) bool {
	for part := range strings.SplitSeq(header, ",") {
		if strings.EqualFold(mediaTypeOf(part), mediaType) {
			return true
		}
	}
	return false
}

// mediaTypeOf returns a media type without its parameters.
func mediaTypeOf(s string) string {
	name, _, _ := strings.Cut(s, ";")
	return strings.Trim(name, " \t")
}

// hasToken reports whether a comma-separated header has a token, in any case and at any place.
func hasToken(header, token string) bool {
	for part := range strings.SplitSeq(header, ",") {
		if strings.EqualFold(strings.Trim(part, " \t"), token) {
			return true
		}
	}
	return false
}
