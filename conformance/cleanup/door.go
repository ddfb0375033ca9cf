package cleanup

import (
	"context"
	"encoding/base64"
	"net/http"
	"slices"

	"github.com/graspkit/graspkit/conformance/client"
)

// introduce tells a relay that lets in members alone (NIP-42) that the next of the keys that were given is here, and reports whether
// there is any use in asking again.
func (l *line) introduce(ctx context.Context, closed client.ClosedFrame) bool {
	if closed.Prefix != "auth-required" && closed.Prefix != "restricted" || l.shown == len(l.door) || l.relay.Challenge() == "" {
		return false
	}
	key := l.door[l.shown]
	l.shown++
	proof := client.Proof(key, l.client.RelayURL(), l.relay.Challenge(), l.client.Now())
	_, answered := l.relay.Authenticate(ctx, client.EventJSON(proof), proof.ID).(client.OKFrame)
	return answered
}

// letIn remembers who was let in by whom it was shown last: that key goes first from now on.
func (c *cleaner) letIn(at int) {
	if at > 0 {
		key := c.door[at]
		c.door = slices.Insert(slices.Delete(c.door, at, at+1), 0, key)
	}
}

// advert asks for the refs of a repository, and shows the keys that were given as tokens (NIP-98, as GRASP-08 has it) where nobody
// else is let in.
func (c *cleaner) advert(ctx context.Context, path string) client.Observation {
	var o client.Observation
	if len(c.door) == 0 || !c.shut {
		if o = c.client.Advertise(ctx, path, client.UploadPack, 0); len(c.door) == 0 || !turnedAway(o) {
			return o
		}
	}
	c.shut = true
	for i, key := range c.door {
		tags := [][]string{{"u", c.client.Target().ServiceURL() + path}, {"method", http.MethodGet}}
		token := client.EventJSON(client.Build(key, client.KindHTTPAuth, tags, "", c.client.Now()))
		header := http.Header{"Authorization": {"Nostr " + base64.StdEncoding.EncodeToString(token)}}
		if o = c.client.AdvertiseAt(ctx, path, "service="+client.UploadPack, header); !turnedAway(o) {
			c.letIn(i)
			return o
		}
	}
	return o
}

// turnedAway reports whether an answer shows nothing to whom was asked by, be the repository there or not.
func turnedAway(o client.Observation) bool {
	answer, is := o.(client.HTTPAnswer)
	return is && (answer.Status == http.StatusUnauthorized || answer.Status == http.StatusForbidden)
}
