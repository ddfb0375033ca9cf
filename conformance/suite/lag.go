package suite

import (
	"context"
	"fmt"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// A server may take an event and find it by queries a while later: no rule says how soon. How long that takes here is found out
// at the start of a run, by an issue on the lighthouse; from then on so much time passes behind every event that is taken.

// lagMax bounds that time: what is not found by then is judged as it is.
const lagMax = 5 * time.Second

// lagLooks is on how many connections it is looked, the one that sent the event first: each may have a view of its own. Where answers take
// long two are enough that find it at once.
const lagLooks = 4

// measureLag finds out how long it takes until an event that was taken is found. Who is late on one connection may be later on others, so
// that half as much is added to the longest of a few.
func (l *lighthouse) measureLag(ctx context.Context, relay *client.Relay) {
	if l.run.movable() {
		return
	}
	ev := l.issue("how soon is this found")
	if ok, is := relay.Publish(ctx, ev).(client.OKFrame); !is || !ok.Accepted {
		return
	}
	taken, longest := l.run.target.Now(), time.Duration(0)
	if l.foundLate(ctx, relay, ev) {
		longest = l.run.target.Now().Sub(taken)
	}
	for look := 1; look < lagLooks && (look < 2 || longest > 0 || l.run.slowness() < time.Second); look++ {
		other, o := l.run.client.Relay(ctx)
		if o != nil {
			break
		}
		if l.foundLate(ctx, other, ev) {
			longest = l.run.target.Now().Sub(taken)
		}
		other.Close()
	}
	if longest == 0 {
		return
	}
	lag := min(longest+longest/2, lagMax)
	l.run.mu.Lock()
	defer l.run.mu.Unlock()
	l.run.lag = lag
	l.run.measured = append(l.run.measured, fmt.Sprintf("queries: an event is found up to %v after it was taken, and nothing is asked before %v", longest.Round(10*time.Millisecond), lag.Round(10*time.Millisecond)))
}

// foundLate waits until an event is found, and reports whether it comes to be, and was not at once.
func (l *lighthouse) foundLate(ctx context.Context, relay *client.Relay, ev *nostr.Event) bool {
	missed := false
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
	return found && missed
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
