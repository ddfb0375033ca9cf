package client

import (
	"context"
	"errors"

	"github.com/graspkit/graspkit/conformance/target"
)

// A server may end each connection on which so many messages came. Nobody is told of that, so it is found out by nothing but
// questions: a connection of its own that ends behind no more of them than came on one that was used, and at once, shows that it was no
// matter of what was asked there. From then on there are fewer on each.

const (
	spanLeast = 20 // messages behind which the end of a connection may be due to their number
	spanTries = 4  // connections of questions in a run, for those that end otherwise are ended for something else
	spanFree  = 2  // messages that one question takes
)

// span is how many messages a connection takes, 0 for any number.
func (p *Pace) span() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.messages
}

// wonders reports whether it is worth while to find out if connections end behind so many messages, which is found out once.
func (p *Pace) wonders(messages int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if messages < spanLeast || p.messages > 0 || len(p.spans) >= spanTries || p.spans[messages] {
		return false
	}
	p.spans[messages] = true
	return true
}

// lasts files how many messages a connection takes.
func (p *Pace) lasts(messages int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.messages = messages
}

// endsBehind finds out whether the server ends connections behind as many messages as came on this one, which it has ended.
func (r *Relay) endsBehind(ctx context.Context, err error) {
	if !errors.Is(err, target.ErrClosed) || errors.Is(err, target.ErrDied) || r.trial || r.door() || !r.c.pace.wonders(r.sent) {
		return
	}
	other, o := r.c.Relay(ctx)
	if o != nil {
		return
	}
	defer other.Close()
	other.trial = true
	const sub = "span"
	begun := r.c.target.Now()
	var end Observation
	for end == nil && other.sent <= r.sent {
		if _, end = other.subscribe(ctx, sub, []byte(`["REQ","`+sub+`",{"kinds":[1621],"limit":0}]`)); end == nil && other.sent <= r.sent {
			end = other.Unsubscribe(ctx, sub)
		}
	}
	quick := r.c.target.Now().Sub(begun) < r.c.settle // who is slow may end them by the time
	if broken, is := end.(TransportError); is && quick && errors.Is(broken.Err, target.ErrClosed) && other.sent > spanLeast {
		r.c.pace.lasts(other.sent - 1)
	}
}

// door reports whether a connection is one of a member, which begins with messages of its own.
func (r *Relay) door() bool { return r.c.door != nil && r.c.door.Relay }

// spent reports whether what can be said on another connection is better said there: this one takes few messages more, or half of
// what it takes where subscriptions are open that can only be closed here.
func (r *Relay) spent() bool {
	if r.gone {
		return true
	}
	most := r.c.pace.span()
	if most == 0 || r.proved {
		return false
	}
	if len(r.subs) > 0 {
		most /= 2
	}
	return r.sent+spanFree > most
}

// lasting is this connection, or one beside it where this takes few messages more.
func (r *Relay) lasting(ctx context.Context) *Relay {
	if !r.spent() {
		return r
	}
	if on, o := r.onto(ctx, 0); o == nil {
		return on
	}
	return r
}

// Span is how many messages a connection to the relay takes before it is ended, 0 for any number.
func (c *Client) Span() int { return c.pace.span() }
