package httpd_test

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/nbd-wtf/go-nostr"
)

// metrics reads the metrics of a server and checks their headers.
func (s *served) metrics() string {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, "http://"+s.addr+"/metrics", http.NoBody)
	if err != nil {
		s.t.Fatal(err)
	}
	resp, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/plain; version=0.0.4") {
		s.t.Fatalf("GET /metrics: got %d and type %q, want 200 and the text format", resp.StatusCode, resp.Header.Get("Content-Type"))
	}
	if got := resp.Header.Values("Access-Control-Allow-Origin"); len(got) != 1 || got[0] != "*" {
		s.t.Errorf("GET /metrics: got origin headers %q, want one *", got)
	}
	return string(body)
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

func TestMetricsAreReadOnly(t *testing.T) {
	s := serve(t, setup{})
	host := " HTTP/1.1\r\nHost: " + s.addr + "\r\nConnection: close\r\n\r\n"
	for request, want := range map[string]string{
		"HEAD /metrics":        "HTTP/1.1 200 ",
		"OPTIONS /metrics":     "HTTP/1.1 204 ",
		"POST /metrics":        "HTTP/1.1 404 ",
		"GET /metrics/":        "HTTP/1.1 404 ",
		"GET /x/../metrics":    "HTTP/1.1 404 ",
		"GET /metrics?name[]=": "HTTP/1.1 200 ",
	} {
		answer := s.exchange(request + host)
		if !strings.HasPrefix(answer, want) || strings.Count(answer, "\r\nAccess-Control-Allow-Origin: *\r\n") != 1 {
			t.Errorf("%s: got %.200q, want %q and one origin header", request, answer, want)
		}
	}
}
