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
	if name == "max_subscriptions" && value >= client.MaxSubs {
		w.note("%s is %.0f, more than are tried", name, value)
		return outcome{}
	}
	limit := int(value)
	w.note("%s is %d", name, limit)
	relay, out := w.connect()
	if !out.held() {
		return out
	}
	switch name {
	case "max_subid_length":
		return w.taken(relay, strings.Repeat("s", limit), client.Filter{Limit: new(int)}).then(func() outcome {
			return w.notTaken(relay, strings.Repeat("s", limit+1))
		})
	case "max_subscriptions":
		for i := range limit {
			if out := w.taken(relay, fmt.Sprint("s", i), client.Filter{Limit: new(int)}); !out.held() {
				return out
			}
		}
		return w.notTaken(relay, "beyond")
	case "max_message_length":
		return w.messageHolds(relay, limit)
	}
	panic("suite: invariant: unknown limit " + name)
}

// limitTried is the largest value of a limit that is tried.
const limitTried = 1 << 20

// taken judges that a subscription is answered with EOSE.
func (w *world) taken(relay *client.Relay, sub string, filter client.Filter) outcome {
	_, o := relay.Subscribe(w.ctx, sub, filter)
	if o != nil {
		return unlessInconclusive("a subscription within the stated limit", o)
	}
	return outcome{}
}

// notTaken judges that a subscription is refused. It is sent raw, for the client keeps limits of its own.
func (w *world) notTaken(relay *client.Relay, sub string) outcome {
	if o := relay.SendRaw(w.ctx, fmt.Appendf(nil, `["REQ",%q,{"limit":0}]`, sub)); o != nil {
		return inconclusive("a subscription beyond the stated limit", o)
	}
	raw, o := relay.Next(w.ctx)
	if o != nil {
		return inconclusive("a subscription beyond the stated limit", o)
	}
	if strings.HasPrefix(string(raw), `["EOSE"`) {
		return violated("a subscription beyond the stated limit is taken")
	}
	return outcome{}
}

// messageHolds sends a message as long as the stated limit, and one that is longer. A server may hang up on
// the second one.
func (w *world) messageHolds(relay *client.Relay, limit int) outcome {
	message := func(n int) []byte {
		const start, end = `["REQ","long",{"ids":["`, `"],"limit":0}]`
		return []byte(start + strings.Repeat("0", n-len(start)-len(end)) + end)
	}
	if o := relay.SendRaw(w.ctx, message(limit)); o != nil {
		return unlessInconclusive("a message within the stated limit", o)
	}
	if _, o := relay.Next(w.ctx); o != nil {
		if broken, is := o.(client.TransportError); is {
			return violated("a message within the stated limit ends the connection: %v", broken)
		}
		return inconclusive("a message within the stated limit", o)
	}
	if o := relay.SendRaw(w.ctx, message(limit+1)); o != nil {
		return outcome{}
	}
	raw, o := relay.Next(w.ctx)
	w.relay.conn = nil
	relay.Close()
	if o == nil && strings.HasPrefix(string(raw), `["EOSE"`) {
		return violated("a message beyond the stated limit is taken")
	}
	return outcome{}
}

// visitRoot asks for the root by a method, as a client that wants the document.
func (w *world) visitRoot(method string) outcome {
	return w.visit(method, "/", http.Header{"Accept": {"application/nostr+json"}}, nil)
}
