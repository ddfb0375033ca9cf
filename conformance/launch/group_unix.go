//go:build unix

package launch

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes a process the leader of a group that can be killed as a whole.
func ownGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// askToEnd sends SIGTERM to the process alone: what becomes of its children is its own business.
func askToEnd(p *os.Process) error { return p.Signal(syscall.SIGTERM) }

// killGroup kills whatever is left of a group. There may be nothing.
func killGroup(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

// wasKilled reports whether a process ended by SIGKILL.
func wasKilled(s *os.ProcessState) bool {
	status, ok := s.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}
