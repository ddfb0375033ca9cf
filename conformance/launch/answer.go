package launch

import (
	"context"
	"fmt"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/conformance/livetarget"
)

const (
	pollEvery   = 20 * time.Millisecond // between two looks at a server
	silenceWait = time.Second           // for the sockets of a dead server to be gone
)

// AwaitAnswer waits until the service answers, HTTP or WebSocket, and is still alive then. It returns the error of alive
// as soon as there is one, the cause of ctx if that ends, and an error that wraps ErrNotReady and says what the last
// attempt met when the time within is over.
func AwaitAnswer(ctx context.Context, live *livetarget.Target, c clock.Clock, within time.Duration, alive func() error) error {
	limited, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	for {
		err := live.Probe(limited)
		if dead := alive(); dead != nil {
			return dead
		}
		if err == nil {
			return nil
		}
		if pause(limited, c) != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return fmt.Errorf("%w: no answer at %s within %v: %w", ErrNotReady, live.ServiceURL(), within.Round(time.Millisecond), err)
		}
	}
}

// AwaitSilence waits a moment until nothing takes connections at the service any more. It returns an error that wraps
// ErrSurvived if something still does.
func AwaitSilence(ctx context.Context, live *livetarget.Target, c clock.Clock) error {
	limited, cancel := context.WithTimeout(ctx, silenceWait)
	defer cancel()
	for answers(limited, live, c) {
		if pause(limited, c) != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return fmt.Errorf("%w: %s", ErrSurvived, live.ServiceURL())
		}
	}
	return nil
}

// answers reports whether something takes connections at the service.
func answers(ctx context.Context, live *livetarget.Target, c clock.Clock) bool {
	conn, err := live.DialRaw(ctx)
	if err != nil { // after the deadline, which the dialer may see before ctx does, nothing is known to be gone
		limit, limited := ctx.Deadline()
		return limited && !c.Now().Before(limit)
	}
	_ = conn.Close() // nothing was sent
	return true
}

// pause waits until the next look is due, or ctx ends.
func pause(ctx context.Context, c clock.Clock) error {
	timer := c.Timer(pollEvery)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
