package container

import (
	"context"
	"errors"
	"fmt"

	"github.com/ory/dockertest/v3/docker"

	"github.com/graspkit/graspkit/conformance/launch"
)

// Alive returns nil while the server runs, and an error that wraps launch.ErrDied when it has ended by itself.
func (s *Server) Alive() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err := s.running(context.Background())
	return err
}

// Restart sends SIGTERM to the first process of the container, waits for its end, sees that nothing answers any more,
// and starts the container again on the files that it has. It returns when the service answers. A restart that was not
// one is an error: launch.ErrDied if the server had ended before, launch.ErrNotOrderly if it had to be killed (with both it
// is started again nevertheless), launch.ErrSurvived if something still answered after its end, launch.ErrNotRestarted if
// the engine shows the old life as the new one.
func (s *Server) Restart(ctx context.Context) error {
	return s.revive(ctx, "restart", func(limited context.Context) error {
		err := s.end(limited, docker.SIGTERM)
		if err == nil || ctx.Err() != nil {
			return err
		}
		if killed := s.end(ctx, docker.SIGKILL); killed != nil {
			return errors.Join(err, killed)
		}
		return fmt.Errorf("%w: %w", launch.ErrNotOrderly, err)
	})
}

// Kill ends the processes of the container with SIGKILL and starts it again on the files that it has. It returns when
// the service answers. Errors are those of Restart, but for launch.ErrNotOrderly.
func (s *Server) Kill(ctx context.Context) error {
	return s.revive(ctx, "kill", func(limited context.Context) error { return s.end(limited, docker.SIGKILL) })
}

// revive ends a life by a function, which gets a limited context, and begins a new one.
func (s *Server) revive(ctx context.Context, what string, end func(limited context.Context) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, err := s.running(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", what, s.rescued(ctx, err))
	}
	limited, cancel := context.WithTimeout(ctx, s.image.StopWithin)
	ended := end(limited)
	cancel()
	if ended != nil && !errors.Is(ended, launch.ErrNotOrderly) {
		return fmt.Errorf("%s: %w", what, s.told(ended))
	}
	if err := launch.AwaitSilence(ctx, s.Target, s.clock); err != nil {
		return fmt.Errorf("%s: %w", what, s.told(err))
	}
	if err := s.pool.Client.StartContainerWithContext(s.resource.Container.ID, nil, ctx); err != nil {
		return fmt.Errorf("%s: start container: %w", what, s.told(err))
	}
	after, err := s.running(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if !after.StartedAt.After(before.StartedAt) {
		return fmt.Errorf("%s: %w: it began at %v, both times", what, launch.ErrNotRestarted, before.StartedAt)
	}
	if err := s.awaitReady(ctx); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if ended != nil {
		return fmt.Errorf("%s: %w", what, s.told(ended))
	}
	return nil
}

// rescued starts a container again that has ended by itself. How it ended is an error in any case: what ends a server that had
// ended before is no restart of it. The lock is held.
func (s *Server) rescued(ctx context.Context, died error) error {
	if !errors.Is(died, launch.ErrDied) {
		return died
	}
	if err := s.pool.Client.StartContainerWithContext(s.resource.Container.ID, nil, ctx); err != nil {
		return errors.Join(died, fmt.Errorf("start container: %w", err))
	}
	return errors.Join(died, s.awaitReady(ctx))
}

// end sends a signal and waits until the container has stopped, or ctx ends.
func (s *Server) end(ctx context.Context, signal docker.Signal) error {
	id := s.resource.Container.ID
	err := s.pool.Client.KillContainer(docker.KillContainerOptions{ID: id, Signal: signal, Context: ctx})
	if err != nil {
		return fmt.Errorf("signal %d: %w", signal, err)
	}
	if _, err := s.pool.Client.WaitContainerWithContext(id, ctx); err != nil {
		return fmt.Errorf("wait for the end after signal %d: %w", signal, err)
	}
	return nil
}

// running returns the state of the container, and an error that wraps launch.ErrDied unless it runs. The lock is held.
func (s *Server) running(ctx context.Context) (docker.State, error) {
	if s.closed {
		return docker.State{}, launch.ErrClosed
	}
	found, err := s.pool.Client.InspectContainerWithContext(s.resource.Container.ID, ctx)
	if err != nil {
		return docker.State{}, fmt.Errorf("inspect container: %w", err)
	}
	if !found.State.Running {
		return found.State, s.told(fmt.Errorf("%w: exit status %d", launch.ErrDied, found.State.ExitCode))
	}
	return found.State, nil
}

// awaitReady waits for an answer, as long as the container runs.
func (s *Server) awaitReady(ctx context.Context) error {
	err := launch.AwaitAnswer(ctx, s.Target, s.clock, s.image.ReadyWithin, func() error {
		_, err := s.running(ctx)
		return err
	})
	if _, ok := errors.AsType[*launch.OutputError](err); err != nil && !ok {
		return s.told(err)
	}
	return err
}

// told adds to an error what the server wrote.
func (s *Server) told(err error) error { return &launch.OutputError{Err: err, Output: s.Output()} }
