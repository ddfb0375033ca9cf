package simtarget

import (
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/internal/identity"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
)

// ServiceKey is the public key by which the server authenticates to relays, if core.Config.Sync.Identity says that it has one.
func (t *Target) ServiceKey() string { return t.service().PubKey }

func (t *Target) service() identity.Identity { return identity.New(t.opts.Seed, "service") }

// signs authenticates the server to a relay.
func (t *Target) signs(now instant.Instant, to core.AnswerPeer) *nostr.Event {
	ev := &nostr.Event{
		Kind: 22242, CreatedAt: nostr.Timestamp(time.Duration(now) / time.Second), Tags: nostr.Tags{{"relay", to.URL}, {"challenge", to.Challenge}},
	}
	if err := t.service().Sign(ev); err != nil {
		panic("simtarget: invariant: key of the service: " + err.Error())
	}
	return ev
}
