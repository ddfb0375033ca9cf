package servetarget_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/servetarget"
)

// However a life ends, the next one has what was acknowledged, with the life that it had left: shorter by the time for
// which the server was down, and no longer if the clock went back meanwhile (REF-PURG-12, REF-PURG-14, REF-PURG-15).
func TestEveryEndKeepsWhatIsHeld(t *testing.T) {
	for _, end := range []struct {
		name string
		do   func(context.Context, *servetarget.Target) error
		left time.Duration
	}{
		{"in order", func(ctx context.Context, s *servetarget.Target) error { return s.Restart(ctx) }, 20 * time.Minute},
		{"down for a while", func(ctx context.Context, s *servetarget.Target) error { return s.RestartAfter(ctx, 5*time.Minute) }, 15 * time.Minute},
		{"the clock set back", func(ctx context.Context, s *servetarget.Target) error { return s.RestartAfter(ctx, -time.Hour) }, 20 * time.Minute},
		{"by a crash", func(ctx context.Context, s *servetarget.Target) error { return s.Kill(ctx) }, 20 * time.Minute},
		{"and a start that fails", func(ctx context.Context, s *servetarget.Target) error { return s.RestartFailing(ctx) }, 20 * time.Minute},
	} {
		t.Run(end.name, func(t *testing.T) {
			both(t, func(t *testing.T, s *servetarget.Target) {
				c := dial(t, s)
				path := announce(t, s, c, "demo")
				pass(t, s, 10*time.Minute)
				if err := end.do(t.Context(), s); err != nil {
					t.Fatal(err)
				}
				if _, err := c.Recv(t.Context()); !errors.Is(err, target.ErrClosed) {
					t.Errorf("connection of the old server: got %v, want ErrClosed", err)
				}
				pass(t, s, end.left-1)
				if got := status(t, s, path); got != http.StatusOK {
					t.Errorf("right before its end: got %d, want 200", got)
				}
				pass(t, s, 1)
				if got := status(t, s, path); got != http.StatusNotFound {
					t.Errorf("at its end: got %d, want 404", got)
				}
			})
		})
	}
}

func pass(t *testing.T, s *servetarget.Target, d time.Duration) {
	t.Helper()
	if err := s.Advance(t.Context(), d); err != nil {
		t.Fatal(err)
	}
}
