//go:build unix

package gitexec

import (
	"os/exec"
	"syscall"
)

// ownGroup makes a process the leader of a group that is killed as a whole: git starts others.
func ownGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}
