package node_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/reference/node"
)

// Whoever knocks without end fills no log: a line in a second says how many there were.
func TestRefusedConnectionsAreLoggedAtAPace(t *testing.T) {
	var log bytes.Buffer
	now := clock.NewMock()
	n := begin(t, node.Config{
		Machine: answering(), Clock: now, Shares: node.Shares{Connections: 1},
		Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if _, err := n.ConnectFrom(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	knock := func() {
		t.Helper()
		for range 100 {
			if _, err := n.ConnectFrom(t.Context(), "a"); !errors.Is(err, node.ErrCrowdedAddress) {
				t.Fatalf("got %v, want a refusal", err)
			}
		}
	}
	knock()
	now.Add(time.Second)
	knock()
	got := log.String()
	if strings.Count(got, "connection refused") != 2 || !strings.Contains(got, "others=0") || !strings.Contains(got, "others=99") {
		t.Errorf("got %s, want two lines, the second with 99 others", got)
	}
}
