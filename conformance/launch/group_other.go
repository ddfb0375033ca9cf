//go:build !unix

package launch

import (
	"errors"
	"os"
	"os/exec"
)

// ownGroup does nothing where there are no process groups: only the process itself is killed.
func ownGroup(*exec.Cmd) {}

// askToEnd cannot be done where there is no SIGTERM.
func askToEnd(*os.Process) error { return errors.ErrUnsupported }

// killGroup kills the process. It may be gone.
func killGroup(p *os.Process) { _ = p.Kill() }

// wasKilled believes that a process which was to be killed has been: its state does not tell.
func wasKilled(*os.ProcessState) bool { return true }
