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

// Limits of what is asked of a server that remembers, or takes, only so much.
const (
	// namedTwice is how many references of one key's first requests may be double: beyond, what has an address is named by that alone.
	namedTwice = 1000
	// vainMax is how many keys in turn may be refused for the pace before the round is over: each of them waited for it.
	vainMax = 3
)

// request asks for the deletion of events, key by key: those who announce come last, for other events are there because of theirs.
// It reports whether there is any use in looking what became of that. Where the server does not list NIP-09, and it is not known
// yet, one request is tried first. A key that is refused for the pace, however long was waited, has asked for enough in this round.
func (c *cleaner) request(ctx context.Context, events []ledger.Event, known bool) bool {
	c.again = known
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
	c.vain = 0
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
		taken, tooFast := c.requestAs(ctx, key, by[pubkey])
		asked = asked || taken
		if ctx.Err() != nil {
			return false
		}
		if c.vain++; !tooFast {
			c.vain = 0
		}
		if c.vain == vainMax {
			break
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

// requestAs asks for the deletion of one author's events, those that are served first. It reports whether anything was taken, and
// whether the server wants a slower pace than anybody waits for: a limit for the key, which more of the like would meet as well.
func (c *cleaner) requestAs(ctx context.Context, key client.Key, events []ledger.Event) (taken, tooFast bool) {
	latest := int64(0)
	for _, e := range events {
		latest = max(latest, e.CreatedAt)
	}
	most := TargetsMax
	if stated := int(c.facts.Limitation.Tags); stated > 0 {
		most = max(1, min(most, (stated-2)/2)) // a kind for each at worst, an expiration and a nonce
	}
	for part := range slices.Chunk(c.references(key, events), most) {
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
		sent, slowDown := c.send(ctx, key, tags, latest, part[0].served || !c.given(key))
		taken = taken || sent
		if ctx.Err() != nil || slowDown {
			return taken, slowDown
		}
	}
	return taken, false
}

// given reports whether a key was given to the run, which then has asked for the deletion of what it wrote behind each check.
func (c *cleaner) given(key client.Key) bool { return c.book.Keys[key.Pubkey].Name == "" }

// A reference names what is to be deleted, an event or an address, in a request.
type reference struct {
	tag    []string
	kind   int
	served bool // it is seen to be there
}

// references are those to one author's events, what is served first: a server may remember only so many. What has an address is named by
// it and by its id, for there are servers that know one of the two; where that would be many, by the address alone at first.
func (c *cleaner) references(key client.Key, events []ledger.Event) []reference {
	given := c.given(key)
	var ids, double, addresses []reference
	at := make(map[string]int) // where an address is among them
	for _, e := range events {
		if !nostr.IsValid32ByteHex(e.ID) {
			continue
		}
		id := reference{[]string{"e", e.ID}, e.Kind, c.there[e.ID]}
		ours := !given || strings.Contains(e.Identifier, c.book.Run.Run) // the tester's own profile is none of our business
		if e.Address == "" || !ours {
			ids = append(ids, id)
			continue
		}
		double = append(double, id)
		place, known := at[e.Address]
		if !known {
			place = len(addresses)
			at[e.Address] = place
			addresses = append(addresses, reference{[]string{"a", e.Address}, e.Kind, false})
		}
		addresses[place].served = addresses[place].served || id.served
	}
	all := slices.Concat(ids, addresses)
	if c.again || len(double) <= namedTwice {
		all = append(all, double...)
	}
	slices.SortStableFunc(all, func(a, b reference) int {
		switch {
		case a.served == b.served:
			return 0
		case a.served:
			return -1
		}
		return 1
	})
	return all
}

// send sends one request, dated behind what it names; where the server takes nothing of the future, it is dated now. It reports whether
// it was taken, and whether the server wants a slower pace all the same: who is patient waits for it.
func (c *cleaner) send(ctx context.Context, key client.Key, tags [][]string, latest int64, patient bool) (taken, tooFast bool) {
	now := c.client.Now()
	if c.result.Expire {
		tags = append(tags, []string{"expiration", strconv.FormatInt(max(now, latest)+int64(requestLife.Seconds()), 10)})
	}
	for _, date := range slices.Compact([]int64{max(now, latest), now}) {
		ev := client.Build(key, client.KindDeletion, tags, "", date)
		switch o := c.publish(ctx, key, ev, patient).(type) {
		case client.OKFrame:
			if o.Accepted {
				c.result.Requests++
				return true, false
			}
			c.refusedBy(o)
		case client.RateLimited:
			c.refusedBy(o)
			return false, true
		}
	}
	return false, false
}

// refusedBy keeps the first answer that refused a request.
func (c *cleaner) refusedBy(o client.Observation) {
	if c.result.Refused == "" {
		c.result.Refused = o.String()
	}
}

// publish sends a request until it is answered, at the pace that the server asks for, or at none.
func (c *cleaner) publish(ctx context.Context, key client.Key, ev *nostr.Event, patient bool) client.Observation {
	var o client.Observation
	proved := false
	for try := range tries {
		relay, broken := c.connected(ctx)
		switch {
		case broken != nil:
			o = broken
		case patient:
			o = relay.Publish(ctx, ev)
		default:
			o = relay.PublishOnce(ctx, ev)
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
		case client.RateLimited: // for which was waited already
			if try > 0 || c.vain > 0 || !patient {
				return o
			}
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
