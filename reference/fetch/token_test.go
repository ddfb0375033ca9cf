package fetch_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/fetch"
)

// A host that asks for a token of nostr is shown one with every request from then on; any other host is shown nothing (G08-10).
func TestTokenIsShownWhereItIsAskedFor(t *testing.T) {
	objects := objectsOf("first")
	for name, c := range map[string]struct {
		challenge string // "" asks for nothing
		takes     bool
		want      fetch.Failure
		shown     []string // Authorization of each request
	}{
		"a public host":         {want: fetch.None, shown: []string{"", ""}},
		"a private service":     {challenge: `nostr method="GET"`, takes: true, want: fetch.None, shown: []string{"", "token", "token"}},
		"one that takes nobody": {challenge: `Nostr method="GET"`, want: fetch.Denied, shown: []string{"", "token"}},
		"one with a password":   {challenge: `Basic realm="git"`, want: fetch.Denied, shown: []string{""}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHost(t)
			h.put(t, "refs/heads/main", objects...)
			h.handle = func(w http.ResponseWriter, r *http.Request) bool {
				if c.challenge == "" || c.takes && r.Header.Get("Authorization") == "token" {
					return false
				}
				w.Header().Set("WWW-Authenticate", c.challenge)
				w.WriteHeader(http.StatusUnauthorized)
				return true
			}
			store := own(t)
			got := fetched(t, newFetcher(t, fetch.Options{
				Backend: store, AllowLocal: true,
				Authorize: func(url string, _ time.Time) (string, error) {
					if url != h.url() {
						t.Errorf("a token for %s, want one for %s", url, h.url())
					}
					return "token", nil
				},
			}), h.url(), tip(objects))
			if got.Failure != c.want || got.Got != (c.want == fetch.None) {
				t.Errorf("got %+v, want %q", got, c.want)
			}
			seen := h.requests()
			if len(seen) != len(c.shown) {
				t.Fatalf("got %d requests, want %d", len(seen), len(c.shown))
			}
			for i, r := range seen {
				if shown := r.Header.Get("Authorization"); shown != c.shown[i] {
					t.Errorf("request %d: shown %q, want %q", i, shown, c.shown[i])
				}
			}
		})
	}
}
