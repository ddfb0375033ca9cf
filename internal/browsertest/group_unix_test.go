//go:build unix

package browsertest

import (
	"os/exec"
	"syscall"
)

// inGroup makes the end of a command the end of what it has started: a browser is many processes.
func inGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
