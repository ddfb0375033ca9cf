package livetarget_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/coder/websocket"

	"github.com/graspkit/graspkit/conformance/livetarget"
	"github.com/graspkit/graspkit/conformance/target"
)

func TestProbe(t *testing.T) {
	answering := httptest.NewServer(http.NotFoundHandler())
	defer answering.Close()
	relayOnly := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") == "" {
			panic(http.ErrAbortHandler)
		}
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer ws.CloseNow()
		echo(r.Context(), ws)
	}))
	defer relayOnly.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	tests := []struct {
		name, url string
		want      error
	}{
		{"HTTP answers", answering.URL, nil},
		{"only WebSocket answers", relayOnly.URL, nil},
		{"nobody there", gone.URL, target.ErrUnreachable},
		{"mute", mute(t), target.ErrNoAnswer},
		{"not HTTP", babble(t), target.ErrNoAnswer},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := open(t, test.url, livetarget.Options{}).Probe(t.Context())
			if !errors.Is(err, test.want) {
				t.Errorf("Probe: got %v, want %v", err, test.want)
			}
		})
	}
}

// mute takes connections and never answers.
func mute(t *testing.T) string {
	return listen(t, func(conn net.Conn) {
		if _, err := io.Copy(io.Discard, conn); err != nil {
			t.Logf("mute: %v", err)
		}
	})
}

// babble answers with something that is not HTTP.
func babble(t *testing.T) string {
	return listen(t, func(conn net.Conn) {
		if _, err := io.WriteString(conn, "220 ready\r\n\r\n"); err != nil {
			t.Logf("babble: %v", err)
		}
	})
}

// listen serves each connection with one function, until the test ends.
func listen(t *testing.T, serve func(conn net.Conn)) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			serve(conn) // one at a time: each ends when the client goes
			if err := conn.Close(); err != nil {
				t.Logf("close: %v", err)
			}
		}
	}()
	t.Cleanup(func() {
		if err := listener.Close(); err != nil {
			t.Error(err)
		}
		<-ended
	})
	return "http://" + listener.Addr().String()
}
