package livetarget_test

import (
	"crypto/x509"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/graspkit/graspkit/conformance/livetarget"
)

// A server whose certificate nobody knows is reached in all three ways by who trusts its roots, and by nobody else.
func TestRoots(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") == "" {
			return
		}
		if ws, err := websocket.Accept(w, r, nil); err == nil {
			_ = ws.CloseNow()
		}
	}))
	defer server.Close()
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	for _, test := range []struct {
		name  string
		roots *x509.CertPool
		fails bool
	}{{"trusted", roots, false}, {"unknown", nil, true}} {
		t.Run(test.name, func(t *testing.T) {
			live, err := livetarget.New("wss"+strings.TrimPrefix(server.URL, "https"), livetarget.Options{Roots: test.roots, Authority: "/roots.pem"})
			if err != nil {
				t.Fatal(err)
			}
			if live.Authority() != "/roots.pem" {
				t.Errorf("authority: got %q", live.Authority())
			}
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/", nil)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := live.RoundTrip(req)
			if err == nil {
				_ = resp.Body.Close()
			}
			judge(t, "HTTP", err, test.fails)
			conn, err := live.Dial(t.Context())
			if err == nil {
				_ = conn.Close()
			}
			judge(t, "WebSocket", err, test.fails)
			raw, err := live.DialRaw(t.Context())
			if err == nil {
				_ = raw.Close()
			}
			judge(t, "bare", err, test.fails)
		})
	}
}

func judge(t *testing.T, what string, err error, fails bool) {
	t.Helper()
	if (err != nil) != fails {
		t.Errorf("%s: got %v, want an error: %v", what, err, fails)
	}
	if fails && err != nil && !strings.Contains(err.Error(), "certificate") {
		t.Errorf("%s: got %v, want it to speak of the certificate", what, err)
	}
}
