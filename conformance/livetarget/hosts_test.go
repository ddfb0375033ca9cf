package livetarget_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/livetarget"
	"github.com/graspkit/graspkit/conformance/target"
)

func TestReachback(t *testing.T) {
	tests := []struct {
		url, reachback string
		host           string // of the hosts' URLs; "" if there are none
	}{
		{"http://127.0.0.1:1", "", "http://127.0.0.1:"},
		{"http://127.0.0.1:1", livetarget.ReachbackNone, ""},
		{"https://grasp.example", "", ""},
		{"https://grasp.example", "me.example", "http://me.example:"},
	}
	for _, test := range tests {
		live, err := livetarget.New(test.url, livetarget.Options{Reachback: test.reachback})
		if err != nil {
			t.Fatal(err)
		}
		host, err := live.NewHost(t.Context())
		if got, want := live.Reachback(), test.host != ""; got != want {
			t.Errorf("%s, %q: Reachback: got %t, want %t", test.url, test.reachback, got, want)
		}
		if test.host == "" {
			if !errors.Is(err, target.ErrUnsupported) {
				t.Errorf("%s, %q: got %v, want ErrUnsupported", test.url, test.reachback, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s, %q: %v", test.url, test.reachback, err)
			continue
		}
		if !strings.HasPrefix(host.URL(), test.host) {
			t.Errorf("%s, %q: got %s, want %s", test.url, test.reachback, host.URL(), test.host)
		}
		port := host.URL()[strings.LastIndex(host.URL(), ":"):]
		transport := &http.Transport{DisableKeepAlives: true}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1"+port+"/none", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := transport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if got := host.Requests(); resp.StatusCode != http.StatusNotFound || len(got) != 1 || got[0].Path != "/none" {
			t.Errorf("%s: got status %d and %v, want 404, recorded", host.URL(), resp.StatusCode, got)
		}
		if err := host.Close(); err != nil {
			t.Error(err)
		}
	}
}
