//go:build unix && !linux

package gitexec

import "syscall"

// dieWithParent does nothing where the system cannot do it: a git process whose pipes end with the server ends too, but
// one that has read all of its input moves its refs first.
func dieWithParent(*syscall.SysProcAttr) {}
