package legal

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/graspkit/graspkit/conformance/target"
)

// A line is one connection through a front. What the server says on it is there when it is due.
type line struct {
	front  *front
	inside target.Conn
	queue  []delivery // in the order in which it was said
	events int        // messages of the client so far that publish
	ended  bool       // by the server
	left   bool       // by the client
}

// A delivery is a message on its way.
type delivery struct {
	due time.Time
	msg []byte
}

// Send implements target.Conn.
func (l *line) Send(ctx context.Context, msg []byte) error {
	f := l.front
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.catchUp(ctx); err != nil {
		return err
	}
	l.look()
	if l.ended || l.left {
		return fmt.Errorf("send: %w", target.ErrClosed)
	}
	defer f.pump(ctx)
	for _, h := range f.habits {
		if h.hears == nil {
			continue
		}
		answers, pass := h.hears(f.Now(), l, msg)
		for _, answer := range answers {
			l.deliver(answer)
		}
		if !pass || l.ended {
			return nil
		}
	}
	return l.inside.Send(ctx, msg)
}

// look lets habits see the connection.
func (l *line) look() {
	for _, h := range l.front.habits {
		if h.looks != nil {
			h.looks(l.front.Now(), l)
		}
	}
}

// take brings what the server inside has said on its way.
func (l *line) take(ctx context.Context) {
	for !l.ended {
		msg, err := l.inside.Recv(ctx)
		switch {
		case errors.Is(err, target.ErrIdle):
			return
		case err != nil:
			l.ended = true
			return
		}
		l.deliver(msg)
	}
}

// deliver puts a message on its way, unless a habit keeps it.
func (l *line) deliver(msg []byte) {
	now := l.front.Now()
	due := now
	for _, h := range l.front.habits {
		if h.says != nil {
			after, sent := h.says(now, l, msg)
			if !sent {
				return
			}
			due = due.Add(after)
		}
		if h.changes != nil {
			msg = h.changes(msg)
		}
	}
	l.queue = append(l.queue, delivery{due, msg})
}

// hangUp ends the connection from the server's side; what is on its way still comes.
func (l *line) hangUp() {
	if !l.ended && l.inside != nil {
		l.ended = true
		_ = l.inside.Close() // a simulated connection closes without fail
	}
}

// Recv implements target.Conn.
func (l *line) Recv(ctx context.Context) ([]byte, error) {
	if _, bounded := ctx.Deadline(); !bounded {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, quiet)
		defer cancel()
	}
	for {
		msg, wait, changed, err := l.next(ctx)
		if msg != nil || err != nil {
			return msg, err
		}
		timer := l.front.clock.Timer(wait)
		select {
		case <-timer.C:
		case <-changed:
		case <-ctx.Done():
		}
		timer.Stop()
	}
}

const (
	quiet     = 300 * time.Millisecond // how long a wait without a deadline lasts
	lookAgain = time.Hour              // nothing on a line takes longer than the waits of its client
)

// next returns a message that is due, or how long to wait for the next look and what cuts that short.
func (l *line) next(ctx context.Context) (msg []byte, wait time.Duration, changed <-chan struct{}, err error) {
	f := l.front
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.catchUp(context.WithoutCancel(ctx)); err != nil {
		return nil, 0, nil, err
	}
	l.look()
	if !l.ended && !l.left {
		l.take(context.WithoutCancel(ctx))
	}
	now := f.Now()
	first := -1
	for i, d := range l.queue {
		if first < 0 || d.due.Before(l.queue[first].due) {
			first = i
		}
	}
	switch {
	case first >= 0 && !l.queue[first].due.After(now):
		msg = l.queue[first].msg
		l.queue = append(l.queue[:first:first], l.queue[first+1:]...)
		return msg, 0, nil, nil
	case l.left || l.ended && first < 0:
		return nil, 0, nil, fmt.Errorf("receive: %w", target.ErrClosed)
	case errors.Is(ctx.Err(), context.Canceled):
		return nil, 0, nil, fmt.Errorf("receive: %w", context.Cause(ctx))
	case ctx.Err() != nil:
		return nil, 0, nil, target.ErrIdle
	}
	wait = lookAgain
	if first >= 0 {
		wait = l.queue[first].due.Sub(now)
	}
	return nil, wait, f.changed, nil
}

// Close implements target.Conn.
func (l *line) Close() error {
	f := l.front
	f.mu.Lock()
	defer f.mu.Unlock()
	if l.left {
		return nil
	}
	l.left = true
	if l.ended {
		return nil
	}
	l.ended = true
	err := l.inside.Close()
	f.pump(context.Background())
	return err
}
