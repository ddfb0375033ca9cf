package httpd_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/coder/websocket"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitlock"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/httpd"
	"github.com/graspkit/graspkit/reference/node"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// begun is the time of every server here.
var begun = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// A served is a server on loopback.
type served struct {
	t      *testing.T
	addr   string // host:port
	node   *node.Node
	server *httpd.Server
	end    chan error // what Serve returned
	log    logBuffer
}

// A setup says how to start one. Zero fields mean memory only and defaults.
type setup struct {
	addr           string
	backend        gitstore.Backend
	journal        node.Journal
	limits         httpd.Limits
	connectionsMax int
	shares         node.Shares
	proxies        []netip.Prefix
	answer         func(web.Request, web.Route) web.Route
	sync           core.SyncConfig
	contributions  bool
	listener       net.Listener // instead of one on addr
}

func serve(t *testing.T, cfg setup) *served {
	t.Helper()
	if cfg.addr == "" {
		cfg.addr = "127.0.0.1:0"
	}
	if cfg.backend == nil {
		cfg.backend = gitlock.New(gitstore.NewMemory(gitstore.Limits{}), 0)
	}
	if cfg.journal == nil {
		cfg.journal = node.NewMemoryJournal()
	}
	var listening net.ListenConfig
	l, err := cfg.listener, error(nil)
	if l == nil {
		l, err = listening.Listen(t.Context(), "tcp", cfg.addr)
	}
	if err != nil {
		t.Fatal(err)
	}
	s := &served{t: t, addr: l.Addr().String(), end: make(chan error, 1)}
	logger := slog.New(slog.NewTextHandler(&s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	service, err := repo.ParseService("http://" + s.addr)
	if err != nil {
		t.Fatal(err)
	}
	mock := clock.NewMock()
	mock.Set(begun)
	s.node, err = node.New(node.Config{
		Core: core.Config{Service: service, Sync: cfg.sync, Contributions: core.ContributionConfig{On: cfg.contributions}}, Backend: cfg.backend, Journal: cfg.journal, Clock: mock, Logger: logger,
		ConnectionsMax: cfg.connectionsMax, Shares: cfg.shares,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.server = httpd.New(httpd.Config{
		Node: s.node, Backend: cfg.backend, Limits: cfg.limits, Answer: cfg.answer, Proxies: cfg.proxies, Logger: logger,
		Web: web.Config{Service: service, Name: "test", Grasps: []string{"GRASP-01"}, NIPs: []int{1, 11, 34}, Contributions: cfg.contributions},
	})
	go func() { s.end <- s.server.Serve(l) }()
	t.Cleanup(s.stop)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("log of the server:\n%s", s.log.String())
		}
	})
	return s
}

// stop ends the server; again is harmless.
func (s *served) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := s.server.Close(ctx); err != nil {
		s.t.Errorf("Close: %v", err)
	}
	select {
	case err := <-s.end:
		s.end <- nil
		if err != nil {
			s.t.Errorf("Serve: %v", err)
		}
	case <-ctx.Done():
		s.t.Error("Serve did not return")
	}
}

// A logBuffer may be written and read at the same time.
type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// exchange sends raw bytes on a connection of their own and returns what comes until its end, which may be a reset
// where the server has not read everything.
func (s *served) exchange(raw string) string {
	s.t.Helper()
	var dialing net.Dialer
	c, err := dialing.DialContext(s.t.Context(), "tcp", s.addr)
	if err != nil {
		s.t.Fatal(err)
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		s.t.Fatal(err)
	}
	if _, err := io.WriteString(c, raw); err != nil {
		s.t.Fatal(err)
	}
	answer, err := io.ReadAll(c)
	if err != nil && len(answer) == 0 {
		s.t.Fatalf("answer to %.60q: %v", raw, err)
	}
	return string(answer)
}

// get performs one exchange with a raw request target.
func (s *served) get(target string) (status int, header http.Header) {
	s.t.Helper()
	path, query, _ := strings.Cut(target, "?")
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, "http://"+s.addr+"/", http.NoBody)
	if err != nil {
		s.t.Fatal(err)
	}
	req.URL.Opaque, req.URL.RawQuery = "//"+s.addr+path, query
	transport := &http.Transport{DisableKeepAlives: true}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		s.t.Fatalf("GET %s: %v", target, err)
	}
	defer resp.Body.Close()
	return resp.StatusCode, resp.Header
}

// A socket is a WebSocket connection to the relay.
type socket struct {
	t  *testing.T
	ws *websocket.Conn
}

func (s *served) dial() *socket {
	s.t.Helper()
	ws, _, err := websocket.Dial(s.t.Context(), "ws://"+s.addr+"/", nil) //nolint:bodyclose // the body of a handshake is empty
	if err != nil {
		s.t.Fatalf("dial: %v", err)
	}
	s.t.Cleanup(func() { _ = ws.CloseNow() })
	ws.SetReadLimit(1 << 20)
	return &socket{s.t, ws}
}

func (c *socket) send(kind websocket.MessageType, frame string) {
	c.t.Helper()
	if err := c.ws.Write(c.t.Context(), kind, []byte(frame)); err != nil {
		c.t.Fatalf("send %.60q: %v", frame, err)
	}
}

func (c *socket) receive() string {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), 10*time.Second)
	defer cancel()
	_, frame, err := c.ws.Read(ctx)
	if err != nil {
		c.t.Fatalf("receive: %v", err)
	}
	return string(frame)
}

// publish sends an event and returns its OK.
func (c *socket) publish(e nostr.Event) (accepted bool, text string) {
	c.t.Helper()
	c.send(websocket.MessageText, fmt.Sprintf(`["EVENT",%s]`, e.String()))
	var answer []any
	if err := json.Unmarshal([]byte(c.receive()), &answer); err != nil || len(answer) != 4 || answer[0] != "OK" || answer[1] != e.ID {
		c.t.Fatalf("answer to an event: got %v, want an OK", answer)
	}
	accepted, _ = answer[2].(bool)
	text, _ = answer[3].(string)
	return accepted, text
}

// query returns the ids of the stored events that match a filter.
func (c *socket) query(filter string) []string {
	c.t.Helper()
	c.send(websocket.MessageText, fmt.Sprintf(`["REQ","q",%s]`, filter))
	var ids []string
	for {
		var answer []json.RawMessage
		frame := c.receive()
		if err := json.Unmarshal([]byte(frame), &answer); err != nil {
			c.t.Fatal(err)
		}
		if string(answer[0]) != `"EVENT"` {
			c.send(websocket.MessageText, `["CLOSE","q"]`)
			return ids
		}
		var e nostr.Event
		if err := json.Unmarshal(answer[2], &e); err != nil {
			c.t.Fatal(err)
		}
		ids = append(ids, e.ID)
	}
}
