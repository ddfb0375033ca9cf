package httpd_test

import (
	"context"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/node"
)

// Connections on which nothing was asked do not delay the end of a server.
func TestSilentConnectionsDelayNoEnd(t *testing.T) {
	s := serve(t, setup{})
	for _, said := range []string{"", "GET / HT"} {
		c, err := net.Dial("tcp", s.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := c.Write([]byte(said)); err != nil {
			t.Fatal(err)
		}
	}
	s.get("/") // the others have been accepted before
	begun := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := s.server.Close(ctx); err != nil {
		t.Errorf("Close: %v", err)
	}
	if took := time.Since(begun); took > 3*time.Second {
		t.Errorf("Close took %v, want it at once", took)
	}
}

// A listener that closes ends a server in order: what was held is held afterwards, and the journal says when it ended
// (REF-PURG-11).
func TestClosedListenerIsAnOrderlyEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.db")
	open := func() node.Journal {
		j, err := node.OpenJournal(path)
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, setup{journal: open(), listener: l})
	p := hosted(t, s, "demo")
	_ = p.relay.ws.CloseNow()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-s.end; err == nil || !strings.Contains(err.Error(), "serve: ") {
		t.Errorf("Serve: got %v, want an error of the listener", err)
	}
	s.end <- nil
	s.stop()
	j := open()
	started, _, err := j.Load()
	if err != nil {
		t.Fatal(err)
	}
	if len(started.Held) != 1 || started.Held[0].Event.ID != p.announced.ID || started.Held[0].Deadline.Sub(started.Held[0].Arrived) != core.PurgatoryLife {
		t.Errorf("held: got %v, want the announcement with its half hour", started.Held)
	}
	if len(started.Marks) != 1 || started.Marks[0].Kind != core.MarkRan || int64(started.Marks[0].At) != begun.UnixNano() {
		t.Errorf("marks: got %v, want when the server ran", started.Marks)
	}
	if err := j.Close(); err != nil {
		t.Error(err)
	}
}
