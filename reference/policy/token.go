package policy

import (
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

// TokenWindow is how far the created_at of a token may be from the present. Within it a token counts as often as it comes: stock git
// sends the same one with each request of an operation (G08-05).
const TokenWindow = time.Minute

// A TokenAttempt is what an event that came with a git request is judged by.
type TokenAttempt struct {
	Genuine bool    // its id is its hash and its signature is its author's
	Repo    repo.ID // what the request is about, whether it is here or not
	Second  int64   // the present, in seconds since the Unix epoch
	Members Members
}

// Token judges the event that comes with a git request (NIP-98, as G08-05 has it): it names the repository and the method GET, whatever
// the request is, so that one serves a whole operation of git. Whoever is refused is told the same; the reason is for the operator.
func Token(own repo.Service, ev *nostr.Event, a TokenAttempt) Ruling {
	away := int64(ev.CreatedAt) - a.Second
	window := int64(TokenWindow / time.Second)
	reason := ""
	switch {
	case !a.Genuine:
		reason = "the id or the signature does not fit the token"
	case ev.Kind != KindHTTPAuthentication:
		reason = "the token is of another kind"
	case away < -window || away > window:
		reason = "the token is not of this time"
	case only(ev, "method") != "GET":
		reason = "the token does not name the method GET"
	case !own.IsRepositoryURL(only(ev, "u"), a.Repo):
		reason = "the token does not name this repository"
	case !a.Members.Has(ev.PubKey):
		return refuse("G08-06", "restricted", "the token is of no member")
	default:
		return Ruling{Decision: Accept, Requirement: "G08-05"}
	}
	return refuse("G08-06", "auth-required", reason)
}

// only returns the value of the tag of a name, or "" if there is none, or another one: readers differ on which of two counts.
func only(ev *nostr.Event, name string) string {
	value, found := "", false
	for _, tag := range ev.Tags {
		if len(tag) == 0 || tag[0] != name {
			continue
		}
		if found || len(tag) < 2 {
			return ""
		}
		value, found = tag[1], true
	}
	return value
}
