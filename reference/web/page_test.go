package web_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip19"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

func page(t *testing.T, path string, status int) string {
	t.Helper()
	route := config.Route(hosted, request("GET "+path, "Accept: text/html"))
	if route.Kind != web.KindRespond || route.Response.Status != status {
		t.Fatalf("%s: got %s, want status %d", path, brief(route), status)
	}
	return string(route.Response.Body)
}

func TestRepositoryPage(t *testing.T) {
	body := page(t, "/"+npub+"/demo.git", 200)
	for _, want := range []string{
		"A demo", "Shows.", `href="https://gitworkshop.dev/` + npub + `/demo"`, `href="nostr:naddr1`,
		"http://grasp.example/" + npub + "/demo.git",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("got %s, want %q in it", body, want)
		}
	}
	_, rest, _ := strings.Cut(body, `href="nostr:`)
	naddr, _, _ := strings.Cut(rest, `"`)
	_, value, err := nip19.Decode(naddr)
	pointer, ok := value.(nostr.EntityPointer)
	if err != nil || !ok || pointer.PublicKey != string(alice) || pointer.Kind != 30617 || pointer.Identifier != "demo" {
		t.Errorf("got %+v, %v", pointer, err)
	}
}

func TestRepositoryPageEscapes(t *testing.T) {
	id := repo.ID{Owner: alice, Identifier: evil}
	body := page(t, id.Path(), 200)
	if strings.Contains(body, "<script") || !strings.Contains(body, "&lt;script&gt;") {
		t.Errorf("got %s, want the script escaped", body)
	}
	if !strings.Contains(body, `href="https://gitworkshop.dev/`+npub+"/"+repo.EncodeIdentifier(evil)+`"`) {
		t.Errorf("got %s, want the encoded identifier in a link", body)
	}
}

func TestRepositoryPageOfHeldAnnouncement(t *testing.T) {
	if body := page(t, "/"+npub+"/held.git", 200); strings.Contains(body, "secret") || !strings.Contains(body, "held") {
		t.Errorf("got %s, want the identifier and nothing of the event", body)
	}
}

func TestPagesNotFound(t *testing.T) {
	for _, path := range []string{
		"/nowhere", "/" + npub, "/" + npub + "/none.git", "/" + npub + "/none", "/" + npub + "/%2e%2e", "/npub1bad/demo.git", "/" + npub + "/%2e%2e.git",
		"/favicon.ico", "/<script>", "/%zz",
	} {
		if body := page(t, path, 404); strings.Contains(body, "script") {
			t.Errorf("%s: got its text in the page", path)
		}
	}
}

func TestLandingPage(t *testing.T) {
	if body := page(t, "/", 200); !strings.Contains(body, "Test &amp; server") || !strings.Contains(body, "For &lt;tests&gt;.") {
		t.Errorf("got %s, want name and description, escaped", body)
	}
}

// everything hosts every repository: it shows which ids the router would ever serve.
type everything struct{}

func (everything) Repository(repo.ID) web.Repository {
	return web.Repository{Exists: true, Served: true}
}

func (everything) Admits(web.Token) bool { return true }

// FuzzRoute checks that no request makes Route panic, that a git route names a repository that can be hosted and is
// spelled by exactly this path, and that an answer is an HTTP answer.
func FuzzRoute(f *testing.F) {
	f.Add("GET", "/", "", "application/nostr+json", "")
	f.Add("GET", "/"+npub+"/demo.git/info/refs", "service=git-upload-pack", "", "")
	f.Add("POST", "/"+npub+"/..%2fx.git/git-receive-pack", "", "", "application/x-git-receive-pack-request")
	f.Add("POST", "/%6e"+npub[1:]+"/a%00.git/git-upload-pack", "", "", "application/x-git-upload-pack-request")
	f.Fuzz(func(t *testing.T, method, path, query, accept, contentType string) {
		route := config.Route(everything{}, web.Request{Method: method, Path: path, Query: query, Header: func(name string) string {
			if name == "Accept" {
				return accept
			}
			return contentType
		}})
		switch route.Kind {
		case web.KindRespond:
			if route.Response.Status < 200 || route.Response.Status > 499 || len(route.Response.Header) < 3 {
				t.Errorf("%s %q: got %+v", method, path, route.Response)
			}
		case web.KindAdvertise, web.KindUploadPack, web.KindReceivePack:
			id := route.Repo
			if why := repo.CheckIdentifier(id.Identifier); why != "" {
				t.Errorf("%q: got %q, but %s", path, id.Identifier, why)
			}
			if _, err := hex.DecodeString(string(id.Owner)); err != nil || len(id.Owner) != 64 {
				t.Errorf("%q: got owner %q", path, id.Owner)
			}
			if route.Service != gitproto.UploadPackService && route.Service != gitproto.ReceivePackService {
				t.Errorf("%q: got service %q", path, route.Service)
			}
			if strings.Count(path, "/") > 4 || strings.Contains(path, "//") {
				t.Errorf("%q: got %+v from a path that is not exact", path, id)
			}
		default:
			if route.Kind != web.KindWebSocket {
				t.Errorf("%q: got kind %d", path, route.Kind)
			}
		}
	})
}

func BenchmarkRoute(b *testing.B) {
	r := request("GET /" + npub + "/demo.git/info/refs?service=git-upload-pack")
	b.ReportAllocs()
	for b.Loop() {
		if config.Route(hosted, r).Kind != web.KindAdvertise {
			b.Fatal("wrong route")
		}
	}
}
