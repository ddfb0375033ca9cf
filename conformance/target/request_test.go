package target_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/graspkit/graspkit/conformance/target"
)

func TestRequestTarget(t *testing.T) {
	tests := []struct {
		name string
		in   url.URL
		want string
	}{
		{"plain path", url.URL{Scheme: "http", Host: "h:1", Path: "/a/b", RawQuery: "q=1"}, "/a/b?q=1"},
		{"opaque keeps dots", url.URL{Scheme: "http", Host: "h:1", Opaque: "//h:1/a/../b%2e%2E/"}, "/a/../b%2e%2E/"},
		{"opaque with query", url.URL{Scheme: "http", Opaque: "//h/x//y", RawQuery: "service=git"}, "/x//y?service=git"},
		{"opaque without path", url.URL{Scheme: "http", Opaque: "//h"}, "/"},
		{"opaque in origin form", url.URL{Scheme: "http", Opaque: "/x", RawQuery: "q"}, "/x?q"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := target.RequestTarget(&http.Request{URL: &test.in})
			if got != test.want {
				t.Errorf("RequestTarget(%+v): got %q, want %q", test.in, got, test.want)
			}
		})
	}
}
