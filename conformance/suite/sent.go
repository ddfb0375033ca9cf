package suite

import (
	"fmt"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// remember gives an event its labels: its kind, and its kind with a name.
func (w *world) remember(kind, name string, ev *nostr.Event) {
	w.sent.byLabel[kind] = ev
	if name != "" {
		w.sent.byLabel[kind+" "+quote(name)] = ev
	}
	w.sent.last = ev
}

func quote(name string) string { return `"` + name + `"` }

// event returns an event by its label.
func (w *world) event(label string) *nostr.Event {
	if label == "event" {
		return w.sent.last
	}
	ev := w.sent.byLabel[label]
	if ev == nil {
		panic(fmt.Sprintf("suite: invariant: no %s so far", label))
	}
	return ev
}

// publish sends an event and keeps the answer. A dead connection is replaced before the next one.
func (w *world) publish(ev *nostr.Event) outcome {
	if out := w.hopeless(restsOnAnswers); !out.held() {
		return out
	}
	relay, out := w.connect()
	if !out.held() {
		return out
	}
	if ev.Kind == client.KindDeletion || ev.Kind == client.KindVanish {
		w.settleAll() // what is being made and what is gone answer alike
	}
	w.sent.last = ev
	w.sent.again = func() outcome { return w.publish(ev) }
	w.answered(w.sendInto(relay, ev))
	if ev.Kind == client.KindAnnouncement {
		w.settleIn()
	}
	return outcome{}
}

// answered keeps an answer, and drops the connection if it is dead.
func (w *world) answered(o client.Observation) {
	w.sent.answer = o
	w.run.overhear(w.check.ID, o)
	if _, broken := o.(client.TransportError); broken || w.relay.conn != nil && w.relay.conn.Gone() {
		w.hangUp()
	}
	ok, is := o.(client.OKFrame)
	if is && w.sent.last != nil {
		w.doubtful(w.sent.last, ok)
	}
	if is && ok.Accepted {
		w.promised(w.sent.last)
		// The answer to a copy, which may be that of any duplicate, takes nothing back of what was said of waiting.
		if former, again := w.sent.taken[w.sent.last.ID]; !again || former.Prefix != waitingPrefix {
			w.sent.taken[w.sent.last.ID] = ok
		}
		if w.sent.last.Kind == client.KindState {
			w.sent.states = append(w.sent.states, w.sent.last)
		}
		if w.sent.last.Kind == client.KindDeletion || w.sent.last.Kind == client.KindVanish {
			w.sent.erased = true
		}
		w.run.mu.Lock()
		w.run.taken = true
		w.run.mu.Unlock()
		w.run.letIndex(w.ctx)
		if w.sent.erased && (w.sent.last.Kind == client.KindDeletion || w.sent.last.Kind == client.KindVanish) {
			w.run.letErase(w.ctx, w.sent.last.Kind)
		}
	}
}

// accepted judges the last answer to an event.
func (w *world) accepted() outcome {
	if w.sent.last == nil || w.sent.answer == nil {
		return outcome{}
	}
	w.run.mu.Lock()
	known := w.run.taken
	w.run.mu.Unlock()
	if unanswered(w.sent.answer) {
		if out := w.untold(w.sent.last); !out.held() {
			return out
		}
	}
	if out := w.passedOver(); !out.held() {
		return out
	}
	if ok, is := w.sent.answer.(client.OKFrame); is && !ok.Accepted && (!known && policyPrefix(ok.Prefix) || known && w.policy(ok)) {
		w.lacksRoom = w.lacksRoom || known
		known = false
		w.run.refusesUs(ok.String())
	} else if is && !ok.Accepted {
		if why := w.curated(ok); why != "" {
			return outcome{verdict: Unsupported, reason: fmt.Sprintf("publish %s: refused by policy: %v: %s", describe(w.sent.last), ok, why)}
		}
	}
	out := toldNo(accepted("publish "+describe(w.sent.last), w.sent.answer, known)).dueTo(w.restsOnEvent(w.sent.last))
	if !out.held() && out.verdict != Unsupported {
		return w.limited(w.sent.last, w.sent.answer).orElse(out)
	}
	return out
}
