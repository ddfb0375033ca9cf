package livetarget_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/coder/websocket"

	"github.com/graspkit/graspkit/conformance/livetarget"
)

// A server that tells its services apart by name is reached by each name below localhost, in all three ways, and hears that name.
func TestBelowLocalhost(t *testing.T) {
	for _, at := range []string{"127.0.0.1:0", "[::1]:0"} {
		t.Run(at, func(t *testing.T) {
			heard := make(chan string, 8)
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				heard <- r.Host
				if r.Header.Get("Upgrade") == "" {
					return
				}
				if ws, err := websocket.Accept(w, r, nil); err == nil {
					_ = ws.CloseNow()
				}
			}))
			listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", at)
			if err != nil {
				t.Skipf("this machine has no such address: %v", err)
			}
			_ = server.Listener.Close()
			server.Listener = listener
			server.Start()
			defer server.Close()
			_, port, _ := net.SplitHostPort(listener.Addr().String())
			name := "relay.localhost:" + port
			live := open(t, "ws://"+name, livetarget.Options{})
			if !live.Loopback() {
				t.Error("got a server elsewhere, want one on this machine")
			}
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, live.ServiceURL()+"/", nil)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := live.RoundTrip(req)
			if err != nil {
				t.Fatalf("HTTP: got %v", err)
			}
			_ = resp.Body.Close()
			conn, err := live.Dial(t.Context())
			if err != nil {
				t.Fatalf("WebSocket: got %v", err)
			}
			_ = conn.Close()
			raw, err := live.DialRaw(t.Context())
			if err != nil {
				t.Fatalf("bare: got %v", err)
			}
			_ = raw.Close()
			for range 2 {
				if host := <-heard; host != name {
					t.Errorf("got the host %q, want %q", host, name)
				}
			}
		})
	}
}
