package httpd_test

import (
	"net/http"
	"net/netip"
	"testing"

	"github.com/coder/websocket"

	"github.com/graspkit/graspkit/reference/node"
)

// A client that comes through a proxy on this machine counts as who the proxy says it is; one that the proxy does not
// name has no share. Each row connects once more, and stays.
func TestProxiesNameTheirClients(t *testing.T) {
	s := serve(t, setup{shares: node.Shares{Connections: 1}})
	for _, test := range []struct {
		forwarded []string
		want      int
	}{
		{nil, http.StatusSwitchingProtocols},
		{nil, http.StatusSwitchingProtocols}, // the proxy itself
		{[]string{"203.0.113.7"}, http.StatusSwitchingProtocols},
		{[]string{"203.0.113.7"}, http.StatusTooManyRequests},
		{[]string{"198.51.100.1, 203.0.113.7"}, http.StatusTooManyRequests}, // what stands before it is made up
		{[]string{"198.51.100.1", "203.0.113.7"}, http.StatusTooManyRequests},
		{[]string{"203.0.113.7, 127.0.0.1"}, http.StatusTooManyRequests}, // two proxies
		{[]string{"::ffff:203.0.113.7"}, http.StatusTooManyRequests},
		{[]string{"198.51.100.1"}, http.StatusSwitchingProtocols},
		{[]string{"2001:db8:0:1::1"}, http.StatusSwitchingProtocols},
		{[]string{"[2001:db8:0:1::2]"}, http.StatusTooManyRequests}, // the same network of one subscriber
		{[]string{"2001:db8:0:2::1"}, http.StatusSwitchingProtocols},
		{[]string{"203.0.113.7, unknown"}, http.StatusSwitchingProtocols},
	} {
		ws, resp, err := websocket.Dial(t.Context(), "ws://"+s.addr+"/", &websocket.DialOptions{ //nolint:bodyclose // the library reads it
			HTTPHeader: http.Header{"X-Forwarded-For": test.forwarded},
		})
		if resp == nil || resp.StatusCode != test.want {
			t.Errorf("forwarded for %q: got %v, want status %d", test.forwarded, err, test.want)
		}
		if err == nil {
			defer ws.CloseNow()
		}
	}
}

// The word of who is no proxy counts for nothing.
func TestOthersNameNobody(t *testing.T) {
	s := serve(t, setup{shares: node.Shares{Connections: 1}, proxies: []netip.Prefix{}})
	for i, want := range []int{http.StatusSwitchingProtocols, http.StatusTooManyRequests} {
		ws, resp, err := websocket.Dial(t.Context(), "ws://"+s.addr+"/", &websocket.DialOptions{ //nolint:bodyclose // the library reads it
			HTTPHeader: http.Header{"X-Forwarded-For": {[]string{"203.0.113.7", "198.51.100.1"}[i]}},
		})
		if resp == nil || resp.StatusCode != want {
			t.Errorf("connection %d: got %v, want status %d", i, err, want)
		}
		if err == nil {
			defer ws.CloseNow()
		}
	}
}
