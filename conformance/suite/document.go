package suite

import (
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// listsNIPs judges supported_nips.
func (w *world) listsNIPs() outcome {
	document, out := w.document()
	if !out.held() {
		return out
	}
	list, _ := document["supported_nips"].([]any)
	listed := make(map[int]bool)
	for _, item := range list {
		number, is := item.(float64)
		if !is || number != math.Trunc(number) {
			return violated("supported_nips holds %v", item)
		}
		listed[int(number)] = true
	}
	if !listed[1] || !listed[11] || !listed[34] {
		return violated("supported_nips is %v", document["supported_nips"])
	}
	return outcome{}
}

// offersListed judges that the submission endpoint of GRASP-06 is there exactly if the document lists it.
func (w *world) offersListed() outcome {
	document, out := w.document()
	if !out.held() {
		return out
	}
	list, _ := document["supported_grasps"].([]any)
	listed := slices.Contains(list, any("GRASP-06"))
	return w.needLighthouse().then(func() outcome {
		path := "/prs" + w.run.lighthouse.path()
		o := w.client.Advertise(w.ctx, path, client.ReceivePack, 0)
		_, offered := o.(client.Advert)
		switch {
		case offered != listed && client.Inconclusive(o):
			return inconclusive("the endpoint for pull requests", o)
		case offered != listed:
			return violated("GRASP-06 is listed: %t, and %s answers %v", listed, path, o)
		}
		return outcome{}
	})
}

// limitHolds judges that what the document states is what holds: at the limit things work, beyond it they
// are refused. A limit that is not stated holds.
func (w *world) limitHolds(name string) outcome {
	document, out := w.document()
	if !out.held() {
		return out
	}
	limitation, _ := document["limitation"].(map[string]any)
	value, _ := limitation[name].(float64)
	if value < 1 {
		w.note("%s is not stated", name)
		return outcome{}
	}
	if value > limitTried {
		w.note("%s is %.0f, too large to be tried", name, value)
		return outcome{}
	}
	if name == "max_subscriptions" && value >= client.MaxSubs || name == "max_subid_length" && value >= client.SubIDMax {
		w.note("%s is %.0f, more than are tried", name, value)
		return outcome{}
	}
	limit := int(value)
	w.note("%s is %d", name, limit)
	switch name {
	case "max_subid_length":
		return w.subscriptionsHold([]string{strings.Repeat("s", limit)}, strings.Repeat("s", limit+1))
	case "max_subscriptions":
		var within []string
		for i := range limit {
			within = append(within, fmt.Sprint("s", i))
		}
		return w.subscriptionsHold(within, "beyond")
	case "max_message_length":
		return w.messageHolds(limit)
	case "max_filters":
		return w.filtersTaken(min(limit, filtersTried))
	case "max_event_tags":
		return w.tagsTaken(min(limit, tagsTried))
	}
	panic("suite: invariant: unknown limit " + name)
}

// limitTried is the largest value of a limit that is tried.
const limitTried = 1 << 20

// subscriptionsHold judges that subscriptions within a limit are answered and that the one beyond it is not. A server that
// hangs up on that one does so again on a new connection.
func (w *world) subscriptionsHold(within []string, beyond string) outcome {
	const what = "a subscription beyond the stated limit"
	var last client.Observation
	for range hangUpsTold {
		relay, out := w.connect()
		if !out.held() {
			return out
		}
		for _, sub := range within {
			_, o := relay.Subscribe(w.ctx, sub, client.Filter{Limit: new(int)})
			if span := w.client.Span(); span > 0 && lostConnection(o) {
				return outcome{verdict: Unsupported, reason: fmt.Sprintf("connections end behind %d messages here, before so many subscriptions are open on one", span)}
			}
			if o != nil {
				return unlessInconclusive("a subscription within the stated limit", o)
			}
		}
		var raw []byte
		raw, last = answerFor(w, relay, beyond, fmt.Appendf(nil, `["REQ",%q,{"limit":0}]`, beyond)) // raw, for the client keeps limits of its own
		w.hangUp()
		if label, _ := client.Label(raw); label == "EOSE" {
			return violated("a subscription beyond the stated limit is taken")
		}
		if _, ended := last.(client.TransportError); !ended {
			break
		}
	}
	if _, ended := last.(client.TransportError); ended {
		w.note("the server hangs up on it")
		return outcome{}
	}
	if last != nil {
		return inconclusive(what, last)
	}
	return outcome{}
}

// hangUpsTold is how often a connection has to end on the same message until that is taken for the answer.
const hangUpsTold = 2

// messageHolds sends a message as long as the stated limit, and one that is longer. A server may hang up on
// the second one.
func (w *world) messageHolds(limit int) outcome {
	message := func(sub string, n int) []byte {
		start, end := `["REQ","`+sub+`",{"#t":["`, `"],"limit":0}]`
		return []byte(start + strings.Repeat("t", n-len(start)-len(end)) + end)
	}
	if _, out := w.withinLimit("long", message("long", limit)); !out.held() {
		return out
	}
	if out := w.blanksRead(limit); !out.held() {
		return out
	}
	relay, out := w.connect()
	if !out.held() {
		return out
	}
	raw, _ := answerFor(w, relay, "longer", message("longer", limit+1))
	w.hangUp()
	if label, _ := client.Label(raw); label == "EOSE" {
		return violated("a message beyond the stated limit is taken")
	}
	return outcome{}
}

// withinLimit sends a message within the stated limit on a connection of its own, and returns the answer. That a connection ends is one
// when it ends again, beside one on which a short query is answered; that a slower pace is asked for is none.
func (w *world) withinLimit(sub string, message []byte) (raw []byte, out outcome) {
	for n := 1; ; n++ {
		relay, out := w.connect()
		if !out.held() {
			return nil, out
		}
		raw, o := answerFor(w, relay, sub, message)
		w.hangUp()
		paced := o == nil && strings.Contains(string(raw), `"rate-limited:`)
		if paced {
			o = client.RateLimited{Text: string(raw)}
		}
		_, ended := o.(client.TransportError)
		switch {
		case o == nil:
			return raw, outcome{}
		case !ended && !paced, paced && n == hangUpsTold:
			return nil, inconclusive("a message within the stated limit", o)
		}
		if out := w.alive(); !out.held() { // it is asked at the pace of the relay
			return nil, out
		}
		if n == hangUpsTold {
			return nil, violated("a message within the stated limit ends the connection: %v", o)
		}
	}
}

// answerFor sends a message about a subscription and returns the answer that names it, or else the last one: greetings and
// notices may come before it.
func answerFor(w *world, relay *client.Relay, sub string, message []byte) (raw []byte, o client.Observation) {
	if o := relay.SendRaw(w.ctx, message); o != nil {
		return nil, o
	}
	for range greetingsMax {
		next, o := relay.Next(w.ctx)
		if _, silent := o.(client.Silence); silent && raw != nil {
			return raw, nil
		}
		if _, about := client.Label(next); o != nil || about == sub {
			return next, o
		}
		raw = next
	}
	return raw, nil
}

// greetingsMax bounds the messages before an answer.
const greetingsMax = 8

// visitRoot asks for the root by a method, as a client that wants the document.
func (w *world) visitRoot(method string) outcome {
	return w.visit(method, "/", http.Header{"Accept": {"application/nostr+json"}}, nil)
}
