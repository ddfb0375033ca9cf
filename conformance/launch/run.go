package launch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// Errors of a command that is run to its end.
var (
	// ErrFailed is returned when a command ends with an exit status that is not zero, or by a signal.
	ErrFailed = errors.New("launch: the command failed")
	// ErrEndless is returned when a command has not ended in time.
	ErrEndless = errors.New("launch: the command did not end in time, and was killed")
)

// Run runs a command to its end, in a session of its own and without a shell. It returns an error of Check, an OutputError
// around ErrFailed, around ErrEndless if the time within is over, or around the cause of ctx; in the last two cases everything that
// the command has begun is killed. What it leaves behind at an orderly end lives on, and keeps what it has as output: a server that is
// started like this outlives the command, and us.
func Run(ctx context.Context, words []string, within time.Duration) error {
	out, err := os.CreateTemp("", "graspkit-command-") // no pipe: nobody would read it once the command has ended
	if err != nil {
		return fmt.Errorf("output of the command: %w", err)
	}
	defer func() {
		_ = out.Close()
		_ = os.Remove(out.Name()) // temporary anyway
	}()
	limited, cancel := context.WithTimeoutCause(ctx, within, fmt.Errorf("%w: %v", ErrEndless, within))
	defer cancel()
	p, err := begin(words, out)
	if err != nil {
		return err
	}
	p.asked.Store(true) // what it leaves behind is no business of ours
	select {
	case <-p.ended:
	case <-limited.Done():
		killGroup(p.cmd.Process)
		<-p.ended
		return &OutputError{Err: context.Cause(limited), Output: written(out)}
	}
	if p.err != nil {
		return &OutputError{Err: fmt.Errorf("%w: %w", ErrFailed, p.err), Output: written(out)}
	}
	return nil
}

// CheckProgram returns an error that wraps ErrCommand, and exec.ErrNotFound if that is why, if the program of a command cannot be
// started. It starts nothing.
func CheckProgram(words []string) error {
	if len(words) == 0 {
		return fmt.Errorf("%w: no program", ErrCommand)
	}
	if _, err := exec.LookPath(words[0]); err != nil {
		return fmt.Errorf("%w: %w", ErrCommand, err)
	}
	return nil
}

// written is the end of a file of output.
func written(out *os.File) string {
	size, err := out.Seek(0, io.SeekEnd)
	if err != nil {
		return ""
	}
	text := make([]byte, min(size, OutputMax))
	n, err := out.ReadAt(text, size-int64(len(text)))
	if err != nil && !errors.Is(err, io.EOF) {
		return ""
	}
	return string(text[:n])
}
