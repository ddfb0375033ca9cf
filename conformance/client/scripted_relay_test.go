package client_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/livetarget"
)

// A script answers one message of the client; returning false closes the connection.
type script func(send func(frame string), msg []json.RawMessage) bool

// scripted starts a relay that follows a script, and returns a client of it.
func scripted(t *testing.T, opts client.Options, play script) *client.Client {
	t.Helper()
	return scriptedEach(t, opts, func() script { return play })
}

// scriptedEach is scripted with a script for each connection.
func scriptedEach(t *testing.T, opts client.Options, begin func() script) *client.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer ws.CloseNow()
		play := begin()
		send := func(frame string) {
			if err := ws.Write(r.Context(), websocket.MessageText, []byte(frame)); err != nil {
				t.Logf("scripted relay: %v", err)
			}
		}
		for {
			_, raw, err := ws.Read(r.Context())
			if err != nil {
				return
			}
			var msg []json.RawMessage
			if err := json.Unmarshal(raw, &msg); err != nil {
				send(`["NOTICE","invalid: not a JSON array"]`)
				continue
			}
			if !play(send, msg) {
				return
			}
		}
	}))
	t.Cleanup(server.Close)
	return clientOf(t, server.URL, opts)
}

func clientOf(t *testing.T, url string, opts client.Options) *client.Client {
	t.Helper()
	live, err := livetarget.New(url, livetarget.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if opts.Settle == 0 {
		opts.Settle = 10 * time.Second
	}
	return client.New(live, opts)
}

func connect(ctx context.Context, t *testing.T, c *client.Client) *client.Relay {
	t.Helper()
	r, o := c.Relay(ctx)
	if o != nil {
		t.Fatalf("Relay: got %v, want a connection", o)
	}
	t.Cleanup(r.Close)
	return r
}

// impatient is for scripts that let the client wait in vain.
var impatient = client.Options{Settle: 500 * time.Millisecond, Quiet: 50 * time.Millisecond}

func label(msg []json.RawMessage) string {
	var s string
	if err := json.Unmarshal(msg[0], &s); err != nil {
		return ""
	}
	return s
}

func text(raw json.RawMessage) string {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return ""
	}
	return s
}

func eventID(raw json.RawMessage) string {
	var ev struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(raw, &ev); err != nil {
		return ""
	}
	return ev.ID
}

func frame(parts ...any) string {
	out, err := json.Marshal(parts)
	if err != nil {
		panic(err)
	}
	return string(out)
}
