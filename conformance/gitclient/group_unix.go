//go:build unix

package gitclient

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes a process the leader of a session without a terminal, so that it can ask nobody for a password and ends
// with all that it has started.
func ownGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// killGroup kills whatever is left of a group. There may be nothing.
func killGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }
