// Package launch starts, stops and crashes a server under judgement: a command line, in a session of its own, on a free
// loopback port and a fresh data directory. The server is a target that can be restarted and killed, and nothing that
// it has begun outlives it. The package restarts nothing by itself and judges nothing; containers are in the package
// below.
package launch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"sync"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/conformance/livetarget"
	"github.com/graspkit/graspkit/conformance/target"
)

// Defaults of a Command.
const (
	ReadyWithin = 30 * time.Second
	StopWithin  = 45 * time.Second // an orderly stop may take half a minute
)

// A Command says how a server is started. Args are required.
type Command struct {
	// Args are the words of the command line, the program first. In each, {addr} stands for the loopback address to
	// listen on (host:port), {host} and {port} for its parts, {url} for URL, and {data} for a directory that is empty
	// at first and the same after a restart. No shell is involved. The process must stay in the foreground, and be
	// the server itself: SIGTERM goes to it alone.
	Args []string
	// URL is where the server answers, if that is not http://{addr}. Then no placeholder needs to say where to listen.
	URL string
	// Ready is matched against the lines of stdout and stderr after each start; the server is asked for an answer only
	// after the first line that matches. Nil means that it is asked at once, until it answers.
	Ready *regexp.Regexp
	// ReadyWithin bounds the wait for that line and the answer; zero means 30 s.
	ReadyWithin time.Duration
	// StopWithin bounds the wait for the end after SIGTERM; zero means 45 s.
	StopWithin time.Duration
	// MemoryMax is how many bytes the process and what it has begun may hold; beyond, they are killed. Zero is half of what is free on
	// the machine at the start, 2 GiB at least. Where memory cannot be read nothing is bounded.
	MemoryMax int64
	// Live are the options of the target.
	Live livetarget.Options
}

// A Server is a command that runs, as a target. It may be used from several goroutines at once; Restart, Kill and Close
// are carried out one after the other.
type Server struct {
	*livetarget.Target

	command Command
	place   Place    // its data is removed by Close
	words   []string // with the placeholders filled
	clock   clock.Clock
	out     output

	mu      sync.Mutex // guards what follows
	process *process   // nil when the last start has failed
	closed  bool
}

var (
	_ target.Target    = (*Server)(nil)
	_ target.World     = (*Server)(nil)
	_ target.Patient   = (*Server)(nil)
	_ target.RawDialer = (*Server)(nil)
	_ target.Restarter = (*Server)(nil)
	_ target.Killer    = (*Server)(nil)
	_ target.Weigher   = (*Server)(nil)
	_ target.Logs      = (*Server)(nil)
)

// Check returns an error if a command cannot be started as it stands: one that wraps ErrNowhere, or ErrCommand with
// exec.ErrNotFound or what else is wrong with the program, or that of a URL which is none. It starts nothing.
func (c Command) Check() error {
	if len(c.Args) == 0 {
		return fmt.Errorf("%w: no program", ErrCommand)
	}
	if c.URL == "" && !listens(c.Args) {
		return ErrNowhere
	}
	if c.URL != "" {
		if _, err := livetarget.New(c.URL, c.Live); err != nil {
			return err
		}
	}
	return CheckProgram(c.Args)
}

// Start starts a server and returns when it answers. The context bounds the start alone; the caller must Close the
// server. Errors are those of Check, and OutputErrors around ErrOccupied, ErrDied and ErrNotReady.
func Start(ctx context.Context, c Command) (*Server, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	if c.ReadyWithin <= 0 {
		c.ReadyWithin = ReadyWithin
	}
	if c.StopWithin <= 0 {
		c.StopWithin = StopWithin
	}
	if c.MemoryMax <= 0 {
		c.MemoryMax = memoryOf(available())
	}
	s := &Server{command: c, clock: c.Live.Clock}
	if s.clock == nil {
		s.clock = clock.New()
	}
	addr, err := FreeAddress(ctx)
	if err != nil {
		return nil, err
	}
	if c.URL == "" {
		c.URL = "http://" + addr
	}
	if s.Target, err = livetarget.New(c.URL, c.Live); err != nil {
		return nil, err
	}
	data, err := os.MkdirTemp("", "graspkit-launch-")
	if err != nil {
		return nil, fmt.Errorf("data directory: %w", err)
	}
	s.place = Place{Addr: addr, URL: c.URL, Data: data}
	s.words = s.place.Fill(c.Args)
	s.mu.Lock()
	err = s.start(ctx)
	s.mu.Unlock()
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// start begins a new life, and ends it if it comes to nothing. The lock is held.
func (s *Server) start(ctx context.Context) error {
	s.process = nil
	if answers(ctx, s.Target, s.clock) {
		return fmt.Errorf("%w: %s", ErrOccupied, s.ServiceURL())
	}
	var ready <-chan struct{}
	if s.command.Ready != nil {
		ready = s.out.await(s.command.Ready)
	}
	p, err := begin(s.words, &s.out)
	if err != nil {
		return err
	}
	go p.watch(s.clock, s.command.MemoryMax)
	if err := s.awaitReady(ctx, p, ready); err != nil {
		killGroup(p.cmd.Process)
		<-p.ended
		return s.told(err)
	}
	s.process = p
	return nil
}

// awaitReady waits for the line that says so, if there is to be one, and for an answer.
func (s *Server) awaitReady(ctx context.Context, p *process, ready <-chan struct{}) error {
	begun := s.clock.Now()
	if ready != nil {
		timer := s.clock.Timer(s.command.ReadyWithin)
		defer timer.Stop()
		select {
		case <-ready:
		case <-p.ended:
			return p.alive()
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-timer.C:
			return fmt.Errorf("%w: no line matches %q within %v", ErrNotReady, s.command.Ready, s.command.ReadyWithin)
		}
	}
	left := s.command.ReadyWithin - s.clock.Now().Sub(begun)
	return AwaitAnswer(ctx, s.Target, s.clock, left, p.alive)
}

// told adds to an error what the server wrote.
func (s *Server) told(err error) error { return &OutputError{Err: err, Output: s.out.String()} }
