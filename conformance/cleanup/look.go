package cleanup

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/ledger"
)

// A document is what of the relay information document (NIP-11) requests have to keep to.
type document struct {
	NIPs       []any `json:"supported_nips"`
	GRASPs     []any `json:"supported_grasps"`
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
		if _, broken := c.line.connected(ctx); broken != nil {
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
func (l *line) served(ctx context.Context, events []ledger.Event) (served, unsure map[string]bool) {
	served, unsure = make(map[string]bool), make(map[string]bool)
	var ids []string
	for _, e := range events {
		if nostr.IsValid32ByteHex(e.ID) { // nothing else is the id of an event, and a relay may refuse to look for it
			ids = append(ids, e.ID)
		}
	}
	for part := range slices.Chunk(ids, idsMax) {
		found, ok := l.ask(ctx, part)
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
func (l *line) ask(ctx context.Context, ids []string) (map[string]bool, bool) {
	found := make(map[string]bool)
	for range tries {
		relay, o := l.connected(ctx)
		for o == nil {
			events, answer := relay.Query(ctx, client.Filter{IDs: ids})
			for _, ev := range events {
				found[ev.ID] = true
			}
			if answer == nil {
				l.letIn(l.shown - 1)
				return found, true
			}
			if closed, is := answer.(client.ClosedFrame); !is || !l.introduce(ctx, closed) {
				break
			}
		}
		l.hangUp()
		if ctx.Err() != nil || l.client.Wait(ctx, pause) != nil {
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
		served, unsure := c.line.served(ctx, left)
		left = slices.DeleteFunc(slices.Clone(left), func(e ledger.Event) bool { return !served[e.ID] && !unsure[e.ID] })
		return len(left) == 0 || ctx.Err() != nil, nil
	})
	return left
}
