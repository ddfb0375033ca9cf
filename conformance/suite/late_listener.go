package suite

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// listensLate opens a subscription, asks beside it for more than the buffers of two kernels take, and reads nothing while somebody else
// sends events that the subscription matches; then it reads everything: each of them came, or the relay has ended the subscription or the
// connection. A relay that keeps what it has to send for all clients in one place of some size loses there what a slow one has not taken.
func (w *world) listensLate(actor, other string, many int) outcome {
	if !w.run.loopback {
		return notApplicable("what is asked for are %d MB, and the server is not on this machine", lateEvents*lateEventSize*lateQueries/1_000_000)
	}
	large, out := w.largeQuery(actor)
	if !out.held() {
		return out
	}
	conn, out := w.liveLate(other)
	if !out.held() {
		return out
	}
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		_, _ = conn.Write(bytes.Repeat(large, lateQueries)) // where the relay hangs up, who reads hears of it
	}()
	w.idle(lateSilence)
	sent, out := w.sendMany(other, many)
	if !out.held() {
		return out
	}
	go func() {
		<-asked
		_, _ = conn.Write(frame(frameText, true, fmt.Appendf(nil, `["REQ",%q,{"limit":0}]`, subBehind)))
	}()
	got, end, err := conn.heard(w.ctx, sent, w.client.Settle())
	w.note("%d of %d events came", got, many)
	switch {
	case got == many || end == endedLate:
		return outcome{}
	case errors.Is(err, net.ErrClosed): // by us, or what comes is no frame of a relay
		return outcome{verdict: Inconclusive, reason: fmt.Sprintf("of %d events %d came, and what comes cannot be read to its end", many, got)}
	case !errors.Is(err, os.ErrDeadlineExceeded):
		w.note("the relay ended the connection: %v", err)
		return outcome{}
	case end != answeredBehind:
		return outcome{verdict: Inconclusive, reason: fmt.Sprintf("of %d events %d came, and a query behind them is not answered", many, got)}
	}
	return violated("a subscription of a client that read nothing for a while got %d of %d events, and no more though a query behind them was answered: what the relay could not send at once is lost, where it had to wait, or to end the subscription or the connection",
		got, many)
}

// liveLate is a bare connection with a subscription for somebody's issues to come.
func (w *world) liveLate(author string) (*bareConn, outcome) {
	conn, out := w.bareSocket(2*w.client.Settle() + lateSilence + time.Minute)
	if !out.held() {
		return nil, out
	}
	none := 0
	live, err := json.Marshal([]any{"REQ", "live", client.Filter{Authors: []string{w.key(author).Pubkey}, Kinds: []int{client.KindIssue}, Limit: &none}})
	if err != nil {
		return nil, harnessError("query: %v", err)
	}
	if out := conn.write(frame(frameText, true, live)); !out.held() {
		return nil, out
	}
	for {
		msg, err := conn.message(w.ctx, w.client.Settle())
		if err != nil {
			return nil, inconclusive("subscription", client.TransportError{Phase: "recv", Text: err.Error(), Err: err}).dueTo(restsOnRelay)
		}
		switch verb, sub, why := parts(msg); {
		case verb == "EOSE" && sub == "live":
			return conn, outcome{}
		case verb == "CLOSED" && sub == "live": // whoever has not authenticated
			return nil, notApplicable("a subscription on a bare connection is refused: %s", why)
		}
	}
}

// sendMany publishes so many issues in one breath, and is their ids.
func (w *world) sendMany(author string, many int) (map[string]bool, outcome) {
	events := make([]*nostr.Event, many)
	ids := map[string]bool{}
	for i := range events {
		events[i] = w.issue(author, fmt.Sprintf("many%d", i), w.tick())
		ids[events[i].ID] = true
	}
	answers, out := w.answersTogether(events)
	if !out.held() {
		return nil, out
	}
	if at := slices.IndexFunc(answers, func(o client.Observation) bool { return !taken(o) }); at >= 0 {
		return nil, inconclusive("one of many events in one breath", answers[at])
	}
	return ids, outcome{}
}

// How what a late listener reads has ended.
type lateEnd int

const (
	stillOpen      lateEnd = iota
	answeredBehind         // a query that was sent last is answered
	endedLate              // the relay has ended the subscription
)

// lateQuiet is for how long nothing more comes once a query behind everything is answered.
const lateQuiet = 5 * time.Second

// heard reads until the subscription has got these events, or is ended, or nothing comes for so long, or the connection ends.
func (c *bareConn) heard(ctx context.Context, ids map[string]bool, silence time.Duration) (got int, end lateEnd, err error) {
	seen := map[string]bool{}
	for len(seen) < len(ids) {
		msg, err := c.message(ctx, silence)
		if err != nil {
			return len(seen), end, err
		}
		verb, sub, third := parts(msg)
		var ev nostr.Event
		switch {
		case verb == "CLOSED" && sub == "live":
			return len(seen), endedLate, nil
		case sub == subBehind:
			end, silence = answeredBehind, min(silence, lateQuiet)
		case verb == "EVENT" && sub == "live" && json.Unmarshal(third, &ev) == nil && ids[ev.ID]:
			seen[ev.ID] = true
		}
	}
	return len(seen), end, nil
}

// parts are the verb of a message, its second element if that is a text, and its third.
func parts(msg []byte) (verb, second string, third json.RawMessage) {
	var all []json.RawMessage
	if json.Unmarshal(msg, &all) != nil || len(all) < 2 || json.Unmarshal(all[0], &verb) != nil || json.Unmarshal(all[1], &second) != nil {
		return verb, "", nil
	}
	if len(all) > 2 {
		third = all[2]
	}
	return verb, second, third
}
