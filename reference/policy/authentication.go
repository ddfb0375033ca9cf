package policy

import (
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

// PrivateWindow is how far the created_at of an event that authenticates may be from the present on a private service (G08-04).
const PrivateWindow = 5 * time.Minute

// An Attempt is what an event that authenticates a client is judged by.
type Attempt struct {
	Genuine   bool          // its id is its hash and its signature is its author's
	Challenge string        // what this connection was told; "" if nothing
	Second    int64         // the present, in seconds since the Unix epoch
	Window    time.Duration // how far created_at may be from it
}

// Authentication judges the event by which a client authenticates (N42-01).
func Authentication(own repo.Service, ev *nostr.Event, a Attempt) Ruling {
	away := int64(ev.CreatedAt) - a.Second
	window := int64(a.Window / time.Second)
	reason := ""
	switch {
	case !a.Genuine:
		reason = "the id or the signature does not fit the event"
	case ev.Kind != KindAuthentication:
		reason = "the event that authenticates is of another kind"
	case away < -window || away > window:
		reason = "the event that authenticates is not of this time"
	case a.Challenge == "" || first(ev, "challenge") != a.Challenge:
		reason = "the event that authenticates does not hold the challenge of this connection"
	case !own.IsRelayURL(first(ev, "relay")):
		reason = "the event that authenticates does not name this relay"
	default:
		return Ruling{Decision: Accept, Requirement: "N42-01"}
	}
	return refuse("N42-01", "auth-required", reason)
}

// first returns the first value of the first tag of a name, or "".
func first(ev *nostr.Event, name string) string {
	if tag := ev.Tags.Find(name); tag != nil {
		return tag[1]
	}
	return ""
}
