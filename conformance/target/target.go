// Package target is the one door to a GRASP server under test: raw relay messages and whole HTTP
// exchanges, plus the clock that measures them.
//
// It holds contracts and nothing else: it speaks no protocol, opens no connection and judges nothing.
package target

import (
	"context"
	"net/http"
	"time"
)

// A Target is one GRASP server under test, in whatever world it lives.
//
// A Target may be used from several goroutines at once.
type Target interface {
	// Name is a short, stable name for reports, such as "sim" or the service URL.
	Name() string

	// ServiceURL is the origin of the service, "http://host:port" or "https://host", with a base path
	// where the service lives below one and without a trailing slash. Everything that a check sends or
	// expects derives from it.
	ServiceURL() string

	// Dial opens one WebSocket connection to the relay. It returns an error that wraps ErrUnreachable
	// when no connection could be made at all.
	Dial(ctx context.Context) (Conn, error)

	// RoundTrip performs one HTTP exchange. It follows no redirect, keeps no cookie and changes no
	// header. A URL whose Opaque field is set is sent verbatim: see [RequestTarget]. The caller closes the
	// body of the response. ErrIdle means that no answer can come any more.
	RoundTrip(req *http.Request) (*http.Response, error)

	// Now is the present instant of this world. It is the only clock of a check.
	Now() time.Time

	// Sleep lets d pass in this world. It returns ErrUnsupported, at once, when d is longer than this
	// world can wait.
	Sleep(ctx context.Context, d time.Duration) error
}

// A Conn carries raw NIP-01 messages, one JSON array each, in both directions. It belongs to one
// goroutine at a time.
type Conn interface {
	// Send writes one message. It returns an error that wraps ErrClosed when the peer has closed.
	Send(ctx context.Context, msg []byte) error

	// Recv returns the next message. It returns ErrIdle when nothing more can come without new input:
	// known at once in a simulated world; elsewhere when the deadline of ctx passes or, without a
	// deadline, after a quiet period. ErrIdle leaves the connection usable. It returns an error that
	// wraps ErrClosed once the peer has closed and every message before that was handed out.
	Recv(ctx context.Context) ([]byte, error)

	// Close ends the connection and everything that the target runs for it. A second call is harmless.
	Close() error
}
