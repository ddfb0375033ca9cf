//go:build unix

package launch

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes a process the leader of a session, and so of a group, that can be killed as a whole. It has no
// terminal, so that what is typed there ends this process in order, and that one through it.
func ownGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// askToEnd sends SIGTERM to the process alone: what becomes of its children is its own business.
func askToEnd(p *os.Process) error { return p.Signal(syscall.SIGTERM) }

// killRounds bounds how often killGroup looks for processes that were begun while it killed others.
const killRounds = 50

// killGroup kills whatever is left of a group and, where it can be found, of its session: servers put children into
// groups of their own. There may be nothing.
func killGroup(p *os.Process) {
	_ = syscall.Kill(-p.Pid, syscall.SIGKILL)
	for range killRounds {
		left := session(p.Pid)
		if len(left) == 0 {
			return
		}
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// wasKilled reports whether a process ended by SIGKILL.
func wasKilled(s *os.ProcessState) bool {
	status, ok := s.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}
