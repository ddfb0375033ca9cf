package target

import (
	"context"
	"net"
	"time"
)

// The interfaces of this file are optional powers. A check that needs one asks by type assertion; a
// target without it makes the check blocked, never passed.

// A ClockAdvancer has a clock that can be moved forward: time is free, and Sleep uses it.
type ClockAdvancer interface {
	// Advance lets d pass with everything that falls due in it, in order.
	Advance(ctx context.Context, d time.Duration) error
}

// A ClockStepper lives in real time, with a server whose clock somebody can move: by so much it jumps, and then it goes on as
// before. Timers of the server may or may not follow. Whoever asks shows what the step has done, by what the server
// serves before and after it; nothing else may be under way.
type ClockStepper interface {
	// Step moves the server's clock forward by d. Now is ahead by as much from then on.
	Step(ctx context.Context, d time.Duration) error
}

// A Lacking target knows why it has not got a power that it was meant to have.
type Lacking interface {
	// Lacks says why a power, "restart", "kill" or "clock", is not there; "" if nobody meant it to be.
	Lacks(power string) string
}

// A Restarter can stop its server in an orderly way and start it again on the same data.
type Restarter interface {
	// Restart returns when the new server answers. Connections of the old one are dead.
	Restart(ctx context.Context) error
}

// A Killer can end its server without warning and start it again on what survived.
type Killer interface {
	// Kill returns when the new server answers.
	Kill(ctx context.Context) error
}

// A RawDialer can open a bare byte stream to the service, for what lies below a message or an HTTP
// exchange: broken frames, short bodies, slow senders.
type RawDialer interface {
	// DialRaw opens one connection, after TLS where the service has it. The caller closes it.
	DialRaw(ctx context.Context) (net.Conn, error)
}

// A Dropper is a connection that can end as that of a client that is gone: without a word.
type Dropper interface {
	// Drop ends the connection, by a reset where that can be. A call behind Close, or a second one, is harmless.
	Drop() error
}

// A Staller can make a push take its time.
type Staller interface {
	// Stall makes the next push that is admitted stop for d between the judging of its commands and its pack, with
	// everything that falls due meanwhile. Zero takes an earlier call back.
	Stall(d time.Duration)
}

// A Weigher can tell how much memory its server takes: it has a process of its own, on this machine.
type Weigher interface {
	// Weigh returns the most memory, in bytes, that the processes of the server have held since the last call, or since they
	// began. It returns ErrUnsupported where that cannot be read.
	Weigh(ctx context.Context) (int64, error)
}

// A Living target knows whether its server runs.
type Living interface {
	// Alive returns nil while the server runs, and how it has ended by itself when it has.
	Alive() error
}

// A Certified target has a certificate that the machine does not vouch for by itself.
type Certified interface {
	// Authority is the path of the file (PEM) with the certificates to trust, "" for those of the machine.
	Authority() string
}

// A Membered target can be told whom a service that is for its members alone (GRASP-08) is for.
type Membered interface {
	// SetMembers returns when the server goes by the list: these public keys, and nobody else.
	SetMembers(ctx context.Context, pubkeys []string) error
}

// A World says in which world the target lives.
type World interface {
	// World is "sim", "serve" or "live".
	World() string
}

// A Patient target knows how long it is willing to wait in real time.
type Patient interface {
	// Patience is the longest wait that Sleep accepts. A target without this method, or a ClockAdvancer,
	// waits as long as it is told to.
	Patience() time.Duration
}
