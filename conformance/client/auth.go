package client

import (
	"context"

	"github.com/nbd-wtf/go-nostr"
)

// Challenge is the challenge that the relay has sent last on this connection (NIP-42), "" if none.
func (r *Relay) Challenge() string { return r.asked }

// AwaitChallenge waits for a challenge, if none has come yet: one may come behind the refusal that it explains. The observation is
// nil when there is one.
func (r *Relay) AwaitChallenge(ctx context.Context) Observation {
	if r.asked != "" {
		return nil
	}
	r.awaits("")
	return r.await(ctx, r.c.settle, "a challenge", func(message) bool { return r.asked != "" })
}

// Proof builds an event by which a key authenticates on a connection to the relay (NIP-42).
func Proof(key Key, relayURL, challenge string, createdAt int64) *nostr.Event {
	return Build(key, KindAuth, [][]string{{"relay", relayURL}, {"challenge", challenge}}, "", createdAt)
}

// Authenticate sends the JSON of an event in an AUTH message, valid or not, and waits for the OK with the id given. The
// results are those of Publish.
func (r *Relay) Authenticate(ctx context.Context, raw []byte, id string) Observation {
	r.proved = true
	delete(r.oks, id)
	frame := append([]byte(`["AUTH",`), raw...)
	if o := r.SendRaw(ctx, append(frame, ']')); o != nil {
		return o
	}
	return r.awaitOK(ctx, id, r.c.settle)
}
