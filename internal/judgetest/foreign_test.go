package judgetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/defect"
)

// An outsider is a server of ours that nobody knows to be one, started and ended by whoever judges it: what only the
// worlds of this project have is hidden.
type outsider struct {
	target.Target
	target.Restarter
	target.Killer
	target.Hosts
}

// A timed outsider has a clock that moves at once, for checks that wait long: with no other clock to wait for, those
// that wait side by side would move it for each other.
type timed struct {
	outsider
	target.ClockAdvancer
}

// A socketed outsider is one on real sockets, to which programs other than the suite can connect.
type (
	socketed struct {
		outsider
		target.RawDialer
	}
	timedSocketed struct {
		timed
		target.RawDialer
	}
)

// ours is what an outsider is made of.
type ours interface {
	target.Target
	target.Restarter
	target.Killer
	target.Hosts
	target.ClockAdvancer
}

// outside hides which world a server is of, and its clock unless it is wanted.
func outside(on ours, clock bool) target.Target {
	o := outsider{on, on, on, on}
	raw, sockets := behindDoor(on).(target.RawDialer)
	switch {
	case clock && sockets:
		return timedSocketed{timed{o, on}, raw}
	case clock:
		return timed{o, on}
	case sockets:
		return socketed{o, raw}
	}
	return o
}

// behindDoor is the server itself.
func behindDoor(on ours) ours {
	if d, is := on.(door); is {
		return d.ours
	}
	return on
}

// atDoor makes the mistakes that lie between a server and its client.
func atDoor(on ours, d defect.Defect) ours {
	if !d.AtDoor() {
		return on
	}
	return door{on, d}
}

type door struct {
	ours
	defect defect.Defect
}

// World is that of the server behind it.
func (d door) World() string {
	if w, is := d.ours.(target.World); is {
		return w.World()
	}
	return "live"
}

// RoundTrip changes the answer.
func (d door) RoundTrip(req *http.Request) (*http.Response, error) {
	r, err := d.ours.RoundTrip(req)
	if err != nil || d.defect.Sent == nil {
		return r, err
	}
	body, err := io.ReadAll(r.Body)
	if err := errors.Join(err, r.Body.Close()); err != nil {
		return nil, fmt.Errorf("read body of answer: %w", err)
	}
	a := defect.Answer{Status: r.StatusCode, Header: r.Header, Body: body}
	if err := d.defect.Sent(req, &a); err != nil {
		return nil, fmt.Errorf("%w: %w", target.ErrClosed, err)
	}
	r.StatusCode, r.Status, r.Header = a.Status, http.StatusText(a.Status), a.Header
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(a.Body)), int64(len(a.Body))
	return r, nil
}

// Dial opens a connection whose messages are changed.
func (d door) Dial(ctx context.Context) (target.Conn, error) {
	c, err := d.ours.Dial(ctx)
	if err != nil {
		return nil, err
	}
	return &framed{Conn: c, defect: d.defect}, nil
}

type framed struct {
	target.Conn
	defect   defect.Defect
	waiting  [][]byte // messages of the client since it looked for an answer last
	answered [][]byte // in the place of the relay
}

// Send changes the message of the client.
func (f *framed) Send(ctx context.Context, msg []byte) error {
	if f.defect.Heard != nil {
		msg = f.defect.Heard(msg)
	}
	if f.defect.Burst != nil {
		f.waiting = append(f.waiting, bytes.Clone(msg))
		return nil
	}
	return f.Conn.Send(ctx, msg)
}

// Recv changes the message of the relay.
func (f *framed) Recv(ctx context.Context) ([]byte, error) {
	if len(f.waiting) > 0 {
		passed, answers := f.defect.Burst(f.waiting)
		f.waiting, f.answered = nil, append(f.answered, answers...)
		for _, msg := range passed {
			if err := f.Conn.Send(ctx, msg); err != nil {
				return nil, err
			}
		}
	}
	if len(f.answered) > 0 {
		msg := f.answered[0]
		f.answered = f.answered[1:]
		return msg, nil
	}
	msg, err := f.Conn.Recv(ctx)
	if err != nil || f.defect.Frame == nil {
		return msg, err
	}
	return f.defect.Frame(msg), nil
}
