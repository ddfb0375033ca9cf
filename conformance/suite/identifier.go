package suite

import (
	"github.com/graspkit/graspkit/conformance/client"
)

// notTaken is the outcome of an announcement that was refused and has an identifier that not every server takes. Where one of the same
// author with a plain identifier is refused as well, by policy, it is not for that.
func (w *world) notTaken(reason string) outcome {
	ev := w.sent.last
	key, known := w.run.keyring.of(ev.PubKey)
	ok, is := w.sent.answer.(client.OKFrame)
	if !known || !is || !policyPrefix(ok.Prefix) {
		return notApplicable("the server does not take such an identifier: %s", reason)
	}
	relay, out := w.connect()
	if !out.held() {
		return out
	}
	plain := w.run.name("plain-" + shortID(ev.ID))
	same, is := relay.Publish(w.ctx, client.Announce(key, client.AnnounceOpts{
		Identifier: plain, Name: "plain", Description: w.run.purpose(),
		Clone: []string{w.client.CloneURL(key.Pubkey, plain)}, Relays: []string{w.client.RelayURL()},
		CreatedAt: w.tick(), Extra: w.markers(),
	})).(client.OKFrame)
	if is && !same.Accepted && policyPrefix(same.Prefix) {
		w.lacksRoom = true
		w.run.refusesUs(ok.String())
		return outcome{verdict: Unsupported, reason: "announcements are refused by policy: " + ok.String()}
	}
	return notApplicable("the server does not take such an identifier: %s", reason)
}

// shortID is enough of an id to tell it from others.
func shortID(id string) string { return id[:min(8, len(id))] }
