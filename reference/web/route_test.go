package web_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// alice is the generator of the curve, a key that nobody owns.
const alice repo.PubKey = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"

var npub = alice.Npub()

// A view knows repositories of alice by identifier.
type view map[string]web.Repository

func (v view) Repository(id repo.ID) web.Repository {
	if id.Owner != alice {
		return web.Repository{}
	}
	return v[id.Identifier]
}

func (v view) Admits(web.Token) bool { panic("a public service asks for no token") }

// evil is an identifier and a text that would break out of HTML that does not escape.
const evil = `"><script>alert(1)<`

var (
	config = web.Config{
		Service: repo.Service{Host: "grasp.example"}, Name: "Test & server", Description: "For <tests>.",
		Grasps: []string{"GRASP-01"}, NIPs: []int{1, 11, 34}, Software: "https://software.example", Version: "1",
	}
	hosted = view{
		"demo":        {Exists: true, Served: true, Name: "A demo", Description: "Shows."},
		"held":        {Exists: true, Name: "secret name", Description: "secret text"},
		"my \u00e9 %": {Exists: true, Served: true},
		evil:          {Exists: true, Served: true, Name: evil, Description: evil},
		"x.git":       {Exists: true, Served: true},
	}
)

// request builds a request from "METHOD /path?query" and header lines "Name: value".
func request(line string, headers ...string) web.Request {
	method, target, _ := strings.Cut(line, " ")
	path, query, _ := strings.Cut(target, "?")
	return web.Request{Method: method, Path: path, Query: query, Header: func(name string) string {
		var values []string
		for _, header := range headers {
			if n, value, _ := strings.Cut(header, ": "); strings.EqualFold(n, name) {
				values = append(values, value)
			}
		}
		return strings.Join(values, ", ")
	}}
}

// brief prints a route for comparison.
func brief(r web.Route) string {
	switch r.Kind {
	case web.KindRespond:
		return fmt.Sprint(r.Response.Status)
	case web.KindWebSocket:
		return "websocket"
	case web.KindAdvertise:
		return fmt.Sprintf("advertise %s %s", r.Service, r.Repo.Identifier)
	case web.KindUploadPack, web.KindReceivePack:
		return fmt.Sprintf("%d %s %s", r.Kind, r.Service, r.Repo.Identifier)
	}
	return "no kind"
}

func TestRouteGit(t *testing.T) {
	uploadType, receiveType := "Content-Type: application/x-git-upload-pack-request", "content-type: application/x-git-receive-pack-request"
	advertise := "/info/refs?service=git-upload-pack"
	demo := "/" + npub + "/demo.git"
	for _, c := range []struct {
		line    string
		headers []string
		want    string
	}{
		{"GET " + demo + advertise, nil, "advertise git-upload-pack demo"},
		{"HEAD " + demo + advertise, nil, "advertise git-upload-pack demo"},
		{"GET " + demo + "/info/refs?a=b&service=git-receive-pack&c", nil, "advertise git-receive-pack demo"},
		{"POST " + demo + "/git-upload-pack", []string{uploadType}, "4 git-upload-pack demo"},
		{"POST " + demo + "/git-upload-pack", []string{uploadType + "; charset=x"}, "4 git-upload-pack demo"},
		{"POST " + demo + "/git-receive-pack", []string{receiveType}, "5 git-receive-pack demo"},
		{"GET /" + npub + "/held.git" + advertise, nil, "advertise git-upload-pack held"},
		{"GET /" + npub + "/my%20%C3%A9%20%25.git" + advertise, nil, "advertise git-upload-pack my \u00e9 %"},
		{"GET /" + npub + "/%6d%79%20%c3%a9%20%25%2egit" + advertise, nil, "advertise git-upload-pack my \u00e9 %"},
		{"GET /" + npub + "/x.git.git" + advertise, nil, "advertise git-upload-pack x.git"},
		{"GET /n" + npub[1:4] + "%31" + npub[5:] + "/demo.git" + advertise, nil, "advertise git-upload-pack demo"},

		{"GET /" + npub + "/my+%C3%A9+%25.git" + advertise, nil, "404"},       // a plus is no space
		{"GET /" + npub + "/my%2520%C3%A9%20%25.git" + advertise, nil, "404"}, // decoded once
		{"GET /" + npub + "/x.git" + advertise, nil, "404"},
		{"GET /" + npub + "/unknown.git" + advertise, nil, "404"},
		{"POST /" + npub + "/unknown.git/git-receive-pack", []string{receiveType}, "404"},
		{"GET " + demo + "/info/refs", nil, "400"},
		{"GET " + demo + "/info/refs?service=", nil, "400"},
		{"GET " + demo + "/info/refs?service=git-upload-archive", nil, "400"},
		{"GET " + demo + "/info/refs?xservice=git-upload-pack", nil, "400"},
		{"GET " + demo + "/info/refs?service=git-upload-pack&service=git-receive-pack", nil, "400"},
		{"GET " + demo + "/info/refs?service=git-upload-pack;x&%zz", nil, "400"},
		{"POST " + demo + advertise, nil, "405"},
		{"GET " + demo + "/git-upload-pack", nil, "405"},
		{"HEAD " + demo + "/git-receive-pack", []string{receiveType}, "405"},
		{"PUT " + demo + "/git-receive-pack", []string{receiveType}, "405"},
		{"POST " + demo + "/git-upload-pack", nil, "415"},
		{"POST " + demo + "/git-upload-pack", []string{receiveType}, "415"},
		{"POST " + demo + "/git-receive-pack", []string{"Content-Type: text/plain"}, "415"},

		{"GET " + demo + "/info/refsX?service=git-upload-pack", nil, "404"},
		{"GET " + demo + "/info/refs/?service=git-upload-pack", nil, "404"},
		{"GET " + demo + "/info%2frefs?service=git-upload-pack", nil, "404"},
		{"GET " + demo + "//info/refs?service=git-upload-pack", nil, "404"},
		{"GET /" + demo + advertise, nil, "404"},
		{"GET /x" + demo + advertise, nil, "404"},
		{"GET /" + npub + "/demo" + advertise, nil, "404"},
		{"GET " + demo + "/HEAD", nil, "404"},
		{"GET " + demo + "/objects/info/packs", nil, "404"},
		{"GET /" + npub[:62] + "7/demo.git" + advertise, nil, "400"},
		{"GET /" + string(alice) + "/demo.git" + advertise, nil, "400"},
		{"GET /" + strings.ToUpper(npub) + "/demo.git" + advertise, nil, "400"},
		{"GET /nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5/demo.git" + advertise, nil, "400"},
		{"GET /%zz/demo.git" + advertise, nil, "400"},
		{"GET /" + npub + "/%zz.git" + advertise, nil, "400"},
		{"GET /" + npub + "/%.git" + advertise, nil, "400"},
		{"GET /" + npub + "/%ff.git" + advertise, nil, "400"},
	} {
		if got := brief(config.Route(hosted, request(c.line, c.headers...))); got != c.want {
			t.Errorf("%s %v: got %s, want %s", c.line, c.headers, got, c.want)
		}
	}
}

// TestRouteTraversal lists the ways out of a namespace (G01-GIT-16): each is refused, whatever exists elsewhere.
func TestRouteTraversal(t *testing.T) {
	for _, path := range []string{
		"/%2e%2e/" + npub + "/demo.git", "/../" + npub + "/demo.git", "/./" + npub + "/demo.git", "//" + npub + "/demo.git",
		"/" + npub + "/../" + npub + "/demo.git", "/" + npub + "/..%2f" + npub + "%2fdemo.git", "/" + npub + "/..%2fdemo.git",
		"/" + npub + "/x%2Fdemo.git", "/" + npub + "/..%2F..%2Fetc", "/" + npub + "/..%2f..%2fetc%2fpasswd.git",
		"/" + npub + "/%2e%2e.git", "/" + npub + "/...git", "/" + npub + "/..git", "/" + npub + "/%2e.git", "/" + npub + "/.git",
		"/" + npub + "/demo%00.git", "/" + npub + "/%00.git", "/" + npub + "/demo.git%00", "/" + npub + "/demo%5c.git",
		"/" + npub + "/..%5cdemo.git", "/" + npub + `/..\demo.git`, "/" + npub + "%2fdemo.git", "/" + npub + "%2f..%2f" + npub + "/demo.git",
		"/" + npub + "/%252e%252e.git/x", "/" + npub + "/demo%0a.git", "/" + npub + "/%2fdemo.git", "/" + npub + "/demo.git/..",
		"/" + npub + "/demo.git/../demo.git", "/" + npub + "/" + strings.Repeat("a", 300) + ".git",
	} {
		for _, request := range []web.Request{
			request("GET " + path), request("GET " + path + "/info/refs?service=git-upload-pack"),
			request("POST "+path+"/git-receive-pack", "Content-Type: application/x-git-receive-pack-request"),
		} {
			route := config.Route(hosted, request)
			if route.Kind != web.KindRespond || route.Response.Status != 400 && route.Response.Status != 404 {
				t.Errorf("%s %s: got %s, want 400 or 404", request.Method, request.Path, brief(route))
			}
		}
	}
}

func TestRouteRoot(t *testing.T) {
	upgrade := []string{"Connection: keep-alive, Upgrade", "Upgrade: WebSocket"}
	based := config
	based.Service.Base = "/base"
	demo := "/" + npub + "/demo.git"
	for _, c := range []struct {
		config  web.Config
		line    string
		headers []string
		want    string
	}{
		{config, "GET /", nil, "200"},
		{config, "HEAD /", nil, "200"},
		{config, "POST /", nil, "405"},
		{config, "GET /?x=y", nil, "200"},
		{config, "GET /", upgrade, "websocket"},
		{config, "GET /?x", upgrade, "websocket"},
		{config, "GET /", upgrade[:1], "200"},
		{config, "GET /", upgrade[1:], "200"},
		{config, "GET /", []string{"Connection: upgraded", "Upgrade: websocket"}, "200"},
		{config, "GET /", []string{"Connection: a", "Connection: upgrade", "Upgrade: h2c, websocket"}, "websocket"},
		{config, "POST /", upgrade, "405"},
		{config, "GET /x", upgrade, "404"},
		{config, "GET " + demo, upgrade, "200"},
		{config, "GET /x", nil, "404"},
		{config, "POST /x", nil, "404"},
		{config, "DELETE " + demo, nil, "405"},
		{config, "GET " + demo + "/", nil, "404"},
		{config, "GET /base", nil, "404"},
		{based, "GET /base", nil, "200"},
		{based, "GET /base/", upgrade, "websocket"},
		{based, "GET /base", upgrade, "websocket"},
		{based, "GET /", upgrade, "404"},
		{based, "GET /based", nil, "404"},
		{based, "GET /base" + demo, nil, "200"},
		{based, "GET " + demo, nil, "404"},
		{based, "GET /base" + demo + "/info/refs?service=git-upload-pack", nil, "advertise git-upload-pack demo"},
		{config, "OPTIONS /", nil, "204"},
		{config, "OPTIONS *", nil, "204"},
		{config, "OPTIONS " + demo + "/git-receive-pack", nil, "204"},
		{config, "OPTIONS /%zz/nowhere.git/info/refs", nil, "204"},
	} {
		route := c.config.Route(hosted, request(c.line, c.headers...))
		if got := brief(route); got != c.want {
			t.Errorf("%s %v: got %s, want %s", c.line, c.headers, got, c.want)
		}
		if route.Response.Status == 204 && len(route.Response.Body) != 0 {
			t.Errorf("%s: got a body, want none", c.line)
		}
	}
}

// A browser need not ask again before each request of git whether it may.
func TestPreflightsAreRemembered(t *testing.T) {
	count := func(r web.Response) (n int) {
		for _, h := range r.Header {
			if h.Name == "Access-Control-Max-Age" && h.Value == "86400" {
				n++
			}
		}
		return n
	}
	if got := count(config.Route(hosted, request("OPTIONS /"+npub+"/demo.git/git-upload-pack")).Response); got != 1 {
		t.Errorf("preflight: got %d headers, want 1", got)
	}
	if got := count(config.Route(hosted, request("GET /")).Response); got != 0 {
		t.Errorf("page: got %d headers, want none", got)
	}
}

// TestResponsesCarryCORS looks at one response of each sort (G01-CORS-01 to G01-CORS-04).
func TestResponsesCarryCORS(t *testing.T) {
	responses := []web.Response{config.Error(500, "x")}
	for _, line := range []string{
		"OPTIONS /x", "GET /", "GET /nowhere", "GET /" + npub + "/demo.git", "GET /" + npub + "/none.git", "POST /",
		"GET /bad/x.git/info/refs?service=git-upload-pack", "GET /" + npub + "/none.git/info/refs?service=git-upload-pack",
		"POST /" + npub + "/demo.git/git-upload-pack",
	} {
		responses = append(responses, config.Route(hosted, request(line)).Response)
	}
	responses = append(responses, config.Route(hosted, request("GET /", "Accept: application/nostr+json")).Response)
	for _, response := range responses {
		seen := map[string]int{}
		for _, header := range response.Header {
			seen[header.Name]++
			if seen[header.Name] > 1 {
				t.Errorf("status %d: %s is there twice", response.Status, header.Name)
			}
		}
		for _, header := range config.CORS() {
			if !slices.Contains(response.Header, header) {
				t.Errorf("status %d: got %v, want %v in it", response.Status, response.Header, header)
			}
		}
	}
}

func TestNIP11(t *testing.T) {
	document := func(c web.Config, accept string) map[string]any {
		t.Helper()
		response := c.Route(hosted, request("GET /", "Accept: "+accept)).Response
		if !slices.Contains(response.Header, web.Header{Name: "Content-Type", Value: "application/nostr+json"}) {
			return nil
		}
		var d map[string]any
		if err := json.Unmarshal(response.Body, &d); err != nil || response.Status != 200 {
			t.Fatalf("got status %d, %v", response.Status, err)
		}
		return d
	}
	got := document(config, "text/html, Application/nostr+json; q=0.5")
	if limits, ok := got["limitation"].(map[string]any); !ok || limits["max_subid_length"] != 64.0 {
		t.Errorf("got limitation %v", got["limitation"])
	}
	delete(got, "limitation")
	want := map[string]any{
		"name": "Test & server", "description": "For <tests>.", "supported_nips": []any{1.0, 11.0, 34.0},
		"software": "https://software.example", "version": "1", "supported_grasps": []any{"GRASP-01"},
		"repo_acceptance_criteria": web.CriteriaDefault,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	curated := config
	curated.Curation, curated.Criteria, curated.NIPs = "by hand", "friends only", nil
	got = document(curated, "application/nostr+json")
	if got["curation"] != "by hand" || got["repo_acceptance_criteria"] != "friends only" || got["supported_nips"] == nil {
		t.Errorf("got %v", got)
	}
	for _, accept := range []string{"", "*/*", "text/html", "application/json", "application/nostr+jsonx"} {
		if document(config, accept) != nil {
			t.Errorf("%q: got the document, want a page", accept)
		}
	}
}

// Who leaves .git out is led to the page, below the base path too; what is not here is not here, and git is led nowhere.
func TestWithoutSuffix(t *testing.T) {
	below := config
	below.Service.Base = "/base"
	for _, test := range []struct {
		config      web.Config
		request     string
		status      int
		destination string
	}{
		{config, "GET /" + npub + "/demo", 302, "/" + npub + "/demo.git"},
		{config, "HEAD /" + npub + "/held/", 302, "/" + npub + "/held.git"},
		{config, "GET /" + npub + "/my%20%C3%A9%20%25", 302, "/" + npub + "/my%20%C3%A9%20%25.git"},
		{config, "GET /" + npub + "/%22%3E%3Cscript%3Ealert(1)%3C", 302, "/" + npub + "/%22%3E%3Cscript%3Ealert%281%29%3C.git"},
		{below, "GET /base/" + npub + "/demo", 302, "/base/" + npub + "/demo.git"},
		{config, "POST /" + npub + "/demo", 405, ""},
		{config, "GET /" + npub + "/unknown", 404, ""},
		{config, "GET /" + npub + "/demo/x", 404, ""},
		{config, "GET /" + npub + "/demo//", 404, ""},
		{config, "GET /" + npub + "/demo/info/refs?service=git-upload-pack", 404, ""},
		{config, "GET /" + npub + "/", 404, ""},
		{config, "GET /npub1/demo", 404, ""},
		{config, "GET //" + npub + "/demo", 404, ""},
	} {
		response := test.config.Route(hosted, request(test.request)).Response
		destination := ""
		for _, h := range response.Header {
			if h.Name == "Location" {
				destination = h.Value
			}
		}
		if response.Status != test.status || destination != test.destination || strings.Contains(string(response.Body), "<script") {
			t.Errorf("%s: got %d to %q, want %d to %q", test.request, response.Status, destination, test.status, test.destination)
		}
	}
}
