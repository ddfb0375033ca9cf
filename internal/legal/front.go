package legal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/sim/simtarget"
)

// serviceURL is where every server of this package believes to be: on this machine, as one that is tried out.
const serviceURL = "http://127.0.0.1:7334"

// A habit is one way in which a server treats its clients. Hooks that are nil change nothing. They are called under the
// front's lock, one at a time, with the present of the server; only answer is called without it.
type habit struct {
	// dial may turn a handshake away.
	dial func(now time.Time, l *line) error
	// hears is asked about every message of a client. What it returns is sent back in place of what the server inside
	// would say, unless pass is true.
	hears func(now time.Time, l *line, msg []byte) (answers [][]byte, pass bool)
	// says is asked about every message of the server inside: it is sent after a delay, or never.
	says func(now time.Time, l *line, msg []byte) (after time.Duration, sent bool)
	// changes makes another message of one of the server inside, after says.
	changes func(msg []byte) []byte
	// looks is asked whenever a connection is used.
	looks func(now time.Time, l *line)
	// left is told of a connection that has ended.
	left func(l *line)
	// answer makes the answer to an HTTP exchange; next asks the server inside.
	answer func(f *front, req *http.Request, next exchange) (*http.Response, error)
	// stops is how long an orderly stop takes.
	stops time.Duration
	// started is told that the server has been started again.
	started func()
}

// An exchange is one HTTP exchange.
type exchange func(req *http.Request) (*http.Response, error)

// A front is a simulated server in the time of a clock, behind habits.
type front struct {
	name   string
	at     string // service URL
	clock  clock.Clock
	begun  time.Time // by the clock
	epoch  time.Time // by the server, when it began
	habits []habit
	ahead  time.Duration // of the clock of the server before that of its judge

	mu      sync.Mutex
	inside  *simtarget.Target
	lines   []*line       // guarded by mu; open ones, in order
	changed chan struct{} // guarded by mu; closed, and replaced, whenever something may have come for a line
}

var _ target.Target = (*front)(nil)

func newFront(name, at string, inside *simtarget.Target, clk clock.Clock, habits []habit) *front {
	return &front{
		name: name, at: at, clock: clk, begun: clk.Now(), epoch: inside.Now(), inside: inside, habits: habits,
		changed: make(chan struct{}),
	}
}

// Name implements target.Target.
func (f *front) Name() string { return f.name }

// ServiceURL implements target.Target.
func (f *front) ServiceURL() string { return f.at }

// Now implements target.Target: the time of the judge, moved by the clock. That of the simulated server is ahead of it, or behind.
func (f *front) Now() time.Time { return f.epoch.Add(f.clock.Since(f.begun)) }

// Sleep implements target.Target.
func (f *front) Sleep(ctx context.Context, d time.Duration) error {
	timer := f.clock.Timer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("sleep: %w", context.Cause(ctx))
	}
}

// Dial implements target.Target.
func (f *front) Dial(ctx context.Context) (target.Conn, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.catchUp(ctx); err != nil {
		return nil, err
	}
	l := &line{front: f}
	for _, h := range f.habits {
		if h.dial != nil {
			if err := h.dial(f.Now(), l); err != nil {
				return nil, err
			}
		}
	}
	conn, err := f.inside.Dial(ctx)
	if err != nil {
		f.forget(l)
		return nil, err
	}
	l.inside = conn
	f.lines = append(f.lines, l)
	f.pump(ctx)
	return l, nil
}

// RoundTrip implements target.Target.
func (f *front) RoundTrip(req *http.Request) (*http.Response, error) {
	next := f.exchange
	for i := len(f.habits) - 1; i >= 0; i-- {
		if answer := f.habits[i].answer; answer != nil {
			inner := next
			next = func(req *http.Request) (*http.Response, error) { return answer(f, req, inner) }
		}
	}
	return next(req)
}

// exchange asks the server inside. A body that takes its time keeps nobody else waiting.
func (f *front) exchange(req *http.Request) (*http.Response, error) {
	if req.Body != nil && req.Body != http.NoBody {
		whole, err := io.ReadAll(req.Body)
		if err := errors.Join(err, req.Body.Close()); err != nil {
			return nil, fmt.Errorf("read request body: %w", err)
		}
		req = req.Clone(req.Context())
		req.Body = io.NopCloser(bytes.NewReader(whole))
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.catchUp(req.Context()); err != nil {
		return nil, err
	}
	resp, err := f.inside.RoundTrip(req)
	f.pump(req.Context())
	return resp, err
}

// catchUp brings the server inside to the present.
func (f *front) catchUp(ctx context.Context) error {
	if behind := f.Now().Add(f.ahead).Sub(f.inside.Now()); behind > 0 {
		return f.inside.Advance(ctx, behind)
	}
	return nil
}

// pump takes what the server inside has sent, on every connection, and wakes who waits for it.
func (f *front) pump(ctx context.Context) {
	ctx = context.WithoutCancel(ctx)
	kept := f.lines[:0]
	for _, l := range f.lines {
		l.take(ctx)
		if l.ended {
			f.forget(l)
			continue
		}
		kept = append(kept, l)
	}
	f.lines = kept
	close(f.changed)
	f.changed = make(chan struct{})
}

// forget tells the habits that a connection is gone.
func (f *front) forget(l *line) {
	for _, h := range f.habits {
		if h.left != nil {
			h.left(l)
		}
	}
}
