package launch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync/atomic"
	"time"
)

// drainWait is how long the output of a process is waited for after its end, if children of it hold it open.
const drainWait = 500 * time.Millisecond

// A process is one life of a server. One goroutine waits for its end, which stop or kill bring about.
type process struct {
	cmd   *exec.Cmd
	asked atomic.Bool           // to end: then what it leaves behind is left to who has asked
	ended chan struct{}         // closed when it has ended
	err   error                 // how; read after ended
	grown atomic.Pointer[error] // why it was ended, if it took memory without end
}

// begin starts a process. Nothing is given to it on stdin.
func begin(words []string, out io.Writer) (*process, error) {
	//nolint:noctx // who has started the server decides about its end, not the context of the start
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = out, out, drainWait
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCommand, err)
	}
	p := &process{cmd: cmd, ended: make(chan struct{})}
	go func() {
		p.err = cmd.Wait()
		if errors.Is(p.err, exec.ErrWaitDelay) { // the process itself ended well
			p.err = nil
		}
		if !p.asked.Load() {
			killGroup(cmd.Process)
		}
		close(p.ended)
	}()
	return p, nil
}

// alive returns nil while the process runs, and then an error that wraps ErrDied.
func (p *process) alive() error {
	select {
	case <-p.ended:
	default:
		return nil
	}
	if grown := p.grown.Load(); grown != nil {
		return fmt.Errorf("%w: %w", ErrDied, *grown)
	}
	if p.err != nil {
		return fmt.Errorf("%w: %w", ErrDied, p.err)
	}
	return fmt.Errorf("%w: exit status 0", ErrDied)
}

// stop asks the process to end and waits for it until ctx is done; then it is killed, and the error wraps ErrNotOrderly.
// Children that it left behind still run.
func (p *process) stop(ctx context.Context) error {
	p.asked.Store(true)
	err := askToEnd(p.cmd.Process)
	if err == nil {
		select {
		case <-p.ended:
			return nil
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
	}
	killGroup(p.cmd.Process)
	<-p.ended
	return fmt.Errorf("%w: %w", ErrNotOrderly, err)
}

// kill ends the process and everything that it has begun without warning.
func (p *process) kill() error {
	killGroup(p.cmd.Process)
	<-p.ended
	if !wasKilled(p.cmd.ProcessState) {
		return p.alive()
	}
	return nil
}
