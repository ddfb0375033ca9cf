package target

import "errors"

// Errors that a Target reports by wrapping them; test with errors.Is.
var (
	// ErrIdle is returned when nothing more can come without new input.
	ErrIdle = errors.New("target: idle")

	// ErrClosed is returned when the peer has closed the connection.
	ErrClosed = errors.New("target: connection closed by the peer")

	// ErrDied is returned by whatever the server was doing when it ended by itself. Only a target that has the server
	// at hand can tell; elsewhere it is a connection that ends.
	ErrDied = errors.New("target: the server has died")

	// ErrUnsupported is returned when this world cannot do what was asked, such as waiting longer than
	// its time budget.
	ErrUnsupported = errors.New("target: not supported in this world")

	// ErrUnreachable is returned when no TCP connection to the service could be made.
	ErrUnreachable = errors.New("target: unreachable")

	// ErrNoAnswer is returned when the service takes connections, but neither an HTTP request nor a
	// WebSocket handshake was answered.
	ErrNoAnswer = errors.New("target: neither HTTP nor WebSocket answered")
)
