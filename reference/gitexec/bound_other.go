//go:build !linux

package gitexec

import (
	"os/exec"
	"time"
)

// bound does nothing where the limits of a process can be set by itself alone: git is told the limit of its memory besides,
// and its lifetime is limited everywhere.
func bound(*exec.Cmd, int64, time.Duration) error { return nil }
