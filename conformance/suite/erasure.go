package suite

import (
	"context"
	"fmt"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
)

// A server may say yes to a request to delete, or to vanish, and carry it out a while later: no rule of an event says how soon. How long
// that takes here is found out behind the first such request that is taken, by an issue of somebody new; from then on so much time passes
// behind every one.

// erasureMax bounds that time: what is there still is judged as it is. A repository is given as long (G01-DEL-06).
const erasureMax = 10 * time.Second

// letErase passes the time that the server takes until what a request of a kind asks for is done.
func (r *run) letErase(ctx context.Context, kind int) {
	if lag := r.erasedLater(ctx, kind); lag > 0 {
		_ = r.client.Wait(ctx, lag) // who has no time left sees that by himself
	}
}

// erasedLater is how long that takes; zero is at once, or not known.
func (r *run) erasedLater(ctx context.Context, kind int) time.Duration {
	if r.movable() {
		return 0
	}
	r.erasing.Lock()
	defer r.erasing.Unlock()
	lag, known := r.erasures[kind]
	if !known {
		lag, known = r.measureErasure(ctx, kind)
	}
	if known {
		if r.erasures == nil {
			r.erasures = make(map[int]time.Duration)
		}
		r.erasures[kind] = lag
	}
	return lag
}

// measureErasure finds out how long it takes until an event that is asked to go has gone; none where it never does.
func (r *run) measureErasure(ctx context.Context, kind int) (lag time.Duration, known bool) {
	if out := r.lighthouse.ready(ctx); !out.held() {
		return 0, false
	}
	relay, o := r.client.Relay(ctx)
	if o != nil {
		return 0, false
	}
	defer relay.Close()
	key := r.newKey(fmt.Sprint("erased/", kind), false).Working(r.facts.work)
	tags := append([][]string{{"a", r.lighthouse.address}, {"subject", "how soon has this gone"}}, r.markers()...)
	issue := client.Build(key, client.KindIssue, tags, r.purpose(), r.base())
	if !isTaken(relay.Publish(ctx, issue)) {
		return 0, ctx.Err() == nil
	}
	r.letIndex(ctx)
	request := client.Deletion(key, []string{issue.ID}, nil, r.base()+1)
	if kind == client.KindVanish {
		request = client.Build(key, kind, [][]string{{"relay", r.client.RelayURL()}}, "", r.base()+1)
	}
	there := func() (bool, client.Observation) {
		events, o := relay.Query(ctx, client.Filter{IDs: []string{issue.ID}})
		return holds(events, issue), o
	}
	if is, o := there(); !is || o != nil || !isTaken(relay.Publish(ctx, request)) {
		return 0, ctx.Err() == nil
	}
	start, missed := r.target.Now(), false
	gone, _ := r.client.Poll(ctx, erasureMax, func() (bool, client.Observation) {
		is, o := there()
		missed = missed || is
		return !is && o == nil, o
	})
	if !gone || !missed {
		return 0, ctx.Err() == nil
	}
	lag = r.target.Now().Sub(start)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.measured = append(r.measured, fmt.Sprintf("requests of kind %d: they are carried out %v after they were taken, and nothing is looked at before", kind, lag.Round(10*time.Millisecond)))
	return lag, true
}

// isTaken reports whether an event was accepted.
func isTaken(o client.Observation) bool {
	ok, is := o.(client.OKFrame)
	return is && ok.Accepted
}
