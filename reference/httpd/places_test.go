package httpd_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/reference/httpd"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// post sends the body of a git request as somebody behind a proxy, and returns the status and how long to wait.
func (s *served) post(path, service, address, body string) (status int, wait string) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, "http://"+s.addr+path+"/"+service, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-"+service+"-request")
	req.Header.Set("X-Forwarded-For", address)
	resp, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.StatusCode, resp.Header.Get("Retry-After")
}

// Who pushes to places faster than an address may is told to wait. Others, fetches and pushes elsewhere are none of that.
func TestContributorsAreSlowedDown(t *testing.T) {
	s := serve(t, setup{contributions: true, limits: httpd.Limits{Contributions: relay.PerMinute(1, 2)}})
	const receive, upload = "git-receive-pack", "git-upload-pack"
	p := hosted(t, s, "demo")
	elsewhere := strings.TrimPrefix(p.url, "http://"+s.addr)
	owner, _, _ := strings.Cut(strings.TrimPrefix(elsewhere, "/"), "/")
	key, err := repo.ParseNpub(owner)
	if err != nil {
		t.Fatal(err)
	}
	place := repo.Contribution(key, "demo").Path()
	for i, c := range []struct {
		path, service, address string
		want                   int
	}{
		{place, receive, "192.0.2.1", 200},
		{place, receive, "192.0.2.1", 200},
		{place, receive, "192.0.2.1", 429},
		{place, upload, "192.0.2.1", 200},
		{elsewhere, receive, "192.0.2.1", 200},
		{place, receive, "192.0.2.2", 200},
		{place, receive, "", 200},
	} {
		status, wait := s.post(c.path, c.service, c.address, "0000")
		if status != c.want || (wait != "") != (c.want == 429) {
			t.Errorf("%d: got %d, wait %q, want %d", i, status, wait, c.want)
		}
	}
}
