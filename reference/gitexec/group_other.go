//go:build !unix

package gitexec

import "os/exec"

// ownGroup does nothing where there are no process groups: only the process itself is killed.
func ownGroup(*exec.Cmd) {}

// yield does nothing where there are no priorities of groups.
func yield(*exec.Cmd) {}
