package repo_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

func TestParseService(t *testing.T) {
	for _, c := range []struct {
		text string
		want repo.Service
	}{
		{"ws://Grasp.Example", repo.Service{Host: "grasp.example"}},
		{"https://grasp.example:443/", repo.Service{Host: "grasp.example"}},
		{"https://grasp.example:80", repo.Service{Host: "grasp.example:80"}},
		{"HTTP://grasp.example:80", repo.Service{Host: "grasp.example"}},
		{"http://127.0.0.1:7334", repo.Service{Host: "127.0.0.1:7334"}},
		{"wss://[::1]:443", repo.Service{Host: "[::1]"}},
		{"wss://grasp.example/Base/", repo.Service{Host: "grasp.example", Base: "/Base"}},
		{"ws://grasp.example:8080/a/b", repo.Service{Host: "grasp.example:8080", Base: "/a/b"}},
		{"ws://grasp.example:/", repo.Service{Host: "grasp.example"}},
		{"http://grasp.example/a%2Fb", repo.Service{Host: "grasp.example", Base: "/a%2Fb"}},
		{"http://k.example\u212a/", repo.Service{Host: "k.example\u212a"}},
		{"https://grasp.example:44300/", repo.Service{Host: "grasp.example:44300"}},
	} {
		if got, err := repo.ParseService(c.text); err != nil || got != c.want {
			t.Errorf("%s: got %+v, %v, want %+v", c.text, got, err, c.want)
		}
	}
	for _, text := range []string{
		"", "grasp.example", "//grasp.example", "ftp://grasp.example", "http://", "http:///x", "http://u@h", "http://h?q",
		"http://h/#", "http:h", "http://h:99999", "http://h:0", "http://h..example", "http://.h", "http://*.example", "http://a%20b", "http://h:x", "http://:80", "http://h//", "http://h/%zz", "http://h\n",
	} {
		if got, err := repo.ParseService(text); err == nil {
			t.Errorf("%q: got %+v, want a refusal", text, got)
		}
	}
}

func TestServiceURLs(t *testing.T) {
	s := repo.Service{Host: "h:1", Base: "/b"}
	id := repo.ID{Owner: alice, Identifier: "a b"}
	if got, want := s.CloneURL(id, "https"), "https://h:1/b/"+npub+"/a%20b.git"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := s.RelayURL("ws"), "ws://h:1/b"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	a := repo.Announcement{ID: id, Clone: []string{s.CloneURL(id, "http")}, Relays: []string{s.RelayURL("wss")}}
	if clone, relays := s.ListedIn(a); !clone || !relays {
		t.Errorf("got %v, %v, want its own URLs listed", clone, relays)
	}
}

func TestServiceListedInClone(t *testing.T) {
	plain := repo.Service{Host: "grasp.example"}
	port := repo.Service{Host: "grasp.example:7334"}
	base := repo.Service{Host: "grasp.example", Base: "/git"}
	path := "/" + npub + "/demo.git"
	for _, c := range []struct {
		name    string
		service repo.Service
		url     string
		want    bool
	}{
		{"plain", plain, "https://grasp.example" + path, true},
		{"other scheme", plain, "http://grasp.example" + path, true},
		{"default port", plain, "https://grasp.example:443" + path, true},
		{"upper-case host", plain, "HTTPS://GRASP.Example" + path, true},
		{"trailing slash", plain, "https://grasp.example" + path + "/", true},
		{"port", port, "http://grasp.example:7334" + path, true},
		{"base path", base, "https://grasp.example/git" + path, true},
		{"escaped identifier", plain, "https://grasp.example/" + npub + "/my%20repo.git", true},
		{"other identifier", plain, "https://grasp.example/" + npub + "/other.git", true},
		{"host as a prefix", plain, "https://grasp.example.evil.tld" + path, false},
		{"host as a suffix", plain, "https://evilgrasp.example" + path, false},
		{"subdomain", plain, "https://x.grasp.example" + path, false},
		{"host in the path", plain, "https://evil.tld/grasp.example" + path, false},
		{"host in the query", plain, "https://evil.tld/?https://grasp.example" + path, false},
		{"host in the fragment", plain, "https://evil.tld/#https://grasp.example" + path, false},
		{"host as the user", plain, "https://grasp.example@evil.tld" + path, false},
		{"user", plain, "https://user@grasp.example" + path, false},
		{"query", plain, "https://grasp.example" + path + "?", false},
		{"fragment", plain, "https://grasp.example" + path + "#x", false},
		{"backslash", plain, `https://evil.tld\@grasp.example` + path, false},
		{"other port", plain, "https://grasp.example:8443" + path, false},
		{"port of the other scheme", plain, "https://grasp.example:80" + path, false},
		{"port missing", port, "http://grasp.example" + path, false},
		{"base path missing", base, "https://grasp.example" + path, false},
		{"longer base path", base, "https://grasp.example/git2" + path, false},
		{"base path of nobody", plain, "https://grasp.example/git" + path, false},
		{"wrong scheme", plain, "ws://grasp.example" + path, false},
		{"ssh", plain, "ssh://grasp.example" + path, false},
		{"other author", plain, "https://grasp.example/" + bob.Npub() + "/demo.git", false},
		{"hex author", plain, "https://grasp.example/" + string(alice) + "/demo.git", false},
		{"no .git", plain, "https://grasp.example/" + npub + "/demo", false},
		{"only .git", plain, "https://grasp.example/" + npub + "/.git", false},
		{"no author", plain, "https://grasp.example/demo.git", false},
		{"deeper", plain, "https://grasp.example/" + npub + "/x/demo.git", false},
		{"double slash", plain, "https://grasp.example//" + npub + "/demo.git", false},
		{"two trailing slashes", plain, "https://grasp.example" + path + "//", false},
		{"space", plain, " https://grasp.example" + path, false},
		{"look-alike letter", repo.Service{Host: "k.example"}, "https://\u212a.example" + path, false},
		{"empty", plain, "", false},
	} {
		a := repo.Announcement{ID: repo.ID{Owner: alice, Identifier: "demo"}, Clone: []string{"https://other.example/x", c.url}}
		if got, _ := c.service.ListedIn(a); got != c.want {
			t.Errorf("%s: %s: got %v, want %v", c.name, c.url, got, c.want)
		}
	}
}

func TestServiceListedInRelays(t *testing.T) {
	plain := repo.Service{Host: "grasp.example"}
	base := repo.Service{Host: "grasp.example", Base: "/git"}
	for _, c := range []struct {
		service repo.Service
		url     string
		want    bool
	}{
		{plain, "wss://grasp.example", true},
		{plain, "ws://grasp.example/", true},
		{plain, "ws://grasp.example:80", true},
		{plain, "WSS://Grasp.EXAMPLE:443/", true},
		{base, "wss://grasp.example/git", true},
		{base, "wss://grasp.example/git/", true},
		{plain, "http://grasp.example", false},
		{plain, "https://grasp.example", false},
		{plain, "wss://grasp.example:8080", false},
		{plain, "wss://grasp.example/x", false},
		{plain, "wss://grasp.example//", false},
		{plain, "wss://grasp.example.evil.tld", false},
		{plain, "wss://evil.tld/grasp.example", false},
		{plain, "wss://grasp.example@evil.tld", false},
		{plain, "wss://grasp.example?x", false},
		{plain, "grasp.example", false},
		{base, "wss://grasp.example", false},
		{base, "wss://grasp.example/git2", false},
		{base, "wss://grasp.example/GIT", false},
	} {
		if _, got := c.service.ListedIn(repo.Announcement{Relays: []string{"wss://other.example", c.url}}); got != c.want {
			t.Errorf("%+v: %s: got %v, want %v", c.service, c.url, got, c.want)
		}
	}
}

// FuzzParseService checks that a parsed service lists itself, whatever its spelling.
func FuzzParseService(f *testing.F) {
	f.Add("wss://Grasp.Example:443/base/")
	f.Add("http://[::1]:7334")
	f.Add("http://h/a%2fb/%C3%A9/;x=\"")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := repo.ParseService(text)
		if err != nil {
			return
		}
		id := repo.ID{Owner: alice, Identifier: "demo"}
		a, reason := repo.ParseAnnouncement(announce(alice, nostr.Tag{"d", "demo"},
			nostr.Tag{"clone", s.CloneURL(id, "http")}, nostr.Tag{"relays", s.RelayURL("ws")}))
		if reason != "" {
			t.Fatal(reason)
		}
		again, err := repo.ParseService(s.RelayURL("ws"))
		if diff := cmp.Diff(s, again); err != nil || diff != "" {
			// A service on port 80 of https is spelled like the default of http: no other spelling may differ.
			if s.Host != again.Host+":80" {
				t.Errorf("%q: %v %s", text, err, diff)
			}
			return
		}
		if clone, relays := s.ListedIn(a); !clone || !relays {
			t.Errorf("%q: got %v, %v, want %+v to list itself", text, clone, relays, s)
		}
	})
}
