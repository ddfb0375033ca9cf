package web_test

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// A watched view takes every genuine token, and notes what it is asked.
type watched struct {
	view

	asked  []repo.ID // by token
	looked []repo.ID
}

func (w *watched) Admits(t web.Token) bool {
	w.asked = append(w.asked, t.Repo)
	return t.Genuine
}

func (w *watched) Repository(id repo.ID) web.Repository {
	w.looked = append(w.looked, id)
	return w.view.Repository(id)
}

// token is an Authorization header that holds an event, changed after it was signed if that is asked for.
func token(t *testing.T, change func(*nostr.Event)) string {
	t.Helper()
	ev := nostr.Event{Kind: 27235, Tags: nostr.Tags{{"u", "x"}}, CreatedAt: 1}
	if err := ev.Sign(strings.Repeat("0", 63) + "1"); err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(&ev)
	}
	text, err := json.Marshal(&ev)
	if err != nil {
		t.Fatal(err)
	}
	return "Nostr " + base64.StdEncoding.EncodeToString(text)
}

// On a private service everything but the root needs a token. Who has none is told one and the same, and nothing is looked up for it
// (G08-06); preflights and the document are for everybody (G08-08, G08-12).
func TestPrivate(t *testing.T) {
	private := config
	private.Private, private.Self, private.NIPs = true, string(alice), []int{1, 42}
	demo, none := "/"+npub+"/demo.git", "/"+npub+"/none.git"
	post := "Content-Type: application/x-git-upload-pack-request"
	good := "Authorization: " + token(t, nil)
	padded := "Authorization: nOSTR   " + strings.TrimPrefix(token(t, nil), "Nostr ")
	forged := "Authorization: " + token(t, func(ev *nostr.Event) { ev.Content = "another" })
	badly := "Authorization: " + token(t, func(ev *nostr.Event) { ev.Sig = strings.Repeat("0", 128) })
	id := repo.ID{Owner: alice, Identifier: "demo"}

	refused := private.Route(&watched{view: hosted}, request("GET "+demo)).Response
	if refused.Status != 401 || len(refused.Body) != 0 || !slices.Contains(refused.Header, web.Header{Name: "WWW-Authenticate", Value: `Nostr method="GET"`}) {
		t.Fatalf("without a token: got %+v", refused)
	}
	for _, c := range []struct {
		line    string
		headers []string
	}{
		{"GET " + none, nil},
		{"HEAD " + demo, nil},
		{"GET /" + npub + "/demo", nil},
		{"GET /" + npub, nil},
		{"GET /x", []string{good}},
		{"GET /bad/demo.git/info/refs?service=git-upload-pack", []string{good}},
		{"GET " + demo + "/info/refs?service=git-upload-pack", nil},
		{"GET " + none + "/info/refs?service=git-upload-pack", nil},
		{"GET " + demo + "/info/refs?service=git-receive-pack", []string{forged}},
		{"GET " + none + "/info/refs?service=git-receive-pack", []string{badly}},
		{"GET " + demo + "/info/refs", []string{forged}},
		{"POST " + demo + "/git-upload-pack", []string{post}},
		{"POST " + none + "/git-upload-pack", []string{post, badly}},
		{"POST " + none + "/git-receive-pack", nil},
		{"DELETE " + demo, nil},
		{"GET " + demo, []string{"Authorization: Basic eDp5"}},
		{"GET " + demo, []string{"Authorization: Nostr"}},
		{"GET " + demo, []string{"Authorization: Nostr !"}},
		{"GET " + demo, []string{"Authorization: Nostr " + base64.StdEncoding.EncodeToString([]byte(`{"kind":27235}`))}},
		{"GET " + demo, []string{"Authorization: Nostr " + base64.StdEncoding.EncodeToString([]byte(`[]`))}},
		{"GET " + demo, []string{strings.Replace(good, "Nostr", "Bearer", 1)}},
	} {
		v := &watched{view: hosted}
		if got := private.Route(v, request(c.line, c.headers...)).Response; cmp.Diff(refused, got) != "" || len(v.looked) > 0 {
			t.Errorf("%s %v: got %+v and looked for %v, want what everybody is told", c.line, c.headers, got, v.looked)
		}
	}
	for _, c := range []struct{ line, header, want string }{
		{"GET " + demo + "/info/refs?service=git-upload-pack", good, "advertise git-upload-pack demo"},
		{"GET " + demo + "/info/refs?service=git-upload-pack", padded, "advertise git-upload-pack demo"},
		{"GET " + demo, good, "200"},
		{"GET /" + npub + "/demo", good, "302"},
		{"GET " + demo + "/HEAD", good, "404"},
		{"DELETE " + demo, good, "405"},
	} {
		v := &watched{view: hosted}
		if got := brief(private.Route(v, request(c.line, c.header))); got != c.want || !slices.Equal(v.asked, []repo.ID{id}) {
			t.Errorf("%s: got %s for %v, want %s", c.line, got, v.asked, c.want)
		}
	}
	for line, want := range map[string]string{"OPTIONS " + none: "204", "GET /": "200", "HEAD /": "200", "POST /": "405"} {
		if got := brief(private.Route(&watched{view: hosted}, request(line))); got != want {
			t.Errorf("%s: got %s, want %s", line, got, want)
		}
	}
	withPlaces := private
	withPlaces.Contributions = true
	for _, c := range []struct {
		config web.Config
		line   string
		asked  []repo.ID
	}{
		{withPlaces, "GET /prs" + demo + "/info/refs?service=git-upload-pack", []repo.ID{repo.Contribution(alice, "demo")}},
		{withPlaces, "GET " + demo + "/info/refs?service=git-upload-pack", []repo.ID{id}},
		{withPlaces, "GET /prs" + "/bad/demo.git/info/refs?service=git-upload-pack", nil},
		{private, "GET /prs" + demo + "/info/refs?service=git-upload-pack", nil}, // there are none
	} {
		v := &watched{view: hosted}
		if c.config.Route(v, request(c.line, good)); !slices.Equal(v.asked, c.asked) {
			t.Errorf("%s: got a token for %v, want one for %v", c.line, v.asked, c.asked)
		}
	}
	var document struct {
		NIPs       []int  `json:"supported_nips"`
		Self       string `json:"self"`
		Limitation struct {
			Auth bool `json:"auth_required"`
		} `json:"limitation"`
	}
	if err := json.Unmarshal(private.Route(hosted, request("GET /", "Accept: application/nostr+json")).Response.Body, &document); err != nil ||
		!slices.Equal(document.NIPs, []int{1, 42, 98}) || document.Self != string(alice) || !document.Limitation.Auth {
		t.Errorf("document: got %+v, %v", document, err)
	}
}
