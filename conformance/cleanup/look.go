package cleanup

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/ledger"
)

// A document is what of the relay information document (NIP-11) requests have to keep to.
type document struct {
	NIPs       []any `json:"supported_nips"`
	Limitation struct {
		Work float64 `json:"min_pow_difficulty"`
		Tags float64 `json:"max_event_tags"`
	} `json:"limitation"`
}

func (d document) lists(nip float64) bool { return slices.Contains(d.NIPs, any(nip)) }

func (d document) work() int { return int(min(max(d.Limitation.Work, 0), client.WorkMax)) }

// NIPs that requests are of.
const (
	nipDeletion   = 9
	nipExpiration = 40
)

// greet reads the document. A server without one may know the requests all the same.
func (c *cleaner) greet(ctx context.Context) error {
	o := c.client.Get(ctx, "/", http.Header{"Accept": {"application/nostr+json"}})
	answer, is := o.(client.HTTPAnswer)
	if !is {
		if _, broken := c.connected(ctx); broken != nil {
			return unreachable(broken)
		}
		return nil
	}
	if json.Unmarshal(answer.Body, &c.facts) != nil {
		c.facts = document{}
	}
	c.result.Listed, c.result.Expire = c.facts.lists(nipDeletion), c.facts.lists(nipExpiration)
	return nil
}

// served finds out which events are served, and of which nobody could say.
func (c *cleaner) served(ctx context.Context, events []ledger.Event) (served, unsure map[string]bool) {
	served, unsure = make(map[string]bool), make(map[string]bool)
	var ids []string
	for _, e := range events {
		if nostr.IsValid32ByteHex(e.ID) { // nothing else is the id of an event, and a relay may refuse to look for it
			ids = append(ids, e.ID)
		}
	}
	for part := range slices.Chunk(ids, idsMax) {
		found, ok := c.ask(ctx, part)
		for _, id := range part {
			if !ok {
				unsure[id] = true
			}
		}
		maps.Copy(served, found)
	}
	return served, unsure
}

// ask asks for events by their ids, and again on another connection if that brings no answer.
func (c *cleaner) ask(ctx context.Context, ids []string) (map[string]bool, bool) {
	found := make(map[string]bool)
	for range tries {
		relay, o := c.connected(ctx)
		if o == nil {
			events, answer := relay.Query(ctx, client.Filter{IDs: ids})
			for _, ev := range events {
				found[ev.ID] = true
			}
			if answer == nil {
				return found, true
			}
		}
		c.hangUp()
		if ctx.Err() != nil || c.client.Wait(ctx, pause) != nil {
			break
		}
	}
	return found, false
}

// await waits until none of the events is served, and returns those that are then.
func (c *cleaner) await(ctx context.Context, events []ledger.Event) []ledger.Event {
	left := events
	within := goneWithin
	if c.cfg.Slowness > 1 {
		within *= 2
	}
	c.client.Poll(ctx, within, func() (bool, client.Observation) {
		served, unsure := c.served(ctx, left)
		left = slices.DeleteFunc(slices.Clone(left), func(e ledger.Event) bool { return !served[e.ID] && !unsure[e.ID] })
		return len(left) == 0 || ctx.Err() != nil, nil
	})
	return left
}

// repositories looks which of those that were announced or pushed to are still there.
func (c *cleaner) repositories(ctx context.Context) {
	named := make(map[string]bool)
	for at, ids := range c.book.Repositories {
		if slices.ContainsFunc(ids, func(id string) bool { return !c.book.Refused(id) }) {
			named[at] = true
		}
	}
	for at := range c.book.Pushes {
		named[at] = true
	}
	c.result.Repositories = len(named)
	for _, at := range slices.Sorted(maps.Keys(named)) {
		path, below := strings.CutPrefix(at, c.book.Run.URL)
		if !below || !strings.HasPrefix(path, "/") {
			c.result.Unsure++
			continue
		}
		within := goneWithin / 2
		if len(c.result.Left) >= patientFor { // it was waited for others in vain
			within = 0
		}
		gone, o := c.client.Poll(ctx, within, func() (bool, client.Observation) {
			o := c.client.Advertise(ctx, path, client.UploadPack, 0)
			return goneFor(o) || client.Inconclusive(o), o
		})
		switch {
		case client.Inconclusive(o) || o == nil:
			c.result.Unsure++
		case !gone:
			c.result.Left = append(c.result.Left, fmt.Sprintf("%s (%.120v)", at, o))
		}
	}
}

// patientFor is how many repositories that stay are waited for.
const patientFor = 3

// goneFor reports whether an answer shows that there is no repository, or nothing in it.
func goneFor(o client.Observation) bool {
	switch o := o.(type) {
	case client.HTTPAnswer:
		return o.Status == http.StatusNotFound || o.Status == http.StatusGone || o.Status == http.StatusBadRequest
	case client.Advert:
		return len(o.Refs) == 0
	}
	return false
}
