package client

import (
	"context"
	"fmt"
	"slices"

	"github.com/nbd-wtf/go-nostr"
)

// SubIDMax is the longest subscription id that can be tried. NIP-01 allows 64 characters; some relays say that they take more.
const SubIDMax = 4096

// Query asks for stored events: REQ, everything until EOSE, CLOSE. The observation is nil when EOSE came
// and every event was genuine; else ClosedFrame, RateLimited, BadEvent, BadAnswer, Silence or
// TransportError, and the events are those that came before. Events keep the relay's order.
func (r *Relay) Query(ctx context.Context, filters ...Filter) ([]*nostr.Event, Observation) {
	if r.tooFast && !r.proved {
		return r.queryBeside(ctx, filters...)
	}
	if on := r.lasting(ctx); on != r {
		return on.Query(ctx, filters...)
	}
	r.queries++
	sub := fmt.Sprintf("query-%d", r.queries)
	if r.filled(sub) && !r.proved {
		return r.queryApart(ctx, filters...)
	}
	events, o := r.Subscribe(ctx, sub, filters...)
	if _, broken := o.(TransportError); broken && r.tooFast && !r.proved { // for the pace, while it was asked
		return r.queryBeside(ctx, filters...)
	}
	if over(o) {
		delete(r.subs, sub)
		return events, o
	}
	if unsent := r.Unsubscribe(ctx, sub); o == nil {
		o = unsent
	}
	return events, o
}

// over tells the observations after which there is nothing left to close.
func over(o Observation) bool {
	switch o.(type) {
	case ClosedFrame, TransportError, TooManyFilters:
		return true
	}
	return false
}

// Subscribe opens a subscription and returns the stored events, everything until EOSE. The results are
// those of Query, but the subscription stays open: see Live and Await. A second call with the same sub
// replaces the first (NIP-01). What the relay does not take by its own words is not asked for: one more on a connection (NoRoom), and
// more filters in a query (TooManyFilters). It panics if sub is not a valid subscription id.
func (r *Relay) Subscribe(ctx context.Context, sub string, filters ...Filter) ([]*nostr.Event, Observation) {
	if sub == "" || len(sub) > SubIDMax {
		panic(fmt.Sprintf("client: invariant: subscription id %q", sub))
	}
	if len(r.subs) >= MaxSubs {
		panic(fmt.Sprintf("client: invariant: more than %d subscriptions", MaxSubs))
	}
	if o := r.c.beyond(filters); o != nil {
		return nil, o
	}
	if r.filled(sub) {
		return nil, NoRoom{r.c.most}
	}
	frame := request(sub, filters)
	var stored []*nostr.Event
	o := r.c.paced(ctx, "query", func(int) (o Observation) {
		stored, o = r.subscribe(ctx, sub, frame)
		return o
	}, limitedQuery)
	return stored, o
}

// request is a REQ.
func request(sub string, filters []Filter) []byte {
	frame := append([]byte(`["REQ",`), encode(sub)...)
	for _, filter := range filters {
		frame = append(frame, ',')
		frame = append(frame, filter.JSON()...)
	}
	return append(frame, ']')
}

func (r *Relay) subscribe(ctx context.Context, sub string, frame []byte) ([]*nostr.Event, Observation) {
	s := &subscription{}
	r.subs[sub] = s
	before := len(r.notices)
	if o := r.SendRaw(ctx, frame); o != nil {
		return nil, o
	}
	o := r.untilEOSE(ctx, sub, s)
	if _, silent := o.(Silence); silent && len(r.notices) > before {
		o = orSlower(o, r.notices[len(r.notices)-1])
	}
	return slices.Clone(s.stored), r.hurried(o)
}

// untilEOSE waits for the end of what is stored, as long as something comes.
func (r *Relay) untilEOSE(ctx context.Context, sub string, s *subscription) Observation {
	if s.eose || s.ended != nil { // it came while another one was waited for
		return s.takeEnded()
	}
	r.awaits(sub)
	start := r.c.target.Now()
	var o Observation
	for came := -1; came < len(s.stored) && r.c.target.Now().Sub(start) < eoseSettles*r.c.settle; { // as long as something comes, the end may
		came = len(s.stored)
		if o = r.await(ctx, r.c.settle, "EOSE", func(message) bool { return s.eose || s.ended != nil }); !silent(o) {
			break
		}
	}
	if o == nil {
		o = s.takeEnded()
	}
	return o
}

// eoseSettles bounds the wait for the end of a query whose events come by and by, in waits for one answer.
const eoseSettles = 12

func silent(o Observation) bool {
	_, is := o.(Silence)
	return is
}

// orSlower is an observation, or the request for a slower pace that a NOTICE makes.
func orSlower(o Observation, notice string) Observation {
	if prefix, text := splitPrefix(notice); prefix == prefixRateLimited {
		return RateLimited{Text: text}
	}
	return o
}

// takeEnded hands out, once, what ended the subscription.
func (s *subscription) takeEnded() Observation {
	o := s.ended
	s.ended = nil
	return o
}

// Listens reports whether a subscription was opened on this connection, and not closed by us.
func (r *Relay) Listens(sub string) bool { return r.subs[sub] != nil }

// open returns an open subscription; asking for another is a fault of the caller.
func (r *Relay) open(sub string) *subscription {
	s := r.subs[sub]
	if s == nil {
		panic(fmt.Sprintf("client: invariant: subscription %q is not open", sub))
	}
	return s
}

// Live returns the events that arrived on sub since EOSE and were not handed out before, after waiting
// until nothing more comes (the quiet time; in a simulated world idle is known). The observation is nil,
// even without any event, unless something other than events came: the relay closed the subscription or
// the connection, or sent a bad event.
func (r *Relay) Live(ctx context.Context, sub string) ([]*nostr.Event, Observation) {
	s := r.open(sub)
	start := r.c.target.Now()
	r.awaits("")
	var o Observation
	r.c.rest(func() {
		for r.c.target.Now().Sub(start) < r.c.settle && s.ended == nil {
			if o = r.await(ctx, r.c.quiet, "nothing", func(message) bool { return true }); o != nil {
				break
			}
		}
	})
	if _, idle := o.(Silence); idle {
		o = nil
	}
	events := s.live
	s.live = nil
	if ended := s.takeEnded(); ended != nil {
		o = ended
	}
	return events, o
}

// Await waits until the event with the id given arrives live on sub, or has arrived before and was not
// handed out by Live. The observation is nil when it did. The event is still there for Live.
func (r *Relay) Await(ctx context.Context, sub, id string) Observation {
	s := r.open(sub)
	came := func() bool {
		return slices.ContainsFunc(s.live, func(ev *nostr.Event) bool { return ev.ID == id })
	}
	if came() {
		return nil
	}
	if s.ended == nil {
		r.awaits(sub)
		o := r.await(ctx, r.c.settle, "event "+short(id), func(message) bool { return came() || s.ended != nil })
		if o != nil || came() {
			return o
		}
	}
	return s.takeEnded()
}

// Closures is how many subscriptions relays have ended by CLOSED whose stored events were all sent, and how many reconciliations by
// NEG-ERR with the word closed: nobody had asked for that end, and what comes later is not sent any more.
func (c *Client) Closures() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

func (c *Client) noteClosure() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed++
}

// Heard returns the events that were read on sub since EOSE and not handed out before, without waiting for more.
func (r *Relay) Heard(sub string) []*nostr.Event {
	s := r.open(sub)
	events := s.live
	s.live = nil
	return events
}

// Unsubscribe closes a subscription and forgets it. The observation is nil when the CLOSE was sent.
func (r *Relay) Unsubscribe(ctx context.Context, sub string) Observation {
	delete(r.subs, sub)
	frame := append([]byte(`["CLOSE",`), encode(sub)...)
	return r.SendRaw(ctx, append(frame, ']'))
}
