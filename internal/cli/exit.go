package cli

import "fmt"

// Exit codes that every command shares. A command gives further codes their meaning.
const (
	ExitOK      = 0 // what was asked for was done, and nothing was found wanting
	ExitUsage   = 2 // the command line cannot be carried out as it stands
	ExitHarness = 3 // the command itself failed, so it says nothing about what it was to judge

	// ExitInterrupted is that of a signal, as shells have it for SIGINT: the command did not come to its end.
	ExitInterrupted = 130
)

// An ExitError ends a command with an exit code of its own. [Run] maps every other error to
// [ExitHarness].
type ExitError struct {
	// Code is the exit code, from 1 to 125, or [ExitInterrupted].
	Code int
	// Err is what went wrong, in lower case; nil ends the command without a message, for a command
	// that has reported on stdout already.
	Err error
	// Hint says what the user can do, in lower case; empty means that there is nothing to add.
	Hint string
}

// Error returns the message of Err, or the exit code where there is none.
func (e *ExitError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit code %d", e.Code)
	}
	return e.Err.Error()
}

// Unwrap returns Err.
func (e *ExitError) Unwrap() error { return e.Err }

// Usagef returns an error that ends the command with [ExitUsage]. It formats like [fmt.Errorf]. [Run]
// adds the hint to ask for help unless the caller sets one.
func Usagef(format string, args ...any) *ExitError {
	return &ExitError{Code: ExitUsage, Err: fmt.Errorf(format, args...)}
}
