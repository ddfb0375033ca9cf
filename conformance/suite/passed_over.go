package suite

import (
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// overTimes is how many times as long something has to be waited for as another one takes here before its silence is its own.
const overTimes = 3

// passesOver tells silence and the end of a connection.
func passesOver(o client.Observation) bool {
	broken, is := o.(client.TransportError)
	return is && (broken.Phase == "recv" || broken.Phase == "send") || unanswered(o)
}

// passedOver judges an event that has to be taken and gets no answer, or ends its connection. Once that may have any cause; where it comes
// twice, on two connections, and another event is answered soon behind it, who sent this one is refused and not told. What is answered the
// second time is judged by that.
func (w *world) passedOver() outcome {
	ev, first := w.sent.last, w.sent.answer
	if !passesOver(first) {
		return outcome{}
	}
	var second client.Observation
	waited, ok := w.apart(func(relay *client.Relay) { second = relay.Publish(w.ctx, ev) })
	if !ok {
		return outcome{}
	}
	if !passesOver(second) {
		w.note("%s was sent twice; the first time: %v", describe(ev), first)
		w.answered(second)
		return outcome{}
	}
	if out := w.limited(ev, second); !out.held() {
		return out
	}
	var other client.Observation
	took, ok := w.apart(func(relay *client.Relay) {
		other = relay.Publish(w.ctx, client.Note(w.key("stranger"), w.markers(), w.run.purpose(), w.tick()))
	})
	if _, told := other.(client.OKFrame); !ok || !told || unanswered(second) && took*overTimes > waited {
		return outcome{}
	}
	return violated("%s gets no answer, twice: %v, and %v; another event does", describe(ev), first, second).dueTo(w.restsOnEvent(ev))
}

// endless is what a query brings that was not answered as it should be. One that had no end is asked again on another connection; where it
// has none there either, and another query soon has, it is a violation.
func (w *world) endless(first client.Observation, filters []client.Filter) (events []*nostr.Event, out outcome) {
	defer func() {
		if !out.held() {
			out = out.dueTo(restsOnQueries)
		}
	}()
	if !unanswered(first) || !w.run.mayWrite() { // who is only looked at is asked once
		return nil, w.unanswering(first)
	}
	var second, other client.Observation
	waited, ok := w.apart(func(relay *client.Relay) { events, second = relay.Query(w.ctx, filters...) })
	switch {
	case !ok:
		return nil, inconclusive("query", first)
	case second == nil:
		w.note("a query was asked twice; the first time: %v", first)
		return events, outcome{}
	case !unanswered(second):
		return nil, w.unanswering(second)
	}
	took, ok := w.apart(func(relay *client.Relay) {
		_, other = relay.Query(w.ctx, client.Filter{Authors: []string{w.key("stranger").Pubkey}})
	})
	if !ok || other != nil || took*overTimes > waited {
		return nil, inconclusive("query", second)
	}
	return nil, violated("a query has no end, twice: %v; another one has: %s", second, filters[0].JSON())
}

// apart does something on a connection of its own, and is how long that took.
func (w *world) apart(does func(*client.Relay)) (took time.Duration, ok bool) {
	relay, o := w.client.Relay(w.ctx)
	if o != nil {
		return 0, false
	}
	defer relay.Close()
	start := w.run.target.Now()
	does(relay)
	return w.run.target.Now().Sub(start), true
}
