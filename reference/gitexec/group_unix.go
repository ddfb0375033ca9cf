//go:build unix

package gitexec

import (
	"os/exec"
	"syscall"
)

// ownGroup makes a process the leader of a group that is killed as a whole: git starts others. Where the system can do
// that, the process does not outlive the server either, whose next life would find it moving refs.
func ownGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(c.SysProcAttr)
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}

// yield lets the processes of a group run when no other wants to. Where that is not allowed they are like others.
func yield(c *exec.Cmd) {
	const last = 19
	_ = syscall.Setpriority(syscall.PRIO_PGRP, c.Process.Pid, last)
}
