package cleanup

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/ledger"
)

// pause is how long is waited before something is tried again; and slower, for a server that wants a slower pace.
const (
	pause  = 500 * time.Millisecond
	slower = 10 * time.Second
)

// request asks for the deletion of events, key by key: those who announce come last, for other events are there because of theirs.
// It reports whether there is any use in looking what became of that. Where the server does not list NIP-09, and it is not known
// yet, one request is tried first.
func (c *cleaner) request(ctx context.Context, events []ledger.Event, known bool) bool {
	by := make(map[string][]ledger.Event)
	var authors, announcers []string
	for _, e := range events {
		if by[e.Pubkey] == nil {
			authors = append(authors, e.Pubkey)
		}
		by[e.Pubkey] = append(by[e.Pubkey], e)
	}
	authors = slices.DeleteFunc(authors, func(pubkey string) bool {
		announces := slices.ContainsFunc(by[pubkey], func(e ledger.Event) bool { return e.Kind == client.KindAnnouncement })
		if announces {
			announcers = append(announcers, pubkey)
		}
		return announces
	})
	asked := false
	for _, pubkey := range append(authors, announcers...) {
		key, has := c.key(pubkey)
		if !has {
			continue
		}
		if !c.listed() && !known && asked {
			if !c.helps(ctx, events) {
				return false
			}
			known = true
		}
		asked = c.requestAs(ctx, key, by[pubkey]) || asked
		if ctx.Err() != nil {
			return false
		}
	}
	return asked
}

func (c *cleaner) listed() bool { return c.result.Listed }

// helps reports whether a request has removed anything that was served, of which there has to be something.
func (c *cleaner) helps(ctx context.Context, events []ledger.Event) bool {
	if c.result.Requests == 0 {
		return false
	}
	helped, _ := c.client.Poll(ctx, goneWithin, func() (bool, client.Observation) {
		served, unsure := c.served(ctx, events)
		return len(served)+len(unsure) < len(events), nil
	})
	return helped
}

// requestAs asks for the deletion of one author's events.
func (c *cleaner) requestAs(ctx context.Context, key client.Key, events []ledger.Event) bool {
	given := c.book.Keys[key.Pubkey].Name == ""
	type named struct {
		tag  []string
		kind int
	}
	var targets []named
	latest := int64(0)
	addressed := make(map[string]bool)
	for _, e := range events {
		if !nostr.IsValid32ByteHex(e.ID) {
			continue
		}
		targets = append(targets, named{[]string{"e", e.ID}, e.Kind})
		ours := !given || strings.Contains(e.Identifier, c.book.Run.Run) // the tester's own profile is none of our business
		if e.Address != "" && ours && !addressed[e.Address] {
			addressed[e.Address] = true
			targets = append(targets, named{[]string{"a", e.Address}, e.Kind})
		}
		latest = max(latest, e.CreatedAt)
	}
	most := TargetsMax
	if stated := int(c.facts.Limitation.Tags); stated > 0 {
		most = max(1, min(most, (stated-2)/2)) // a kind for each at worst, an expiration and a nonce
	}
	taken := false
	for part := range slices.Chunk(targets, most) {
		var tags [][]string
		var kinds []int
		for _, t := range part {
			tags = append(tags, t.tag)
			if !slices.Contains(kinds, t.kind) {
				kinds = append(kinds, t.kind)
			}
		}
		for _, kind := range kinds {
			tags = append(tags, []string{"k", strconv.Itoa(kind)})
		}
		taken = c.send(ctx, key, tags, latest) || taken
		if ctx.Err() != nil {
			break
		}
	}
	return taken
}

// send sends one request, dated behind what it names; where the server takes nothing of the future, it is dated now.
func (c *cleaner) send(ctx context.Context, key client.Key, tags [][]string, latest int64) bool {
	now := c.client.Now()
	if c.result.Expire {
		tags = append(tags, []string{"expiration", strconv.FormatInt(max(now, latest)+int64(requestLife.Seconds()), 10)})
	}
	for _, date := range slices.Compact([]int64{max(now, latest), now}) {
		ev := client.Build(key, client.KindDeletion, tags, "", date)
		ok, is := c.publish(ctx, key, ev).(client.OKFrame)
		if is && ok.Accepted {
			c.result.Requests++
			return true
		}
		if is && c.result.Refused == "" {
			c.result.Refused = ok.String()
		}
	}
	return false
}

// publish sends a request until it is answered, at the pace that the server asks for.
func (c *cleaner) publish(ctx context.Context, key client.Key, ev *nostr.Event) client.Observation {
	var o client.Observation
	proved := false
	for range tries {
		relay, broken := c.connected(ctx)
		if broken != nil {
			o = broken
		} else {
			o = relay.Publish(ctx, ev)
		}
		wait := pause
		switch got := o.(type) {
		case client.OKFrame:
			if got.Accepted || got.Prefix != "auth-required" || proved || relay.Challenge() == "" {
				return o
			}
			proved = true
			proof := client.Proof(key, c.client.RelayURL(), relay.Challenge(), c.client.Now())
			relay.Authenticate(ctx, client.EventJSON(proof), proof.ID)
			continue
		case client.RateLimited:
			wait = slower
		default:
			c.hangUp()
		}
		if ctx.Err() != nil || c.client.Wait(ctx, wait) != nil {
			break
		}
	}
	return o
}
