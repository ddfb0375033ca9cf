package suite

import (
	"context"
	"fmt"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
)

// A server may take an event and find it by queries a while later: no rule says how soon. How long that takes here is found out
// at the start of a run, by an issue on the lighthouse; from then on so much time passes behind every event that is taken.

// lagMax bounds that time: what is not found by then is judged as it is.
const lagMax = 5 * time.Second

// measureLag finds out how long it takes until an event that was taken is found.
func (l *lighthouse) measureLag(ctx context.Context, relay *client.Relay) {
	if l.run.movable() {
		return
	}
	ev := l.issue("how soon is this found")
	if ok, is := relay.Publish(ctx, ev).(client.OKFrame); !is || !ok.Accepted {
		return
	}
	start, missed := l.run.target.Now(), false
	found, _ := l.run.client.Poll(ctx, lagMax, func() (bool, client.Observation) {
		asked := l.run.target.Now()
		events, o := relay.Query(ctx, client.Filter{IDs: []string{ev.ID}})
		if o == nil {
			l.run.answeredAfter(l.run.target.Now().Sub(asked)) // the end of a query may take longer than an OK
		}
		found := holds(events, ev)
		missed = missed || !found && o == nil
		return found, o
	})
	if !found || !missed {
		return
	}
	lag := l.run.target.Now().Sub(start)
	l.run.mu.Lock()
	defer l.run.mu.Unlock()
	l.run.lag = lag
	l.run.measured = append(l.run.measured, fmt.Sprintf("queries: an event is found %v after it was taken, and nothing is asked before", lag.Round(10*time.Millisecond)))
}

// foundLater is how long it takes until an event that was taken is found; zero is at once.
func (r *run) foundLater() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lag
}

// letIndex passes the time that the server takes until an event is found.
func (r *run) letIndex(ctx context.Context) {
	if lag := r.foundLater(); lag > 0 {
		_ = r.client.Wait(ctx, lag) // who has no time left sees that by himself
	}
}
