package livetarget_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/graspkit/graspkit/conformance/livetarget"
	"github.com/graspkit/graspkit/conformance/target"
)

// peer starts a WebSocket server that runs one function per connection.
func peer(t *testing.T, opts livetarget.Options, serve func(ctx context.Context, ws *websocket.Conn)) *livetarget.Target {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer ws.CloseNow()
		ws.SetReadLimit(-1)
		serve(r.Context(), ws)
	}))
	t.Cleanup(server.Close)
	return open(t, strings.Replace(server.URL, "http://", "ws://", 1), opts)
}

func dial(t *testing.T, live *livetarget.Target) target.Conn {
	t.Helper()
	conn, err := live.Dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	})
	return conn
}

// echo answers each message with itself.
func echo(ctx context.Context, ws *websocket.Conn) {
	for {
		kind, msg, err := ws.Read(ctx)
		if err != nil || ws.Write(ctx, kind, msg) != nil {
			return
		}
	}
}

func TestIdleLeavesTheConnectionUsable(t *testing.T) {
	conn := dial(t, peer(t, livetarget.Options{Quiet: 10 * time.Millisecond}, echo))
	bounded, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	unbounded := context.WithoutCancel(t.Context())
	for name, ctx := range map[string]context.Context{"with a deadline": bounded, "without a deadline": unbounded} {
		if msg, err := conn.Recv(ctx); !errors.Is(err, target.ErrIdle) {
			t.Errorf("Recv %s: got %q, %v, want ErrIdle", name, msg, err)
		}
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if msg, err := conn.Recv(canceled); !errors.Is(err, context.Canceled) {
		t.Errorf("Recv when canceled: got %q, %v, want Canceled", msg, err)
	}
	long := strings.Repeat("x", 1<<20)
	if err := conn.Send(t.Context(), []byte(long)); err != nil {
		t.Fatal(err)
	}
	waiting, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if msg, err := conn.Recv(waiting); err != nil || string(msg) != long {
		t.Errorf("Recv of 1 MiB: got %d bytes, %v", len(msg), err)
	}
}

func TestClosedByThePeer(t *testing.T) {
	conn := dial(t, peer(t, livetarget.Options{}, func(ctx context.Context, ws *websocket.Conn) {
		if err := ws.Write(ctx, websocket.MessageText, []byte("last words")); err != nil {
			t.Error(err)
		}
	}))
	waiting, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if msg, err := conn.Recv(waiting); err != nil || string(msg) != "last words" {
		t.Errorf("Recv: got %q, %v, want the last words", msg, err)
	}
	for range 2 {
		if msg, err := conn.Recv(waiting); !errors.Is(err, target.ErrClosed) {
			t.Errorf("Recv: got %q, %v, want ErrClosed", msg, err)
		}
	}
}

func TestCloseDoesNotWaitForAMutePeer(t *testing.T) {
	done := make(chan struct{})
	defer close(done)
	live := peer(t, livetarget.Options{Connections: 1}, func(ctx context.Context, ws *websocket.Conn) {
		for i := range 2 * livetarget.MaxInbox { // more than the client reads
			if err := ws.Write(ctx, websocket.MessageText, fmt.Append(nil, i)); err != nil {
				return
			}
		}
		<-done // never reads, so never answers the close frame
	})
	for range 2 { // the second time needs the slot of the first
		conn, err := live.Dial(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		impatient, cancel := context.WithCancel(t.Context())
		cancel()
		if other, err := live.Dial(impatient); err == nil {
			t.Errorf("second connection of one: got %v, want an error", other)
		}
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
		if err := conn.Close(); err != nil {
			t.Errorf("Close again: got %v, want nil", err)
		}
	}
}

// Who drops a connection says no goodbye, and the place of the connection is free again.
func TestDropIsWordless(t *testing.T) {
	ends := make(chan error, 2)
	live := peer(t, livetarget.Options{Connections: 1}, func(ctx context.Context, ws *websocket.Conn) {
		_, _, err := ws.Read(ctx)
		ends <- err
	})
	for _, drop := range []bool{true, false} {
		conn, err := live.Dial(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		end := conn.Close
		if dropper, can := conn.(target.Dropper); can && drop {
			end = dropper.Drop
		}
		if err := errors.Join(end(), conn.Close()); err != nil {
			t.Error(err)
		}
		if err := <-ends; (websocket.CloseStatus(err) == websocket.StatusNormalClosure) == drop {
			t.Errorf("drop %t: the peer got %v", drop, err)
		}
	}
}

func TestDialDoesNotFollowRedirects(t *testing.T) {
	hits := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hits++
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	}))
	defer server.Close()
	_, err := open(t, server.URL, livetarget.Options{}).Dial(t.Context())
	if err == nil || !strings.Contains(err.Error(), "302") || hits != 1 {
		t.Errorf("Dial: got %v after %d requests, want an error that names 302 after 1", err, hits)
	}
}
