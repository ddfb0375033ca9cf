package gitexec

import "syscall"

// dieWithParent has the system kill a process when the thread that has started it ends: with the server, for threads of
// Go that no goroutine has locked last as long. What the process has started itself reads and writes its pipes, which
// end with it, and works in quarantine.
func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }
