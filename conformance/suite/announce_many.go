package suite

import (
	"fmt"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// Announcements of a flood.
const (
	floodBatch  = 50 // that are sent before the first of them has to be answered
	floodEnough = 20 // refusals in a row that show that the server has a limit of its own
)

// announceMany publishes announcements of different identifiers, by one key or by a key of its own each, and notes how many
// were taken. Each has to be answered, until the server has shown a limit: by refusals, by asking for a slower pace, or by
// hanging up.
func (w *world) announceMany(n int, keyOf func(i int) client.Key) outcome {
	taken, refused := 0, 0
	for sent := 0; sent < n && refused < floodEnough; sent += floodBatch {
		relay, out := w.connect()
		if !out.held() {
			return out
		}
		var batch []*nostr.Event
		for i := sent; i < min(n, sent+floodBatch); i++ {
			batch = append(batch, w.oneOfMany(i, keyOf(i)))
		}
		answers, o := w.publishTogether(relay, batch)
		for _, answer := range answers {
			switch ok, is := answer.(client.OKFrame); {
			case is && ok.Accepted:
				taken, refused = taken+1, 0
			default:
				refused++
			}
		}
		switch o.(type) {
		case nil:
		case client.RateLimited, client.TransportError:
			w.hangUp()
			w.note("the flood ends: %v", o)
			refused = floodEnough
		default:
			return unlessInconclusive(fmt.Sprintf("announcement %d", sent+len(answers)+1), o)
		}
	}
	w.note("%d of %d announcements were taken", taken, n)
	return outcome{}
}

// othersAnnounced has as many others announce a repository of that very identifier and publish a state of it, each newer than
// those before.
func (w *world) othersAnnounced(n int, commit string) outcome {
	if len(w.run.cfg.Keys) > 0 {
		return notApplicable("so many others are nobody whom the server knows, for which keys were given")
	}
	for i := range n {
		key := w.run.newKey(fmt.Sprint(w.check.ID, "/other/", i), false).Working(w.run.facts.work)
		for _, ev := range []*nostr.Event{
			client.Announce(key, client.AnnounceOpts{
				Identifier: w.identifier, Description: w.run.purpose(), Clone: []string{w.client.CloneURL(key.Pubkey, w.identifier)},
				Relays: []string{w.client.RelayURL()}, CreatedAt: w.tick(), Extra: w.markers(),
			}),
			client.StateEvent(key, w.identifier, [][2]string{{"refs/heads/main", w.git.history.oid(commit)}}, "", w.tick()),
		} {
			switch out := w.publish(ev).then(w.accepted).asSetup(); {
			case out.verdict == Unsupported:
				return notApplicable("not so many others may have a repository here: %s", out.reason)
			case !out.held():
				return out
			}
		}
	}
	return outcome{}
}

// oneOfMany is an announcement of a flood.
func (w *world) oneOfMany(i int, key client.Key) *nostr.Event {
	identifier := fmt.Sprintf("%s-%d", w.identifier, i)
	return client.Announce(key, client.AnnounceOpts{
		Identifier: identifier, Description: w.run.purpose(), Clone: []string{w.client.CloneURL(key.Pubkey, identifier)},
		Relays: []string{w.client.RelayURL()}, CreatedAt: w.tick(), Extra: w.markers(),
	})
}

// sendTogether sends events one behind the other, and waits for nothing.
func (w *world) sendTogether(relay *client.Relay, events []*nostr.Event) client.Observation {
	for _, ev := range events {
		if o := relay.SendRaw(w.ctx, eventFrame(ev)); o != nil {
			return o
		}
	}
	return nil
}

func eventFrame(ev *nostr.Event) []byte {
	return []byte(`["EVENT",` + string(client.EventJSON(ev)) + `]`)
}

// publishTogether sends events one behind the other and then waits for their answers. It ends with the first that is none.
func (w *world) publishTogether(relay *client.Relay, events []*nostr.Event) (answers []client.Observation, o client.Observation) {
	if o := w.sendTogether(relay, events); o != nil {
		return nil, o
	}
	for _, ev := range events {
		answer := relay.AwaitOK(w.ctx, ev)
		if _, is := answer.(client.OKFrame); !is {
			return answers, answer
		}
		answers = append(answers, answer)
	}
	return answers, nil
}
