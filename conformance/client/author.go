package client

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"github.com/nbd-wtf/go-nostr"
)

// asAuthor sends an event that was refused for want of an authentication once more, on a connection beside this one on which its author
// has authenticated (NIP-42): who has authenticated on this one is for the check to say. An event that only its author may send (NIP-70)
// stays refused: who asks for that wants to see it. o is the refusal, or any other answer.
func (r *Relay) asAuthor(ctx context.Context, frame []byte, id string, o Observation) Observation {
	ok, is := o.(OKFrame)
	if !is || ok.Accepted || ok.Prefix != "auth-required" || r.c.signer == nil || r.c.door != nil {
		return o
	}
	var parts []json.RawMessage
	var ev nostr.Event
	if json.Unmarshal(bytes.TrimSpace(frame), &parts) != nil || len(parts) != 2 || json.Unmarshal(parts[1], &ev) != nil || slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool { return len(t) > 0 && t[0] == "-" }) {
		return o
	}
	key, known := r.c.signer(ev.PubKey)
	if !known {
		return o
	}
	if r.authors == nil {
		beside, broken := r.c.Relay(ctx)
		if broken != nil {
			return broken
		}
		r.authors, r.as = beside, make(map[string]bool)
	}
	if !r.as[key.Pubkey] && !r.authors.authenticatesAs(ctx, key) {
		return o
	}
	r.as[key.Pubkey] = true
	o = r.authors.publish(ctx, frame, id, r.c.settle)
	if _, broken := o.(TransportError); broken {
		r.authors.Close()
		r.authors = nil
	}
	return o
}

// authenticatesAs reports whether a key is let in on a connection. The challenge for it has come, or comes.
func (r *Relay) authenticatesAs(ctx context.Context, key Key) bool {
	if r.AwaitChallenge(ctx) != nil {
		return false
	}
	proof := Proof(key, r.c.RelayURL(), r.asked, r.c.Now())
	if r.SendRaw(ctx, append(append([]byte(`["AUTH",`), EventJSON(proof)...), ']')) != nil {
		return false
	}
	answer, is := r.awaitOK(ctx, proof.ID, r.c.settle).(OKFrame)
	return is && answer.Accepted
}
