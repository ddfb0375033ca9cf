package client

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/nbd-wtf/go-nostr"
)

// Publish sends an event and waits for the OK with its id. It returns an OKFrame, RateLimited, a
// NoticeFrame if nothing but a NOTICE came, BadAnswer, Silence or TransportError. An OK is owed for it, so a NOTICE
// before that shortens no wait.
//
// It panics if the event is not valid: whoever means to send such a thing uses PublishMalformed.
func (r *Relay) Publish(ctx context.Context, ev *nostr.Event) Observation {
	r.c.checkOwn(ev)
	frame := eventFrame(EventJSON(ev))
	var beside besides
	return r.c.noted(ev, r.c.paced(ctx, kindEvent, func(try int) Observation {
		on, o := r.onto(ctx, try)
		if o != nil {
			r.c.pace.noneBeside(&beside)
			return o
		}
		o = r.asAuthor(ctx, frame, ev.ID, on.publish(ctx, frame, ev.ID, r.c.settle))
		r.c.pace.tookBeside(&beside, on, o)
		if _, broken := o.(TransportError); on != r && (broken || try > paceSides+1) {
			r.side.Close() // it is full as well
			r.side = nil
		}
		return o
	}, func(o Observation) (string, time.Duration) {
		words, wait := limitedEvent(o)
		if words != "" && beside.full != nil && r.c.pace.takesBeside() {
			wait = atOnce
		}
		return words, wait
	}))
}

// noted keeps an event that was accepted.
func (c *Client) noted(ev *nostr.Event, o Observation) Observation {
	if ok, is := o.(OKFrame); is && ok.Accepted {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.accepted = append(c.accepted, ev)
	}
	return o
}

// Accepted returns the events that Publish, PublishOnce and AwaitOK got an accepting OK for, in order.
func (c *Client) Accepted() []*nostr.Event {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.accepted)
}

// PublishOnce is Publish that takes a request for a slower pace for the answer.
func (r *Relay) PublishOnce(ctx context.Context, ev *nostr.Event) Observation {
	r.c.checkOwn(ev)
	frame := eventFrame(EventJSON(ev))
	return r.c.noted(ev, r.asAuthor(ctx, frame, ev.ID, r.publish(ctx, frame, ev.ID, r.c.settle)))
}

// PublishMalformed sends the text of an event as it is, in an EVENT message. It waits for the OK with
// the id given, or with any id if that is empty; a NOTICE counts as an answer if no OK follows it, and if none
// does so soon where a relay cannot read by what id to answer.
func (r *Relay) PublishMalformed(ctx context.Context, raw []byte, id string) Observation {
	return r.publishOdd(ctx, eventFrame(raw), id, id != "" || named(raw))
}

// PublishFrame sends a whole message as it is. It waits as PublishMalformed does.
func (r *Relay) PublishFrame(ctx context.Context, frame []byte, id string) Observation {
	return r.publishOdd(ctx, frame, id, id != "")
}

func (r *Relay) publishOdd(ctx context.Context, frame []byte, id string, named bool) Observation {
	behind := r.c.settle
	if !named {
		behind = r.c.quiet
	}
	return r.c.paced(ctx, kindEvent, func(int) Observation { return r.asAuthor(ctx, frame, id, r.publish(ctx, frame, id, behind)) }, limitedEvent)
}

// named reports whether what is sent as an event has an id that can be read.
func named(raw []byte) bool {
	var ev struct {
		ID string `json:"id"`
	}
	return json.Unmarshal(raw, &ev) == nil && len(ev.ID) == idLength
}

// idLength is how many digits an id has.
const idLength = 64

// AwaitOK waits for the OK for an event that was sent raw before. The results are those of Publish.
func (r *Relay) AwaitOK(ctx context.Context, ev *nostr.Event) Observation {
	if ok, came := r.oks[ev.ID]; came {
		delete(r.oks, ev.ID)
		return r.c.noted(ev, answer(ok))
	}
	return r.c.noted(ev, r.awaitOK(ctx, ev.ID, r.c.settle))
}

func eventFrame(raw []byte) []byte {
	frame := append([]byte(`["EVENT",`), raw...)
	return append(frame, ']')
}

func (r *Relay) publish(ctx context.Context, frame []byte, id string, behind time.Duration) Observation {
	delete(r.oks, id)
	if id != "" && len(r.owed) < MaxHeld {
		r.owed[id] = true
	}
	r.events++
	o := r.SendRaw(ctx, frame)
	if o == nil {
		o = r.awaitOK(ctx, id, behind)
	}
	if ok, is := o.(OKFrame); is && !ok.Accepted {
		r.refused++
	}
	return r.orElsewhere(ctx, frame, id, behind, r.hurried(o))
}

// awaitOK waits for an OK, and so long for one behind a NOTICE. An empty id is any but those of events that were sent before: their
// answers may be late.
func (r *Relay) awaitOK(ctx context.Context, id string, behind time.Duration) Observation {
	r.awaits(id)
	var ok OKFrame
	o := r.awaitOrNotice(ctx, "OK", behind, func(m message) bool {
		if m.label != "OK" || id != "" && m.id != id || id == "" && r.late {
			return false
		}
		ok = r.oks[m.id]
		delete(r.oks, m.id)
		return true
	})
	if o != nil {
		return o
	}
	return answer(ok)
}

// answer is the observation of an OK: a request for a slower pace is no refusal.
func answer(ok OKFrame) Observation {
	if !ok.Accepted && ok.Prefix == prefixRateLimited {
		return RateLimited{Text: ok.Text}
	}
	return ok
}
