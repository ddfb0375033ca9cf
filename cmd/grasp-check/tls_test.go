//go:build unix

package main

import (
	"crypto/tls"
	"encoding/pem"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A server behind TLS with a certificate that no machine knows is judged with --ca, by the client of the suite and by git, and
// cannot be reached without it.
func TestAuthority(t *testing.T) {
	proxied := ""
	handler := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		to, err := url.Parse(proxied)
		if err != nil {
			panic(err)
		}
		r.SetURL(to)
		r.Out.Host = r.In.Host
	}}
	server := httptest.NewUnstartedServer(handler)
	server.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	server.StartTLS()
	defer server.Close()
	s := serveSim(t, buildSim(t), "serve", "--memory", "--addr", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--url", server.URL)
	proxied = s.url
	dir := t.TempDir()
	ca := filepath.Join(dir, "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	wss := "wss" + strings.TrimPrefix(server.URL, "https")
	out, err := checkIn(t, dir, "--quiet", "--ca", "ca.pem", "--id", "G01-GIT-02", wss)
	if err != nil || !strings.Contains(out, "Verdict: CONFORMANT") || !strings.Contains(out, " repositories are gone") || strings.Contains(out, "BLOCKED") || strings.Contains(out, "INCONCLUSIVE") {
		t.Errorf("with --ca: %v\n%s", err, out)
	}
	if out, err = checkIn(t, dir, "--quiet", "--id", "G01-N11", wss); err == nil || !strings.Contains(out, "certificate") {
		t.Errorf("without --ca: %v\n%s", err, out)
	}
	if out, err = checkIn(t, dir, "--quiet", "--id", "G01-N11", "--ca", "../go.mod", wss); err == nil || !strings.Contains(out, "--ca") {
		t.Errorf("with a file that is none: %v\n%s", err, out)
	}
}
