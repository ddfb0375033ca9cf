//go:build !unix

package gitclient

import (
	"os"
	"os/exec"
)

// ownGroup does nothing where there are no process groups: only the process itself is killed.
func ownGroup(*exec.Cmd) {}

// killGroup kills the process. It may be gone.
func killGroup(p *os.Process) { _ = p.Kill() }
