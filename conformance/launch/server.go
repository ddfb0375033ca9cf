package launch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/graspkit/graspkit/conformance/target"
)

// Name is the name of the program.
func (s *Server) Name() string { return filepath.Base(s.words[0]) }

// Fill returns words with the placeholders of the command line replaced, and {pid} by the process of the server; there is none where
// the last start has failed.
func (s *Server) Fill(words []string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var pid string
	if s.process != nil {
		pid = strconv.Itoa(s.process.cmd.Process.Pid)
	}
	filled := s.place.Fill(words)
	for i, word := range filled {
		filled[i] = strings.ReplaceAll(word, "{pid}", pid)
	}
	return filled
}

// Output is the last of what the server has written on stdout and stderr, over all its lives: at most OutputMax bytes.
func (s *Server) Output() string { return s.out.String() }

// Mark is the end of what the server has written so far.
func (s *Server) Mark() target.LogMark { return s.out.Mark() }

// Since returns what it has written after a mark.
func (s *Server) Since(mark target.LogMark) string { return s.out.Since(mark) }

// Alive returns nil while the server runs, and an OutputError around ErrDied when it has ended by itself.
func (s *Server) Alive() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.alive()
}

func (s *Server) alive() error {
	switch {
	case s.closed:
		return ErrClosed
	case s.process == nil:
		return s.told(fmt.Errorf("%w: it did not come back from a restart", ErrDied))
	}
	if err := s.process.alive(); err != nil {
		return s.told(err)
	}
	return nil
}

// Weigh returns the most memory that the process and its children have held since the last call, or since they began. A
// server that has ended is an error as of Alive; where there is no /proc, it is one that wraps target.ErrUnsupported.
func (s *Server) Weigh(context.Context) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.alive(); err != nil {
		return 0, err
	}
	return peak(s.process.cmd.Process.Pid)
}

// Restart sends SIGTERM, waits for the end of the process, sees that nothing answers any more, and starts the command
// again on the same address and data. It returns when the new process answers. A restart that was not one is an error:
// ErrDied if the server had ended before, ErrNotOrderly if it had to be killed (it is started again nevertheless),
// ErrSurvived if something still answered after its end, and the errors of Start.
func (s *Server) Restart(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.alive(); err != nil {
		return fmt.Errorf("restart: %w", s.rescued(ctx, err))
	}
	stopped := s.stop(ctx)
	if ctx.Err() != nil {
		return fmt.Errorf("restart: %w", context.Cause(ctx))
	}
	if err := errors.Join(stopped, s.start(ctx)); err != nil {
		return fmt.Errorf("restart: %w", err)
	}
	return nil
}

// Kill ends the process and its children with SIGKILL and starts the command again on the same address and data. It
// returns when the new process answers. Errors are ErrDied if the server had ended before (it is started again nevertheless), and
// those of Start.
func (s *Server) Kill(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.alive(); err != nil {
		return fmt.Errorf("kill: %w", s.rescued(ctx, err))
	}
	killed := s.process.kill()
	if killed != nil {
		killed = s.told(killed)
	}
	if err := AwaitSilence(ctx, s.Target, s.clock); err != nil {
		s.process = nil
		return fmt.Errorf("kill: %w", errors.Join(killed, err))
	}
	if err := errors.Join(killed, s.start(ctx)); err != nil {
		return fmt.Errorf("kill: %w", err)
	}
	return nil
}

// rescued starts a server again that has ended by itself. How it ended is an error in any case: what ends a server that had ended
// before is no restart of it. The lock is held.
func (s *Server) rescued(ctx context.Context, died error) error {
	if s.closed || !errors.Is(died, ErrDied) {
		return died
	}
	return errors.Join(died, s.start(ctx))
}

// stop ends the process, in order if it can be, and whatever it has left behind. The lock is held.
func (s *Server) stop(ctx context.Context) error {
	p := s.process
	s.process = nil
	limited, cancel := context.WithTimeout(ctx, s.command.StopWithin)
	defer cancel()
	stopped := p.stop(limited)
	if stopped == nil {
		// What still answers has not been asked to end: the process was not the server.
		stopped = AwaitSilence(ctx, s.Target, s.clock)
	}
	killGroup(p.cmd.Process)
	if stopped != nil {
		return errors.Join(s.told(stopped), AwaitSilence(ctx, s.Target, s.clock))
	}
	return nil
}

// Close ends the server with SIGTERM or, after StopWithin, SIGKILL, ends what is left of its session, and removes its
// data. The error tells an end that was not orderly and data that could not be removed; nothing runs any more in
// either case. A server that had ended by itself is none of the errors: see Alive. A second call does nothing.
func (s *Server) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	var stopped error
	if s.process != nil && s.process.alive() == nil {
		stopped = s.stop(context.Background())
	}
	s.process, s.closed = nil, true
	if err := os.RemoveAll(s.place.Data); err != nil {
		return errors.Join(stopped, fmt.Errorf("data directory: %w", err))
	}
	return stopped
}
