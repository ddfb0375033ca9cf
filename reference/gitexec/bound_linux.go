package gitexec

import (
	"errors"
	"os/exec"
	"time"

	"golang.org/x/sys/unix"
)

// bound sets limits of memory and processor time to a process that has just begun, and with it to those that it starts. Beyond
// them it gets no memory, or is killed. One that has ended already needs none, and a system that allows none has its own.
func bound(c *exec.Cmd, memory int64, processor time.Duration) error {
	seconds := uint64(processor / time.Second)
	err := errors.Join(
		lower(c.Process.Pid, unix.RLIMIT_DATA, uint64(memory), uint64(memory)),
		lower(c.Process.Pid, unix.RLIMIT_CPU, seconds, seconds+1),
	)
	if errors.Is(err, unix.ESRCH) || errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOSYS) {
		return nil
	}
	return err
}

// lower sets a limit, as far as the one that is set is not lower.
func lower(pid, resource int, soft, hard uint64) error {
	var is unix.Rlimit
	if err := unix.Prlimit(pid, resource, nil, &is); err != nil {
		return err
	}
	return unix.Prlimit(pid, resource, &unix.Rlimit{Cur: min(is.Cur, soft), Max: min(is.Max, hard)}, nil)
}
