package client

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/ledger"
)

// A Scribe is told of each write before it is made, by whatever client of a run, and may be from several goroutines at once. What it
// returns an error for is not sent.
type Scribe interface {
	// Event is told of an event, valid or not, each time that it is about to be sent.
	Event(e ledger.Event) error
	// Push is told of a request that may change a repository.
	Push(p ledger.Push) error
	// Answer is told of the OK for an event.
	Answer(id string, taken bool)
}

// Lend tells the scribe of an event that the server may get from a relay of ours. An error means that it must not be lent.
func (c *Client) Lend(ev *nostr.Event) error {
	if c.scribe == nil {
		return nil
	}
	e := c.entry(ev, len(EventJSON(ev)))
	e.Lent = true
	return c.scribe.Event(e)
}

// WritesTo tells the scribe of a push of so many bytes that somebody else makes on the client's behalf, to the repository at a path
// below the service URL.
func (c *Client) WritesTo(path string, bytes int) error {
	if c.scribe == nil {
		return nil
	}
	return c.scribe.Push(ledger.Push{Repository: c.serviceURL() + path, Bytes: bytes})
}

// listFrame tells the scribe of the events in a message.
func (c *Client) listFrame(frame []byte) error {
	if c.scribe == nil {
		return nil
	}
	for _, e := range c.eventsIn(frame) {
		if err := c.scribe.Event(e); err != nil {
			return err
		}
	}
	return nil
}

// listRequest tells the scribe of a request that may change a repository.
func (c *Client) listRequest(method, path string, bytes int) error {
	at, _, _ := strings.Cut(path, "?")
	switch {
	case c.scribe == nil, !strings.Contains(at, ".git"), strings.HasSuffix(at, "/"+UploadPack):
		return nil
	case method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions:
		return nil
	}
	end := strings.LastIndex(at, ".git") + len(".git")
	return c.scribe.Push(ledger.Push{Repository: c.serviceURL() + at[:end], Bytes: bytes})
}

// listAnswer tells the scribe of an OK.
func (c *Client) listAnswer(ok OKFrame) {
	if c.scribe != nil {
		c.scribe.Answer(ok.ID, ok.Accepted)
	}
}

// unlisted is the observation of what was not sent because it could not be listed.
func unlisted(err error) Observation {
	err = fmt.Errorf("not sent, for it could not be listed before: %w", err)
	return TransportError{Phase: "ledger", Text: err.Error(), Err: err}
}

// entry is what a ledger says of an event.
func (c *Client) entry(ev *nostr.Event, bytes int) ledger.Event {
	e := ledger.Event{ID: ev.ID, Kind: ev.Kind, Pubkey: ev.PubKey, CreatedAt: int64(ev.CreatedAt), Bytes: bytes}
	for _, tag := range ev.Tags {
		if len(tag) > 1 && tag[0] == "d" {
			e.Identifier = tag[1]
			break
		}
	}
	if !nostr.IsValidPublicKey(ev.PubKey) {
		return e
	}
	switch {
	case nostr.IsAddressableKind(ev.Kind):
		e.Address = fmt.Sprintf("%d:%s:%s", ev.Kind, ev.PubKey, e.Identifier)
	case nostr.IsReplaceableKind(ev.Kind):
		e.Address = fmt.Sprintf("%d:%s:", ev.Kind, ev.PubKey)
	}
	if ev.Kind == KindAnnouncement && e.Identifier != "" {
		e.Repository = c.serviceURL() + c.RepoPath(ev.PubKey, e.Identifier)
	}
	return e
}

// eventsIn finds the events that a relay may read in a message, however odd that is.
func (c *Client) eventsIn(frame []byte) []ledger.Event {
	var parts []json.RawMessage
	var label string
	if json.Unmarshal(frame, &parts) == nil && len(parts) > 0 && json.Unmarshal(parts[0], &label) == nil {
		if !strings.EqualFold(strings.TrimSpace(label), "EVENT") {
			return nil
		}
		var found []ledger.Event
		for _, part := range parts[1:] {
			var w wireEvent
			if json.Unmarshal(part, &w) == nil && w.ID != "" {
				found = append(found, c.entry(w.event(), len(frame)))
			} else {
				found = append(found, anyEvent(part, len(frame))...)
			}
		}
		return found
	}
	if !strings.Contains(strings.ToUpper(string(frame[:min(len(frame), labelWithin)])), "EVENT") {
		return nil
	}
	return anyEvent(frame, len(frame))
}

// labelWithin is within how many bytes the label of a message stands, also of one that is no JSON.
const labelWithin = 64

// These find the members of an event in what is none as it stands.
var (
	idMember  = regexp.MustCompile(`"id"\s*:\s*"([0-9a-fA-F]{64})"`)
	keyMember = regexp.MustCompile(`"pubkey"\s*:\s*"([0-9a-fA-F]{64})"`)
)

// anyEvent is what a forgiving relay may take for an event: whatever has an id.
func anyEvent(text []byte, bytes int) []ledger.Event {
	id := idMember.FindSubmatch(text)
	if id == nil {
		return nil
	}
	e := ledger.Event{ID: strings.ToLower(string(id[1])), Bytes: bytes}
	if key := keyMember.FindSubmatch(text); key != nil {
		e.Pubkey = strings.ToLower(string(key[1]))
	}
	return []ledger.Event{e}
}

// serviceURL is the URL of the service without a trailing slash.
func (c *Client) serviceURL() string { return c.origin.Scheme + "://" + c.origin.Host + c.base() }
