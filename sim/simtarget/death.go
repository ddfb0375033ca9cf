package simtarget

import (
	"fmt"

	"github.com/graspkit/graspkit/conformance/target"
)

// mourn makes a panic of the simulated server what it would be of a real one: the end of its process. Its connections are
// dead, whoever waits for it gets an error that wraps target.ErrDied, and another server starts on what survived, unless
// that panics as well. It is deferred by whatever lets the server work, after the lock was taken.
func (t *Target) mourn(err *error) {
	fault := recover()
	if fault == nil {
		return
	}
	*err = fmt.Errorf("%w: panic: %v", target.ErrDied, fault)
	defer func() {
		if again := recover(); again != nil {
			t.gone = fmt.Errorf("%w: panic at its start: %v", target.ErrUnreachable, again)
		}
	}()
	t.reboot()
}

// absent returns why nothing can be asked of the server: the caller has given up, or it does not start any more.
func (t *Target) absent(err error) error {
	if err != nil {
		return err
	}
	return t.gone
}
