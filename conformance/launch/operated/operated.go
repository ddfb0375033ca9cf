// Package operated makes a target of a server that somebody else has started, with commands that restart it, kill it, and
// move its clock. A command gives the target a power only once it was seen from outside to have an effect, and each later
// use is shown like the first one. The package starts no server by itself, ends none by a signal of its own, and judges nothing.
package operated

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/conformance/launch"
	"github.com/graspkit/graspkit/conformance/livetarget"
	"github.com/graspkit/graspkit/conformance/target"
)

// Defaults of Commands.
const (
	Within      = time.Minute
	ReadyWithin = launch.ReadyWithin
)

// ErrNoEffect is returned when a command has ended well, and the server is as it was before.
var ErrNoEffect = errors.New("operated: the command had no effect that is seen from outside")

// Commands are the words of command lines, the program first. No shell is involved. Any of them may be missing.
type Commands struct {
	// Restart stops the server in an orderly way and starts it again on the same data.
	Restart []string
	// Kill ends the server without warning. Where Start is missing it comes back by itself, or by Kill.
	Kill []string
	// Start starts the server behind Kill.
	Start []string
	// Clock moves the clock of the server forward; {seconds} stands for by how much.
	Clock []string
	// Within bounds each command; zero means a minute.
	Within time.Duration
	// ReadyWithin bounds the wait for an answer behind them; zero means 30 s.
	ReadyWithin time.Duration
	// Live are the options of the target.
	Live livetarget.Options
}

// A Server is a server by its URL, as a target. It may be used from several goroutines at once; commands are run one after the
// other.
type Server struct {
	*livetarget.Target

	commands Commands
	clock    clock.Clock
	lacks    map[string]string // power to why it is not there; only read once the server is open

	mu    sync.Mutex    // guards that one command is run at a time
	ahead time.Duration // guarded by at; by how much the server's clock was moved
	at    sync.Mutex
}

var (
	_ target.Target    = (*Server)(nil)
	_ target.World     = (*Server)(nil)
	_ target.Patient   = (*Server)(nil)
	_ target.RawDialer = (*Server)(nil)
	_ target.Lacking   = (*Server)(nil)
)

// A Target is a server by its URL; which powers it has is seen by its type.
type Target interface {
	target.Target
	target.Lacking
}

// Open returns the target at a URL. Restart and Kill are each run once, to see what they do; a command without an effect is no error,
// but a power that is not there. The errors are those of the URL, those of ctx, and that of a server that does not answer
// before a command, or that does not come back behind one.
func Open(ctx context.Context, url string, c Commands) (Target, error) {
	live, err := livetarget.New(url, c.Live)
	if err != nil {
		return nil, err
	}
	if c.Within <= 0 {
		c.Within = Within
	}
	if c.ReadyWithin <= 0 {
		c.ReadyWithin = ReadyWithin
	}
	s := &Server{Target: live, commands: c, clock: c.Live.Clock, lacks: make(map[string]string)}
	if s.clock == nil {
		s.clock = clock.New()
	}
	var can powers
	if can.restart, err = s.prove(ctx, "restart", c.Restart, s.restart); err != nil {
		return nil, err
	}
	if can.kill, err = s.prove(ctx, "kill", c.Kill, s.kill); err != nil {
		return nil, err
	}
	can.clock = len(c.Clock) > 0 // shown by who has events that expire
	return can.of(s), nil
}

// prove runs what a command is for, and reports whether it had an effect. The error is that of a server that answers no more.
func (s *Server) prove(ctx context.Context, power string, command []string, do func(context.Context) error) (bool, error) {
	if len(command) == 0 {
		return false, nil
	}
	if err := s.Probe(ctx); err != nil {
		return false, fmt.Errorf("before a command: %w", err)
	}
	why := do(ctx)
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	if why == nil {
		return true, nil
	}
	if err := s.answering(ctx); err != nil {
		return false, fmt.Errorf("%w; %w", err, why)
	}
	s.lacks[power] = why.Error()
	return false, nil
}

// answering waits until the server answers behind a command.
func (s *Server) answering(ctx context.Context) error {
	err := launch.AwaitAnswer(ctx, s.Target, s.clock, s.commands.ReadyWithin, func() error { return nil })
	if err != nil {
		return fmt.Errorf("behind a command: %w", err)
	}
	return nil
}

// Lacks says why a power that a command was to give is not there.
func (s *Server) Lacks(power string) string { return s.lacks[power] }

// Now is the time of the server's clock, as far as commands have moved it.
func (s *Server) Now() time.Time {
	s.at.Lock()
	defer s.at.Unlock()
	return s.Target.Now().Add(s.ahead)
}

// powers are those that the commands of a server have shown to give.
type powers struct{ restart, kill, clock bool }

type (
	restarting struct{ s *Server }
	killing    struct{ s *Server }
	stepping   struct{ s *Server }
)

func (r restarting) Restart(ctx context.Context) error { return r.s.restart(ctx) }
func (k killing) Kill(ctx context.Context) error       { return k.s.kill(ctx) }
func (c stepping) Step(ctx context.Context, d time.Duration) error {
	return c.s.step(ctx, d)
}

// of is the server with these powers and no others: whoever asks for one does so by type.
func (p powers) of(s *Server) Target {
	r, k, c := restarting{s}, killing{s}, stepping{s}
	switch p {
	case powers{restart: true}:
		return struct {
			*Server
			restarting
		}{s, r}
	case powers{kill: true}:
		return struct {
			*Server
			killing
		}{s, k}
	case powers{clock: true}:
		return struct {
			*Server
			stepping
		}{s, c}
	case powers{restart: true, kill: true}:
		return struct {
			*Server
			restarting
			killing
		}{s, r, k}
	case powers{restart: true, clock: true}:
		return struct {
			*Server
			restarting
			stepping
		}{s, r, c}
	case powers{kill: true, clock: true}:
		return struct {
			*Server
			killing
			stepping
		}{s, k, c}
	case powers{restart: true, kill: true, clock: true}:
		return struct {
			*Server
			restarting
			killing
			stepping
		}{s, r, k, c}
	}
	return s
}
