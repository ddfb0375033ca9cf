package client

import (
	"context"
	"errors"
	"time"

	"github.com/graspkit/graspkit/conformance/target"
)

// A server may have had enough of a connection on which it has refused some events, and end it. Then the next event is not what it has
// ended it for, and is sent once more on a new one: who hangs up on the event itself does so there as well.

// orElsewhere is the answer to an event, or that of another connection where this one was ended behind refusals.
func (r *Relay) orElsewhere(ctx context.Context, frame []byte, id string, behind time.Duration, o Observation) Observation {
	if !r.HadEnough(o) || r.proved {
		return o
	}
	other, none := r.c.Relay(ctx)
	if none != nil {
		return o
	}
	r.gone = true
	if r.side != nil {
		r.side.Close()
	}
	r.side = other
	return other.publish(ctx, frame, id, behind)
}

// HadEnough reports whether an observation is the end of a connection on which events were refused.
func (r *Relay) HadEnough(o Observation) bool {
	broken, is := o.(TransportError)
	return is && r.refused > 0 && errors.Is(broken.Err, target.ErrClosed) && !errors.Is(broken.Err, target.ErrDied)
}

// Gone reports whether the server has ended the connection behind refusals, so that what was asked since then was asked elsewhere.
func (r *Relay) Gone() bool { return r.gone }
