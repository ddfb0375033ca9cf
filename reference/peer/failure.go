package peer

import (
	"context"
	"errors"
	"fmt"

	"github.com/coder/websocket"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/fetch"
)

// A failedError is an error whose failure is known.
type failedError struct {
	failure core.PeerFailure
	err     error
}

func (e *failedError) Error() string { return e.err.Error() }

func (e *failedError) Unwrap() error { return e.err }

func failed(f core.PeerFailure, format string, args ...any) error {
	return &failedError{f, fmt.Errorf(format, args...)}
}

// errHungUp is the cause of an end that we asked for.
var errHungUp = errors.New("hung up")

// failure says why a connection ended with an error.
func (c *conn) failure(err error) (core.PeerFailure, error) {
	c.mu.Lock()
	hung := c.hung
	c.mu.Unlock()
	if hung {
		return core.PeerEnded, nil
	}
	if cause := context.Cause(c.ctx); cause != nil {
		err = cause
	}
	var known *failedError
	if errors.As(err, &known) {
		return known.failure, err
	}
	switch websocket.CloseStatus(err) { //nolint:exhaustive // the others are complaints
	case websocket.StatusNormalClosure, websocket.StatusGoingAway, websocket.StatusNoStatusRcvd, websocket.StatusServiceRestart:
		return core.PeerEnded, err
	}
	return core.PeerUnreachable, err
}

// dialFailure names the failure behind an error of a handshake, which had an answer or none.
func dialFailure(err error, answered bool) error {
	if answered {
		return &failedError{core.PeerNoRelay, err}
	}
	switch fetch.FailureOf(err) { //nolint:exhaustive // the others are not of connections
	case fetch.Forbidden:
		return &failedError{core.PeerForbidden, err}
	case fetch.Timeout:
		return &failedError{core.PeerTimedOut, err}
	case fetch.Lookup:
		return &failedError{core.PeerNoName, err}
	case fetch.Certificate:
		return &failedError{core.PeerNoTrust, err}
	case fetch.NoHTTP:
		return &failedError{core.PeerNoRelay, err}
	}
	return &failedError{core.PeerUnreachable, err}
}
