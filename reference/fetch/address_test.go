package fetch_test

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/graspkit/graspkit/reference/fetch"
)

// Nobody is asked whose URL or address is none of the public ones (SEC-02, REF-HUNT-23).
func TestForbidden(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	f := newFetcher(t, fetch.Options{})
	for _, url := range []string{
		"http://127.0.0.1:" + port + "/r.git", "http://localhost:" + port + "/r.git", "http://[::ffff:127.0.0.1]:" + port + "/r.git",
		"http://0.0.0.0:" + port + "/r.git", "http://user:secret@127.0.0.1:" + port + "/r.git",
		"http://10.0.0.1/r.git", "http://169.254.169.254/latest", "http://[fe80::1]/r.git", "http://100.64.0.1/r.git",
		"file:///etc/passwd", "ssh://git@example.com/r.git", "git://127.0.0.1:" + port + "/r.git", "ext::sh -c x", "/etc/passwd", "",
		"http://", "http:opaque", "http://127.0.0.1:" + port + "/r.git?x=y", "-oProxyCommand=x", "http://127.0.0.1:" + port + "/\x7f",
	} {
		if got := fetched(t, f, url, tip(objectsOf("x"))); got.Failure != fetch.Forbidden {
			t.Errorf("%q: got %q (%v), want forbidden", url, got.Failure, got.Err)
		}
	}
	if err := listener.(*net.TCPListener).SetDeadline(time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if c, err := listener.Accept(); err == nil {
		t.Errorf("a connection was made from %v", c.RemoteAddr())
	}
}

// A redirect is followed within a host, and to no other; where it leads nothing else is sent either.
func TestRedirects(t *testing.T) {
	objects := objectsOf("wanted")
	other := newHost(t)
	other.put(t, "refs/heads/main", objects...)
	tests := []struct {
		name string
		to   string
		want fetch.Failure
		n    int
	}{
		{"the same host", "/r.git/info/refs?service=git-upload-pack", fetch.None, 3},
		{"another host", other.url() + "/info/refs?service=git-upload-pack", fetch.Redirected, 1},
		{"another scheme", "file:///r.git/info/refs?service=git-upload-pack", fetch.Redirected, 1},
		{"another kind of place", "/login", fetch.Redirected, 1},
		{"itself", "/old.git/info/refs?service=git-upload-pack", fetch.Redirected, 4},
		{"nowhere", "", fetch.Redirected, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := newHost(t)
			h.put(t, "refs/heads/main", objects...)
			h.handle = func(w http.ResponseWriter, r *http.Request) bool {
				if !strings.HasPrefix(r.URL.Path, "/old.git/") {
					return false
				}
				if test.to != "" {
					w.Header().Set("Location", test.to)
				}
				w.WriteHeader(http.StatusMovedPermanently)
				return true
			}
			got := fetched(t, newFetcher(t, fetch.Options{AllowLocal: true}), h.URL+"/old.git", tip(objects))
			if got.Failure != test.want || got.Requests != test.n {
				t.Errorf("got %q after %d requests (%v), want %q after %d", got.Failure, got.Requests, got.Err, test.want, test.n)
			}
		})
	}
	if n := len(other.requests()); n > 0 {
		t.Errorf("the other host: got %d requests, want 0", n)
	}
}

// A POST is not redirected.
func TestRedirectedPost(t *testing.T) {
	objects := objectsOf("wanted")
	h := newHost(t)
	h.put(t, "refs/heads/main", objects...)
	h.handle = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPost {
			http.Redirect(w, r, r.URL.Path, http.StatusTemporaryRedirect)
		}
		return r.Method == http.MethodPost
	}
	got := fetched(t, newFetcher(t, fetch.Options{AllowLocal: true}), h.url(), tip(objects))
	if got.Failure != fetch.Redirected || got.Requests != 2 {
		t.Errorf("got %q after %d requests, want redirected after 2", got.Failure, got.Requests)
	}
}

// What is in a URL or in the environment stays with us.
func TestNothingIsShown(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	t.Setenv("http_proxy", "http://127.0.0.1:1")
	objects := objectsOf("wanted")
	h := newHost(t)
	h.put(t, "refs/heads/main", objects...)
	h.handle = func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Set-Cookie", "a=b")
		return false
	}
	url := strings.Replace(h.url(), "http://", "http://user:secret@", 1)
	f := newFetcher(t, fetch.Options{AllowLocal: true})
	if got := fetched(t, f, url, tip(objects)); got.Failure != fetch.None {
		t.Errorf("got %q (%v), want success", got.Failure, got.Err)
	}
	for _, r := range h.requests() {
		if r.Header.Get("Authorization") != "" || r.Header.Get("Cookie") != "" || r.Header.Get("Referer") != "" {
			t.Errorf("%s %s: got header %v", r.Method, r.URL, r.Header)
		}
	}
}

func TestCertificate(t *testing.T) {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	server.Config.ErrorLog = nil
	defer server.Close()
	f := newFetcher(t, fetch.Options{AllowLocal: true})
	if got := fetched(t, f, server.URL+"/r.git", tip(objectsOf("x"))); got.Failure != fetch.Certificate {
		t.Errorf("unknown authority: got %q (%v), want certificate", got.Failure, got.Err)
	}
	plain := newHost(t)
	url := strings.Replace(plain.url(), "http://", "https://", 1)
	if got := fetched(t, f, url, tip(objectsOf("x"))); got.Failure != fetch.Certificate {
		t.Errorf("no TLS: got %q (%v), want certificate", got.Failure, got.Err)
	}
}

// A name that leads nowhere lists the host as broken for hours. That our own name server is out of order must not: it
// would do so for all hosts at once.
func TestLookup(t *testing.T) {
	broken := func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Net: "udp", Err: syscall.ECONNREFUSED}
	}
	for _, c := range []struct {
		name string
		dial func(context.Context, string, string) (net.Conn, error)
		want fetch.Failure
	}{
		{"the name does not exist", nameServer(t, dnsmessage.RCodeNameError), fetch.Lookup},
		{"the name server fails", nameServer(t, dnsmessage.RCodeServerFailure), fetch.Refused},
		{"no name server", broken, fetch.Refused},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFetcher(t, fetch.Options{Resolver: &net.Resolver{PreferGo: true, Dial: c.dial}})
			if got := fetched(t, f, "http://nowhere.invalid/r.git", tip(objectsOf("x"))); got.Failure != c.want {
				t.Errorf("got %q (%v), want %s", got.Failure, got.Err, c.want)
			}
		})
	}
}

// nameServer answers every question with a code, over a stream.
func nameServer(t *testing.T, code dnsmessage.RCode) func(context.Context, string, string) (net.Conn, error) {
	return func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go func() {
			defer theirs.Close()
			var length [2]byte
			if _, err := io.ReadFull(theirs, length[:]); err != nil {
				t.Errorf("question: %v", err)
				return
			}
			question := make([]byte, binary.BigEndian.Uint16(length[:]))
			if _, err := io.ReadFull(theirs, question); err != nil {
				t.Errorf("question: %v", err)
				return
			}
			var m dnsmessage.Message
			if err := m.Unpack(question); err != nil {
				t.Errorf("question: %v", err)
				return
			}
			m.Response, m.RCode, m.Additionals = true, code, nil
			answer, err := m.AppendPack([]byte{0, 0})
			if err != nil {
				t.Errorf("answer: %v", err)
				return
			}
			binary.BigEndian.PutUint16(answer, uint16(len(answer)-2)) //nolint:gosec // a short message
			_, _ = theirs.Write(answer)                               // who asked may be gone
		}()
		return ours, nil
	}
}
