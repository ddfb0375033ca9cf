package client

import (
	"context"
	"slices"

	"github.com/nbd-wtf/go-nostr"
)

// A Question is a subscription that is asked for together with others.
type Question struct {
	Sub     string
	Filters []Filter
}

// SubscribeTogether asks for subscriptions, one behind the other and without waiting for an answer in between, and then waits for the end of
// what is stored of each. Of each, in their order, it tells the events and what Subscribe would say; of an id that comes again the last
// filters count, and what came for those before is among its events. A Close between two of an id is a Question without filters.
func (r *Relay) SubscribeTogether(ctx context.Context, questions ...Question) (stored [][]*nostr.Event, came []Observation) {
	stored, came = make([][]*nostr.Event, len(questions)), make([]Observation, len(questions))
	before := len(r.notices)
	for i, q := range questions {
		if len(q.Filters) == 0 {
			came[i] = r.Unsubscribe(ctx, q.Sub)
			continue
		}
		switch {
		case r.c.beyond(q.Filters) != nil:
			came[i] = r.c.beyond(q.Filters)
		case r.filled(q.Sub):
			came[i] = NoRoom{r.c.most}
		default:
			r.subs[q.Sub] = &subscription{}
			came[i] = r.SendRaw(ctx, request(q.Sub, q.Filters))
		}
	}
	for i, q := range questions {
		s := r.subs[q.Sub]
		if came[i] != nil || s == nil || len(q.Filters) == 0 {
			continue
		}
		came[i] = r.untilEOSE(ctx, q.Sub, s)
		if silent(came[i]) && len(r.notices) > before {
			came[i] = orSlower(came[i], r.notices[len(r.notices)-1])
		}
		stored[i] = slices.Clone(s.stored)
	}
	return stored, came
}
