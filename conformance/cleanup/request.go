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
	c.again, c.vain = known, 0
	by, authors, announcers := writers(events)
	before, tried := c.result.Requests, 0
	if all := slices.Concat(authors, announcers); !c.listed() && !known {
		for ; tried < len(all) && c.result.Requests == before && ctx.Err() == nil; tried++ {
			c.requestOf(ctx, all[tried:tried+1], by)
		}
		if tried < len(all) && !c.helps(ctx, events) {
			return false
		}
	}
	c.requestOf(ctx, authors[min(tried, len(authors)):], by)
	c.requestOf(ctx, announcers[max(tried-len(authors), 0):], by)
	return c.result.Requests > before && ctx.Err() == nil
}

// writers are who wrote the events, and of those apart who announced.
func writers(events []ledger.Event) (by map[string][]ledger.Event, authors, announcers []string) {
	by = make(map[string][]ledger.Event)
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
	return by, authors, announcers
}

func (c *cleaner) listed() bool { return c.result.Listed }

// helps reports whether a request has removed anything that was served, of which there has to be something.
func (c *cleaner) helps(ctx context.Context, events []ledger.Event) bool {
	if c.result.Requests == 0 {
		return false
	}
	helped, _ := c.client.Poll(ctx, goneWithin, func() (bool, client.Observation) {
		served, unsure := c.line.served(ctx, events)
		return len(served)+len(unsure) < len(events), nil
	})
	return helped
}

// requestAs asks for the deletion of one author's events, those that are served first. It reports whether the server wants a slower
// pace than anybody waits for: a limit for the key, which more of the like would meet as well.
func (l *line) requestAs(ctx context.Context, key client.Key, events []ledger.Event) (tooFast bool) {
	latest := int64(0)
	for _, e := range events {
		latest = max(latest, e.CreatedAt)
	}
	most := TargetsMax
	if stated := int(l.facts.Limitation.Tags); stated > 0 {
		most = max(1, min(most, (stated-2)/2)) // a kind for each at worst, an expiration and a nonce
	}
	for part := range slices.Chunk(l.references(key, events), most) {
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
		tooFast = l.send(ctx, key, tags, latest, part[0].served || !l.given(key))
		if ctx.Err() != nil || tooFast || l.aside {
			return tooFast
		}
	}
	return false
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
// the server wants a slower pace all the same: who is patient waits for it.
func (l *line) send(ctx context.Context, key client.Key, tags [][]string, latest int64, patient bool) (tooFast bool) {
	now := l.client.Now()
	if l.result.Expire {
		tags = append(tags, []string{"expiration", strconv.FormatInt(max(now, latest)+int64(requestLife.Seconds()), 10)})
	}
	for _, date := range slices.Compact([]int64{max(now, latest), now}) {
		ev := client.Build(key, client.KindDeletion, tags, "", date)
		o := l.publish(ctx, key, ev, patient)
		if l.aside {
			return false
		}
		switch o := o.(type) {
		case client.OKFrame:
			l.answeredBy(o, o.Accepted)
			if o.Accepted {
				return false
			}
		case client.RateLimited:
			l.answeredBy(o, false)
			return true
		}
	}
	return false
}

// answeredBy counts what was taken, and keeps the first answer that refused a request.
func (c *cleaner) answeredBy(o client.Observation, taken bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if taken {
		c.result.Requests++
	} else if c.result.Refused == "" {
		c.result.Refused = o.String()
	}
}

// publish sends a request until it is answered, at the pace that the server asks for, or at none. A line beside another one steps aside
// where the server has enough of it.
func (l *line) publish(ctx context.Context, key client.Key, ev *nostr.Event, patient bool) client.Observation {
	var o client.Observation
	proved := false
	for try := range tries {
		relay, broken := l.connected(ctx)
		switch {
		case broken != nil:
			o = broken
		case patient && !l.beside:
			o = relay.Publish(ctx, ev)
		default:
			o = relay.PublishOnce(ctx, ev)
		}
		if l.beside && enough(o) {
			l.aside = true
			return o
		}
		wait := pause
		switch got := o.(type) {
		case client.OKFrame:
			if got.Accepted || got.Prefix != "auth-required" || proved || relay.Challenge() == "" {
				return o
			}
			proved = true
			proof := client.Proof(key, l.client.RelayURL(), relay.Challenge(), l.client.Now())
			relay.Authenticate(ctx, client.EventJSON(proof), proof.ID)
			continue
		case client.RateLimited: // for which was waited already
			if try > 0 || l.refusedBefore() || !patient {
				return o
			}
			wait = slower
		default:
			l.hangUp()
		}
		if ctx.Err() != nil || l.client.Wait(ctx, wait) != nil {
			break
		}
	}
	return o
}
