package httpd_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/replicate"
)

// metrics reads the metrics of a server and checks their headers.
func (s *served) metrics() string {
	s.t.Helper()
	resp := s.askMetrics(http.MethodGet, "/metrics")
	if kind := resp.Header().Get("Content-Type"); resp.Code != http.StatusOK || !strings.HasPrefix(kind, "text/plain; version=0.0.4") {
		s.t.Fatalf("GET /metrics: got %d and type %q, want 200 and the text format", resp.Code, kind)
	}
	return resp.Body.String()
}

func (s *served) askMetrics(method, path string) *httptest.ResponseRecorder {
	resp := httptest.NewRecorder()
	s.server.Metrics().ServeHTTP(resp, httptest.NewRequestWithContext(s.t.Context(), method, path, http.NoBody))
	return resp
}

func TestMetricsCountWhatHappened(t *testing.T) {
	s := serve(t, setup{})
	c := s.dial()
	const key = "0000000000000000000000000000000000000000000000000000000000000003"
	for range 2 {
		event := nostr.Event{Kind: 1, CreatedAt: nostr.Timestamp(begun.Unix()), Tags: nostr.Tags{}, Content: "unrelated"}
		if err := event.Sign(key); err != nil {
			t.Fatal(err)
		}
		if accepted, text := c.publish(event); accepted {
			t.Fatalf("an event that relates to nothing: got accepted %q, want a refusal", text)
		}
	}
	c.send(websocket.MessageBinary, "\x01")
	c.receive()
	text := s.metrics()
	for _, want := range []string{
		"# TYPE grasp_event_facts_total counter\n",
		"grasp_event_facts_total{fact=\"refused\"} 2\n",
		"grasp_connection_facts_total{fact=\"opened\"} 1\n",
		"grasp_message_facts_total{fact=\"received\"} 2\n",
		"grasp_binary_facts_total{fact=\"received\"} 1\n",
		"go_goroutines ",
	} {
		if !strings.Contains("\n"+text, "\n"+want) {
			t.Errorf("metrics lack %q:\n%s", want, text)
		}
	}
	line := regexp.MustCompile(`^grasp_[a-z]+_facts_total\{fact="[a-z_]*"\} [0-9]+$`)
	for l := range strings.Lines(text) {
		if l = strings.TrimSuffix(l, "\n"); strings.HasPrefix(l, "grasp_") && !line.MatchString(l) {
			t.Errorf("line %q: want a fact of a closed set and a count", l)
		}
	}
}

// A server that replicates tells how it stands to its relays; nobody answers at the one that it was told of.
func TestMetricsOfRelays(t *testing.T) {
	s := serve(t, setup{sync: core.SyncConfig{On: true, Config: replicate.Config{Bootstrap: []string{"wss://relay.test/path"}}}})
	if err := s.node.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	text := s.metrics()
	for _, want := range []string{
		`grasp_sync_relay_connected{relay="wss://relay.test/path"} 0`,
		`grasp_sync_relay_status{relay="wss://relay.test/path"} 3`,
		`grasp_sync_relay_failures{relay="wss://relay.test/path"} 1`,
		`# TYPE grasp_sync_connection_attempts_total counter`,
		`grasp_sync_connection_attempts_total{relay="wss://relay.test/path",result="failure"} 1`,
		`grasp_sync_connection_attempts_total{relay="wss://relay.test/path",result="success"} 0`,
		`grasp_sync_connection_attempts_total{relay="",result="failure"} 0`,
		`grasp_sync_events_synced_total 0`,
		`grasp_sync_relays_tracked_total 1`,
		`grasp_sync_relays_connected_total 0`,
		`grasp_sync_relays_dead_total 0`,
	} {
		if !strings.Contains("\n"+text, "\n"+want+"\n") {
			t.Errorf("metrics lack %q:\n%s", want, text)
		}
	}
}

func TestMetricsAreReadOnlyAndNotPublic(t *testing.T) {
	s := serve(t, setup{})
	for _, c := range []struct {
		method, path string
		want         int
	}{
		{http.MethodHead, "/metrics", http.StatusOK},
		{http.MethodGet, "/metrics?name[]=", http.StatusOK},
		{http.MethodPost, "/metrics", http.StatusMethodNotAllowed},
		{http.MethodGet, "/metrics/", http.StatusNotFound},
		{http.MethodGet, "/", http.StatusNotFound},
	} {
		if got := s.askMetrics(c.method, c.path).Code; got != c.want {
			t.Errorf("%s %s: got %d, want %d", c.method, c.path, got, c.want)
		}
	}
	answer := s.exchange("GET /metrics HTTP/1.1\r\nHost: " + s.addr + "\r\nConnection: close\r\n\r\n")
	if !strings.HasPrefix(answer, "HTTP/1.1 404 ") {
		t.Errorf("at the service itself: got %.100q, want 404", answer)
	}
}
