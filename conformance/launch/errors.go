package launch

import (
	"errors"
	"strings"
)

// Errors of a server that is started and stopped; test with errors.Is.
var (
	// ErrCommand is returned when a command cannot be started at all.
	ErrCommand = errors.New("launch: the command cannot be started")
	// ErrNowhere is returned when a command does not say where to listen, and no URL is given.
	ErrNowhere = errors.New("launch: the command does not say where to listen")
	// ErrOccupied is returned when something answers at the address before the server has been started.
	ErrOccupied = errors.New("launch: something answers there already")
	// ErrDied is returned when the server has ended by itself.
	ErrDied = errors.New("launch: the server ended by itself")
	// ErrNotReady is returned when the server does not answer in time.
	ErrNotReady = errors.New("launch: the server was not ready in time")
	// ErrNotOrderly is returned when the server did not end in time when it was asked to, and was killed.
	ErrNotOrderly = errors.New("launch: the server did not end in time when asked to, and was killed")
	// ErrSurvived is returned when the server was stopped, but something still answers at its address.
	ErrSurvived = errors.New("launch: something still answers after the end of the server")
	// ErrNotRestarted is returned when an engine says that it has started a server anew, but the old one is still there.
	ErrNotRestarted = errors.New("launch: the server was not restarted")
	// ErrClosed is returned for anything asked of a server after Close.
	ErrClosed = errors.New("launch: closed")
)

// An OutputError is an error of a server together with the last of what it wrote. Its message shows the end of that.
type OutputError struct {
	Err    error  // what went wrong
	Output string // at most OutputMax bytes; "" if the server wrote nothing
}

// Error says what went wrong and shows the last lines.
func (e *OutputError) Error() string {
	var b strings.Builder
	b.WriteString(e.Err.Error())
	shown := Shown(e.Output)
	if shown == "" {
		b.WriteString("; it wrote nothing")
		return b.String()
	}
	b.WriteString("; the last that it wrote:\n")
	b.WriteString(shown)
	return b.String()
}

// Unwrap returns Err.
func (e *OutputError) Unwrap() error { return e.Err }
