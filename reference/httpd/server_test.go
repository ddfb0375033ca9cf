package httpd_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/graspkit/graspkit/reference/httpd"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/web"
)

const npub = "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6"

// Every answer carries the CORS headers once, also those that net/http makes by itself.
func TestEveryAnswerHasCORS(t *testing.T) {
	s := serve(t, setup{})
	host := "Host: " + s.addr + "\r\n"
	for name, raw := range map[string]string{
		"landing page":      "GET / HTTP/1.1\r\n" + host + "Connection: close\r\n\r\n",
		"relay document":    "GET / HTTP/1.1\r\n" + host + "Accept: application/nostr+json\r\nConnection: close\r\n\r\n",
		"preflight":         "OPTIONS / HTTP/1.1\r\n" + host + "Connection: close\r\n\r\n",
		"preflight of all":  "OPTIONS * HTTP/1.1\r\n" + host + "Connection: close\r\n\r\n",
		"unknown":           "GET /x/../y HTTP/1.1\r\n" + host + "Connection: close\r\n\r\n",
		"unknown git":       "GET /" + npub + "/x.git/info/refs?service=git-upload-pack HTTP/1.1\r\n" + host + "Connection: close\r\n\r\n",
		"absolute form":     "GET http://" + s.addr + "/ HTTP/1.1\r\n" + host + "Connection: close\r\n\r\n",
		"bad upgrade":       "GET / HTTP/1.1\r\n" + host + "Connection: upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 1\r\n\r\n",
		"bad escape":        "GET /%zz HTTP/1.1\r\n" + host + "\r\n",
		"no host":           "GET / HTTP/1.1\r\n\r\n",
		"bad header":        "GET / HTTP/1.1\r\n" + host + "a b: c\r\n\r\n",
		"unknown Expect":    "GET / HTTP/1.1\r\n" + host + "Expect: the best\r\nConnection: close\r\n\r\n",
		"bad encoding":      "POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: rot13\r\n\r\n",
		"too large headers": "GET / HTTP/1.1\r\n" + host + "X: " + strings.Repeat("x", 80<<10) + "\r\n\r\n",
	} {
		head, _, _ := strings.Cut(s.exchange(raw), "\r\n\r\n")
		if !strings.HasPrefix(head, "HTTP/1.1 ") || strings.Contains(head, " 500 ") {
			t.Errorf("%s: answer %q", name, head)
		}
		if n := strings.Count(head, "\r\nAccess-Control-Allow-Origin: *"); n != 1 {
			t.Errorf("%s: got %d origin headers, want 1, in %q", name, n, head)
		}
	}
}

func TestPathsAreNotCleaned(t *testing.T) {
	s := serve(t, setup{})
	for target, want := range map[string]int{
		"/":  http.StatusOK,
		"//": http.StatusNotFound, "/./": http.StatusNotFound, "/a/..": http.StatusNotFound,
		"/%2e%2e/": http.StatusNotFound, "/index.html": http.StatusNotFound,
		"/" + npub + "/..%2f..%2fetc.git/info/refs?service=git-upload-pack": http.StatusBadRequest,
		"/" + npub + "/x.git/info/refs?service=git-upload-pack":             http.StatusNotFound,
		"/" + npub + "//x.git/info/refs?service=git-upload-pack":            http.StatusNotFound,
		"/npub1bad/x.git/info/refs?service=git-upload-pack":                 http.StatusBadRequest,
	} {
		status, header := s.get(target)
		if status != want {
			t.Errorf("GET %s: got %d, want %d", target, status, want)
		}
		if at := header.Get("Location"); at != "" {
			t.Errorf("GET %s: redirected to %s", target, at)
		}
	}
}

func TestAnswerHookSeesEveryRoute(t *testing.T) {
	s := serve(t, setup{answer: func(_ web.Request, r web.Route) web.Route {
		r.Response.Status = http.StatusTeapot
		return r
	}})
	if status, _ := s.get("/"); status != http.StatusTeapot {
		t.Errorf("got %d, want %d", status, http.StatusTeapot)
	}
}

func TestJunkFramesLeaveTheServerUsable(t *testing.T) {
	s := serve(t, setup{})
	c := s.dial()
	for name, frame := range map[string]string{
		"nothing":          "",
		"half an array":    `["EVENT",`,
		"NUL":              "\x00\x00",
		"deep nesting":     strings.Repeat("[", 200_000),
		"deep event":       `["EVENT",{"tags":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}]`,
		"just below limit": `["REQ","x",{"ids":["` + strings.Repeat("a", relay.MessageBytesMax-40) + `"]}]`,
	} {
		c.send(websocket.MessageText, frame)
		if answer := c.receive(); !strings.HasPrefix(answer, `["NOTICE",`) && !strings.HasPrefix(answer, `["CLOSED",`) {
			t.Errorf("%s: got %.80s, want a NOTICE or CLOSED", name, answer)
		}
	}
	c.send(websocket.MessageBinary, "\x01\x02")
	if answer := c.receive(); !strings.HasPrefix(answer, `["NOTICE",`) {
		t.Errorf("binary: got %.80s, want a NOTICE", answer)
	}

	// What breaks the framing ends that connection, with a status, and no other.
	large := s.dial()
	_ = large.ws.Write(t.Context(), websocket.MessageText, bytes.Repeat([]byte("x"), 1<<20)) // cut off in the middle
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if _, _, err := large.ws.Read(ctx); err == nil || ctx.Err() != nil {
		t.Errorf("1 MiB frame: got %v, want the end of the connection", err)
	}
	if ids := c.query(`{"kinds":[30617]}`); len(ids) != 0 {
		t.Errorf("stored %v, want nothing", ids)
	}
}

func TestTextFrameThatIsNoUTF8(t *testing.T) {
	s := serve(t, setup{})
	c := s.dial()
	c.send(websocket.MessageText, "[\"REQ\",\"\xff\xfe\",{}]")
	if answer := c.receive(); !strings.HasPrefix(answer, `["NOTICE",`) && !strings.HasPrefix(answer, `["CLOSED",`) {
		t.Errorf("got %.80s, want a NOTICE or CLOSED", answer)
	}
	c.query(`{}`)
}

func TestThousandConnections(t *testing.T) {
	if testing.Short() {
		t.Skip("opens 1,000 sockets")
	}
	s := serve(t, setup{connectionsMax: 1000})
	all := make([]*socket, 1000)
	var dialing sync.WaitGroup
	for worker := range 8 {
		dialing.Go(func() {
			for i := worker; i < len(all); i += 8 {
				ws, _, err := websocket.Dial(t.Context(), "ws://"+s.addr+"/", nil) //nolint:bodyclose // a handshake
				if err != nil {
					t.Errorf("dial %d: %v", i, err)
					return
				}
				all[i] = &socket{t, ws}
			}
		})
	}
	dialing.Wait()
	if t.Failed() {
		return
	}
	_, resp, err := websocket.Dial(t.Context(), "ws://"+s.addr+"/", nil) //nolint:bodyclose // the library reads it
	if err == nil || resp == nil || resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("one connection too many: got %v, want status 503", err)
	}
	for _, c := range all {
		c.send(websocket.MessageText, `["REQ","all",{"kinds":[30617]}]`)
	}
	for i, c := range all {
		if got, want := c.receive(), `["EOSE","all"]`; got != want {
			t.Fatalf("connection %d: got %s, want %s", i, got, want)
		}
	}
	for _, c := range all {
		_ = c.ws.CloseNow()
	}
}

func TestStopTellsClients(t *testing.T) {
	s := serve(t, setup{})
	c := s.dial()
	c.query(`{}`)
	go s.server.Close(context.Background()) // its error is that of the stop that follows
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	_, _, err := c.ws.Read(ctx)
	if got := websocket.CloseStatus(err); got != websocket.StatusGoingAway {
		t.Errorf("close status: got %v (%v), want going away", got, err)
	}
	s.stop()
}

func TestGitBodiesAreLimited(t *testing.T) {
	s := serve(t, setup{limits: httpd.Limits{FetchBytes: 1000, PushBytes: 2000}})
	place := hosted(t, s, "demo")
	post := func(service, encoding string, body []byte) int {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, place.url+"/"+service, bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/x-"+service+"-request")
		req.Header.Set("Content-Encoding", encoding)
		resp, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		return resp.StatusCode
	}
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	for range 100 {
		fmt.Fprintf(z, "0032want %040d\n", 1)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, service, encoding string
		body                    []byte
		want                    int
	}{
		{"long fetch", "git-upload-pack", "", bytes.Repeat([]byte("0032want 0000000000000000000000000000000000000000\n"), 100), http.StatusRequestEntityTooLarge},
		{"long push", "git-receive-pack", "", make([]byte, 3000), http.StatusRequestEntityTooLarge},
		{"packed fetch", "git-upload-pack", "gzip", bomb.Bytes(), http.StatusRequestEntityTooLarge},
		{"no gzip", "git-upload-pack", "gzip", []byte("0000"), http.StatusUnsupportedMediaType},
		{"gzip in capitals", "git-upload-pack", "GZIP", bomb.Bytes(), http.StatusRequestEntityTooLarge},
		{"unknown encoding", "git-receive-pack", "br", []byte("0000"), http.StatusUnsupportedMediaType},
		{"probe", "git-receive-pack", "", []byte("0000"), http.StatusOK},
	} {
		if got := post(test.service, test.encoding, test.body); got != test.want {
			t.Errorf("%s: got %d, want %d", test.name, got, test.want)
		}
	}
}

// What a client does to HTTP itself is its fault, not the server's: it is told so, and no log is filled with it.
func TestBrokenChunksAreTheClients(t *testing.T) {
	s := serve(t, setup{})
	place := hosted(t, s, "demo")
	path := strings.TrimPrefix(place.url, "http://"+s.addr)
	const good = "4\r\n0000\r\n0\r\n"
	for _, service := range []string{"git-upload-pack", "git-receive-pack"} {
		for _, test := range []struct{ name, body, want string }{
			{"good", good + "\r\n", "200"},
			{"size of eighteen digits", "FFFFFFFFFFFFFFFFFF\r\n", "400"},
			{"size below zero", "-5\r\n", "400"},
			{"no size", "hello\r\n", "400"},
			{"long extension", "4;" + strings.Repeat("x", 10_000) + "\r\n0000\r\n0\r\n\r\n", "400"},
		} {
			answer := s.exchange("POST " + path + "/" + service + " HTTP/1.1\r\nHost: " + s.addr + "\r\nContent-Type: application/x-" + service +
				"-request\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n" + test.body)
			if !strings.HasPrefix(answer, "HTTP/1.1 "+test.want+" ") {
				t.Errorf("%s, %s: got %.60q, want status %s", service, test.name, answer, test.want)
			}
		}
	}
	if got := s.log.String(); strings.Contains(got, "request failed") {
		t.Errorf("logged %s, want no failure", got)
	}
}

func TestSlowBodyIsCutOff(t *testing.T) {
	s := serve(t, setup{limits: httpd.Limits{Stall: 300 * time.Millisecond}})
	place := hosted(t, s, "demo")
	path := strings.TrimPrefix(place.url, "http://"+s.addr)
	raw := "POST " + path + "/git-receive-pack HTTP/1.1\r\nHost: " + s.addr +
		"\r\nContent-Type: application/x-git-receive-pack-request\r\nContent-Length: 5000\r\n\r\n00"
	if answer := s.exchange(raw); !strings.HasPrefix(answer, "HTTP/1.1 408 ") {
		t.Errorf("got %.100q, want status 408", answer)
	}
}
