package web

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

// A place is a path of the form /<npub>/<identifier>.git, alone or with a git endpoint behind it, still escaped.
type place struct {
	npub       string
	identifier string // the whole component; decoded it ends in .git, or its escapes are malformed
	endpoint   string // "", "info/refs", "git-upload-pack" or "git-receive-pack"
	// It is for contributions: the path begins with /prs before that.
	contribution bool
}

// contributions is where the places for contributions are, below the base path.
const contributions = "/prs"

// splitContribution takes a path below /prs/ apart, if contributions are taken.
func (c Config) splitContribution(path string) (p place, is bool) {
	rest, below := strings.CutPrefix(path, contributions)
	if !c.Contributions || !below || !strings.HasPrefix(rest, "/") {
		return place{}, false
	}
	p, is = splitPath(rest)
	p.contribution = true
	return p, is
}

// splitPath takes a path apart. It works on the escaped path, so that an encoded slash separates nothing, and it
// cleans nothing, so that one repository has one path (G01-GIT-11, G01-GIT-16).
func splitPath(path string) (place, bool) {
	parts := strings.SplitN(path, "/", 4)
	if len(parts) < 3 || parts[0] != "" || parts[1] == "" {
		return place{}, false
	}
	p := place{npub: parts[1], identifier: parts[2]}
	if len(parts) == 4 {
		p.endpoint = parts[3]
		switch p.endpoint {
		case "info/refs", string(gitproto.UploadPackService), string(gitproto.ReceivePackService):
		default:
			return place{}, false
		}
	}
	name, err := url.PathUnescape(p.identifier)
	if err != nil {
		return p, strings.HasSuffix(p.identifier, ".git")
	}
	return p, strings.HasSuffix(name, ".git")
}

// id decodes a place, each component exactly once (G01-ANN-12). The second value is the reason why it names no
// repository, or "".
func (p place) id() (repo.ID, string) {
	npub, err := url.PathUnescape(p.npub)
	if err != nil {
		return repo.ID{}, "Invalid npub: a percent escape is malformed"
	}
	owner, err := repo.ParseNpub(npub)
	if err != nil {
		return repo.ID{}, "Invalid npub: not a public key in the form npub1..."
	}
	name, err := url.PathUnescape(p.identifier)
	if err != nil {
		return repo.ID{}, "Invalid identifier: a percent escape is malformed"
	}
	identifier := strings.TrimSuffix(name, ".git")
	why := repo.CheckIdentifier(identifier)
	if why == "" && !utf8.ValidString(identifier) {
		why = "it is not UTF-8"
	}
	if why != "" {
		return repo.ID{}, "Invalid identifier: " + why
	}
	return repo.ID{Owner: owner, Identifier: identifier}, ""
}

// routeGit routes a request to one of the three git endpoints.
func (c Config) routeGit(v View, r Request, p place) Route {
	respond := func(response Response) Route { return Route{Kind: KindRespond, Response: response} }
	id, reason := p.id()
	if reason != "" {
		return respond(c.Error(400, reason))
	}
	if p.contribution {
		id = repo.Contribution(id.Owner, id.Identifier)
	}
	route := Route{Repo: id}
	if p.endpoint == "info/refs" {
		if r.Method != "GET" && r.Method != "HEAD" {
			return respond(c.methodNotAllowed("GET, HEAD"))
		}
		service, reason := serviceOf(r.Query)
		if reason != "" {
			return respond(c.Error(400, reason))
		}
		route.Kind, route.Service = KindAdvertise, service
	} else {
		if r.Method != "POST" {
			return respond(c.methodNotAllowed("POST"))
		}
		route.Service = gitproto.Service(p.endpoint)
		want := "application/x-" + p.endpoint + "-request"
		if !strings.EqualFold(mediaTypeOf(r.Header("Content-Type")), want) {
			return respond(c.Error(415, "Git error: the content type must be "+want))
		}
		route.Kind = KindUploadPack
		if route.Service == gitproto.ReceivePackService {
			route.Kind = KindReceivePack
		}
	}
	if !p.contribution && !v.Repository(id).Exists {
		return respond(c.Error(404, "Git error: repository not found"))
	}
	return route
}

// serviceOf finds the service parameter, wherever it stands in the query.
func serviceOf(query string) (gitproto.Service, string) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return "", "Git error: the query is malformed"
	}
	services := values["service"]
	if len(services) != 1 {
		return "", "Git error: exactly one service parameter is needed; the dumb protocol is not offered"
	}
	switch service := gitproto.Service(services[0]); service {
	case gitproto.UploadPackService, gitproto.ReceivePackService:
		return service, ""
	}
	return "", "Git error: unknown service"
}
