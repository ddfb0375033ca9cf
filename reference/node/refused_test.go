package node_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
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
	if _, err := n.ConnectFrom(t.Context(), "a", ""); err != nil {
		t.Fatal(err)
	}
	knock := func() {
		t.Helper()
		for range 100 {
			if _, err := n.ConnectFrom(t.Context(), "a", ""); !errors.Is(err, node.ErrCrowdedAddress) {
				t.Fatalf("got %v, want a refusal", err)
			}
		}
	}
	knock()
	now.Add(time.Second)
	knock()
	now.Set(now.Now().Add(-time.Hour)) // a clock that is set back keeps nobody from the next line
	knock()
	got := log.String()
	if strings.Count(got, "connection refused") != 3 || !strings.Contains(got, "others=0") || !strings.Contains(got, "others=99") {
		t.Errorf("got %s, want three lines, the second with 99 others", got)
	}
}

// What anybody can have refused as often as he likes is in the log for those alone who look for it.
func TestRefusalsAreNoBusinessOfTheOperator(t *testing.T) {
	for _, fact := range []core.Fact{core.EventRefused, core.AuthenticationRefused, core.EventDuplicate} {
		for level, want := range map[slog.Level]bool{slog.LevelDebug: true, slog.LevelInfo: false} {
			var log bytes.Buffer
			m := &machine{step: func(_ instant.Instant, in core.Input, out *core.Effects) {
				if _, is := in.(core.ConnOpened); is {
					out.List = append(out.List, core.Note{Fact: fact, Reason: "refused for a test"})
				}
			}}
			n := begin(t, node.Config{Machine: m, Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: level}))})
			if _, err := n.ConnectFrom(t.Context(), "a", ""); err != nil {
				t.Fatal(err)
			}
			synced(t, n) // a node that is closed need not take what nobody waits for
			if err := n.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(log.String(), "refused for a test"); got != want {
				t.Errorf("%s at level %s: got it logged: %t, want %t", fact, level, got, want)
			}
		}
	}
}
