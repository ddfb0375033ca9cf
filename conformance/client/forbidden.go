package client

import (
	"context"
	"net/http"
	"strings"
)

// A front that guards a server may answer 403 to everything for a while to who asks much: a 403 is a refusal of what was asked unless the
// relay information document, which is for everybody and was shown before, gets the same. Then it is a request for a slower pace.

// everythingForbidden is what is told of such an answer.
const everythingForbidden = "HTTP 403 to everything, the document too"

// documentHeader asks for the relay information document.
func documentHeader() http.Header { return http.Header{"Accept": {"application/nostr+json"}} }

// forbiddenForNow reports whether the document, which was shown before, is answered by 403.
func (c *Client) forbiddenForNow(ctx context.Context) bool {
	if c.still || !c.pace.showed() {
		return false
	}
	answer, is := c.exchangeOnce(ctx, http.MethodGet, "/", documentHeader(), payload{}, 0).(HTTPAnswer)
	return is && answer.Status == http.StatusForbidden
}

// unlessForbidden is what was answered, or a request for a slower pace where that is what it comes to.
func (c *Client) unlessForbidden(ctx context.Context, o Observation) Observation {
	forbidden := false
	switch o := o.(type) {
	case HTTPAnswer:
		forbidden = o.Status == http.StatusForbidden
	case TransportError:
		forbidden = o.Phase == "dial" && strings.Contains(o.Text, "answered with HTTP 403")
	}
	if forbidden && c.forbiddenForNow(ctx) {
		return RateLimited{Text: everythingForbidden}
	}
	return o
}

// shows files that the document was shown.
func (p *Pace) shows() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown = true
}

func (p *Pace) showed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.shown
}
