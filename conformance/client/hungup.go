package client

import (
	"context"
	"errors"
	"regexp"
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/target"
)

// A server may end a connection where others refuse what came on it: as soon as it is open, for there are enough of them, or
// behind a NOTICE that asks for a slower pace. Neither says anything of what was asked there.

// phaseOpen is that of a connection that was ended as soon as it was open.
const phaseOpen = "open"

// crowded are the words of who has enough connections, in a NOTICE or with the end of one.
var crowded = regexp.MustCompile(`(?i)rate-limited|too many|connections|TryAgainLater|PolicyViolation`)

// ended files that the server has ended the connection.
func (r *Relay) ended(ctx context.Context, err error) {
	if errors.Is(err, target.ErrClosed) && !r.heard && r.sent <= 1 {
		r.c.pace.full(crowded.MatchString(err.Error()) || slices.ContainsFunc(r.notices, crowded.MatchString))
	}
	r.endsBehind(ctx, err)
}

// whyEnded is how a connection has ended on which nothing could be said: who writes there learns no reason, and who reads does.
func (r *Relay) whyEnded(ctx context.Context, err error) error {
	if !errors.Is(err, target.ErrClosed) || r.heard || r.sent > 1 {
		return err
	}
	for range MaxHeld {
		raw, why := r.conn.Recv(ctx)
		if errors.Is(why, target.ErrClosed) {
			return why
		}
		if why != nil {
			return err
		}
		if m, parsed := parseMessage(raw); parsed == nil {
			r.file(m)
		}
	}
	return err
}

// greet asks a connection for nothing, where the server ends some of them as soon as they are open.
func (r *Relay) greet(ctx context.Context) Observation {
	const sub = "greeting"
	_, o := r.subscribe(ctx, sub, []byte(`["REQ","`+sub+`",{"kinds":[1621],"limit":0}]`))
	if broken, is := o.(TransportError); is && errors.Is(broken.Err, target.ErrClosed) && !r.heard {
		broken.Phase = phaseOpen
		return broken
	}
	if !over(o) {
		o = r.Unsubscribe(ctx, sub)
	}
	delete(r.subs, sub)
	if broken, is := o.(TransportError); is {
		return broken
	}
	return nil
}

// hurried is the request for a slower pace that was made before the connection ended, told once, or else the observation.
func (r *Relay) hurried(o Observation) Observation {
	broken, is := o.(TransportError)
	if !is || !errors.Is(broken.Err, target.ErrClosed) || len(r.notices) == 0 || r.tooFast {
		return o
	}
	limited := orSlower(o, r.notices[len(r.notices)-1])
	if _, is := limited.(RateLimited); is {
		r.tooFast = true
		if r.heard { // else there were enough connections, which says nothing of the events on one
			r.c.pace.hungUp(r.events)
		}
	}
	return limited
}

// onto is the connection on which the next event is published: another one once this was refused some, or ended, for the pace, or
// has taken as many events, or messages, as one was ended behind.
func (r *Relay) onto(ctx context.Context, try int) (*Relay, Observation) {
	full := func(at *Relay) bool {
		most := r.c.pace.room()
		return at.tooFast || at.spent() || most > 0 && at.events >= most || at.full && r.c.pace.takesBeside()
	}
	if r.proved || r.side == nil && try <= paceSides && !full(r) {
		return r, nil
	}
	if r.side != nil && full(r.side) {
		r.side.Close()
		r.side = nil
	}
	if r.side == nil {
		side, o := r.c.Relay(ctx)
		if o != nil {
			return r, o
		}
		r.side = side
	}
	return r.side, nil
}

// queryBeside is Query on another connection.
func (r *Relay) queryBeside(ctx context.Context, filters ...Filter) ([]*nostr.Event, Observation) {
	on, o := r.onto(ctx, 0)
	if o != nil {
		return nil, o
	}
	return on.Query(ctx, filters...)
}

// queryApart is Query on a connection of its own.
func (r *Relay) queryApart(ctx context.Context, filters ...Filter) ([]*nostr.Event, Observation) {
	on, o := r.c.Relay(ctx)
	if o != nil {
		return nil, o
	}
	defer on.Close()
	return on.Query(ctx, filters...)
}

// hungUp files that a connection was ended for the pace behind so many events.
func (p *Pace) hungUp(events int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if most := max(events-1, 1); p.most == 0 || most < p.most {
		p.most = most
	}
}

// room is how many events are sent on one connection, 0 for any number.
func (p *Pace) room() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.most
}

// heard files that something was answered on a connection.
func (p *Pace) heard() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answers = true
}

// wordlessMax is how many connections have to end without a word, as soon as they are open, until that says that there are enough.
const wordlessMax = 3

// full files that a connection was ended before anything was answered on it, and whether words said that there are enough. Where
// nothing ever was answered, it says nothing of that.
func (p *Pace) full(said bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !said {
		p.wordless++
	}
	p.wary = p.wary || p.answers && (said || p.wordless >= wordlessMax)
}

// careful reports whether connections are tried before they are used.
func (p *Pace) careful() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.wary
}
